//! `{base}/v1/ehr/{ehr_id}/directory`: the folder tree.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, RawQuery, State};
use axum::response::Response;
use http::{HeaderMap, StatusCode};

use super::composition::{Written, empty, preceding, tagged};
use super::error::{Refusal, json};
use super::request::pairs;
use super::version::pick;
use super::{Shared, commit_now};
use crate::model::{ModelError, VersionUid};
use crate::value::Json;

fn folder(body: &[u8]) -> Result<Json, Refusal> {
    let data = Json::parse(body).map_err(|error| Refusal::bad(error.to_string()))?;
    if data.type_name() == Some("FOLDER") { Ok(data) } else { Err(Refusal::bad("the body is no FOLDER")) }
}

/// Commits a change of the tree; the object id of a new one is fresh.
fn change(
    shared: &Shared,
    ehr: &str,
    preceding: Option<&VersionUid>,
    data: Option<Json>,
) -> Result<(VersionUid, Option<Json>), Refusal> {
    let object = preceding.map_or_else(|| uuid::Uuid::new_v4().to_string(), |uid| uid.object.clone());
    let mut repository = shared.write();
    let uid = repository.change_directory(ehr, object, preceding, data, &commit_now())?;
    let data = repository.ehr(ehr).and_then(|ehr| ehr.directory.as_ref()?.current().cloned());
    Ok((uid, data))
}

fn place(ehr: &str) -> String {
    format!("/ehr/{ehr}/directory")
}

/// `POST …/directory`
pub(super) async fn create(
    State(shared): State<Arc<Shared>>,
    Path(ehr): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let result = folder(&body).and_then(|data| change(&shared, &ehr, None, Some(data)));
    let written = Written { place: place(&ehr), full: StatusCode::CREATED, bare: StatusCode::CREATED };
    written.answer(&headers, shared.config().dialect, result)
}

/// `PUT …/directory`
pub(super) async fn update(
    State(shared): State<Arc<Shared>>,
    Path(ehr): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let dialect = shared.config().dialect;
    let result = preceding(&headers, dialect).and_then(|preceding| change(&shared, &ehr, Some(&preceding), Some(folder(&body)?)));
    let written = Written { place: place(&ehr), full: StatusCode::OK, bare: StatusCode::NO_CONTENT };
    written.answer(&headers, dialect, result)
}

/// `DELETE …/directory`
pub(super) async fn delete(State(shared): State<Arc<Shared>>, Path(ehr): Path<String>, headers: HeaderMap) -> Response {
    let dialect = shared.config().dialect;
    let result = preceding(&headers, dialect).and_then(|preceding| change(&shared, &ehr, Some(&preceding), None));
    match result {
        Ok((uid, _)) => tagged(empty(StatusCode::NO_CONTENT), &uid.to_string(), None),
        Err(refusal) => refusal.answer(dialect),
    }
}

/// `GET …/directory`
pub(super) async fn read(State(shared): State<Arc<Shared>>, Path(ehr): Path<String>, RawQuery(query): RawQuery) -> Response {
    show(&shared, &ehr, None, &query.unwrap_or_default())
}

/// `GET …/directory/{version_uid}`
pub(super) async fn read_version(
    State(shared): State<Arc<Shared>>,
    Path((ehr, uid)): Path<(String, String)>,
    RawQuery(query): RawQuery,
) -> Response {
    show(&shared, &ehr, Some(&uid), &query.unwrap_or_default())
}

fn show(shared: &Shared, ehr: &str, uid: Option<&str>, query: &str) -> Response {
    let repository = shared.read();
    let not_found = || Refusal::from(ModelError::NoObject).answer(shared.config().dialect);
    let held = repository.ehr(ehr).and_then(|ehr| ehr.directory.as_ref());
    let Some(version) = held.and_then(|held| pick(held, uid, query)) else { return not_found() };
    let Some(root) = version.data() else { return empty(StatusCode::NO_CONTENT) };
    let chain = pairs(query).into_iter().find(|(name, _)| name == "path").map(|(_, chain)| chain).unwrap_or_default();
    match below(root, &chain) {
        Some(folder) => tagged(json(StatusCode::OK, folder.to_bytes()), &version.uid.to_string(), None),
        None => not_found(),
    }
}

/// The folder at the end of a chain of names.
fn below<'a>(root: &'a Json, chain: &str) -> Option<&'a Json> {
    let mut names = chain.split('/').filter(|name| !name.is_empty());
    names.try_fold(root, |folder, name| {
        folder.get("folders")?.as_array()?.iter().find(|inner| inner.text_at(&["name", "value"]) == Some(name))
    })
}
