//! Exact decimal arithmetic for sums and means.

use bigdecimal::num_bigint::BigInt;
use bigdecimal::{BigDecimal, Signed, ToPrimitive, Zero};

/// Bounds on what is added: a sum of such numbers has some 2,000 digits at most.
const MAX_DIGITS: usize = 1000;
const MAX_EXPONENT: i64 = 400;

/// Significant digits of a mean that does not end: those of IEEE 754's decimal128.
const MEAN_DIGITS: u32 = 34;

/// A JSON number that can be added; none for any other cell.
pub(super) fn addable(cell: &[u8]) -> Option<BigDecimal> {
    if !matches!(cell.first()?, b'-' | b'0'..=b'9') {
        return None;
    }
    let text = std::str::from_utf8(cell).ok()?;
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
        None => (text, 0),
    };
    if mantissa.len() > MAX_DIGITS || !(-MAX_EXPONENT..=MAX_EXPONENT).contains(&exponent) {
        return None;
    }
    text.parse().ok()
}

/// A whole number of at least 0, as a COUNT is.
pub(super) fn count(cell: &[u8]) -> Option<u64> {
    let number = addable(cell)?;
    if number.is_negative() || !number.is_integer() { None } else { number.to_u64() }
}

/// Plain digits, no exponent. The places are those of the summand with most.
pub(super) fn plain(number: &BigDecimal) -> String {
    number.to_plain_string()
}

/// The mean, without zeros behind its last digit: exact when it ends, else to 34 significant digits, to nearest.
///
/// A mean that does not end is never half-way between two roundings.
pub(super) fn mean(sum: &BigDecimal, count: u64) -> Option<String> {
    if count == 0 {
        return None;
    }
    let (digits, scale) = sum.as_bigint_and_exponent();
    let divisor = BigInt::from(count);
    let (dividend, places) = match places_to_end(&digits, count) {
        Some(places) => (digits * power(places), places),
        None => {
            // One digit more than asked for, whatever the lengths of the two.
            let places = (MEAN_DIGITS + 2 + decimal_length(&divisor)).saturating_sub(decimal_length(&digits));
            (digits * power(places), places)
        }
    };
    let quotient = BigDecimal::new(&dividend / &divisor, scale + i64::from(places));
    let exact = (&dividend % &divisor).is_zero();
    let mean = if exact { quotient } else { rounded(&quotient) };
    Some(mean.normalized().to_plain_string())
}

/// After how many further places the quotient ends; none when it never does.
fn places_to_end(digits: &BigInt, count: u64) -> Option<u32> {
    let remainder = (digits.magnitude() % count).to_u64()?;
    let mut left = count / greatest_common_divisor(count, remainder);
    let (mut twos, mut fives) = (0, 0);
    while left.is_multiple_of(2) {
        left /= 2;
        twos += 1;
    }
    while left.is_multiple_of(5) {
        left /= 5;
        fives += 1;
    }
    (left == 1).then_some(twos.max(fives))
}

fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Cuts a quotient, whose digits go on, to 34 significant digits.
fn rounded(quotient: &BigDecimal) -> BigDecimal {
    let (digits, scale) = quotient.as_bigint_and_exponent();
    let surplus = decimal_length(&digits).saturating_sub(MEAN_DIGITS);
    let unit = power(surplus);
    let (kept, rest) = (&digits / &unit, (&digits % &unit).abs());
    let up = if rest * 2 >= unit && surplus > 0 { digits.signum() } else { BigInt::zero() };
    BigDecimal::new(kept + up, scale - i64::from(surplus))
}

fn power(places: u32) -> BigInt {
    BigInt::from(10).pow(places)
}

fn decimal_length(number: &BigInt) -> u32 {
    u32::try_from(number.magnitude().to_string().len()).unwrap_or(u32::MAX)
}
