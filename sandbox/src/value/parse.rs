//! Reading JSON text. Strict as RFC 8259, bounded in depth.

use std::collections::HashSet;

use super::Json;

/// Nesting beyond this is refused.
const MAX_DEPTH: usize = 128;

/// Why a text is no JSON value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JsonError {
    /// Bytes that are not UTF-8.
    #[error("JSON text is not UTF-8")]
    Encoding,
    /// Something that does not belong there.
    #[error("JSON text is malformed at byte {0}")]
    Malformed(usize),
    /// Too many levels.
    #[error("JSON text nests deeper than 128 levels")]
    Depth,
    /// One name twice in one object.
    #[error("a JSON object names a member twice, at byte {0}")]
    Duplicate(usize),
}

/// Reads exactly one value.
pub(super) fn parse(bytes: &[u8]) -> Result<Json, JsonError> {
    let text = std::str::from_utf8(bytes).map_err(|_| JsonError::Encoding)?;
    let mut reader = Reader { text, at: 0 };
    let value = reader.value(0)?;
    reader.blanks();
    if reader.at == text.len() { Ok(value) } else { Err(JsonError::Malformed(reader.at)) }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn wrong<T>(&self) -> Result<T, JsonError> {
        Err(JsonError::Malformed(self.at))
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, byte: u8) -> Result<(), JsonError> {
        self.blanks();
        if self.eat(byte) { Ok(()) } else { self.wrong() }
    }

    fn value(&mut self, depth: usize) -> Result<Json, JsonError> {
        if depth > MAX_DEPTH {
            return Err(JsonError::Depth);
        }
        self.blanks();
        match self.peek() {
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth),
            Some(b'"') => Ok(Json::Text(self.string()?)),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word("true", Json::Bool(true)),
            Some(b'f') => self.word("false", Json::Bool(false)),
            Some(b'n') => self.word("null", Json::Null),
            _ => self.wrong(),
        }
    }

    fn word(&mut self, word: &str, value: Json) -> Result<Json, JsonError> {
        if self.text.get(self.at..).is_some_and(|rest| rest.starts_with(word)) {
            self.at += word.len();
            Ok(value)
        } else {
            self.wrong()
        }
    }

    fn array(&mut self, depth: usize) -> Result<Json, JsonError> {
        self.at += 1;
        let mut items = Vec::new();
        self.blanks();
        if self.eat(b']') {
            return Ok(Json::Array(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            self.blanks();
            if self.eat(b']') {
                return Ok(Json::Array(items));
            }
            self.expect(b',')?;
        }
    }

    fn object(&mut self, depth: usize) -> Result<Json, JsonError> {
        self.at += 1;
        let mut members: Vec<(Box<str>, Json)> = Vec::new();
        self.blanks();
        if self.eat(b'}') {
            return Ok(Json::Object(members));
        }
        loop {
            self.blanks();
            let name = self.string()?;
            self.expect(b':')?;
            let value = self.value(depth + 1)?;
            members.push((name, value));
            self.blanks();
            if self.eat(b'}') {
                return self.unique(members);
            }
            self.expect(b',')?;
        }
    }

    fn unique(&self, members: Vec<(Box<str>, Json)>) -> Result<Json, JsonError> {
        let mut names = HashSet::with_capacity(members.len());
        if members.iter().all(|(name, _)| names.insert(&**name)) {
            Ok(Json::Object(members))
        } else {
            Err(JsonError::Duplicate(self.at))
        }
    }

    fn digits(&mut self) -> Result<(), JsonError> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at > start { Ok(()) } else { self.wrong() }
    }

    fn number(&mut self) -> Result<Json, JsonError> {
        let start = self.at;
        self.eat(b'-');
        if !self.eat(b'0') {
            self.digits()?;
        }
        if self.eat(b'.') {
            self.digits()?;
        }
        if self.eat(b'e') || self.eat(b'E') {
            let _ = self.eat(b'+') || self.eat(b'-');
            self.digits()?;
        }
        self.slice(start, self.at).map(|text| Json::Number(text.into()))
    }

    fn slice(&self, start: usize, end: usize) -> Result<&'a str, JsonError> {
        self.text.get(start..end).ok_or(JsonError::Malformed(start))
    }

    fn string(&mut self) -> Result<Box<str>, JsonError> {
        if !self.eat(b'"') {
            return self.wrong();
        }
        let mut decoded = String::new();
        let mut start = self.at;
        loop {
            match self.peek() {
                Some(b'"') => {
                    decoded.push_str(self.slice(start, self.at)?);
                    self.at += 1;
                    return Ok(decoded.into());
                }
                Some(b'\\') => {
                    decoded.push_str(self.slice(start, self.at)?);
                    self.at += 1;
                    decoded.push(self.escape()?);
                    start = self.at;
                }
                Some(0x20..) => self.at += 1,
                _ => return self.wrong(),
            }
        }
    }

    fn escape(&mut self) -> Result<char, JsonError> {
        let code = self.peek();
        self.at += 1;
        Ok(match code {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode(),
            _ => return self.wrong(),
        })
    }

    fn hex4(&mut self) -> Result<u32, JsonError> {
        let text = self.slice(self.at, self.at + 4)?;
        if !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return self.wrong();
        }
        self.at += 4;
        u32::from_str_radix(text, 16).or(Err(JsonError::Malformed(self.at)))
    }

    fn unicode(&mut self) -> Result<char, JsonError> {
        let first = self.hex4()?;
        let code = if (0xD800..0xDC00).contains(&first) {
            if !(self.eat(b'\\') && self.eat(b'u')) {
                return self.wrong();
            }
            let second = self.hex4()?;
            if !(0xDC00..0xE000).contains(&second) {
                return self.wrong();
            }
            0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00)
        } else {
            first
        };
        char::from_u32(code).ok_or(JsonError::Malformed(self.at))
    }
}
