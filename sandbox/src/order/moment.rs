//! Instants, times of day and durations of ISO 8601, read exactly.

use super::decimal::Decimal;

/// Which spellings are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Extended only, and complete enough not to look like a number: how plain JSON strings are read.
    Plain,
    /// Extended or basic, short forms included: how data values are read.
    Data,
}

/// A point on a line of seconds: whole seconds and the digits of the fraction, without zeros at the end.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Moment {
    seconds: i64,
    fraction: Box<str>,
}

/// Reads a date or date/time as an instant: missing parts are the earliest, a missing offset is UTC.
pub(crate) fn instant(text: &str, form: Form) -> Option<Moment> {
    let (date, time) = match text.split_once('T') {
        Some((date, time)) => (date, Some(time)),
        None => (text, None),
    };
    let (days, extended, complete) = parse_date(date, form)?;
    let Some(time) = time else { return Some(Moment { seconds: days * 86_400, fraction: "".into() }) };
    let clock = parse_clock(time)?;
    let fits = clock.extended.is_none_or(|time_extended| time_extended == extended);
    (complete && fits && (form == Form::Data || extended)).then(|| clock.moment(days * 86_400))
}

/// Reads a time of day: since midnight, less the offset, not wrapped.
pub(crate) fn time(text: &str, form: Form) -> Option<Moment> {
    let clock = parse_clock(text)?;
    let taken = match form {
        Form::Plain => clock.extended == Some(true),
        Form::Data => true,
    };
    taken.then(|| clock.moment(0))
}

/// Two digits as a number no greater than `max`.
fn two(text: &str, max: i64) -> Option<i64> {
    if text.len() != 2 || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    text.parse().ok().filter(|value| *value <= max)
}

/// Days since 1970-01-01, whether written extended, and whether a day was given.
fn parse_date(text: &str, form: Form) -> Option<(i64, bool, bool)> {
    if !text.is_ascii() {
        return None;
    }
    let year = text.get(..4).filter(|year| year.bytes().all(|byte| byte.is_ascii_digit()))?.parse::<i64>().ok()?;
    let rest = text.get(4..)?;
    let (month, day, extended) = match (rest.len(), rest.starts_with('-')) {
        (0, _) if form == Form::Data => (None, None, true),
        (3, true) => (rest.get(1..3), None, true),
        (6, true) if rest.as_bytes().get(3) == Some(&b'-') => (rest.get(1..3), rest.get(4..6), true),
        (2, false) if form == Form::Data => (Some(rest), None, false),
        (4, false) if form == Form::Data => (rest.get(..2), rest.get(2..4), false),
        _ => return None,
    };
    let month_number = month.map_or(Some(1), |text| two(text, 12))?;
    let day_number = day.map_or(Some(1), |text| two(text, 31))?;
    let real = month_number >= 1 && day_number >= 1 && day_number <= days_in(year, month_number);
    real.then(|| (days_since_epoch(year, month_number, day_number), extended, day.is_some()))
}

fn days_in(year: i64, month: i64) -> i64 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => 31,
    }
}

/// Days from 1970-01-01 in the proleptic Gregorian calendar; years are counted from March, so that the leap day is last.
fn days_since_epoch(year: i64, month: i64, day: i64) -> i64 {
    let shifted = if month <= 2 { year - 1 } else { year };
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    365 * shifted + shifted.div_euclid(4) - shifted.div_euclid(100) + shifted.div_euclid(400) + day_of_year - 719_468
}

/// A time of day with its offset.
struct Clock {
    seconds: i64,
    fraction: Box<str>,
    /// `None` when nothing tells (`hh`).
    extended: Option<bool>,
}

impl Clock {
    fn moment(self, start: i64) -> Moment {
        Moment { seconds: start + self.seconds, fraction: self.fraction }
    }
}

