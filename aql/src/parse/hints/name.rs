//! What stands where a name belongs.

use super::Place;
use crate::error::Hint;
use crate::lex::{Keyword, TokenKind as T};
use crate::parse::expect::Expect;

pub(super) fn hint(place: &Place<'_>) -> Option<Hint> {
    let names = place.expects(Expect::Alias) || place.expects(Expect::Attribute);
    match place.kind() {
        T::Keyword(Keyword::From) if names => Some(Hint::Text("a name is missing in front of FROM")),
        T::Keyword(word) if names => Some(Hint::Reserved(word.as_str())),
        T::AtCode | T::IdCode if names || place.expects(Expect::Variable) || place.expects(Expect::Class) => {
            Some(Hint::Text("`at` or `id` with digits is a node code and can name nothing"))
        }
        T::Literal(kind) if kind.is_quoted() && place.expects(Expect::Alias) => {
            Some(Hint::Text("an alias is a plain name, without quotes"))
        }
        T::Literal(kind) if kind.is_quoted() && place.expects(Expect::As) => {
            Some(Hint::Text("an alias needs AS in front of it, and no quotes"))
        }
        T::Literal(kind) if kind.is_quoted() && (place.expects(Expect::Variable) || place.expects(Expect::Class)) => {
            Some(Hint::Text("names stand without quotes"))
        }
        T::Name if place.expects(Expect::As) => Some(Hint::Text("an alias needs AS in front of it")),
        _ => None,
    }
}
