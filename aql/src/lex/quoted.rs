//! Quoted texts: strings, and the dates and times that look like them; the regular expressions of predicates.

use super::{LexFault, Lexer, TokenKind};
use crate::ast::LiteralKind;

impl Lexer<'_> {
    /// The quoted text at a quote.
    pub(super) fn quoted(&self, at: usize) -> (TokenKind, usize) {
        match self.string(at) {
            Ok(end) => {
                let inner = self.bytes.get(at + 1..end - 1).unwrap_or_default();
                (TokenKind::Literal(quoted_kind(inner)), end)
            }
            Err((fault, end)) => (TokenKind::Fault(fault), end),
        }
    }

    /// The end of the string at a quote, or why there is none and where that was seen.
    fn string(&self, at: usize) -> Result<usize, (LexFault, usize)> {
        let quote = self.at(at);
        let mut place = at + 1;
        loop {
            place = self.run(place, |byte| byte != quote && byte != b'\\');
            if place == self.bytes.len() {
                return Err((LexFault::Unterminated, place));
            }
            if self.at(place) == quote {
                return Ok(place + 1);
            }
            place = self.escape(place)?;
        }
    }

    /// The end of the escape at a backslash. Octal digits behind the first are plain characters as well, and `\*` is
    /// what LIKE needs for a star (specification, LIKE).
    fn escape(&self, at: usize) -> Result<usize, (LexFault, usize)> {
        let hex = || (2..6).all(|digit| self.at(at + digit).is_ascii_hexdigit());
        match self.at(at + 1) {
            b'\'' | b'"' | b'?' | b'*' | b'\\' | b'a' | b'b' | b'f' | b'n' | b'r' | b't' | b'v' | b'0'..=b'7' => Ok(at + 2),
            b'u' if hex() => Ok(at + 6),
            _ if at + 1 >= self.bytes.len() => Err((LexFault::Unterminated, at + 1)),
            _ => {
                let length = self.text.get(at + 1..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
                Err((LexFault::Escape, at + 1 + length))
            }
        }
    }

    /// The end of `{/regex/}` or `{/regex/;'assumed'}`: of several, the longest.
    pub(super) fn regex(&self, at: usize) -> Option<usize> {
        let open = self.blanks(at + 1);
        if self.at(open) != b'/' {
            return None;
        }
        // A slash behind a backslash may go on or close; the first other one must close.
        let mut slashes = Vec::new();
        let mut place = open + 1;
        loop {
            place = self.run(place, |byte| !matches!(byte, b'/' | b'\r' | b'\n'));
            if self.at(place) != b'/' {
                break;
            }
            slashes.push(place);
            if self.at(place - 1) != b'\\' || place == open + 1 {
                break;
            }
            place += 1;
        }
        slashes.into_iter().rev().filter(|&slash| slash > open + 1).find_map(|slash| self.regex_tail(slash + 1))
    }

    fn regex_tail(&self, at: usize) -> Option<usize> {
        let mut place = self.blanks(at);
        if self.at(place) == b';' {
            let text = self.blanks(place + 1);
            if !matches!(self.at(text), b'\'' | b'"') {
                return None;
            }
            place = self.blanks(self.string(text).ok()?);
        }
        (self.at(place) == b'}').then_some(place + 1)
    }

    fn blanks(&self, at: usize) -> usize {
        self.run(at, |byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'))
    }
}

/// Which literal a text between quotes is, by its look: a date, a time, both, or a string. Escapes are not resolved.
pub(crate) fn quoted_kind(inner: &[u8]) -> LiteralKind {
    // The shortest is `hhmmss`, the longest `YYYY-MM-DDThh:mm:ss.fff+hh:mm`.
    if !(6..=29).contains(&inner.len()) || !inner.first().is_some_and(u8::is_ascii_digit) {
        return LiteralKind::String;
    }
    if is_time(inner, true) || is_time(inner, false) {
        return LiteralKind::Time;
    }
    for extended in [true, false] {
        match date_length(inner, extended).and_then(|length| inner.get(length..)) {
            Some([]) => return LiteralKind::Date,
            Some([b'T', time @ ..]) if is_time(time, extended) => return LiteralKind::DateTime,
            _ => {}
        }
    }
    LiteralKind::String
}

/// The two digits at the start, when they are a number of the range; and what follows.
fn pair(text: &[u8], least: u8, most: u8) -> Option<&[u8]> {
    match text {
        [tens @ b'0'..=b'9', ones @ b'0'..=b'9', rest @ ..] => {
            let number = (tens - b'0') * 10 + (ones - b'0');
            (least..=most).contains(&number).then_some(rest)
        }
        _ => None,
    }
}

fn separator(text: &[u8], mark: u8, extended: bool) -> Option<&[u8]> {
    if extended { text.strip_prefix(&[mark]) } else { Some(text) }
}

fn date_length(text: &[u8], extended: bool) -> Option<usize> {
    let year = pair(pair(text, 0, 99)?, 0, 99)?;
    let month = pair(separator(year, b'-', extended)?, 1, 12)?;
    let rest = pair(separator(month, b'-', extended)?, 1, 31)?;
    Some(text.len() - rest.len())
}

fn is_time(text: &[u8], extended: bool) -> bool {
    let whole = || {
        let hour = pair(text, 0, 23)?;
        let minute = pair(separator(hour, b':', extended)?, 0, 59)?;
        pair(separator(minute, b':', extended)?, 0, 59)
    };
    let Some(rest) = whole() else { return false };
    match rest {
        [b'.', a, b, c, zone @ ..] => [a, b, c].iter().all(|digit| digit.is_ascii_digit()) && is_zone(zone),
        zone => is_zone(zone),
    }
}

fn is_zone(text: &[u8]) -> bool {
    match text {
        [] | b"Z" => true,
        [b'+' | b'-', rest @ ..] => match pair(rest, 0, 23) {
            Some([]) => true,
            Some([b':', minute @ ..] | minute) => pair(minute, 0, 59).is_some_and(<[u8]>::is_empty),
            None => false,
        },
        _ => false,
    }
}
