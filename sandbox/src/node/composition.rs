//! `{base}/v1/ehr/{ehr_id}/composition`: versioned compositions.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, RawQuery, State};
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderValue, StatusCode, header};

use super::error::{Refusal, json};
use super::request::pairs;
use super::{Dialect, Shared, commit_now};
use crate::model::{ModelError, Repository, Version, VersionUid};
use crate::order::at_or_before;
use crate::value::Json;

/// What a client wants back after a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Prefer {
    Minimal,
    Identifier,
    Representation,
}

impl Prefer {
    /// Reads the header; minimal when it says nothing known.
    pub(super) fn of(headers: &HeaderMap) -> Prefer {
        let said = headers.get("prefer").and_then(|value| value.to_str().ok()).unwrap_or_default();
        let mut wishes = said.split(',').map(str::trim);
        wishes
            .find_map(|wish| match wish {
                "return=representation" => Some(Prefer::Representation),
                "return=identifier" => Some(Prefer::Identifier),
                _ => None,
            })
            .unwrap_or(Prefer::Minimal)
    }
}

/// An answer without a body.
pub(super) fn empty(status: StatusCode) -> Response {
    status.into_response()
}

/// The answer with its `ETag` and `Location`.
pub(super) fn tagged(mut response: Response, uid: &str, location: Option<&str>) -> Response {
    let mut set = |name, value: String| {
        if let Ok(value) = HeaderValue::from_str(&value) {
            response.headers_mut().insert(name, value);
        }
    };
    set(header::ETAG, format!("\"{uid}\""));
    if let Some(location) = location {
        set(header::LOCATION, location.to_owned());
    }
    response
}

/// The node's base as the client addressed it.
pub(super) fn public_base(headers: &HeaderMap, dialect: Dialect) -> String {
    format!("http://{}{}", super::ehr::host(headers), dialect.base())
}

/// A composition from a body.
fn parsed(body: &[u8]) -> Result<Json, Refusal> {
    let data = Json::parse(body).map_err(|error| Refusal::bad(error.to_string()))?;
    match data.type_name() {
        Some("COMPOSITION") if data.get("name").is_some() && data.get("archetype_node_id").is_some() => Ok(data),
        Some("COMPOSITION") => {
            Err(Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, "a COMPOSITION needs name and archetype_node_id"))
        }
        _ => Err(Refusal::bad("the body is no COMPOSITION")),
    }
}

/// `POST …/composition`
pub(super) async fn create(
    State(shared): State<Arc<Shared>>,
    Path(ehr): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let dialect = shared.config().dialect;
    let result = parsed(&body).and_then(|data| {
        let object = uuid::Uuid::new_v4().to_string();
        Ok(shared.write().create_composition(&ehr, object, data, &commit_now())?)
    });
    let bare = if dialect == Dialect::EhrbaseLike { StatusCode::NO_CONTENT } else { StatusCode::CREATED };
    written(&shared, &headers, &ehr, result, StatusCode::CREATED, bare)
}

/// `PUT …/composition/{uid}`
pub(super) async fn update(
    State(shared): State<Arc<Shared>>,
    Path((ehr, object)): Path<(String, String)>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let dialect = shared.config().dialect;
    let result = preceding(&headers, dialect).and_then(|preceding| {
        if preceding.object != object {
            return Err(Refusal::bad("If-Match names another object than the path"));
        }
        Ok(shared.write().change_composition(&ehr, &preceding, Some(parsed(&body)?), &commit_now())?)
    });
    written(&shared, &headers, &ehr, result, StatusCode::OK, StatusCode::NO_CONTENT)
}

