//! A walk over JSON text that decides whether it is JSON and builds nothing.
//!
//! Ours and not a library's because of what it must refuse beside the grammar: a lone surrogate (the answer could not be
//! decoded by those who read it), nesting past [`MAX_NESTING`] (kept as bits, so no stack grows), and an exponent no machine
//! number can hold. The text must be known to be UTF-8.

/// How deep arrays and objects may stand in one another.
pub(crate) const MAX_NESTING: usize = 512;

/// How many digits an exponent may have: it must fit an `i64` whatever is added to it.
const MAX_EXPONENT_DIGITS: usize = 17;

/// What is wrong with a text at the scanner's place. Small, so that the common case travels in registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault(pub(crate) &'static str);

/// A place in a text.
#[derive(Clone, Copy)]
pub(crate) struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Scanner<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Scanner { bytes, at: 0 }
    }

    pub(crate) fn at(&self) -> usize {
        self.at
    }

    pub(crate) fn fault<T>(&self, what: &'static str) -> Result<T, Fault> {
        Err(Fault(what))
    }

    /// The byte here; 0, which JSON does not know, at the end.
    #[inline(always)]
    pub(crate) fn peek(&self) -> u8 {
        self.byte(self.at)
    }

    #[inline(always)]
    fn byte(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(0)
    }

    #[inline]
    pub(crate) fn step(&mut self) {
        self.at += 1;
    }

    pub(crate) fn at_end(&self) -> bool {
        self.at >= self.bytes.len()
    }

    #[inline(always)]
    pub(crate) fn blanks(&mut self) {
        while self.peek() <= b' ' && matches!(self.peek(), b' ' | b'\n' | b'\r' | b'\t') {
            self.at += 1;
        }
    }

    /// One value of any kind; the place is its first byte and then the byte after it.
    #[inline]
    pub(crate) fn value(&mut self) -> Result<(), Fault> {
        match self.peek() {
            b'{' | b'[' => self.nested(),
            _ => self.scalar(),
        }
    }

    #[inline(always)]
    fn scalar(&mut self) -> Result<(), Fault> {
        match self.peek() {
            b'"' => self.string(),
            b'-' | b'0'..=b'9' => {
                self.at = self.after_number()?;
                Ok(())
            }
            b'n' => self.word(b"null"),
            b't' => self.word(b"true"),
            b'f' => self.word(b"false"),
            _ => self.fault("a JSON value is expected"),
        }
    }

    /// Walks a copy whose address nobody takes, so that its place stays in a register.
    fn nested(&mut self) -> Result<(), Fault> {
        let mut walker = *self;
        let result = walker.walk();
        self.at = walker.at;
        result
    }

    #[inline(always)]
    fn walk(&mut self) -> Result<(), Fault> {
        let mut levels = Levels::default();
        loop {
            match self.peek() {
                b'[' => {
                    self.open(&mut levels, false)?;
                    if self.peek() != b']' {
                        continue;
                    }
                }
                b'{' => {
                    self.open(&mut levels, true)?;
                    if self.peek() != b'}' {
                        self.skip_name()?;
                        continue;
                    }
                }
                _ => self.scalar()?,
            }
            if self.ends_or_next(&mut levels)? {
                return Ok(());
            }
        }
    }

    #[inline(always)]
    fn open(&mut self, levels: &mut Levels, object: bool) -> Result<(), Fault> {
        if !levels.push(object) {
            return self.fault("it is nested too deep");
        }
        self.at += 1;
        self.blanks();
        Ok(())
    }

    /// After a value or in an empty container: closes what ends here and stands before the next value, or says all is closed.
    #[inline(always)]
    fn ends_or_next(&mut self, levels: &mut Levels) -> Result<bool, Fault> {
        loop {
            self.blanks();
            match (self.peek(), levels.in_object()) {
                (b',', false) => {
                    self.at += 1;
                    self.blanks();
                    return Ok(false);
                }
                (b',', true) => {
                    self.at += 1;
                    self.blanks();
                    self.skip_name()?;
                    return Ok(false);
                }
                (b']', false) | (b'}', true) => {
                    self.at += 1;
                    if levels.pop() {
                        return Ok(true);
                    }
                }
                _ => return self.fault("a comma or a closing bracket is expected"),
            }
        }
    }

    /// A member's name and the colon; the place is then the member's value. Gives the name as written, without quotes.
    pub(crate) fn name(&mut self) -> Result<&'a [u8], Fault> {
        let from = self.at;
        let mut end = *self;
        self.skip_name()?;
        end.string()?;
        Ok(self.bytes.get(from + 1..end.at - 1).unwrap_or_default())
    }

    #[inline(always)]
    fn skip_name(&mut self) -> Result<(), Fault> {
        if self.peek() != b'"' {
            return self.fault("a member name is expected");
        }
        self.string()?;
        self.blanks();
        if self.peek() != b':' {
            return self.fault("a colon is expected");
        }
        self.at += 1;
        self.blanks();
        Ok(())
    }

    #[inline]
    fn word(&mut self, word: &'static [u8]) -> Result<(), Fault> {
        if self.bytes.get(self.at..self.at + word.len()) != Some(word) {
            return self.fault("a JSON value is expected");
        }
        self.at += word.len();
        Ok(())
    }

    #[inline]
    fn digits(&mut self) -> Result<usize, Fault> {
        let from = self.at;
        while self.peek().is_ascii_digit() {
            self.at += 1;
        }
        if self.at == from { self.fault("a digit is expected") } else { Ok(self.at - from) }
    }

    fn after_number(mut self) -> Result<usize, Fault> {
        if self.peek() == b'-' {
            self.at += 1;
        }
        if self.peek() == b'0' {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.peek() == b'.' {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), b'e' | b'E') {
            self.at += 1;
            if matches!(self.peek(), b'+' | b'-') {
                self.at += 1;
            }
            if self.digits()? > MAX_EXPONENT_DIGITS {
                return self.fault("an exponent is out of all bounds");
            }
        }
        Ok(self.at)
    }

    /// A string; the place is its opening quote and then the byte after its closing one.
    #[inline(always)]
    pub(crate) fn string(&mut self) -> Result<(), Fault> {
        self.at += 1;
        loop {
            self.plain();
            match self.peek() {
                b'"' => {
                    self.at += 1;
                    return Ok(());
                }
                b'\\' => self.at = self.after_escape()?,
                _ if self.at_end() => return self.fault("a string does not end"),
                _ => return self.fault("a control character stands in a string"),
            }
        }
    }

    /// Skips what needs no look in a string, eight bytes at a time.
    #[inline(always)]
    fn plain(&mut self) {
        while let Some(eight) = self.bytes.get(self.at..).and_then(|rest| rest.first_chunk::<8>()) {
            let special = specials(u64::from_le_bytes(*eight));
            if special != 0 {
                self.at += (special.trailing_zeros() / 8) as usize;
                return;
            }
            self.at += 8;
        }
        while !matches!(self.peek(), 0..0x20 | b'"' | b'\\') {
            self.at += 1;
        }
    }

    #[inline(never)]
    fn after_escape(self) -> Result<usize, Fault> {
        match self.byte(self.at + 1) {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Ok(self.at + 2),
            b'u' => self.after_unicode_escape(),
            _ => self.fault("an unknown escape stands in a string"),
        }
    }

    fn after_unicode_escape(mut self) -> Result<usize, Fault> {
        match self.code_unit()? {
            0xD800..=0xDBFF => {
                let low = self.byte(self.at) == b'\\' && self.byte(self.at + 1) == b'u';
                if !low || !matches!(self.code_unit()?, 0xDC00..=0xDFFF) {
                    return self.fault("half a surrogate pair stands in a string");
                }
            }
            0xDC00..=0xDFFF => return self.fault("half a surrogate pair stands in a string"),
            _ => {}
        }
        Ok(self.at)
    }

    fn code_unit(&mut self) -> Result<u16, Fault> {
        let digits = self.bytes.get(self.at + 2..self.at + 6).unwrap_or_default();
        let mut unit = 0;
        for digit in digits {
            let Some(value) = char::from(*digit).to_digit(16) else { return self.fault("an escape lacks a digit") };
            unit = unit << 4 | value as u16;
        }
        if digits.len() < 4 {
            return self.fault("an escape lacks a digit");
        }
        self.at += 6;
        Ok(unit)
    }
}

