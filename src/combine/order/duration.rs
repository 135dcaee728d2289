//! The mean length of an ISO 8601 duration, exactly.

use super::Number;

/// Seconds of each designator: before the `T`, and behind it. A month is a twelfth of a year of 365.2425 days.
const DATE_UNITS: [(u8, i128); 4] = [(b'Y', 31_556_952), (b'M', 2_629_746), (b'W', 604_800), (b'D', 86_400)];
const TIME_UNITS: [(u8, i128); 3] = [(b'H', 3600), (b'M', 60), (b'S', 1)];

/// The most digits of an amount before and behind its point, so that a sum of seven fits an `i128`.
const WHOLE_DIGITS: usize = 12;
const PLACES: usize = 15;

/// Reads a duration as seconds; none when it is no duration, or its digits are out of all bounds.
pub(super) fn seconds(text: &[u8]) -> Option<Number> {
    let (negative, text) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    let text = text.strip_prefix(b"P")?;
    let end = text.iter().position(|byte| *byte == b'T').unwrap_or(text.len());
    let (date, time) = text.split_at_checked(end)?;
    let total = match (date, time) {
        ([], []) | (_, [_]) => return None,
        (_, []) => sum(date, &DATE_UNITS)?,
        (_, [_, time @ ..]) => sum(date, &DATE_UNITS)? + sum(time, &TIME_UNITS)?,
    };
    Some(Number::scaled(if negative { -total } else { total }, -(PLACES as i64)))
}

/// Sums amounts in units of 10⁻¹⁵ seconds; each designator at most once and in its order.
fn sum(text: &[u8], units: &[(u8, i128)]) -> Option<i128> {
    let (mut rest, mut left, mut total) = (text, units.iter(), 0);
    while !rest.is_empty() {
        let end = rest.iter().position(u8::is_ascii_alphabetic)?;
        let (amount_text, tail) = rest.split_at_checked(end)?;
        let (designator, tail) = tail.split_first()?;
        let (_, seconds) = left.find(|(unit, _)| unit == designator)?;
        total += amount(amount_text)? * seconds;
        rest = tail;
    }
    Some(total)
}

fn amount(text: &[u8]) -> Option<i128> {
    let point = text.iter().position(|byte| matches!(byte, b'.' | b',')).unwrap_or(text.len());
    let (whole, fraction) = text.split_at_checked(point)?;
    let places = fraction.get(1..).unwrap_or_default();
    if !(1..=WHOLE_DIGITS).contains(&whole.len()) || places.len() > PLACES || (!fraction.is_empty() && places.is_empty()) {
        return None;
    }
    let digits = whole
        .iter()
        .chain(places)
        .try_fold(0i128, |value, digit| digit.is_ascii_digit().then(|| value * 10 + i128::from(digit - b'0')))?;
    Some(digits * 10i128.pow(u32::try_from(PLACES - places.len()).ok()?))
}