/// The version `If-Match` names: quoted as the standard says, bare as the servers of the field want it.
pub(super) fn preceding(headers: &HeaderMap, dialect: Dialect) -> Result<VersionUid, Refusal> {
    let said = headers.get(header::IF_MATCH).and_then(|value| value.to_str().ok());
    let said = said.ok_or_else(|| Refusal::bad("If-Match is missing"))?;
    let quoted = said.strip_prefix("W/").unwrap_or(said).strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    let text = match (quoted, dialect) {
        (Some(_), Dialect::EhrbaseLike) => return Err(Refusal::bad("If-Match is no version uid")),
        (Some(_), Dialect::GopenehrLike) => {
            return Err(Refusal::new(StatusCode::PRECONDITION_FAILED, "If-Match is not the latest version"));
        }
        (Some(inner), Dialect::Standard | Dialect::BetterLike) => inner,
        (None, _) => said,
    };
    VersionUid::parse(text).ok_or_else(|| Refusal::bad("If-Match is no version uid"))
}

/// Answers a write.
pub(super) fn written(
    shared: &Shared,
    headers: &HeaderMap,
    ehr: &str,
    result: Result<VersionUid, Refusal>,
    full: StatusCode,
    bare: StatusCode,
) -> Response {
    let dialect = shared.config().dialect;
    let uid = match result {
        Ok(uid) => uid,
        Err(refusal) => return refusal.answer(dialect),
    };
    let location = format!("{}/v1/ehr/{ehr}/composition/{uid}", public_base(headers, dialect));
    let response = match Prefer::of(headers) {
        Prefer::Minimal => empty(bare),
        Prefer::Identifier => json(full, Json::object([("uid", Json::text(uid.to_string()))]).to_bytes()),
        Prefer::Representation => {
            let repository = shared.read();
            let data = find(&repository, ehr, &uid.to_string()).and_then(|held| Some(held.1?.data()?.to_bytes()));
            json(full, data.unwrap_or_default())
        }
    };
    tagged(response, &uid.to_string(), Some(&location))
}

/// The object a `uid_based_id` names, and the version: the one named, else the latest.
fn find<'a>(
    repository: &'a Repository,
    ehr: &str,
    uid: &str,
) -> Option<(&'a crate::model::VersionedObject, Option<&'a Version>)> {
    let object = uid.split("::").next().unwrap_or(uid);
    let held = repository.ehr(ehr)?.composition(object)?;
    if object == uid {
        return Some((held, held.latest()));
    }
    Some((held, held.versions.iter().map(Arc::as_ref).find(|version| version.uid.to_string() == uid)))
}

/// `GET …/composition/{uid}`
pub(super) async fn read(
    State(shared): State<Arc<Shared>>,
    Path((ehr, uid)): Path<(String, String)>,
    RawQuery(query): RawQuery,
) -> Response {
    let repository = shared.read();
    let not_found = || Refusal::from(ModelError::NoObject).answer(shared.config().dialect);
    let Some((held, mut version)) = find(&repository, &ehr, &uid) else { return not_found() };
    let times = pairs(&query.unwrap_or_default());
    if let Some((_, time)) = times.iter().find(|(name, _)| name == "version_at_time") {
        version = held.versions.iter().rev().map(Arc::as_ref).find(|version| at_or_before(&version.committed, time));
    }
    match version {
        None => not_found(),
        Some(version) => match version.data() {
            Some(data) => tagged(json(StatusCode::OK, data.to_bytes()), &version.uid.to_string(), None),
            None => empty(StatusCode::NO_CONTENT),
        },
    }
}

/// `DELETE …/composition/{preceding version uid}`
pub(super) async fn delete(State(shared): State<Arc<Shared>>, Path((ehr, uid)): Path<(String, String)>) -> Response {
    let dialect = shared.config().dialect;
    let Some(preceding) = VersionUid::parse(&uid) else {
        return Refusal::bad("the path names no version").answer(dialect);
    };
    let result = shared.write().change_composition(&ehr, &preceding, None, &commit_now());
    match result {
        Ok(uid) => tagged(empty(StatusCode::NO_CONTENT), &uid.to_string(), None),
        Err(error @ ModelError::Stale(_)) if dialect != Dialect::GopenehrLike => {
            let refusal = Refusal { status: StatusCode::CONFLICT, ..Refusal::from(error) };
            refusal.answer(dialect)
        }
        Err(error) => Refusal::from(error).answer(dialect),
    }
}
