//! Binding of parameters, and the rules that are no matter of syntax.

use std::collections::BTreeMap;

use openehr_aql::ast::Literal;
use openehr_aql::{BindError, Position, RuleError, bind, check, parameters, parse};

fn values() -> BTreeMap<String, Literal> {
    let number = Literal::number("1.50").unwrap_or_else(|_| Literal::null());
    [
        ("text", Literal::string("it's")),
        ("date", Literal::string("2024-01-01")),
        ("number", number),
        ("flag", Literal::boolean(true)),
        ("none", Literal::null()),
        ("archetype", Literal::string("openEHR-EHR-OBSERVATION.pulse.v2")),
        ("code", Literal::string("at0001")),
        ("sneaky", Literal::string("at0001] or 1 = 1")),
        ("select", Literal::string("reserved")),
    ]
    .map(|(name, literal)| (name.to_owned(), literal))
    .into()
}

/// If this fails, a node is asked with another value than the client gave.
#[test]
fn values_take_the_place_of_parameters() {
    let table = [
        ("c/a = $text", r"c/a = 'it\'s'"),
        ("c/a = $date", "c/a = '2024-01-01'"),
        ("c/a = $number AND c/b = $flag", "c/a = 1.50 AND c/b = true"),
        ("c/a != $none", "c/a != NULL"),
        ("c/a = $select", "c/a = 'reserved'"),
        ("c/a LIKE $text", r"c/a LIKE 'it\'s'"),
        ("c/a LIKE $date", r"c/a LIKE '\u0032024-01-01'"),
        ("c/a MATCHES {$text, 1, $number, $text}", r"c/a MATCHES {'it\'s', 1, 1.50, 'it\'s'}"),
        ("LENGTH($text) > CONCAT($number, c/a[b = $date])", r"LENGTH('it\'s') > CONCAT(1.50, c/a[b = '2024-01-01'])"),
        ("EXISTS c/a[at0002, $text]", r"EXISTS c/a[at0002, 'it\'s']"),
        ("EXISTS c/a[at0002, $date]", r"EXISTS c/a[at0002, '\u0032024-01-01']"),
        ("EXISTS c/a[$code]", "EXISTS c/a[at0001]"),
        ("EXISTS c/a[$archetype]", "EXISTS c/a[openEHR-EHR-OBSERVATION.pulse.v2]"),
        ("EXISTS c/a[b = $sneaky]", "EXISTS c/a[b = 'at0001] or 1 = 1']"),
    ];
    for (before, after) in table {
        let mut query = parse(&format!("SELECT c FROM C c WHERE {before}")).unwrap();
        bind(&mut query, &values()).unwrap();
        assert_eq!(query.to_string(), format!("SELECT c FROM C c WHERE {after}"));
        assert_eq!(parse(&query.to_string()).unwrap(), query);
        assert!(parameters(&query).is_empty());
    }
}

#[test]
fn parameters_are_found_wherever_they_stand() {
    let text = "SELECT CONCAT($a, c/x[y = $b]) FROM EHR e[$c] CONTAINS VERSION v[x = $d] CONTAINS C c[at1, $e] WHERE c/a = $f AND NOT \
                (c/a LIKE $g OR c/a MATCHES {$h, $a})";
    let names: Vec<String> = parameters(&parse(text).unwrap()).iter().map(|one| one.name.clone()).collect();
    assert_eq!(names, ["a", "b", "c", "d", "e", "f", "g", "h", "a"]);
}

#[test]
fn a_parameter_without_a_value_is_named_with_its_place() {
    let text = "SELECT c FROM C c WHERE c/a = $text AND c/b = $Text";
    let error = bind(&mut parse(text).unwrap(), &values()).unwrap_err();
    assert_eq!(error.to_string(), "the parameter $Text has no value");
    assert_eq!(error.name(), "Text");
    assert_eq!(Position::of(text, error.span().start), Position { line: 1, column: 47 });
}

