//! A literal as the JSON text of a cell.

use openehr_aql::ast::{Literal, LiteralKind};

/// The cell that a selected constant gives: texts, dates and times as strings, numbers in the form JSON has.
pub(crate) fn json(literal: &Literal) -> String {
    match literal.kind {
        LiteralKind::String | LiteralKind::Date | LiteralKind::Time | LiteralKind::DateTime => json_text(&literal.decoded()),
        LiteralKind::Boolean => literal.text.to_ascii_lowercase(),
        LiteralKind::Null => "null".to_owned(),
        LiteralKind::Integer | LiteralKind::Real | LiteralKind::ScientificInteger | LiteralKind::ScientificReal => {
            number(&literal.text)
        }
    }
}

/// A text as a JSON string.
pub(crate) fn json_text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// AQL writes `007`, `.5` and `--1`, which JSON does not; all other digits stay.
fn number(text: &str) -> String {
    let digits = text.trim_start_matches('-');
    let sign = if (text.len() - digits.len()) % 2 == 1 { "-" } else { "" };
    let trimmed = digits.trim_start_matches('0');
    let zero = if trimmed.starts_with(|char: char| char.is_ascii_digit()) { "" } else { "0" };
    format!("{sign}{zero}{trimmed}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_digits_and_become_json() {
        for (aql, cell) in [
            ("7", "7"),
            ("007", "7"),
            ("0", "0"),
            ("00", "0"),
            (".5", "0.5"),
            ("1.50", "1.50"),
            ("-0.10", "-0.10"),
            ("--1", "1"),
            ("---1", "-1"),
            ("1E5", "1E5"),
            ("00.5e-3", "0.5e-3"),
            ("0e1", "0e1"),
            ("123456789012345678901234567890", "123456789012345678901234567890"),
        ] {
            assert_eq!(number(aql), cell, "{aql}");
            assert!(serde_json::from_str::<serde_json::Number>(cell).is_ok(), "{cell}");
        }
    }

    #[test]
    fn texts_are_decoded_and_escaped_anew() {
        let literal = Literal::string("a \"quoted\" 'text'\n");
        assert_eq!(json(&literal), r#""a \"quoted\" 'text'\n""#);
        assert_eq!(json(&Literal::null()), "null");
        assert_eq!(json(&Literal::boolean(true)), "true");
    }
}
