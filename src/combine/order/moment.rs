//! Points in time and times of day, read exactly from ISO 8601.
//!
//! Own reading, since no library takes the partial forms of openEHR; the calendar is checked here too, in a few lines, as the
//! reading of a key is on the path of every row.

/// A point on a line of seconds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Moment {
    seconds: i64,
    nanos: u32,
    /// Digits past the ninth, without zeros at the end; never empty.
    #[expect(clippy::box_collection, reason = "one word in the common case, where there are none")]
    rest: Option<Box<Vec<u8>>>,
}

/// What a JSON string that says a date or a time says.
pub(super) enum Plain {
    Instant(Moment),
    Time(Moment),
}

/// Which separators a text uses, as far as it shows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Extended,
    Basic,
    Either,
}

/// Reads a JSON string: only extended forms, and none that looks like a number.
pub(super) fn plain(text: &[u8]) -> Option<Plain> {
    match text.get(2)? {
        b':' => match clock(text)? {
            (moment, Form::Extended) => Some(Plain::Time(moment)),
            (_, Form::Basic | Form::Either) => None,
        },
        _ if text.get(4) == Some(&b'-') => instant(text).map(Plain::Instant),
        _ => None,
    }
}

/// Reads the value of a `DV_DATE` or `DV_DATE_TIME`: missing parts are the earliest, a missing offset is UTC.
pub(super) fn instant(text: &[u8]) -> Option<Moment> {
    usual(text).or_else(|| any_instant(text))
}

/// `YYYY-MM-DDThh:mm:ss` with whatever may follow: what servers write nearly always, read without looking around. It holds no
/// escape, so a string's inside can be tried as it stands.
#[inline]
pub(super) fn usual(text: &[u8]) -> Option<Moment> {
    let (head, rest) = text.split_first_chunk::<19>()?;
    let [y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2, b'T', h1, h2, b':', n1, n2, b':', s1, s2] = *head else { return None };
    let year = pair(y1, y2) * 100 + pair(y3, y4);
    let (month, day) = (pair(m1, m2), pair(d1, d2));
    let (hour, minute, second) = (pair(h1, h2), pair(n1, n2), pair(s1, s2));
    let possible =
        year <= 9999 && month.wrapping_sub(1) < 12 && day.wrapping_sub(1) < 31 && hour < 24 && minute < 60 && second < 60;
    let (year, month, day) = (i64::from(year), i64::from(month), i64::from(day));
    if !possible || day > 28 && day > days_in(year, month) {
        return None;
    }
    let (nanos, more, zone) = match rest {
        [b'Z'] => (0, None, rest),
        // Milliseconds in UTC.
        [b'.', f1, f2, f3, b'Z'] => match (pair(b'0', *f1), pair(*f2, *f3)) {
            (hundreds @ 0..10, units @ 0..100) => ((hundreds * 100 + units) * 1_000_000, None, b"Z".as_slice()),
            _ => return None,
        },
        [b'.' | b',', digits @ ..] => {
            let end = digits.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(digits.len());
            let (digits, zone) = digits.split_at_checked(end)?;
            let (nanos, more) = split_fraction(digits)?;
            (nanos, more, zone)
        }
        zone => (0, None, zone),
    };
    let seconds = days(year, month, day) * 86_400 + i64::from(hour * 3600 + minute * 60 + second) - offset_seconds(zone)?;
    Some(Moment { seconds, nanos, rest: more })
}

/// Two digits as a number below 100; anything else as a number of 1,000,000 or more.
#[inline]
fn pair(tens: u8, units: u8) -> u32 {
    let (tens, units) = (tens.wrapping_sub(b'0'), units.wrapping_sub(b'0'));
    if tens > 9 || units > 9 { 1_000_000 } else { u32::from(tens) * 10 + u32::from(units) }
}

fn any_instant(text: &[u8]) -> Option<Moment> {
    let date_ends = text.iter().position(|byte| *byte == b'T').unwrap_or(text.len());
    let (date, time) = text.split_at_checked(date_ends)?;
    let year = number(date.get(..4)?)?;
    let (month, day, form) = match date.get(4..)? {
        [] => (1, 1, Form::Either),
        [b'-', m1, m2] => (number(&[*m1, *m2])?, 1, Form::Extended),
        [b'-', m1, m2, b'-', d1, d2] => (number(&[*m1, *m2])?, number(&[*d1, *d2])?, Form::Extended),
        [m1, m2] => (number(&[*m1, *m2])?, 1, Form::Basic),
        [m1, m2, d1, d2] => (number(&[*m1, *m2])?, number(&[*d1, *d2])?, Form::Basic),
        _ => return None,
    };
    if !(1..=12).contains(&month) || !(1..=days_in(year, month)).contains(&day) {
        return None;
    }
    let midnight = days(year, month, day) * 86_400;
    if time.is_empty() {
        return Some(Moment { seconds: midnight, nanos: 0, rest: None });
    }
    let whole = matches!((form, date.len()), (Form::Extended, 10) | (Form::Basic, 8));
    let (clock, clock_form) = clock(time.get(1..)?)?;
    (whole && (clock_form == form || clock_form == Form::Either)).then(|| Moment { seconds: midnight + clock.seconds, ..clock })
}

