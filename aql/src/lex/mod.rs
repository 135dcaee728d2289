//! Text to tokens. The longest match decides, and at equal length the order of the specification's rules.
//!
//! A token borrows nothing: it is a kind and a span. Reading never fails: a fault is a token, and the last one, so that an
//! error of syntax in front of it is still the one reported. Time is linear in the text; where a rule looks far ahead (term
//! codes, URIs, namespaces) what it found is remembered for the tokens that start inside the same run.

mod keyword;
mod number;
mod quoted;
#[cfg(test)]
mod tests;
mod uri;
mod word;

use crate::ast::{Comparison, LiteralKind, Span};

pub(crate) use keyword::Keyword;
pub(crate) use quoted::quoted_kind;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Keyword(Keyword),
    /// A variable, class, attribute, alias or function, or `true` and `false`.
    Name,
    AtCode,
    IdCode,
    ArchetypeId,
    TermCode,
    Uri,
    Parameter,
    /// `{/regex/}`, braces included.
    Regex,
    /// A quoted text or a number without sign.
    Literal(LiteralKind),
    Compare(Comparison),
    Semicolon,
    OpenParenthesis,
    CloseParenthesis,
    Comma,
    Slash,
    Star,
    Plus,
    Minus,
    OpenBracket,
    CloseBracket,
    OpenBrace,
    CloseBrace,
    DoubleDash,
    Fault(LexFault),
    End,
}

/// Why no token could be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LexFault {
    /// No token starts with this character.
    Character,
    /// The closing quote is missing.
    Unterminated,
    /// A backslash is followed by what is no escape; the span ends behind it.
    Escape,
}

/// A token and its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: Span,
}

/// Reads all tokens; the last is an `End` or a `Fault`. The text must be shorter than 4 GiB.
pub(crate) fn lex(text: &str) -> Vec<Token> {
    Lexer::new(text).tokens()
}

fn span(start: usize, end: usize) -> Span {
    let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Span { start: place(start), end: place(end) }
}

struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    memo: word::Memo,
    // A `-- ` in front of this place and behind the last one looked at is no comment: a lone CR ends its line.
    no_comment_before: usize,
    // How many bytes were looked at, repeats included.
    #[cfg(test)]
    steps: std::cell::Cell<usize>,
}

