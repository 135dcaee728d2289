//! Functions of constants: the text they give, known without asking anyone.

use std::borrow::Cow;

use crate::ast::{Call, LiteralKind, Value};

/// The text that a value is, when it is known from the query alone: a literal, or CONCAT, CONCAT_WS or SUBSTRING of such.
///
/// NULL counts as the empty text inside CONCAT and CONCAT_WS, as PostgreSQL has it; numbers and booleans count as they are
/// written. This finds what a text built from pieces would say, wherever it is evaluated; it does not judge types.
#[must_use]
pub fn fold(value: &Value) -> Option<Cow<'_, str>> {
    match value {
        Value::Literal(literal) => Some(literal.decoded()),
        Value::Call(call) => fold_call(call).map(Cow::Owned),
        Value::Parameter(_) | Value::Path(_) => None,
    }
}

fn fold_call(call: &Call) -> Option<String> {
    let Call { name, arguments, span: _ } = call;
    if name.is("CONCAT") {
        return Some(texts(arguments)?.concat());
    }
    match arguments.split_first() {
        Some((separator, rest)) if name.is("CONCAT_WS") => {
            let separator = texts(std::slice::from_ref(separator))?.concat();
            Some(texts(rest)?.join(&separator))
        }
        Some((text, [from])) if name.is("SUBSTRING") => Some(substring(&fold(text)?, number(from)?, None)),
        Some((text, [from, length])) if name.is("SUBSTRING") => {
            Some(substring(&fold(text)?, number(from)?, Some(number(length)?)))
        }
        _ => None,
    }
}

/// The texts of the values, NULLs left out; none when one is unknown.
fn texts(values: &[Value]) -> Option<Vec<Cow<'_, str>>> {
    values.iter().filter(|value| !is_null(value)).map(fold).collect()
}

fn is_null(value: &Value) -> bool {
    matches!(value, Value::Literal(literal) if literal.kind == LiteralKind::Null)
}

fn number(value: &Value) -> Option<i64> {
    match value {
        Value::Literal(literal) if literal.kind == LiteralKind::Integer => literal.text.parse().ok(),
        _ => None,
    }
}

/// The characters from a place, counted from 1. A place in front of the text uses up length, as in SQL.
fn substring(text: &str, from: i64, length: Option<i64>) -> String {
    let end = length.map_or(i64::MAX, |length| from.saturating_add(length.max(0)));
    let kept = (1_i64..).zip(text.chars()).filter(|(place, _)| (from..end).contains(place));
    kept.map(|(_, letter)| letter).collect()
}
