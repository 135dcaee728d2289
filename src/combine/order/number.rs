//! Numbers, compared exactly: no rounding, no expansion of exponents, time linear in the digits at worst.

use std::cmp::Ordering;

/// A number. Nearly every one is [`Small`]; the others are boxed to keep keys short.
#[derive(Clone, Debug)]
pub(crate) enum Number {
    Small(Small),
    /// More than 18 significant digits, or an exponent past `i32`.
    Large(Box<Large>),
    /// A proportion: one number over another, which is positive.
    Ratio(Box<(Small, Small)>),
}

/// `coefficient × 10^exponent`, at most 18 digits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Small {
    coefficient: i64,
    exponent: i32,
}

/// `±digits × 10^exponent`.
#[derive(Clone, Debug)]
pub(crate) struct Large {
    negative: bool,
    /// ASCII digits, without zeros at either end; none for zero.
    digits: Vec<u8>,
    exponent: i64,
}

/// The most digits of a [`Small`].
const SMALL_DIGITS: usize = 18;

const ONE: Small = Small { coefficient: 1, exponent: 0 };

impl Number {
    /// Reads a JSON number; none when the text is no number whose exponent can be counted.
    pub(crate) fn parse(text: &[u8]) -> Option<Number> {
        match Small::parse(text) {
            Some(small) => Some(Number::Small(small)),
            None => Large::parse(text).map(Number::from_large),
        }
    }

    /// The number `coefficient × 10^exponent`.
    pub(crate) fn scaled(coefficient: i128, exponent: i64) -> Number {
        Number::from_large(Large::of_scaled(coefficient, exponent))
    }

    /// One number over another; none when that is no number, or either has more than 18 significant digits.
    pub(crate) fn ratio(over: &Number, under: &Number) -> Option<Number> {
        let (Number::Small(over), Number::Small(under)) = (over, under) else { return None };
        match under.coefficient.cmp(&0) {
            Ordering::Equal => None,
            Ordering::Greater => Some(Number::Ratio(Box::new((*over, *under)))),
            Ordering::Less => Some(Number::Ratio(Box::new((over.negated(), under.negated())))),
        }
    }

    fn from_large(large: Large) -> Number {
        match large.as_small() {
            Some(small) => Number::Small(small),
            None => Number::Large(Box::new(large)),
        }
    }

    fn is_ratio(&self) -> bool {
        matches!(self, Number::Ratio(_))
    }

    /// The part above the line.
    fn over(&self) -> Large {
        match self {
            Number::Small(small) => small.to_large(),
            Number::Large(large) => large.as_ref().clone(),
            Number::Ratio(ratio) => ratio.0.to_large(),
        }
    }

    /// The part below the line.
    fn under(&self) -> Small {
        match self {
            Number::Ratio(ratio) => ratio.1,
            Number::Small(_) | Number::Large(_) => ONE,
        }
    }

