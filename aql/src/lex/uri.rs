//! URIs, in the shape of RFC 3986. They swallow commas, quotes and parentheses, and end at a blank.

use super::Lexer;

fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'-' | b'.' | b'_' | b'~' | b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b'+' | b',' | b';' | b'=')
}

impl Lexer<'_> {
    /// The end of what follows `scheme:`; may be empty.
    pub(super) fn uri_rest(&self, at: usize) -> usize {
        let mut end = match (self.at(at), self.at(at + 1)) {
            (b'/', b'/') => self.segments(self.authority(at + 2)),
            (b'/', _) => {
                let first = self.characters(at + 1, b"@:");
                if first > at + 1 { self.segments(first) } else { first }
            }
            _ => {
                let first = self.characters(at, b"@:");
                if first > at { self.segments(first) } else { first }
            }
        };
        for mark in [b'?', b'#'] {
            if self.at(end) == mark {
                end = self.characters(end + 1, b"@:/?");
            }
        }
        end
    }

    /// The end of a run of plain characters, percent escapes and the extra ones named.
    fn characters(&self, mut at: usize, extra: &[u8]) -> usize {
        loop {
            let byte = self.at(at);
            let escape = byte == b'%' && self.at(at + 1).is_ascii_hexdigit() && self.at(at + 2).is_ascii_hexdigit();
            at += match byte {
                _ if escape => 3,
                _ if is_plain(byte) || extra.contains(&byte) => 1,
                _ => return at,
            };
        }
    }

    fn segments(&self, mut at: usize) -> usize {
        while self.at(at) == b'/' {
            at = self.characters(at + 1, b"@:");
        }
        at
    }

    fn authority(&self, at: usize) -> usize {
        let user = self.characters(at, b":");
        let host = if self.at(user) == b'@' { user + 1 } else { at };
        let end = self.address(host).unwrap_or_else(|| self.characters(host, b""));
        if self.at(end) == b':' { self.run(end + 1, |byte| byte.is_ascii_digit()) } else { end }
    }

    /// `[2001:0db8::0001]`: groups of four digits with one double colon.
    fn address(&self, at: usize) -> Option<usize> {
        if self.at(at) != b'[' {
            return None;
        }
        let left = self.groups(at + 1)?;
        if self.at(left) != b':' || self.at(left + 1) != b':' {
            return None;
        }
        let right = self.groups(left + 2)?;
        (self.at(right) == b']').then_some(right + 1)
    }

    fn groups(&self, at: usize) -> Option<usize> {
        let group = |from: usize| (0..4).all(|digit| self.at(from + digit).is_ascii_hexdigit()).then_some(from + 4);
        let mut end = group(at)?;
        while let Some(next) = group(end + 1).filter(|_| self.at(end) == b':') {
            end = next;
        }
        Some(end)
    }
}
