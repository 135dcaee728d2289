//! Clauses in another order, and what stands in a clause that does not take it.

use super::Place;
use crate::error::Clause;
use crate::lex::{Keyword as K, TokenKind as T};
use crate::parse::expect::Expect;

pub(super) fn hint(place: &Place<'_>) -> Option<&'static str> {
    let clause = place.clause();
    match place.kind() {
        _ if clause == Clause::Directive => Some("a directive is written ENDPOINT p [\"id\", …] CONTAINS …, or ORGANISATION"),
        T::Keyword(K::Offset) if place.expects(Expect::Limit) => Some("OFFSET stands behind LIMIT: LIMIT 10 OFFSET 20"),
        T::Keyword(K::Not | K::Contains) if clause == Clause::From && place.expects(Expect::Class) => {
            Some("CONTAINS needs a class in front of it: AND (X NOT CONTAINS Y)")
        }
        T::Keyword(K::Contains) if clause == Clause::From => Some("CONTAINS stands behind a class, not behind parentheses"),
        T::Keyword(K::Not) | T::OpenParenthesis if place.expects(Expect::ArchetypeId) => {
            Some("brackets know AND and OR, but neither NOT nor parentheses")
        }
        T::Keyword(K::Like | K::Exists) if clause != Clause::Where => Some("this stands only in WHERE"),
        T::OpenBrace if place.expects(Expect::Regex) => Some("inside brackets MATCHES takes {/a regular expression/}"),
        T::Keyword(K::Count | K::Min | K::Max | K::Sum | K::Avg) => Some("an aggregate stands only in SELECT, around one path"),
        T::Keyword(K::Select | K::From | K::Where | K::Order | K::Limit | K::Offset) if place.expects(Expect::End) => {
            Some("the clauses are SELECT, FROM, WHERE, ORDER BY, LIMIT, in this order and each once")
        }
        _ if clause == Clause::OrderBy && place.expects(Expect::Path) => {
            Some("rows are sorted by paths and by aliases of columns")
        }
        T::Name if clause == Clause::Where && place.expects(Expect::And) && !place.adjacent() => {
            Some("conditions are joined by AND or OR")
        }
        _ => None,
    }
}
