//! Decimal numbers of any size, compared exactly and without expanding their exponents.

use std::cmp::Ordering;

use bigdecimal::num_bigint::BigUint;

/// A decimal number: `sign × 0.digits × 10^top`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Decimal {
    /// -1, 0 or 1; 0 exactly for zero.
    sign: i8,
    /// Without zeros at either end; empty exactly for zero.
    digits: Box<str>,
    /// The power of ten just above the first digit; 0 for zero.
    top: i128,
}

impl Decimal {
    /// Reads a number in JSON's or AQL's form, sign included.
    pub(crate) fn parse(text: &str) -> Option<Decimal> {
        let (negative, unsigned) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, parse_exponent(exponent)?),
            None => (unsigned, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        if whole.is_empty() && fraction.is_empty() || !all_digits(whole) || !all_digits(fraction) {
            return None;
        }
        Some(Decimal::of(negative, &format!("{whole}{fraction}"), exponent - fraction.len() as i128))
    }

    /// The number `digits × 10^exponent`.
    fn of(negative: bool, digits: &str, exponent: i128) -> Decimal {
        let stripped = digits.trim_start_matches('0');
        let top = exponent + stripped.len() as i128;
        let stripped = stripped.trim_end_matches('0');
        match (stripped.is_empty(), negative) {
            (true, _) => Decimal { sign: 0, digits: "".into(), top: 0 },
            (false, true) => Decimal { sign: -1, digits: stripped.into(), top },
            (false, false) => Decimal { sign: 1, digits: stripped.into(), top },
        }
    }

    /// The number one.
    pub(crate) fn one() -> Decimal {
        Decimal { sign: 1, digits: "1".into(), top: 1 }
    }

    /// -1, 0 or 1.
    pub(crate) fn sign(&self) -> i8 {
        self.sign
    }

    /// The same with the other sign.
    pub(crate) fn negated(self) -> Decimal {
        Decimal { sign: -self.sign, ..self }
    }

    /// How many digits it has, zeros at either end left out.
    pub(crate) fn significant(&self) -> usize {
        self.digits.len()
    }

    /// The exact product.
    pub(crate) fn times(&self, other: &Decimal) -> Decimal {
        let digits = whole(&self.digits) * whole(&other.digits);
        let exponent = self.exponent() + other.exponent();
        Decimal::of(self.sign * other.sign < 0, &digits.to_string(), exponent)
    }

    fn exponent(&self) -> i128 {
        self.top - self.digits.len() as i128
    }

    /// Its canonical text: plain digits while these are few, else `d.dddEn`. Equal numbers have one text.
    pub(crate) fn canonical(&self) -> String {
        let sign = if self.sign < 0 { "-" } else { "" };
        let count = self.digits.len() as i128;
        match self.top {
            _ if self.sign == 0 => "0".into(),
            top if top >= count && top <= 40 => format!("{sign}{}{}", self.digits, "0".repeat((top - count) as usize)),
            top if top > 0 && top < count => {
                let (whole, fraction) = self.digits.split_at(top as usize);
                format!("{sign}{whole}.{fraction}")
            }
            top if top <= 0 && top > -40 => format!("{sign}0.{}{}", "0".repeat(-top as usize), self.digits),
            top => format!("{sign}0.{}E{top}", self.digits),
        }
    }
}

fn all_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

fn whole(digits: &str) -> BigUint {
    digits.parse().unwrap_or_default()
}

/// An exponent; one beyond any use is held at the edge, so that it still compares as huge.
fn parse_exponent(text: &str) -> Option<i128> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !all_digits(digits) {
        return None;
    }
    let size = digits.parse::<i128>().map_or(i128::from(i64::MAX), |size| size.min(i128::from(i64::MAX)));
    Some(if text.starts_with('-') { -size } else { size })
}

impl Ord for Decimal {
    fn cmp(&self, other: &Decimal) -> Ordering {
        let size = || self.top.cmp(&other.top).then_with(|| self.digits.cmp(&other.digits));
        self.sign.cmp(&other.sign).then_with(|| if self.sign < 0 { size().reverse() } else { size() })
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Decimal) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The most digits of a part of a proportion; longer ones are not compared as numbers.
const MAX_PART: usize = 18;

/// One number over another, the lower one positive: a `DV_PROPORTION`, or a number over one.
#[derive(Clone, Debug)]
pub(crate) struct Ratio {
    over: Decimal,
    under: Option<Decimal>,
}

impl Ratio {
    /// A plain number.
    pub(crate) fn whole(over: Decimal) -> Ratio {
        Ratio { over, under: None }
    }

    /// A proportion; `None` when it divides by zero, or one of its parts is longer than 18 digits.
    pub(crate) fn of(numerator: Decimal, denominator: Decimal) -> Option<Ratio> {
        if numerator.significant().max(denominator.significant()) > MAX_PART {
            return None;
        }
        match denominator.sign() {
            0 => None,
            1 => Some(Ratio { over: numerator, under: Some(denominator) }),
            _ => Some(Ratio { over: numerator.negated(), under: Some(denominator.negated()) }),
        }
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Ratio) -> Ordering {
        if self.under.is_none() && other.under.is_none() {
            return self.over.cmp(&other.over);
        }
        let one = Decimal::one();
        let left = self.over.times(other.under.as_ref().unwrap_or(&one));
        let right = other.over.times(self.under.as_ref().unwrap_or(&one));
        left.cmp(&right)
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Ratio) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ratio {
    fn eq(&self, other: &Ratio) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Ratio {}
