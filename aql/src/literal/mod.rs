//! Making literals that say exactly a value, and reading the value of one.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fmt::Write;

use crate::ast::{Literal, LiteralKind, Span};
use crate::lex::quoted_kind;

impl LiteralKind {
    /// Is it written between quotes?
    #[must_use]
    pub fn is_quoted(self) -> bool {
        matches!(self, LiteralKind::String | LiteralKind::Date | LiteralKind::Time | LiteralKind::DateTime)
    }

    /// Is it a number?
    #[must_use]
    pub fn is_number(self) -> bool {
        use LiteralKind as K;
        matches!(self, K::Integer | K::Real | K::ScientificInteger | K::ScientificReal)
    }

    /// The kind in words.
    #[must_use]
    pub fn describe(self) -> &'static str {
        match self {
            LiteralKind::String => "a quoted text",
            LiteralKind::Date => "a date",
            LiteralKind::Time => "a time",
            LiteralKind::DateTime => "a date and time",
            LiteralKind::Integer | LiteralKind::Real => "a number",
            LiteralKind::ScientificInteger | LiteralKind::ScientificReal => "a number with an exponent",
            LiteralKind::Boolean => "a boolean",
            LiteralKind::Null => "NULL",
        }
    }
}

/// Why a text is no number of AQL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the text is no number of JSON")]
pub struct NotANumber;

impl Literal {
    /// The literal whose value is the text, whatever the text: escaped so that it cannot end early. A text that looks like a
    /// date or time becomes one, as it would by being written in a query.
    #[must_use]
    pub fn string(value: &str) -> Literal {
        let text = quote(value, '\'');
        let inner = text.get(1..text.len() - 1).unwrap_or_default();
        Literal { kind: quoted_kind(inner.as_bytes()), text, span: Span::NONE }
    }

    /// The literal of a whole number.
    #[must_use]
    pub fn integer(value: i64) -> Literal {
        Literal { kind: LiteralKind::Integer, text: value.to_string(), span: Span::NONE }
    }

    /// The literal of a number written as JSON writes them, digit for digit.
    ///
    /// # Errors
    /// [`NotANumber`] when the text is not a number of JSON.
    pub fn number(json: &str) -> Result<Literal, NotANumber> {
        let kind = json_number(json).ok_or(NotANumber)?;
        Ok(Literal { kind, text: json.to_owned(), span: Span::NONE })
    }

    /// `true` or `false`.
    #[must_use]
    pub fn boolean(value: bool) -> Literal {
        Literal { kind: LiteralKind::Boolean, text: value.to_string(), span: Span::NONE }
    }

    /// `NULL`
    #[must_use]
    pub fn null() -> Literal {
        Literal { kind: LiteralKind::Null, text: "NULL".to_owned(), span: Span::NONE }
    }

    /// The value of a quoted literal, escapes resolved; any other literal as written.
    ///
    /// A star escaped as LIKE needs it (`\*`) is a star here; see [`Literal::like_pattern`]. Half a surrogate pair becomes
    /// U+FFFD.
    #[must_use]
    pub fn decoded(&self) -> Cow<'_, str> {
        if self.kind.is_quoted() { decode_quoted(&self.text) } else { Cow::Borrowed(&self.text) }
    }

    /// The value of `true` and `false`; none for what is no boolean.
    #[must_use]
    pub fn as_boolean(&self) -> Option<bool> {
        (self.kind == LiteralKind::Boolean).then(|| self.text.eq_ignore_ascii_case("true"))
    }
}

/// The form of a number of JSON: `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`
fn json_number(text: &str) -> Option<LiteralKind> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let whole = digits(unsigned);
    if whole == 0 || (whole > 1 && unsigned.starts_with('0')) {
        return None;
    }
    let mut rest = unsigned.get(whole..)?;
    let real = rest.starts_with('.');
    if real {
        let length = digits(rest.get(1..)?);
        rest = rest.get(1 + length..).filter(|_| length > 0)?;
    }
    let scientific = rest.starts_with(['e', 'E']);
    if scientific {
        let exponent = rest.get(1..)?;
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        let length = digits(exponent);
        rest = exponent.get(length..).filter(|_| length > 0)?;
    }
    let kind = match (real, scientific) {
        (false, false) => LiteralKind::Integer,
        (true, false) => LiteralKind::Real,
        (false, true) => LiteralKind::ScientificInteger,
        (true, true) => LiteralKind::ScientificReal,
    };
    rest.is_empty().then_some(kind)
}

