//! Which known slip an error looks like.

mod bracket;
mod character;
mod clause;
mod name;
mod operator;
mod value;
mod word;

use super::expect::Expect;
use super::input::Furthest;
use crate::error::{Clause, Hint};
use crate::lex::{Token, TokenKind};

/// The advice for the first slip that fits.
pub(super) fn hint(text: &str, tokens: &[Token], index: usize, furthest: Furthest) -> Option<Hint> {
    let place = Place { text, tokens, index, furthest };
    character::hint(&place)
        .or_else(|| operator::hint(&place))
        .or_else(|| word::hint(&place))
        .map(Hint::Text)
        .or_else(|| bracket::hint(&place))
        .or_else(|| name::hint(&place))
        .or_else(|| clause::hint(&place).or_else(|| value::hint(&place)).map(Hint::Text))
}

const COMMENT: &str = "a comment is two dashes and a blank, to the end of the line";

/// What is known at the place of an error.
struct Place<'a> {
    text: &'a str,
    tokens: &'a [Token],
    index: usize,
    furthest: Furthest,
}

impl Place<'_> {
    fn kind(&self) -> TokenKind {
        self.tokens.get(self.index).map_or(TokenKind::End, |token| token.kind)
    }

    fn next(&self) -> TokenKind {
        self.tokens.get(self.index + 1).map_or(TokenKind::End, |token| token.kind)
    }

    fn previous_token(&self) -> Option<&Token> {
        self.index.checked_sub(1).and_then(|index| self.tokens.get(index))
    }

    fn previous(&self) -> TokenKind {
        self.previous_token().map_or(TokenKind::End, |token| token.kind)
    }

    /// Does the token stand right behind the previous one?
    fn adjacent(&self) -> bool {
        let this = self.tokens.get(self.index);
        self.previous_token().zip(this).is_some_and(|(left, right)| left.span.end == right.span.start)
    }

    fn expects(&self, one: Expect) -> bool {
        self.furthest.expected.has(one)
    }

    fn clause(&self) -> Clause {
        self.furthest.clause
    }

    /// The text from the token on.
    fn source(&self) -> &str {
        let span = self.tokens.get(self.index).map(|token| token.span).unwrap_or_default();
        self.text.get(span.start as usize..).unwrap_or_default()
    }
}
