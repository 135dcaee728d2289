//! Literals of AQL as values.

use openehr_aql::ast::{Literal, LiteralKind};

use crate::order::Decimal;
use crate::value::Json;

/// The value of a literal. A number keeps its text where JSON can spell it so.
pub(super) fn constant(literal: &Literal) -> Json {
    match literal.kind {
        LiteralKind::String | LiteralKind::Date | LiteralKind::Time | LiteralKind::DateTime => {
            Json::text(literal.decoded().into_owned())
        }
        LiteralKind::Integer | LiteralKind::Real | LiteralKind::ScientificInteger | LiteralKind::ScientificReal => {
            number(&literal.text)
        }
        LiteralKind::Boolean => Json::Bool(literal.text.eq_ignore_ascii_case("true")),
        LiteralKind::Null => Json::Null,
    }
}

fn number(text: &str) -> Json {
    let unsigned = text.trim_start_matches('-');
    let sign = if (text.len() - unsigned.len()) % 2 == 1 { "-" } else { "" };
    let signed = format!("{sign}{unsigned}");
    match Json::parse(signed.as_bytes()) {
        Ok(number @ Json::Number(_)) => number,
        _ => Decimal::parse(&signed).map_or(Json::Null, |number| Json::number(number.canonical())),
    }
}
