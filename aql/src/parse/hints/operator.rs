//! Operators and punctuation that AQL writes otherwise, or lacks.

use super::{COMMENT, Place};
use crate::ast::{Comparison, LiteralKind};
use crate::error::Clause;
use crate::lex::{Keyword, TokenKind as T};
use crate::parse::expect::Expect;

pub(super) fn hint(place: &Place<'_>) -> Option<&'static str> {
    match (place.kind(), place.previous()) {
        (T::Compare(Comparison::Equal), T::Compare(Comparison::Equal)) => Some("AQL compares with a single `=`"),
        (T::Compare(Comparison::Greater), T::Compare(Comparison::Less)) => Some("not equal is written `!=`"),
        (T::Slash, T::Slash) => Some("one `/` stands between the steps of a path"),
        (T::Slash, _) if matches!(place.next(), T::Slash | T::Star) => Some(COMMENT),
        (T::DoubleDash, _) | (_, T::DoubleDash) => Some(COMMENT),
        (T::Semicolon, _) => Some("AQL ends without a semicolon"),
        (T::Star, _) if place.clause() == Clause::Select && place.expects(Expect::Aggregate) => {
            Some("AQL has no SELECT *: name the columns")
        }
        (T::Minus, _) if place.expects(Expect::Comparison) && place.adjacent() => {
            Some("an archetype id is written like openEHR-EHR-OBSERVATION.pulse.v1, version included")
        }
        (T::Plus | T::Star | T::Minus, _) if !place.expects(Expect::Literal) && !place.expects(Expect::Count) => {
            Some("AQL has no arithmetic")
        }
        (T::Literal(LiteralKind::String), T::Literal(LiteralKind::String)) if place.adjacent() => {
            Some("a quote inside a text is written \\'")
        }
        (T::Slash | T::OpenBracket, T::Literal(kind)) if kind.is_quoted() => Some("paths and names stand without quotes"),
        (T::Comma, _) if place.clause() == Clause::From && place.expects(Expect::Contains) => {
            Some("classes are joined by CONTAINS, AND and OR")
        }
        (T::Comma, _) if place.expects(Expect::Offset) => Some("write LIMIT 20 OFFSET 10"),
        (T::OpenParenthesis, T::Keyword(Keyword::Exists)) => Some("EXISTS takes a path without parentheses"),
        (T::OpenParenthesis, _) if place.next() == T::Keyword(Keyword::Select) => Some("AQL has no sub-queries"),
        _ => None,
    }
}