/// A text between quotes, with what would end it or start an escape escaped. Control characters become escapes, so that the
/// result stays on one line.
pub(crate) fn quote(value: &str, mark: char) -> String {
    let mut text = String::with_capacity(value.len() + 2);
    text.push(mark);
    let mut rest = value;
    while let Some((at, letter)) = rest.char_indices().find(|(_, letter)| *letter == mark || must_escape(*letter)) {
        text.push_str(rest.get(..at).unwrap_or_default());
        match letter {
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            _ if letter == mark => text.extend(['\\', mark]),
            // Writing to a String cannot fail.
            _ => write!(text, "\\u{:04X}", u32::from(letter)).unwrap_or_default(),
        }
        rest = rest.get(at + letter.len_utf8()..).unwrap_or_default();
    }
    text.push_str(rest);
    text.push(mark);
    text
}

/// Control characters, line separators, and the byte order mark, which editors lose.
fn must_escape(letter: char) -> bool {
    matches!(letter, '\\' | '\0'..='\u{1F}' | '\u{7F}'..='\u{9F}' | '\u{2028}' | '\u{2029}' | '\u{FEFF}')
}

/// The value of a quoted text; the quotes are its first and last byte.
pub(crate) fn decode_quoted(quoted: &str) -> Cow<'_, str> {
    let inner = quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default();
    if !inner.contains('\\') {
        return Cow::Borrowed(inner);
    }
    let mut value = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(at) = rest.find('\\') {
        value.push_str(rest.get(..at).unwrap_or_default());
        let escape = rest.get(at + 1..).unwrap_or_default();
        let (letter, length) = unescape(escape);
        value.push(letter);
        rest = escape.get(length..).unwrap_or_default();
    }
    value.push_str(rest);
    Cow::Owned(value)
}

/// The character of an escape, given what stands behind its backslash, and how many bytes it takes there.
fn unescape(escape: &str) -> (char, usize) {
    let letter = escape.chars().next().unwrap_or('\\');
    match letter {
        'a' => ('\u{07}', 1),
        'b' => ('\u{08}', 1),
        'f' => ('\u{0C}', 1),
        'n' => ('\n', 1),
        'r' => ('\r', 1),
        't' => ('\t', 1),
        'v' => ('\u{0B}', 1),
        'u' => unicode(escape),
        '0'..='7' => octal(escape),
        other => (other, other.len_utf8()),
    }
}

/// `uD83D\uDE00` is one character; half of such a pair is none.
fn unicode(escape: &str) -> (char, usize) {
    let unit = |from: usize| escape.get(from..from + 4).and_then(|digits| u32::from_str_radix(digits, 16).ok());
    let first = unit(1).unwrap_or(0xFFFD);
    let second = if escape.get(5..7) == Some("\\u") { unit(7) } else { None };
    match (first, second) {
        (0xD800..=0xDBFF, Some(low @ 0xDC00..=0xDFFF)) => {
            let joined = 0x1_0000 + ((first - 0xD800) << 10) + (low - 0xDC00);
            (char::from_u32(joined).unwrap_or(char::REPLACEMENT_CHARACTER), 11)
        }
        _ => (char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER), 5),
    }
}

/// Up to three octal digits, the first of three at most 3.
fn octal(escape: &str) -> (char, usize) {
    let digits = escape.bytes().take(3).take_while(|digit| (b'0'..=b'7').contains(digit));
    let digits: Vec<u32> = digits.map(|digit| u32::from(digit - b'0')).collect();
    let most = if digits.first().is_some_and(|first| *first > 3) { 2 } else { 3 };
    let code = digits.iter().take(most).fold(0, |code, digit| code * 8 + digit);
    (char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), digits.len().min(most))
}
