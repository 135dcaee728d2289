use super::{Commit, ModelError, Repository, VersionUid, ehr_status};
use crate::value::Json;

fn commit(time: &str) -> Commit {
    Commit { time: time.into(), committer: "Dr Test".into(), contribution: "c-1".into() }
}

fn note(text: &str) -> Json {
    Json::object([("_type", Json::text("COMPOSITION")), ("name", super::build::typed("DV_TEXT", text))])
}

fn repository() -> Repository {
    let mut repository = Repository::new("cdr-a.example.org");
    repository
        .create_ehr("ehr-1".into(), ehr_status(Some(("p-1", "urn:x"))), "status-1".into(), &commit("2024-01-01T00:00:00Z"))
        .unwrap();
    repository
}

#[test]
fn a_version_carries_its_uid_and_its_audit() {
    let mut repository = repository();
    let uid = repository.create_composition("ehr-1", "o-1".into(), note("first"), &commit("2024-01-02T00:00:00Z")).unwrap();
    assert_eq!(uid.to_string(), "o-1::cdr-a.example.org::1");
    let version = repository.ehr("ehr-1").unwrap().composition("o-1").unwrap().latest().unwrap();
    assert_eq!(version.object.text_at(&["commit_audit", "time_committed", "value"]), Some("2024-01-02T00:00:00Z"));
    assert_eq!(version.data().unwrap().text_at(&["uid", "value"]), Some("o-1::cdr-a.example.org::1"));
}

#[test]
fn a_change_needs_the_latest_version_and_a_deletion_ends_the_object() {
    let mut repository = repository();
    let now = commit("2024-01-02T00:00:00Z");
    let first = repository.create_composition("ehr-1", "o-1".into(), note("first"), &now).unwrap();
    let second = repository.change_composition("ehr-1", &first, Some(note("second")), &now).unwrap();
    assert_eq!(second.version, 2);
    assert_eq!(repository.change_composition("ehr-1", &first, None, &now), Err(ModelError::Stale(second.clone())));
    let third = repository.change_composition("ehr-1", &second, None, &now).unwrap();
    assert!(repository.ehr("ehr-1").unwrap().composition("o-1").unwrap().current().is_none());
    assert_eq!(repository.change_composition("ehr-1", &third, None, &now), Err(ModelError::Deleted));
}

#[test]
fn an_ehr_id_and_a_subject_are_unique() {
    let mut repository = repository();
    let now = commit("2024-01-02T00:00:00Z");
    let again = repository.create_ehr("ehr-1".into(), ehr_status(None), "s".into(), &now).map(|_| ());
    assert_eq!(again, Err(ModelError::EhrExists));
    let same = repository.create_ehr("ehr-2".into(), ehr_status(Some(("p-1", "urn:x"))), "s".into(), &now).map(|_| ());
    assert_eq!(same, Err(ModelError::SubjectExists));
    assert!(repository.create_ehr("ehr-3".into(), ehr_status(Some(("p-1", "urn:y"))), "s".into(), &now).is_ok());
}

#[test]
fn a_status_change_shows_in_the_ehr() {
    let mut repository = repository();
    let uid = VersionUid::new("status-1", "cdr-a.example.org", 1);
    repository.change_status("ehr-1", &uid, ehr_status(Some(("p-2", "urn:x"))), &commit("2024-02-01T00:00:00Z")).unwrap();
    let ehr = repository.ehr("ehr-1").unwrap();
    assert_eq!(ehr.subject(), Some(("p-2", "urn:x")));
    assert_eq!(ehr.object.text_at(&["ehr_status", "uid", "value"]), Some("status-1::cdr-a.example.org::2"));
    assert_eq!(ehr.object.text_at(&["time_created", "value"]), Some("2024-01-01T00:00:00Z"));
}

#[test]
fn version_uids_are_read_strictly() {
    assert_eq!(VersionUid::parse("a::b::3").map(|uid| uid.version), Some(3));
    for text in ["a", "a::b", "a::b::0", "a::b::x", "::b::1", "a::b::1::2", "a::::1"] {
        assert_eq!(VersionUid::parse(text), None, "{text}");
    }
}