fn parse_clock(text: &str) -> Option<Clock> {
    if !text.is_ascii() {
        return None;
    }
    let split = text.find(['Z', '+', '-']).unwrap_or(text.len());
    let (clock, zone) = text.split_at(split);
    let offset = parse_offset(zone)?;
    let (digits, fraction) = match clock.split_once(['.', ',']) {
        Some((digits, fraction)) => (digits, Some(fraction)),
        None => (clock, None),
    };
    let (parts, extended): (Vec<&str>, _) = match (digits.len(), digits.contains(':')) {
        (2, false) => (vec![digits], None),
        (4 | 6, false) => ((0..digits.len()).step_by(2).filter_map(|at| digits.get(at..at + 2)).collect(), Some(false)),
        (5 | 8, true) => (digits.split(':').collect(), Some(true)),
        _ => return None,
    };
    let fraction = match fraction {
        None => "",
        Some(digits) if parts.len() == 3 && !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) => digits,
        Some(_) => return None,
    };
    let mut seconds = 0;
    for ((part, max), unit) in parts.iter().zip([23, 59, 59]).zip([3600, 60, 1]) {
        seconds += two(part, max)? * unit;
    }
    Some(Clock { seconds: seconds - offset, fraction: fraction.trim_end_matches('0').into(), extended })
}

/// Seconds east of UTC; 0 when there is none.
fn parse_offset(zone: &str) -> Option<i64> {
    if zone.is_empty() || zone == "Z" {
        return Some(0);
    }
    let sign = if zone.starts_with('-') { -1 } else { 1 };
    let digits = zone.get(1..)?;
    let (hours, minutes) = match (digits.len(), digits.as_bytes().get(2)) {
        (2, _) => (digits, "00"),
        (4, _) => digits.split_at(2),
        (5, Some(b':')) => (digits.get(..2)?, digits.get(3..)?),
        _ => return None,
    };
    zone.starts_with(['+', '-']).then_some(())?;
    Some(sign * (two(hours, 23)? * 3600 + two(minutes, 59)? * 60))
}

/// Seconds of each designator: before the `T`, and behind it. A month is a twelfth of a year of 365.2425 days.
const DATE_UNITS: [(char, &str); 4] = [('Y', "31556952"), ('M', "2629746"), ('W', "604800"), ('D', "86400")];
const TIME_UNITS: [(char, &str); 3] = [('H', "3600"), ('M', "60"), ('S', "1")];

/// Reads a duration as its mean length in seconds.
pub(crate) fn duration(text: &str) -> Option<Decimal> {
    let (negative, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let body = unsigned.strip_prefix('P')?;
    let (date, time) = match body.split_once('T') {
        Some((date, time)) if !time.is_empty() => (date, time),
        Some(_) => return None,
        None => (body, ""),
    };
    if date.is_empty() && time.is_empty() {
        return None;
    }
    let total = sum_units(date, &DATE_UNITS)? + sum_units(time, &TIME_UNITS)?;
    let length = Decimal::parse(&total.to_plain_string())?;
    Some(if negative { length.negated() } else { length })
}

fn sum_units(text: &str, units: &[(char, &str)]) -> Option<bigdecimal::BigDecimal> {
    let mut rest = text;
    let mut left = units.iter();
    let mut total = bigdecimal::BigDecimal::from(0);
    while !rest.is_empty() {
        let end = rest.find(|letter: char| letter.is_ascii_alphabetic())?;
        let (number, tail) = rest.split_at(end);
        let designator = tail.chars().next()?;
        let (_, seconds) = left.find(|(unit, _)| *unit == designator)?;
        total += parse_amount(number)? * seconds.parse::<bigdecimal::BigDecimal>().ok()?;
        rest = tail.get(1..)?;
    }
    Some(total)
}

fn parse_amount(text: &str) -> Option<bigdecimal::BigDecimal> {
    let plain = text.replace(',', ".");
    let shaped = plain.starts_with(|c: char| c.is_ascii_digit()) && plain.ends_with(|c: char| c.is_ascii_digit());
    let digits = plain.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let (whole, fraction) = plain.split_once('.').unwrap_or((&plain, ""));
    let short = whole.len() <= 12 && fraction.len() <= 15;
    (shaped && digits && short).then(|| plain.parse().ok())?
}