/// Marks the bytes that end a plain stretch of a string: quote, backslash, control characters. The lowest mark is exact; a
/// borrow can set others above it.
#[inline(always)]
fn specials(word: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const TOPS: u64 = 0x8080_8080_8080_8080;
    let quote = word ^ (ONES * b'"' as u64);
    let slash = word ^ (ONES * b'\\' as u64);
    let control = word.wrapping_sub(ONES * 0x20) & !word;
    (control | quote.wrapping_sub(ONES) & !quote | slash.wrapping_sub(ONES) & !slash) & TOPS
}

/// The open containers, one bit each: set for an object.
#[derive(Default)]
struct Levels {
    bits: [u64; MAX_NESTING / 64],
    depth: usize,
    object: bool,
}

impl Levels {
    /// False when there is no room.
    #[inline]
    fn push(&mut self, object: bool) -> bool {
        let Some(word) = self.bits.get_mut(self.depth / 64) else { return false };
        let bit = 1u64 << (self.depth % 64);
        *word = if object { *word | bit } else { *word & !bit };
        self.depth += 1;
        self.object = object;
        true
    }

    /// True when nothing is open any more.
    #[inline]
    fn pop(&mut self) -> bool {
        self.depth -= 1;
        let Some(top) = self.depth.checked_sub(1) else { return true };
        self.object = self.bits.get(top / 64).is_some_and(|word| word >> (top % 64) & 1 == 1);
        false
    }

    #[inline]
    fn in_object(&self) -> bool {
        self.object
    }
}
