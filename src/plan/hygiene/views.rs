//! A text as others might read it: percent-encodings, backslash escapes and character references undone, as often as they were
//! done.

use std::borrow::Cow;

/// How often a text is decoded: an AQL escape in a JSON body, encoded twice for a URL, is four.
const MOST_ROUNDS: usize = 4;

/// Is there any reading of the text in which `found` finds something?
pub(super) fn any(text: &[u8], found: impl Fn(&[u8]) -> bool) -> bool {
    let mut view = Cow::Borrowed(text);
    for _ in 0..=MOST_ROUNDS {
        if found(&view) {
            return true;
        }
        match decoded(&view) {
            Some(next) => view = Cow::Owned(next),
            None => return false,
        }
    }
    false
}

/// One round of decoding; none when nothing is encoded.
fn decoded(text: &[u8]) -> Option<Vec<u8>> {
    if !text.iter().any(|byte| matches!(byte, b'%' | b'\\' | b'&')) {
        return None;
    }
    let mut result = Vec::with_capacity(text.len());
    let (mut rest, mut changed) = (text, false);
    while let Some((first, behind)) = rest.split_first() {
        let (taken, length) = match first {
            b'%' => percent(behind),
            b'\\' => escape(behind),
            b'&' => reference(behind),
            _ => None,
        }
        .map_or((None, 1), |(letter, length)| (Some(letter), length + 1));
        match taken {
            Some(letter) => {
                changed = true;
                push(&mut result, letter);
            }
            None => result.push(*first),
        }
        rest = rest.get(length..).unwrap_or_default();
    }
    changed.then_some(result)
}

/// What an escape stands for: a byte as it is, or a character.
enum Letter {
    Byte(u8),
    Char(u32),
}

fn push(result: &mut Vec<u8>, letter: Letter) {
    match letter {
        Letter::Byte(byte) => result.push(byte),
        Letter::Char(code) => {
            let mut buffer = [0; 4];
            let char = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
            result.extend_from_slice(char.encode_utf8(&mut buffer).as_bytes());
        }
    }
}

/// `%41`, given what stands behind the `%`.
fn percent(behind: &[u8]) -> Option<(Letter, usize)> {
    number(behind.get(..2)?, 16).and_then(|code| u8::try_from(code).ok()).map(|byte| (Letter::Byte(byte), 2))
}

/// `\u0041`, `\x41`, `\101` or `\'`, given what stands behind the backslash.
fn escape(behind: &[u8]) -> Option<(Letter, usize)> {
    let first = *behind.first()?;
    let hex =
        |length: usize| behind.get(1..=length).and_then(|digits| number(digits, 16)).map(|code| (Letter::Char(code), length + 1));
    match first {
        b'u' => hex(4),
        b'x' => hex(2),
        b'0'..=b'7' => {
            let length = behind.iter().take(3).take_while(|digit| (b'0'..=b'7').contains(digit)).count();
            behind.get(..length).and_then(|digits| number(digits, 8)).map(|code| (Letter::Char(code), length))
        }
        other => Some((Letter::Byte(other), 1)),
    }
}

/// `&#65;` or `&#x41;` of HTML and XML, its semicolon or not, given what stands behind the `&`.
fn reference(behind: &[u8]) -> Option<(Letter, usize)> {
    /// Zeros at the front may make a reference of any length; this many digits are read.
    const MOST_DIGITS: usize = 10;
    let (digits, start, radix) = match behind {
        [b'#', b'x' | b'X', digits @ ..] => (digits, 2, 16),
        [b'#', digits @ ..] => (digits, 1, 10),
        _ => return None,
    };
    let length = digits.iter().take(MOST_DIGITS).take_while(|digit| char::from(**digit).is_digit(radix)).count();
    let code = number(digits.get(..length).filter(|digits| !digits.is_empty())?, radix)?;
    let closed = usize::from(digits.get(length) == Some(&b';'));
    Some((Letter::Char(code), start + length + closed))
}

fn number(digits: &[u8], radix: u32) -> Option<u32> {
    digits
        .iter()
        .try_fold(0_u32, |number, digit| Some(number.saturating_mul(radix).saturating_add(char::from(*digit).to_digit(radix)?)))
}
