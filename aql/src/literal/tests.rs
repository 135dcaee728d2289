use proptest::prelude::*;

use super::*;
use crate::ast::{ColumnValue, Query};
use crate::parse;

fn column(text: &str) -> Literal {
    let Query { select, .. } = parse(&format!("SELECT {text} FROM C c")).unwrap_or_else(|error| panic!("{text}: {error}"));
    match &select.columns[0].value {
        ColumnValue::Literal(literal) => literal.clone(),
        other => panic!("{text} is {other:?}"),
    }
}

#[test]
fn escapes_are_resolved() {
    let table = [
        ("'plain'", "plain"),
        ("''", ""),
        (r#""say 'x'""#, "say 'x'"),
        (r#"'it\'s \"x\"'"#, "it's \"x\""),
        (r"'\\\?\*'", "\\?*"),
        (r"'\a\b\f\n\r\t\v'", "\u{7}\u{8}\u{C}\n\r\t\u{B}"),
        (r"'\u20AC\u20ac'", "€€"),
        (r"'\uD83D\uDE00!'", "😀!"),
        (r"'\uD83Dx\uDE00'", "\u{FFFD}x\u{FFFD}"),
        (r"'\uD83D\u0041'", "\u{FFFD}A"),
        (r"'\101\7\400\0'", "A\u{7} 0\0"),
        ("'ä\nb'", "ä\nb"),
        ("'2024-01-01'", "2024-01-01"),
        ("1.50", "1.50"),
        ("- 7", "-7"),
        ("TRUE", "TRUE"),
    ];
    for (written, value) in table {
        assert_eq!(column(written).decoded(), value, "{written}");
    }
}

#[test]
fn a_text_becomes_the_kind_that_its_look_says() {
    let table = [
        ("x", LiteralKind::String),
        ("", LiteralKind::String),
        ("2024-01-01", LiteralKind::Date),
        ("20240101", LiteralKind::Date),
        ("12:30:00", LiteralKind::Time),
        ("2024-01-01T12:30:00Z", LiteralKind::DateTime),
        ("2024-01", LiteralKind::String),
    ];
    for (value, kind) in table {
        assert_eq!(Literal::string(value).kind, kind, "{value}");
    }
}

#[test]
fn numbers_keep_their_digits_and_nothing_else_is_one() {
    let table = [
        ("0", LiteralKind::Integer),
        ("-12", LiteralKind::Integer),
        ("1.10", LiteralKind::Real),
        ("99999999999999999999999999", LiteralKind::Integer),
        ("1e5", LiteralKind::ScientificInteger),
        ("-1.5E-10", LiteralKind::ScientificReal),
    ];
    for (text, kind) in table {
        let literal = Literal::number(text).unwrap();
        assert_eq!((literal.kind, literal.text.as_str()), (kind, text));
        assert_eq!(column(text), literal);
    }
    for text in
        ["", "-", "+1", "01", ".5", "5.", "1e", "1ee5", "1e+", "--1", "1 ", " 1", "1_0", "NaN", "1;", "0x1", "1.5.5", "１"]
    {
        assert_eq!(Literal::number(text), Err(NotANumber), "{text}");
    }
    for value in [0, 1, -1, i64::MIN, i64::MAX] {
        assert_eq!(column(&value.to_string()), Literal::integer(value));
    }
}

#[test]
fn booleans_and_null() {
    assert_eq!(column("true"), Literal::boolean(true));
    assert_eq!(column("NULL"), Literal::null());
    assert_eq!(column("FALSE").as_boolean(), Some(false));
    assert_eq!(Literal::null().as_boolean(), None);
}

proptest! {
    /// If this fails, a parameter can end its own literal and say more than a value.
    #[test]
    fn no_text_breaks_out_of_its_literal(value in "(\\PC|[\\x00-\\x1F'\"\\\\\u{FEFF}\u{2028}]|--|\\\\u){0,40}") {
        let made = Literal::string(&value);
        prop_assert_eq!(made.decoded(), value.as_str());
        prop_assert_eq!(&column(&made.text), &made);
        let query = parse(&format!("SELECT c FROM C c WHERE c/a = {made} AND c/b = 1")).unwrap();
        prop_assert_eq!(parse(&query.to_string()).unwrap(), query);
        prop_assert!(!made.text.contains(['\n', '\r', '\0']));
    }
}