/// Reads the value of a `DV_TIME`: since midnight, less the offset, not wrapped.
pub(super) fn time(text: &[u8]) -> Option<Moment> {
    clock(text).map(|(moment, _)| moment)
}

/// The offset as written in a date/time or time; empty when there is none.
pub(crate) fn offset(text: &[u8]) -> &[u8] {
    let time = text.iter().position(|byte| matches!(byte, b'T' | b':')).unwrap_or(text.len());
    let zone = text.iter().skip(time).position(|byte| matches!(byte, b'Z' | b'+' | b'-')).map_or(text.len(), |at| time + at);
    text.get(zone..).unwrap_or_default()
}

fn number(digits: &[u8]) -> Option<i64> {
    digits.iter().try_fold(0i64, |value, digit| digit.is_ascii_digit().then(|| value * 10 + i64::from(digit - b'0')))
}

fn two(digits: Option<&[u8]>, most: i64) -> Option<i64> {
    digits.and_then(number).filter(|value| *value <= most)
}

/// A time of day with its offset taken off.
fn clock(text: &[u8]) -> Option<(Moment, Form)> {
    let zone = text.iter().position(|byte| matches!(byte, b'Z' | b'+' | b'-')).unwrap_or(text.len());
    let (local, zone) = text.split_at_checked(zone)?;
    let point = local.iter().position(|byte| matches!(byte, b'.' | b',')).unwrap_or(local.len());
    let (whole, fraction) = local.split_at_checked(point)?;
    let hours = two(whole.get(..2), 23)? * 3600;
    let (rest, form) = match (whole.len(), whole.get(2)) {
        (2, _) => (0, Form::Either),
        (4, _) => (two(whole.get(2..4), 59)? * 60, Form::Basic),
        (6, _) => (two(whole.get(2..4), 59)? * 60 + two(whole.get(4..6), 59)?, Form::Basic),
        (5, Some(b':')) => (two(whole.get(3..5), 59)? * 60, Form::Extended),
        (8, Some(b':')) if whole.get(5) == Some(&b':') => {
            (two(whole.get(3..5), 59)? * 60 + two(whole.get(6..8), 59)?, Form::Extended)
        }
        _ => return None,
    };
    let (nanos, more) = match fraction {
        [] => (0, None),
        [_, digits @ ..] if matches!(whole.len(), 6 | 8) => split_fraction(digits)?,
        _ => return None,
    };
    Some((Moment { seconds: hours + rest - offset_seconds(zone)?, nanos, rest: more }, form))
}

/// Nine digits as a number, and the others.
#[expect(clippy::box_collection, reason = "see `Moment`")]
fn split_fraction(digits: &[u8]) -> Option<(u32, Option<Box<Vec<u8>>>)> {
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    if digits.len() <= 9 {
        let scale = 10u32.pow(u32::try_from(9 - digits.len()).ok()?);
        return Some((digits.iter().fold(0u32, |value, digit| value * 10 + u32::from(digit - b'0')) * scale, None));
    }
    let kept = digits.iter().rposition(|digit| *digit != b'0').map_or(0, |last| last + 1);
    let digits = digits.get(..kept)?;
    let nanos = (0..9).fold(0u32, |value, at| value * 10 + digits.get(at).map_or(0, |digit| u32::from(digit - b'0')));
    Some((nanos, digits.get(9..).filter(|rest| !rest.is_empty()).map(|rest| Box::new(rest.to_vec()))))
}

/// Seconds east of UTC; 0 when nothing is said.
fn offset_seconds(zone: &[u8]) -> Option<i64> {
    let (hours, minutes) = match zone {
        [] | [b'Z'] => return Some(0),
        [_, h1, h2] => ([*h1, *h2], [b'0', b'0']),
        [_, h1, h2, m1, m2] | [_, h1, h2, b':', m1, m2] => ([*h1, *h2], [*m1, *m2]),
        _ => return None,
    };
    let seconds = two(Some(&hours), 23)? * 3600 + two(Some(&minutes), 59)? * 60;
    match zone.first()? {
        b'+' => Some(seconds),
        b'-' => Some(-seconds),
        _ => None,
    }
}

fn days_in(year: i64, month: i64) -> i64 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => 31,
    }
}

/// Days since 1970-01-01 in the proleptic Gregorian calendar. The year is begun in March, so that the leap day ends it.
#[inline]
fn days(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    // 400 years on, no division meets a negative number: year 0 begins in the March before it.
    let shifted = (year + 400) as u32;
    let leaps = i64::from(shifted / 4 - shifted / 100 + shifted / 400) - 97;
    year * 365 + leaps + i64::from((month as u32 * 153 + 2) / 5) + day - 1 - 719_468
}

impl Moment {
    /// Appends bytes that are equal exactly when the moments are.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.seconds.to_be_bytes());
        out.extend_from_slice(&self.nanos.to_be_bytes());
        out.extend_from_slice(self.rest.as_ref().map(|rest| rest.as_slice()).unwrap_or_default());
    }
}
