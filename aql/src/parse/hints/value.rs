//! What stands where a value belongs.

use super::Place;
use crate::ast::LiteralKind;
use crate::lex::TokenKind as T;
use crate::parse::expect::Expect;

pub(super) fn hint(place: &Place<'_>) -> Option<&'static str> {
    match place.kind() {
        T::Literal(LiteralKind::Date | LiteralKind::Time | LiteralKind::DateTime) if place.expects(Expect::String) => {
            Some("a quoted text that looks like a date or time is one, and no text can stand for it here")
        }
        T::Literal(kind) if kind.is_quoted() && place.expects(Expect::ArchetypeId) => {
            Some("a quoted text stands only behind a node id: [at0001, 'name']")
        }
        T::Literal(kind) if kind.is_quoted() && place.expects(Expect::Exists) => {
            Some("the left side of a comparison is a path or a function, without quotes")
        }
        T::Literal(_) | T::Parameter if place.expects(Expect::Exists) => {
            Some("the left side of a comparison is a path or a function")
        }
        T::Parameter if place.expects(Expect::Count) => Some("a count of rows is written in digits"),
        T::Minus if place.expects(Expect::Count) => Some("a count of rows has no sign"),
        T::Regex if place.expects(Expect::OpenBrace) => Some("regular expressions stand only in brackets: use LIKE"),
        T::ArchetypeId | T::AtCode | T::IdCode | T::TermCode if place.expects(Expect::Literal) => Some("put quotes around it"),
        T::Name if place.adjacent() && matches!(place.previous(), T::Literal(_)) => Some("put quotes around a text"),
        _ if place.expects(Expect::OpenBrace) => Some("MATCHES takes a list in braces: MATCHES {'a', 'b'}"),
        _ => None,
    }
}
