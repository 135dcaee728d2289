//! Making the objects a CDR adds around what is committed.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Ehr, Version, VersionUid, VersionedObject};
use crate::value::Json;

/// The circumstances of a commit.
#[derive(Clone, Debug)]
pub struct Commit {
    /// When, ISO 8601 with offset.
    pub time: String,
    /// Who.
    pub committer: String,
    /// The contribution's id.
    pub contribution: String,
}

/// An `EHR_STATUS` for a subject; without one it is about a `PARTY_SELF` nobody names.
#[must_use]
pub fn ehr_status(subject: Option<(&str, &str)>) -> Json {
    let mut party = Json::object([("_type", Json::text("PARTY_SELF"))]);
    if let Some((id, namespace)) = subject {
        let reference = Json::object([
            ("_type", Json::text("PARTY_REF")),
            (
                "id",
                Json::object([
                    ("_type", Json::text("GENERIC_ID")),
                    ("value", Json::text(id)),
                    ("scheme", Json::text("id_scheme")),
                ]),
            ),
            ("namespace", Json::text(namespace)),
            ("type", Json::text("PERSON")),
        ]);
        party.set("external_ref", reference);
    }
    Json::object([
        ("_type", Json::text("EHR_STATUS")),
        ("archetype_node_id", Json::text("openEHR-EHR-EHR_STATUS.generic.v1")),
        ("name", typed("DV_TEXT", "EHR Status")),
        ("subject", party),
        ("is_queryable", Json::Bool(true)),
        ("is_modifiable", Json::Bool(true)),
    ])
}

/// `{"_type": …, "value": …}`.
pub(crate) fn typed(kind: &str, value: &str) -> Json {
    Json::object([("_type", Json::text(kind)), ("value", Json::text(value))])
}

/// A term of the openEHR terminology.
fn term(code: &str, text: &str) -> Json {
    let phrase = Json::object([
        ("_type", Json::text("CODE_PHRASE")),
        ("terminology_id", typed("TERMINOLOGY_ID", "openehr")),
        ("code_string", Json::text(code)),
    ]);
    Json::object([("_type", Json::text("DV_CODED_TEXT")), ("value", Json::text(text)), ("defining_code", phrase)])
}

/// A version of `data`, which gets this uid; without data, a deletion.
pub(super) fn version(uid: VersionUid, preceding: Option<&VersionUid>, data: Option<Json>, commit: &Commit) -> Arc<Version> {
    let (change, lifecycle) = match (preceding, &data) {
        (_, None) => (term("523", "deleted"), term("523", "deleted")),
        (None, Some(_)) => (term("249", "creation"), term("532", "complete")),
        (Some(_), Some(_)) => (term("251", "modification"), term("532", "complete")),
    };
    let audit = Json::object([
        ("_type", Json::text("AUDIT_DETAILS")),
        ("system_id", Json::text(uid.system.as_str())),
        ("time_committed", typed("DV_DATE_TIME", &commit.time)),
        ("change_type", change),
        ("committer", Json::object([("_type", Json::text("PARTY_IDENTIFIED")), ("name", Json::text(commit.committer.as_str()))])),
    ]);
    let contribution = Json::object([
        ("_type", Json::text("OBJECT_REF")),
        ("id", typed("HIER_OBJECT_ID", &commit.contribution)),
        ("namespace", Json::text("local")),
        ("type", Json::text("CONTRIBUTION")),
    ]);
    let mut object = Json::object([
        ("_type", Json::text("ORIGINAL_VERSION")),
        ("uid", typed("OBJECT_VERSION_ID", &uid.to_string())),
        ("contribution", contribution),
        ("commit_audit", audit),
        ("lifecycle_state", lifecycle),
    ]);
    if let Some(preceding) = preceding {
        object.set("preceding_version_uid", typed("OBJECT_VERSION_ID", &preceding.to_string()));
    }
    if let Some(mut data) = data {
        data.set("uid", typed("OBJECT_VERSION_ID", &uid.to_string()));
        object.set("data", data);
    }
    Arc::new(Version { uid, committed: commit.time.clone(), contribution: commit.contribution.clone(), object })
}

/// The `EHR` object that queries and `GET /ehr` see.
pub(super) fn ehr_object(id: &str, system: &str, created: &str, status: &VersionedObject) -> Json {
    Json::object([
        ("_type", Json::text("EHR")),
        ("system_id", typed("HIER_OBJECT_ID", system)),
        ("ehr_id", typed("HIER_OBJECT_ID", id)),
        ("ehr_status", status.current().cloned().unwrap_or(Json::Null)),
        ("time_created", typed("DV_DATE_TIME", created)),
    ])
}

/// A new EHR with its first status.
pub(super) fn ehr(id: String, system: &str, status: Json, status_object: String, commit: &Commit) -> Ehr {
    let uid = VersionUid::new(status_object.clone(), system, 1);
    let status =
        VersionedObject { id: status_object, origin: "".into(), versions: vec![version(uid, None, Some(status), commit)] };
    let object = ehr_object(&id, system, &commit.time, &status);
    let (compositions, places) = (Vec::new(), HashMap::new());
    Ehr { id, origin: "".into(), object, status, compositions, places, directory: None, contributions: Vec::new() }
}
