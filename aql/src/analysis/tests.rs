use super::*;
use crate::ast::{Query, Value};
use crate::parse;

fn query(text: &str) -> Query {
    parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn condition(text: &str) -> Condition {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn only_an_and_at_the_top_is_a_chain() {
    let table = [
        ("c/a = 1", 1),
        ("c/a = 1 AND c/b = 2 AND (c/d = 3 AND c/e = 4)", 4),
        ("c/a = 1 OR c/b = 2 AND c/d = 3", 1),
        ("NOT (c/a = 1 AND c/b = 2)", 1),
        ("c/a = 1 AND NOT (c/a = 1 AND c/b = 2)", 2),
    ];
    for (text, members) in table {
        assert_eq!(conjuncts(&condition(text)).len(), members, "{text}");
    }
}

#[test]
fn from_declares_variables_with_class_archetype_and_container() {
    let query = query(
        "SELECT o FROM EHR e[ehr_id/value = $ehr] CONTAINS VERSION v[LATEST_VERSION] CONTAINS COMPOSITION \
         c[openEHR-EHR-COMPOSITION.visit.v1 AND name/value = 'x'] CONTAINS (OBSERVATION o[openEHR-EHR-OBSERVATION.pulse.v2] OR \
         (SECTION NOT CONTAINS CLUSTER k[at0001]))",
    );
    let variables = Variables::of(&query);
    let rows: Vec<_> = variables
        .classes
        .iter()
        .map(|one| {
            let variable = one.variable.map_or("-", |name| name.text.as_str());
            let archetype = one.archetype.map_or("-", |id| id.text.as_str());
            (variable, one.class, archetype, one.parent, one.version, one.negated, one.optional)
        })
        .collect();
    assert_eq!(
        rows,
        [
            ("e", "EHR", "-", None, false, false, false),
            ("v", "VERSION", "-", Some(0), true, false, false),
            ("c", "COMPOSITION", "openEHR-EHR-COMPOSITION.visit.v1", Some(1), false, false, false),
            ("o", "OBSERVATION", "openEHR-EHR-OBSERVATION.pulse.v2", Some(2), false, false, true),
            ("-", "SECTION", "-", Some(2), false, false, true),
            ("k", "CLUSTER", "-", Some(4), false, true, true),
        ]
    );
    assert!(variables.get("E").is_some() && variables.get("x").is_none());
}

#[test]
fn paths_lead_to_a_class_and_a_reference_model_path() {
    let query = query("SELECT E/ehr_status[at1]/subject/external_ref/id/value, p/id FROM ENDPOINT p ['a'] CONTAINS EHR e");
    let variables = Variables::of(&query);
    let class = |text: &str| variables.classify(&text.parse().unwrap()).map(|one| (one.class.to_owned(), one.path));
    assert_eq!(
        class("E/ehr_status[at1]/subject/external_ref/id/value"),
        Some(("EHR".to_owned(), "ehr_status/subject/external_ref/id/value".to_owned()))
    );
    assert_eq!(class("e"), Some(("EHR".to_owned(), String::new())));
    assert_eq!(class("p/id"), None);
    assert!(variables.is_directive("P") && variables.declares("p") && !variables.declares("q"));
    let path: Path = "e/ehr_id/value".parse().unwrap();
    assert!(path.leads_to(&["ehr_id", "value"]) && !path.leads_to(&["ehr_id"]) && !path.leads_to(&["ehr_id", "VALUE"]));
}

#[test]
fn every_literal_is_found_with_its_place() {
    use LiteralPlace as P;
    let query = query(
        "SELECT 'a', CONCAT('b', c/x[y = 'd']) FROM EHR e[ehr_id/value = 'f'] CONTAINS VERSION v[uid/value = 'g'] CONTAINS \
         COMPOSITION c[at1, 'h'] WHERE c/a = 'i' AND (c/b LIKE 'j' OR NOT c/d MATCHES {'k', TERMINOLOGY('l', 'm', 'n')}) AND \
         EXISTS c/e[at2, 'o']/f[g/h[i = 'q']/j = 'r'] AND LENGTH('s') = 1 ORDER BY c/x[y = 't']",
    );
    let found: Vec<_> = literals(&query).into_iter().map(|one| (one.literal.decoded().into_owned(), one.place)).collect();
    let expected = [
        ("a", P::Column),
        ("b", P::Argument),
        ("d", P::Predicate),
        ("f", P::Predicate),
        ("g", P::Version),
        ("h", P::NodeName),
        ("i", P::Comparison),
        ("j", P::Like),
        ("k", P::Matches),
        ("l", P::Argument),
        ("m", P::Argument),
        ("n", P::Argument),
        ("o", P::NodeName),
        ("q", P::Predicate),
        ("r", P::Predicate),
        ("s", P::Argument),
        ("1", P::Comparison),
        ("t", P::Predicate),
    ];
    assert_eq!(found, expected.map(|(text, place)| (text.to_owned(), place)));
}

#[test]
fn functions_of_constants_are_known() {
    let table = [
        ("'a\\'b'", Some("a'b")),
        ("5", Some("5")),
        ("CONCAT('12', '34', 5, NULL, true)", Some("12345true")),
        ("concat(CONCAT('a', 'b'), 'c')", Some("abc")),
        ("CONCAT_WS('-', 'a', NULL, 'b')", Some("a-b")),
        ("CONCAT_WS('-')", Some("")),
        ("CONCAT()", Some("")),
        ("SUBSTRING('hällo', 2)", Some("ällo")),
        ("SUBSTRING('hällo', 2, 3)", Some("äll")),
        ("SUBSTRING('hello', 0, 2)", Some("h")),
        ("SUBSTRING('hello', -5, 2)", Some("")),
        ("SUBSTRING('hello', 2, -1)", Some("")),
        ("SUBSTRING('hello', 9223372036854775807, 9223372036854775807)", Some("")),
        ("SUBSTRING('hello')", None),
        ("SUBSTRING('hello', 'x')", None),
        ("CONCAT('a', c/b)", None),
        ("CONCAT('a', $p)", None),
        ("UPPER('a')", None),
        ("c/a", None),
    ];
    for (text, folded) in table {
        let Condition::Compare { right, .. } = condition(&format!("c/a = {text}")) else { panic!("{text}") };
        assert_eq!(fold(&right).as_deref(), folded, "{text}");
    }
    assert_eq!(fold(&Value::Literal(crate::ast::Literal::string("x"))).as_deref(), Some("x"));
}

#[test]
fn like_patterns_match_whole_values() {
    let table = [
        ("'Blood*'", "Blood pressure", true),
        ("'Blood*'", "Blood", true),
        ("'Blood*'", "High Blood", false),
        ("'*ood*'", "Blood", true),
        ("'?at'", "cat", true),
        ("'?at'", "at", false),
        ("'?'", "ä", true),
        ("''", "", true),
        ("'*'", "", true),
        ("'a'", "ab", false),
        (r"'a\*b'", "a*b", true),
        (r"'a\*b'", "axb", false),
        (r"'a\\*b'", "a*b", true),
        (r"'a\\*b'", "axb", false),
        (r"'a\?b'", "a?b", true),
        (r"'a\\\\b'", r"a\b", true),
        (r"'a\\b'", r"a\b", true),
        ("'*a*b*c'", "xxaxxbxxbxc", true),
        ("'*a*b*c'", "xxaxxbxxbx", false),
        ("'%'", "x", false),
    ];
    for (pattern, text, matches) in table {
        let Condition::Like { pattern: crate::ast::LikePattern::Text(literal), .. } = condition(&format!("c/a LIKE {pattern}"))
        else {
            panic!("{pattern}")
        };
        assert_eq!(literal.like_pattern().matches(text), matches, "{pattern} and {text}");
    }
}
