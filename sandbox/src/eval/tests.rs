//! The evaluator against tables: the records of two invented patients, a question, the expected rows.

use openehr_aql::parse;

use super::{EvalError, Settings, column_names, evaluate};
use crate::model::{Commit, Repository, VersionUid, ehr_status};
use crate::synthetic::clinical::{
    adverse_reaction, blood_pressure, blood_pressures, body_temperature, encounter, laboratory_result, medication_order, report,
};
use crate::synthetic::parts::{items, quantity};
use crate::value::Json;

/// The files of questions: `#` a title, then the query, then `->` and the rows, or `!` and the words of the refusal.
const TABLES: [&str; 5] = [
    include_str!("tables/from.txt"),
    include_str!("tables/paths.txt"),
    include_str!("tables/where.txt"),
    include_str!("tables/select.txt"),
    include_str!("tables/refused.txt"),
];

fn at(time: &str) -> Commit {
    Commit { time: time.into(), committer: "Dr Lark".into(), contribution: "contribution-1".into() }
}

/// Ann has two encounters and a laboratory report at one hospital; Bob has one encounter and a deleted one.
fn records() -> Repository {
    let mut held = Repository::new("north.example.org");
    for (ehr, subject) in [("ann", "P-1"), ("bob", "P-2")] {
        let status = ehr_status(Some((subject, "urn:oid:2.999.1")));
        held.create_ehr(ehr.into(), status, format!("status-{ehr}"), &at("2024-01-01T00:00:00Z")).unwrap();
    }
    let first = encounter(
        "2024-03-01T09:00:00+01:00",
        "Dr Lark",
        vec![
            blood_pressure("2024-03-01T09:05:00+01:00", Some("120"), Some("80")),
            body_temperature("2024-03-01T09:10:00+01:00", "37.10", "Cel"),
        ],
    );
    let second = encounter(
        "2024-03-01T08:30:00Z",
        "Dr Wren",
        vec![
            blood_pressures(&[("2024-03-01T08:31:00Z", Some("142.50"), Some("95")), ("2024-03-01T08:41:00Z", Some("138"), None)]),
            adverse_reaction("Penicillin", Some("High"), Some("2019-05")),
        ],
    );
    let lab = report(
        "2024-03-02T12:00:00Z",
        "Lab Finch",
        vec![laboratory_result(
            "2024-03-02T11:00:00Z",
            "Electrolytes",
            vec![("Sodium", quantity("139", "mmol/l")), ("Potassium", quantity("4.10", "mmol/l"))],
        )],
    );
    for (id, data) in [("a1", first), ("a2", second), ("a3", lab)] {
        held.create_composition("ann", id.into(), data, &at("2024-03-03T00:00:00Z")).unwrap();
    }
    let mut section =
        items("SECTION", "openEHR-EHR-SECTION.adhoc.v1", "Plan", vec![medication_order("Ibuprofen", "2", "{tbl}", "as needed")]);
    section.set("uid", Json::Null);
    held.create_composition("bob", "b1".into(), encounter("2024-02-01", "Dr Wren", vec![section]), &at("2024-02-02T00:00:00Z"))
        .unwrap();
    let changed = encounter("2024-02-01T10:00:00Z", "Dr Wren", vec![blood_pressure("2024-02-01T10:00:00Z", None, Some("70"))]);
    let preceding = VersionUid::new("b1", "north.example.org", 1);
    let again = held.ehr("bob").unwrap().composition("b1").unwrap().current().unwrap().clone();
    held.change_composition("bob", &preceding, Some(again), &at("2024-02-03T00:00:00Z")).unwrap();
    let gone = held.create_composition("bob", "b2".into(), changed, &at("2024-02-02T00:00:00Z")).unwrap();
    held.change_composition("bob", &gone, None, &at("2024-02-04T00:00:00Z")).unwrap();
    held
}

fn settings() -> Settings {
    Settings { now: Some("2024-06-01T12:30:00.000Z".into()), ..Settings::default() }
}

#[test]
fn the_tables_hold() {
    let held = records();
    let mut failures = Vec::new();
    let mut count = 0;
    for case in TABLES.iter().flat_map(|table| table.split("\n# ").skip(1)) {
        let (title, rest) = case.split_once('\n').unwrap();
        let (query, expected) = rest.split_once("\n->").or_else(|| rest.split_once("\n!")).unwrap();
        let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let query = parse(query).unwrap_or_else(|error| panic!("{title}: {error}"));
        let found = match evaluate(&query, &held, &settings()) {
            Ok(answer) => answer.lines(),
            Err(error) => vec![error.to_string()],
        };
        count += 1;
        if found != expected {
            failures.push(format!("{title}\n  expected {expected:#?}\n  found    {found:#?}"));
        }
    }
    assert!(failures.is_empty(), "{} of {count} fail:\n{}", failures.len(), failures.join("\n"));
    assert!(count > 60, "only {count} cases were read");
}

#[test]
fn columns_are_named_by_alias_or_place_and_paths_are_as_written() {
    let text = "SELECT c/uid/value AS uid, COUNT(c) , c/name / value FROM COMPOSITION c";
    let query = parse(text).unwrap();
    let names: Vec<_> = column_names(&query, text).into_iter().map(|column| (column.name, column.path)).collect();
    let path = |text: &str| Some(text.to_owned());
    assert_eq!(names, [("uid".into(), path("c/uid/value")), ("#1".into(), None), ("#2".into(), path("c/name / value"))]);
}

#[test]
fn a_query_is_bounded_in_rows_and_in_work() {
    let held = records();
    let query = parse("SELECT a, b FROM EHR e CONTAINS (ELEMENT a AND ELEMENT b)").unwrap();
    let few = Settings { max_rows: 10, ..settings() };
    assert_eq!(evaluate(&query, &held, &few), Err(EvalError::Rows(10)));
    let little = Settings { max_steps: 100, ..settings() };
    assert_eq!(evaluate(&query, &held, &little), Err(EvalError::Steps(100)));
}

#[test]
fn a_record_named_by_its_ehr_id_is_the_only_one_searched() {
    let held = records();
    let little = Settings { max_steps: 8, ..settings() };
    for text in [
        "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE e/ehr_id/value = 'bob'",
        "SELECT c/uid/value FROM EHR e[ehr_id/value = 'bob'] CONTAINS COMPOSITION c",
        "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE c/name/value = 'Encounter' AND e/ehr_id/value = 'bob'",
    ] {
        let query = parse(text).unwrap();
        assert_eq!(evaluate(&query, &held, &settings()).unwrap().lines(), [r#"["b1::north.example.org::2"]"#], "{text}");
        assert!(evaluate(&query, &held, &little).is_ok(), "{text}");
    }
}