    /// Appends the number in its one canonical form: plain digits while these are few, else `0.dddE<exponent>`.
    pub(crate) fn write_canonical(&self, out: &mut Vec<u8>) {
        self.over().write_canonical(out);
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        if let (Number::Small(left), Number::Small(right)) = (self, other)
            && let Some(order) = left.quick_cmp(right)
        {
            return order;
        }
        let (left, right) = (self.over(), other.over());
        if self.is_ratio() || other.is_ratio() {
            return left.times(other.under()).cmp(&right.times(self.under()));
        }
        left.cmp(&right)
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Number {}

impl Small {
    /// Reads a JSON number of at most 18 digits, zeros before the first other digit not counted.
    fn parse(text: &[u8]) -> Option<Small> {
        let (negative, text) = match text.strip_prefix(b"-") {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (mut value, mut places, mut point) = (0i64, 0i32, false);
        for (at, byte) in text.iter().enumerate() {
            match byte {
                b'0'..=b'9' if value < 10i64.pow(SMALL_DIGITS as u32 - 1) => {
                    value = value * 10 + i64::from(byte - b'0');
                    places = places.checked_sub(i32::from(point))?;
                }
                b'.' if !point => point = true,
                b'e' | b'E' => {
                    places = i32::try_from(i64::from(places).checked_add(exponent(text.get(at + 1..)?)?)?).ok()?;
                    break;
                }
                _ => return None,
            }
        }
        Some(Small { coefficient: if negative { -value } else { value }, exponent: if value == 0 { 0 } else { places } })
    }

    fn negated(self) -> Small {
        Small { coefficient: -self.coefficient, ..self }
    }

    /// The comparison by machine integers, where they reach.
    #[inline]
    fn quick_cmp(&self, other: &Small) -> Option<Ordering> {
        let apart = i64::from(self.exponent) - i64::from(other.exponent);
        if apart == 0 || self.coefficient.signum() != other.coefficient.signum() {
            return Some(self.coefficient.cmp(&other.coefficient));
        }
        let by = 10i128.checked_pow(u32::try_from(apart.unsigned_abs()).ok().filter(|by| *by as usize <= SMALL_DIGITS)?)?;
        let (left, right) = (i128::from(self.coefficient), i128::from(other.coefficient));
        Some(if apart > 0 { (left * by).cmp(&right) } else { left.cmp(&(right * by)) })
    }

    fn to_large(self) -> Large {
        Large::of_scaled(i128::from(self.coefficient), i64::from(self.exponent))
    }
}

/// Reads the exponent of a JSON number.
pub(super) fn exponent(text: &[u8]) -> Option<i64> {
    let (negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    let mut value = 0i64;
    for digit in digits {
        value = value.checked_mul(10)?.checked_add(i64::from(char::from(*digit).to_digit(10)?))?;
    }
    // Room is left for the places of a number as long as a body.
    Some(if negative { -value } else { value }).filter(|value| !digits.is_empty() && value.unsigned_abs() < 1 << 60)
}

impl Large {
    fn parse(text: &[u8]) -> Option<Large> {
        let (negative, text) = match text.strip_prefix(b"-") {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let end = text.iter().position(|byte| matches!(byte, b'e' | b'E')).unwrap_or(text.len());
        let (mantissa, tail) = text.split_at_checked(end)?;
        let power = if tail.is_empty() { 0 } else { exponent(tail.get(1..)?)? };
        let point = mantissa.iter().position(|byte| *byte == b'.');
        let places = point.map_or(0, |point| mantissa.len() - point - 1);
        let digits: Vec<u8> = mantissa.iter().copied().filter(|byte| *byte != b'.').collect();
        if !digits.iter().all(u8::is_ascii_digit) {
            return None;
        }
        Some(Large::of_digits(negative, digits, power.checked_sub(i64::try_from(places).ok()?)?))
    }

    fn of_scaled(coefficient: i128, exponent: i64) -> Large {
        Large::of_digits(coefficient < 0, coefficient.unsigned_abs().to_string().into_bytes(), exponent)
    }

    /// Takes the zeros off both ends.
    fn of_digits(negative: bool, mut digits: Vec<u8>, exponent: i64) -> Large {
        let kept = digits.iter().rposition(|digit| *digit != b'0').map_or(0, |last| last + 1);
        let dropped = digits.len() - kept;
        digits.truncate(kept);
        let leading = digits.iter().take_while(|digit| **digit == b'0').count();
        digits.drain(..leading);
        if digits.is_empty() {
            return Large { negative: false, digits, exponent: 0 };
        }
        Large { negative, digits, exponent: exponent.saturating_add(i64::try_from(dropped).unwrap_or(i64::MAX)) }
    }

    fn as_small(&self) -> Option<Small> {
        if self.digits.len() > SMALL_DIGITS {
            return None;
        }
        let value = self.digits.iter().fold(0i64, |value, digit| value * 10 + i64::from(digit - b'0'));
        Some(Small { coefficient: if self.negative { -value } else { value }, exponent: i32::try_from(self.exponent).ok()? })
    }

    /// The exact product, digit by digit.
    fn times(&self, by: Small) -> Large {
        let factor = u128::from(by.coefficient.unsigned_abs());
        let mut digits = Vec::with_capacity(self.digits.len() + SMALL_DIGITS + 1);
        let mut carry = 0u128;
        for digit in self.digits.iter().rev() {
            carry += u128::from(digit - b'0') * factor;
            digits.push(b'0' + (carry % 10) as u8);
            carry /= 10;
        }
        while carry > 0 {
            digits.push(b'0' + (carry % 10) as u8);
            carry /= 10;
        }
        digits.reverse();
        Large::of_digits(self.negative != (by.coefficient < 0), digits, self.exponent.saturating_add(i64::from(by.exponent)))
    }

    /// The power of ten just above the first digit.
    fn top(&self) -> i64 {
        self.exponent.saturating_add(i64::try_from(self.digits.len()).unwrap_or(i64::MAX))
    }

    fn sign(&self) -> i8 {
        match (self.digits.is_empty(), self.negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        }
    }

    fn cmp(&self, other: &Large) -> Ordering {
        let size = || self.top().cmp(&other.top()).then_with(|| self.digits.cmp(&other.digits));
        self.sign().cmp(&other.sign()).then_with(|| if self.sign() < 0 { size().reverse() } else { size() })
    }

    fn write_canonical(&self, out: &mut Vec<u8>) {
        const PLAIN: i64 = 40;
        if self.digits.is_empty() {
            return out.push(b'0');
        }
        if self.negative {
            out.push(b'-');
        }
        let (top, count) = (self.top(), i64::try_from(self.digits.len()).unwrap_or(i64::MAX));
        let zeros = |out: &mut Vec<u8>, number: i64| out.resize(out.len() + usize::try_from(number).unwrap_or(0), b'0');
        if (count..=PLAIN).contains(&top) {
            out.extend_from_slice(&self.digits);
            zeros(out, top - count);
        } else if (1..count).contains(&top) {
            let (whole, fraction) = self.digits.split_at_checked(usize::try_from(top).unwrap_or(0)).unwrap_or_default();
            out.extend_from_slice(whole);
            out.push(b'.');
            out.extend_from_slice(fraction);
        } else {
            out.extend_from_slice(b"0.");
            if (1 - PLAIN..=0).contains(&top) {
                zeros(out, -top);
            }
            out.extend_from_slice(&self.digits);
            if !(1 - PLAIN..=0).contains(&top) {
                out.push(b'E');
                out.extend_from_slice(top.to_string().as_bytes());
            }
        }
    }
}