impl<'a> Lexer<'a> {
    fn new(text: &'a str) -> Lexer<'a> {
        Lexer {
            text,
            bytes: text.as_bytes(),
            memo: word::Memo::default(),
            no_comment_before: 0,
            #[cfg(test)]
            steps: std::cell::Cell::new(0),
        }
    }

    fn tokens(&mut self) -> Vec<Token> {
        let mut tokens = Vec::with_capacity(self.bytes.len() / 4 + 8);
        let mut at = 0;
        loop {
            at = self.skip_blanks(at);
            let (kind, end) = self.token(at);
            tokens.push(Token { kind, span: span(at, end) });
            if matches!(kind, TokenKind::End | TokenKind::Fault(_)) {
                return tokens;
            }
            at = end;
        }
    }

    #[cfg(test)]
    fn step(&self, bytes: usize) {
        self.steps.set(self.steps.get() + bytes);
    }

    #[cfg(not(test))]
    fn step(&self, _: usize) {}

    /// The byte at a place; 0 behind the end, which is in no class of characters.
    #[inline]
    fn at(&self, place: usize) -> u8 {
        self.step(1);
        self.bytes.get(place).copied().unwrap_or(0)
    }

    /// The first place from `from` on whose byte is not in the class.
    #[inline]
    fn run(&self, from: usize, class: impl Fn(u8) -> bool) -> usize {
        let rest = self.bytes.get(from..).unwrap_or_default();
        let length = rest.iter().position(|&byte| !class(byte)).unwrap_or(rest.len());
        self.step(length);
        from + length
    }

    /// Skips blanks, comments and byte order marks.
    fn skip_blanks(&mut self, mut at: usize) -> usize {
        loop {
            at = match self.at(at) {
                b' ' | b'\t' | b'\r' | b'\n' => at + 1,
                0xEF if self.at(at + 1) == 0xBB && self.at(at + 2) == 0xBF => at + 3,
                b'-' if self.at(at + 1) == b'-' => match self.comment(at) {
                    Some(end) => end,
                    None => return at,
                },
                _ => return at,
            }
        }
    }

    /// The end of the comment that starts at `--`; none when it is not one.
    fn comment(&mut self, at: usize) -> Option<usize> {
        match (self.at(at + 2), self.at(at + 3)) {
            (b'\n', _) => Some(at + 3),
            (b'\r', b'\n') => Some(at + 4),
            (b' ', _) if at >= self.no_comment_before => {
                let end = self.run(at + 3, |byte| byte != b'\r' && byte != b'\n');
                match (self.at(end), self.at(end + 1)) {
                    (b'\n', _) => Some(end + 1),
                    (b'\r', b'\n') => Some(end + 2),
                    (b'\r', _) => {
                        self.no_comment_before = end;
                        None
                    }
                    _ => Some(end),
                }
            }
            _ if at + 2 == self.bytes.len() => Some(at + 2),
            _ => None,
        }
    }

    fn token(&mut self, at: usize) -> (TokenKind, usize) {
        use TokenKind as T;
        match self.at(at) {
            byte if byte.is_ascii_alphabetic() => self.word(at),
            byte if byte.is_ascii_digit() => self.number(at),
            b'\'' | b'"' => self.quoted(at),
            b'/' => (T::Slash, at + 1),
            b'[' => (T::OpenBracket, at + 1),
            b']' => (T::CloseBracket, at + 1),
            b',' => (T::Comma, at + 1),
            b'(' => (T::OpenParenthesis, at + 1),
            b')' => (T::CloseParenthesis, at + 1),
            b'=' => (T::Compare(Comparison::Equal), at + 1),
            b'<' if self.at(at + 1) == b'=' => (T::Compare(Comparison::LessOrEqual), at + 2),
            b'<' => (T::Compare(Comparison::Less), at + 1),
            b'>' if self.at(at + 1) == b'=' => (T::Compare(Comparison::GreaterOrEqual), at + 2),
            b'>' => (T::Compare(Comparison::Greater), at + 1),
            b'!' if self.at(at + 1) == b'=' => (T::Compare(Comparison::NotEqual), at + 2),
            b'{' => self.regex(at).map_or((T::OpenBrace, at + 1), |end| (T::Regex, end)),
            b'}' => (T::CloseBrace, at + 1),
            b'*' => (T::Star, at + 1),
            b'+' => (T::Plus, at + 1),
            b';' => (T::Semicolon, at + 1),
            b'$' if self.at(at + 1).is_ascii_alphabetic() => (T::Parameter, self.run(at + 1, word::is_word)),
            b'.' if self.at(at + 1).is_ascii_digit() => self.number(at),
            b'-' | b'.' | b'_' => self.sign(at),
            _ if at >= self.bytes.len() => (T::End, at),
            _ => self.fault(at),
        }
    }

    /// A minus, a double dash, or a term code that starts with one, with a point or an underscore.
    fn sign(&mut self, at: usize) -> (TokenKind, usize) {
        match (self.term_code(at), self.at(at), self.at(at + 1)) {
            (Some(end), ..) => (TokenKind::TermCode, end),
            (None, b'-', b'-') => (TokenKind::DoubleDash, at + 2),
            (None, b'-', _) => (TokenKind::Minus, at + 1),
            _ => self.fault(at),
        }
    }

    /// A character that starts no token.
    fn fault(&self, at: usize) -> (TokenKind, usize) {
        let length = self.text.get(at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
        (TokenKind::Fault(LexFault::Character), at + length)
    }
}