#[test]
fn a_value_that_its_place_cannot_hold_is_refused() {
    let table = [
        ("c/a LIKE $number", "a text", "a number"),
        ("c/a LIKE $none", "a text", "NULL"),
        ("EXISTS c/a[at0002, $flag]", "a text", "a boolean"),
        ("EXISTS c/a[$text]", "an archetype id or node code", "a quoted text"),
        ("EXISTS c/a[$sneaky]", "an archetype id or node code", "a quoted text"),
        ("EXISTS c/a[$number]", "an archetype id or node code", "a number"),
    ];
    for (condition, wanted, kind) in table {
        let mut query = parse(&format!("SELECT c FROM C c WHERE {condition}")).unwrap();
        let error = bind(&mut query, &values()).unwrap_err();
        assert!(matches!(error, BindError::WrongKind { .. }), "{condition}");
        assert!(error.to_string().ends_with(&format!("stands where {wanted} is needed, and its value is {kind}")), "{error}");
    }
}

/// A broken rule, by the text its span covers.
fn broken(text: &str) -> Option<(&str, RuleError)> {
    let error = check(&parse(text).ok()?).err()?;
    Some((&text[error.span().start as usize..error.span().end as usize], error))
}

/// If this fails, a query that means nothing reaches a node.
#[test]
fn rules_that_are_no_matter_of_syntax() {
    type Make = fn(openehr_aql::ast::Span) -> RuleError;
    let table: &[(&str, &str, Make)] = &[
        ("SELECT x FROM EHR e", "x", RuleError::UnknownVariable),
        ("SELECT e FROM EHR e WHERE x/a = 1", "x", RuleError::UnknownVariable),
        ("SELECT e FROM EHR e WHERE e/a = x/b", "x", RuleError::UnknownVariable),
        ("SELECT e FROM EHR e WHERE LENGTH(x/b) = 1", "x", RuleError::UnknownVariable),
        ("SELECT COUNT(x) FROM EHR e", "x", RuleError::UnknownVariable),
        ("SELECT e/a AS u FROM EHR e WHERE u = 1", "u", RuleError::UnknownVariable),
        ("SELECT e FROM EHR e ORDER BY x/a", "x", RuleError::UnknownSortKey),
        ("SELECT e/a AS u FROM EHR e ORDER BY u/b", "u", RuleError::UnknownSortKey),
        ("SELECT e/a AS u FROM EHR e ORDER BY u[at1]", "u", RuleError::UnknownSortKey),
        ("SELECT e FROM EHR e CONTAINS C e", "e", RuleError::DeclaredTwice),
        ("SELECT e FROM EHR e CONTAINS C E", "E", RuleError::DeclaredTwice),
        ("SELECT e FROM ENDPOINT e ['a'] CONTAINS EHR e", "e", RuleError::DeclaredTwice),
        ("SELECT TOP 5 e FROM EHR e LIMIT 5", "LIMIT 5", RuleError::TopBesideLimit),
        ("SELECT e FROM EHR e LIMIT 0", "0", RuleError::NoRows),
        ("SELECT e FROM EHR e LIMIT 000", "000", RuleError::NoRows),
        ("SELECT TOP 0 e FROM EHR e", "0", RuleError::NoRows),
        ("SELECT e FROM EHR e LIMIT 18446744073709551616", "18446744073709551616", RuleError::CountTooLarge),
        ("SELECT e FROM EHR e LIMIT 1 OFFSET 18446744073709551616", "18446744073709551616", RuleError::CountTooLarge),
    ];
    for (text, place, make) in table {
        assert_eq!(broken(text), Some((*place, make(openehr_aql::ast::Span::NONE))), "{text}");
    }
}

/// If this fails, queries that servers answer are refused.
#[test]
fn what_the_text_allows_or_servers_read_passes() {
    let texts = [
        "SELECT e/a AS u FROM EHR e ORDER BY U DESC, e/b",
        "SELECT E/a FROM EHR e",
        "SELECT 1 FROM EHR",
        "SELECT c FROM C c LIMIT 18446744073709551615 OFFSET 0",
        "SELECT c/a[openEHR-EHR-CLUSTER.x.v1] FROM C c WHERE c/b = $select",
        "SELECT p/id FROM ENDPOINT p ['a'] CONTAINS EHR e ORDER BY p/id",
        "SELECT c/a AS x, c/b AS x FROM C c",
        "SELECT c FROM C c WHERE c/a = 'two\nlines'",
    ];
    for text in texts {
        assert!(parse(text).is_ok(), "{text}");
        assert_eq!(broken(text), None, "{text}");
    }
}
