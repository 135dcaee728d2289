//! Numbers. They carry no sign: the minus is a token of its own.

use super::{Lexer, TokenKind};
use crate::ast::LiteralKind;

impl Lexer<'_> {
    /// The number at a digit, or at a point before one; a term code (`10::x`) when that is longer.
    pub(super) fn number(&mut self, at: usize) -> (TokenKind, usize) {
        let digits = |from: usize| self.run(from, |byte| byte.is_ascii_digit());
        let mut end = digits(at);
        let real = self.at(end) == b'.' && self.at(end + 1).is_ascii_digit();
        if real {
            end = digits(end + 1);
        }
        let exponent = self.exponent(end);
        let kind = match (real, exponent.is_some()) {
            (false, false) => LiteralKind::Integer,
            (true, false) => LiteralKind::Real,
            (false, true) => LiteralKind::ScientificInteger,
            (true, true) => LiteralKind::ScientificReal,
        };
        let end = exponent.unwrap_or(end);
        match self.term_code(at) {
            Some(longer) if longer > end => (TokenKind::TermCode, longer),
            _ => (TokenKind::Literal(kind), end),
        }
    }

    fn exponent(&self, at: usize) -> Option<usize> {
        if !matches!(self.at(at), b'e' | b'E') {
            return None;
        }
        let signed = usize::from(matches!(self.at(at + 1), b'+' | b'-'));
        let digits = at + 1 + signed;
        self.at(digits).is_ascii_digit().then(|| self.run(digits, |byte| byte.is_ascii_digit()))
    }
}
