//! Names, versions, immutability, and what may not be stored.

use std::sync::Barrier;

use super::*;
use crate::error::ErrorCode;

fn name(text: &str) -> QueryName {
    QueryName::parse(text).unwrap()
}

fn put(store: &QueryStore, text: &str, version: Option<&str>, q: &str) -> Result<String, ErrorCode> {
    let version = version.map(|version| Version::parse(version).unwrap());
    let stored = store.store(name(text), version, q, "2026-01-01T00:00:00Z".to_owned());
    stored.map(|stored| stored.version.clone()).map_err(|fault| fault.code())
}

#[test]
fn names_and_versions_are_those_of_its_rest() {
    for text in ["a", "org.example::blood_pressure.v2-x", "x::y"] {
        assert!(QueryName::parse(text).is_ok(), "{text}");
    }
    let long = "a".repeat(257);
    for text in ["", "::a", "a::", "a b", "a::b::c", "a/b", "ä", ".", "x::..", ".a::b", long.as_str()] {
        assert_eq!(QueryName::parse(text), Err(NameFault::Name), "{text}");
    }
    for text in ["aql", "AQL", "org.example::Aql"] {
        assert_eq!(QueryName::parse(text), Err(NameFault::Reserved), "{text}");
    }
    for text in ["1", "1.2", "", "1.2.3.4", "01.0.0", "1.0.x", "1.0.0-rc", "1.0.4294967296", "v1.0.0", "+1.0.0"] {
        assert_eq!(Version::parse(text), Err(NameFault::Version), "{text}");
    }
    assert_eq!(Version::parse("1.20.3").unwrap().to_string(), "1.20.3");
}

#[test]
fn cp40_a_version_never_changes_and_a_prefix_finds_the_highest() {
    let store = QueryStore::in_memory();
    for (version, q) in [("1.0.0", "a"), ("1.2.0", "b"), ("1.10.0", "c"), ("2.0.1", "d")] {
        assert_eq!(put(&store, "x::q", Some(version), q), Ok(version.to_owned()));
    }
    assert_eq!(put(&store, "x::q", Some("1.2.0"), "b"), Err(ErrorCode::QueryExists), "not even with the same text");
    put(&store, "x::q2", Some("9.0.0"), "e").unwrap();
    let found = |prefix: &str| {
        let prefix = if prefix.is_empty() { VersionPrefix::default() } else { VersionPrefix::parse(prefix).unwrap() };
        store.find(&name("x::q"), prefix).map(|found| found.q.clone())
    };
    let cases = [
        ("", Some("d")),
        ("1", Some("c")),
        ("1.2", Some("b")),
        ("1.0.0", Some("a")),
        ("2", Some("d")),
        ("3", None),
        ("1.1", None),
    ];
    for (prefix, expected) in cases {
        assert_eq!(found(prefix).as_deref(), expected, "{prefix}");
    }
    let listed: Vec<_> = store.list("x::").iter().map(|stored| format!("{} {}", stored.name, stored.version)).collect();
    assert_eq!(listed, ["x::q 1.0.0", "x::q 1.2.0", "x::q 1.10.0", "x::q 2.0.1", "x::q2 9.0.0"]);
}

#[test]
fn a_definition_without_version_gets_the_next_and_a_repeated_one_none() {
    let store = QueryStore::in_memory();
    let versions = ["a", "a", "b", "a"].map(|q| put(&store, "q", None, q).unwrap());
    assert_eq!(versions, ["1.0.0", "1.0.0", "1.1.0", "1.2.0"]);
    put(&store, "q", Some("1.4294967295.0"), "z").unwrap();
    assert_eq!(put(&store, "q", None, "y"), Err(ErrorCode::InvalidQueryName));
}

