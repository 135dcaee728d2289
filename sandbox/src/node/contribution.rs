//! `{base}/v1/ehr/{ehr_id}/contribution`: several versions committed as one, all or none.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::response::Response;
use http::{HeaderMap, StatusCode, header};

use super::composition::Written;
use super::error::{Refusal, json};
use super::{Shared, commit_now};
use crate::model::{Commit, Ehr, ModelError, Repository, VersionUid, typed};
use crate::value::Json;

/// `POST …/contribution`
pub(super) async fn create(
    State(shared): State<Arc<Shared>>,
    Path(ehr): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let dialect = shared.config().dialect;
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if kind.contains("xml") {
        return Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "contributions are read as JSON").answer(dialect);
    }
    let result =
        Json::parse(&body).map_err(|error| Refusal::bad(error.to_string())).and_then(|body| commit(&shared, &ehr, &body));
    let written = Written { place: format!("/ehr/{ehr}/contribution"), full: StatusCode::CREATED, bare: StatusCode::CREATED };
    written.answer(&headers, dialect, result)
}

fn commit(shared: &Shared, ehr: &str, body: &Json) -> Result<(String, Option<Json>), Refusal> {
    let versions = body.get("versions").and_then(Json::as_array).filter(|versions| !versions.is_empty());
    let versions = versions.ok_or_else(|| Refusal::bad("a contribution needs versions"))?;
    let mut now = commit_now();
    if let Some(uid) = body.text_at(&["uid", "value"]).or_else(|| body.text_at(&["uid"])) {
        now.contribution = uid.to_owned();
    }
    if let Some(name) = body.text_at(&["audit", "committer", "name"]) {
        now.committer = name.to_owned();
    }
    let mut repository = shared.write();
    let before = repository.ehr(ehr).cloned().ok_or_else(|| Refusal::from(ModelError::NoEhr))?;
    if before.contributions.iter().any(|(held, _)| *held == now.contribution) {
        return Err(ModelError::ObjectExists.into());
    }
    let mut uids = Vec::with_capacity(versions.len());
    for version in versions {
        match apply(&mut repository, ehr, version, &now) {
            Ok(uid) => uids.push(uid),
            Err(refusal) => {
                repository.restore(before);
                return Err(refusal);
            }
        }
    }
    let contribution = object(body, &now, &uids);
    repository.keep_contribution(ehr, now.contribution.clone(), contribution.clone())?;
    Ok((now.contribution, Some(contribution)))
}

/// Commits one version.
fn apply(repository: &mut Repository, ehr: &str, version: &Json, now: &Commit) -> Result<VersionUid, Refusal> {
    let said = version.text_at(&["preceding_version_uid", "value"]).or_else(|| version.text_at(&["preceding_version_uid"]));
    let preceding = match said {
        Some(text) => Some(VersionUid::parse(text).ok_or_else(|| Refusal::bad("preceding_version_uid is no version uid"))?),
        None => None,
    };
    let change =
        version.at(&["commit_audit", "change_type"]).ok_or_else(|| Refusal::bad("a version needs commit_audit/change_type"))?;
    let deletes = change.text_at(&["defining_code", "code_string"]) == Some("523")
        || change.text_at(&["value"]) == Some("deleted")
        || matches!(change.as_text(), Some("523" | "deleted"));
    let data = if deletes { None } else { version.get("data").cloned() };
    let kind = data.as_ref().and_then(Json::type_name).unwrap_or_default().to_owned();
    let uid = match (kind.as_str(), preceding, deletes) {
        (_, Some(preceding), true) => delete(repository, ehr, &preceding, now),
        (_, None, true) => return Err(Refusal::bad("a deletion needs preceding_version_uid")),
        ("COMPOSITION", None, false) => {
            let object = uuid::Uuid::new_v4().to_string();
            repository.create_composition(ehr, object, data.unwrap_or(Json::Null), now)
        }
        ("COMPOSITION", Some(preceding), false) => repository.change_composition(ehr, &preceding, data, now),
        ("EHR_STATUS", Some(preceding), false) => repository.change_status(ehr, &preceding, data.unwrap_or(Json::Null), now),
        ("FOLDER", preceding, false) => {
            let object = preceding.as_ref().map_or_else(|| uuid::Uuid::new_v4().to_string(), |uid| uid.object.clone());
            repository.change_directory(ehr, object, preceding.as_ref(), data, now)
        }
        _ => return Err(Refusal::bad("the data of a version does not fit its change")),
    };
    uid.map_err(|error| match error {
        ModelError::Stale(_) => Refusal { status: StatusCode::CONFLICT, ..Refusal::from(error) },
        other => Refusal::from(other),
    })
}

fn delete(repository: &mut Repository, ehr: &str, preceding: &VersionUid, now: &Commit) -> Result<VersionUid, ModelError> {
    let folder = repository.ehr(ehr).and_then(|ehr| ehr.directory.as_ref()).is_some_and(|held| held.id == preceding.object);
    if folder {
        repository.change_directory(ehr, preceding.object.clone(), Some(preceding), None, now)
    } else {
        repository.change_composition(ehr, preceding, None, now)
    }
}

fn object(body: &Json, now: &Commit, uids: &[VersionUid]) -> Json {
    let mut audit = body.get("audit").cloned().unwrap_or_else(|| Json::object([("_type", Json::text("AUDIT_DETAILS"))]));
    audit.set("time_committed", typed("DV_DATE_TIME", &now.time));
    let texts: Vec<String> = uids.iter().map(VersionUid::to_string).collect();
    assembled(&now.contribution, &texts, audit)
}

fn assembled(id: &str, uids: &[String], audit: Json) -> Json {
    let reference = |uid: &String| {
        Json::object([
            ("_type", Json::text("OBJECT_REF")),
            ("id", typed("OBJECT_VERSION_ID", uid)),
            ("namespace", Json::text("local")),
            ("type", Json::text("VERSION")),
        ])
    };
    Json::object([
        ("_type", Json::text("CONTRIBUTION")),
        ("uid", typed("HIER_OBJECT_ID", id)),
        ("versions", Json::Array(uids.iter().map(reference).collect())),
        ("audit", audit),
    ])
}

/// `GET …/contribution/{contribution_uid}`
pub(super) async fn read(State(shared): State<Arc<Shared>>, Path((ehr, uid)): Path<(String, String)>) -> Response {
    let repository = shared.read();
    let found = repository.ehr(&ehr).and_then(|ehr| find(ehr, &uid));
    match found {
        Some(contribution) => super::composition::tagged(json(StatusCode::OK, contribution.to_bytes()), &uid, None),
        None => Refusal::from(ModelError::NoObject).answer(shared.config().dialect),
    }
}

/// One that was committed as such, or the one a single commit made.
fn find(ehr: &Ehr, id: &str) -> Option<Json> {
    if let Some((_, kept)) = ehr.contributions.iter().find(|(held, _)| held == id) {
        return Some(kept.clone());
    }
    let objects = ehr.compositions().iter().chain(std::iter::once(&ehr.status)).chain(&ehr.directory);
    let made: Vec<_> = objects.flat_map(|held| &held.versions).filter(|version| version.contribution == id).collect();
    let audit = made.first()?.object.get("commit_audit")?.clone();
    let uids: Vec<String> = made.iter().map(|version| version.uid.to_string()).collect();
    Some(assembled(id, &uids, audit))
}
