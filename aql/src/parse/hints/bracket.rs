//! Brackets that do not match.

use super::Place;
use crate::error::Hint;
use crate::lex::{Keyword, Token, TokenKind as T};
use crate::parse::expect::Expect;
use crate::parse::report::punctuation;
use crate::position::Position;

pub(super) fn hint(place: &Place<'_>) -> Option<Hint> {
    let at_close = matches!(place.kind(), T::CloseParenthesis | T::CloseBracket | T::CloseBrace);
    let at_clause = matches!(
        place.kind(),
        T::End | T::Keyword(Keyword::From | Keyword::Where | Keyword::Order | Keyword::Limit | Keyword::Contains)
    );
    let closes = [Expect::CloseParenthesis, Expect::CloseBracket, Expect::CloseBrace];
    let closes = closes.into_iter().any(|one| place.expects(one));
    match open(place) {
        Some(last) if closes && (at_close || at_clause) => {
            let position = Position::of(place.text, last.span.start);
            Some(Hint::Unclosed { bracket: punctuation(last.kind), position })
        }
        None if at_close => Some(Hint::Text("this bracket closes nothing")),
        _ => None,
    }
}

/// The last bracket in front of the place that nothing closes.
fn open(place: &Place<'_>) -> Option<Token> {
    let mut open = Vec::new();
    for token in place.tokens.iter().take(place.index) {
        match token.kind {
            T::OpenParenthesis | T::OpenBracket | T::OpenBrace => open.push(*token),
            T::CloseParenthesis | T::CloseBracket | T::CloseBrace => {
                open.pop();
            }
            _ => {}
        }
    }
    open.pop()
}