#[test]
fn cp40_what_is_stored_survives_a_restart_and_of_two_at_once_one_wins() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("store.redb");
    let store = QueryStore::open(&file).unwrap();
    let (start, runners) = (Barrier::new(8), 0..8);
    let outcomes: Vec<_> = std::thread::scope(|scope| {
        let (start, store) = (&start, &store);
        let run = |number: i32| {
            scope.spawn(move || {
                start.wait();
                put(store, "q", Some("1.0.0"), &number.to_string()).map(|_| number)
            })
        };
        runners.map(run).collect::<Vec<_>>().into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let winners: Vec<_> = outcomes.iter().filter_map(|outcome| outcome.as_ref().ok()).collect();
    assert_eq!(winners.len(), 1, "{outcomes:?}");
    assert!(QueryStore::open(&file).is_err(), "another process has it");
    drop(store);
    let reopened = QueryStore::open(&file).unwrap();
    let kept = reopened.find(&name("q"), VersionPrefix::default()).unwrap();
    assert_eq!(kept.q, winners[0].to_string());
    assert_eq!(put(&reopened, "q", Some("1.0.0"), "other"), Err(ErrorCode::QueryExists));
}

#[test]
fn cp40_a_patient_is_not_stored() {
    let stored = [
        "SELECT c FROM EHR e CONTAINS COMPOSITION c WHERE e/ehr_status/subject/external_ref/id/value = $patient",
        "SELECT c FROM EHR e CONTAINS COMPOSITION c WHERE c/name/value = 'Report'",
        "SELECT o FROM EHR e CONTAINS OBSERVATION o WHERE o/subject/relationship/name/value = 'mother'",
        "SELECT e/ehr_status/subject/external_ref/id/value FROM EHR e WHERE e/ehr_id/value = $ehr_id",
        "SELECT c FROM ENDPOINT p [\"a\"] CONTAINS EHR e CONTAINS COMPOSITION c",
        "SELECT e FROM EHR e WHERE e/ehr_status/subject/external_ref/id/value = $p AND e/ehr_status/subject/external_ref/namespace = 'urn:x'",
        "SELECT e FROM EHR e WHERE e/ehr_status/subject/external_ref/namespace MATCHES {'urn:x', 'urn:y'}",
        "SELECT e FROM EHR e WHERE e/ehr_status/subject/external_ref/id/scheme = 'mrn' AND e/ehr_status/subject/external_ref/type = 'PERSON'",
        "SELECT o FROM EHR e CONTAINS OBSERVATION o WHERE o/subject/identifiers/id = $p AND o/subject/identifiers/issuer = 'urn:x'",
        "SELECT o FROM EHR e CONTAINS OBSERVATION o WHERE o/subject/identifiers/id = $p AND o/subject/identifiers/type = 'urn:x'",
        "SELECT o/subject/identifiers[id = $p]/issuer FROM EHR e CONTAINS OBSERVATION o[at0001, 'x']",
    ];
    for text in stored {
        assert_eq!(check_definition(text), Ok(()), "{text}");
    }
    let refused = [
        "SELECT c FROM EHR e CONTAINS COMPOSITION c WHERE e/ehr_status/subject/external_ref/id/value = 'patient-1'",
        "SELECT c FROM EHR e CONTAINS COMPOSITION c WHERE NOT e/ehr_status/subject/external_ref/id/value != 'patient-1'",
        "SELECT c FROM EHR e CONTAINS COMPOSITION c WHERE e/ehr_status/subject/external_ref/id/value MATCHES {$a, 'patient-1'}",
        "SELECT c FROM EHR e CONTAINS COMPOSITION c WHERE e/ehr_status/subject/external_ref/id/value LIKE 'patient*'",
        "SELECT o FROM EHR e CONTAINS OBSERVATION o WHERE o/subject/identifiers/id = 'patient-1' AND o/name/value = $name",
        "SELECT e FROM EHR e[ehr_status/subject/external_ref/id/value = 'patient-1']",
        "SELECT e FROM EHR e WHERE CONCAT('patient', '-1') = e/ehr_status/subject/external_ref/id/value",
        "SELECT e FROM EHR e WHERE e/ehr_status/subject/external_ref = 'patient-1'",
        "SELECT e FROM EHR e WHERE e/ehr_status/subject/external_ref[id/value = 'patient-1']/namespace = $ns",
        "SELECT e/ehr_status/subject/external_ref[id/value = 'patient-1']/namespace FROM EHR e",
        "SELECT e FROM EHR e WHERE CONCAT(e/ehr_status/subject/external_ref/namespace, e/ehr_status/subject/external_ref/id/value) = 'urn:x|patient-1'",
        "SELECT o FROM EHR e CONTAINS OBSERVATION o WHERE o/subject/identifiers[id = 'patient-1']/issuer = $issuer",
        "SELECT o FROM EHR e CONTAINS OBSERVATION o WHERE o/subject/identifiers/issuer = 'urn:x' AND o/subject/identifiers/id = 'patient-1'",
    ];
    for text in refused {
        let verdict = check_definition(text);
        assert_eq!(verdict, Err(DefinitionFault::LiteralSubject), "{text}");
        assert!(!verdict.unwrap_err().to_string().contains("patient-1"), "{text}");
    }
    assert!(matches!(check_definition("SELECT"), Err(DefinitionFault::NotAql(_))));
    assert!(matches!(check_definition("SELECT x FROM EHR e"), Err(DefinitionFault::Rule(_))));
}
