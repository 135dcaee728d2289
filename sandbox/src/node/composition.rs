//! `{base}/v1/ehr/{ehr_id}/composition`: versioned compositions.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, RawQuery, State};
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderValue, StatusCode, header};

use super::error::{Refusal, json};
use super::version::{history, pick, show, show_version, versioned};
use super::{Dialect, Shared, commit_now};
use crate::model::{ModelError, Repository, VersionUid, VersionedObject};
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
        let mut repository = shared.write();
        let uid = repository.create_composition(&ehr, object, data, &commit_now())?;
        Ok(committed(&repository, &ehr, uid))
    });
    let bare = if dialect == Dialect::EhrbaseLike { StatusCode::NO_CONTENT } else { StatusCode::CREATED };
    Written { place: place(&ehr), full: StatusCode::CREATED, bare }.answer(&headers, dialect, result)
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
        let data = parsed(&body)?;
        let mut repository = shared.write();
        let uid = repository.change_composition(&ehr, &preceding, Some(data), &commit_now())?;
        Ok(committed(&repository, &ehr, uid))
    });
    let written = Written { place: place(&ehr), full: StatusCode::OK, bare: StatusCode::NO_CONTENT };
    written.answer(&headers, dialect, result)
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

/// How a write is answered when it succeeds.
pub(super) struct Written {
    /// The path of the collection, below `/v1`.
    pub(super) place: String,
    /// The status with a body.
    pub(super) full: StatusCode,
    /// The status without one.
    pub(super) bare: StatusCode,
}

impl Written {
    /// Answers with what was committed, as far as the client wants it.
    pub(super) fn answer<U: ToString>(
        self,
        headers: &HeaderMap,
        dialect: Dialect,
        result: Result<(U, Option<Json>), Refusal>,
    ) -> Response {
        let (uid, data) = match result {
            Ok((uid, data)) => (uid.to_string(), data),
            Err(refusal) => return refusal.answer(dialect),
        };
        let location = format!("{}/v1{}/{uid}", public_base(headers, dialect), self.place);
        let response = match Prefer::of(headers) {
            Prefer::Minimal => empty(self.bare),
            Prefer::Identifier => json(self.full, Json::object([("uid", Json::text(uid.as_str()))]).to_bytes()),
            Prefer::Representation => json(self.full, data.map(|data| data.to_bytes()).unwrap_or_default()),
        };
        tagged(response, &uid, Some(&location))
    }
}

/// What a version holds, after it was committed.
fn committed(repository: &Repository, ehr: &str, uid: VersionUid) -> (VersionUid, Option<Json>) {
    let data = repository.ehr(ehr).and_then(|ehr| ehr.composition(&uid.object)?.current().cloned());
    (uid, data)
}

fn place(ehr: &str) -> String {
    format!("/ehr/{ehr}/composition")
}

/// `GET …/composition/{uid}`
pub(super) async fn read(
    State(shared): State<Arc<Shared>>,
    Path((ehr, uid)): Path<(String, String)>,
    RawQuery(query): RawQuery,
) -> Response {
    let object = uid.split("::").next().unwrap_or(&uid).to_owned();
    let named = (object != uid).then_some(uid.as_str());
    from_object(&shared, &ehr, &object, |held| pick(held, named, &query.unwrap_or_default()).map(show))
}

/// Answers from one composition.
fn from_object(shared: &Shared, ehr: &str, object: &str, answer: impl FnOnce(&VersionedObject) -> Option<Response>) -> Response {
    let repository = shared.read();
    let held = repository.ehr(ehr).and_then(|ehr| ehr.composition(object));
    held.and_then(answer).unwrap_or_else(|| Refusal::from(ModelError::NoObject).answer(shared.config().dialect))
}

/// `GET …/versioned_composition/{object}`
pub(super) async fn object(State(shared): State<Arc<Shared>>, Path((ehr, object)): Path<(String, String)>) -> Response {
    from_object(&shared, &ehr, &object, |held| Some(versioned("VERSIONED_COMPOSITION", held, &ehr)))
}

/// `GET …/versioned_composition/{object}/revision_history`
pub(super) async fn revisions(State(shared): State<Arc<Shared>>, Path((ehr, object)): Path<(String, String)>) -> Response {
    from_object(&shared, &ehr, &object, |held| Some(history(held)))
}

/// `GET …/versioned_composition/{object}/version`
pub(super) async fn version(
    State(shared): State<Arc<Shared>>,
    Path((ehr, object)): Path<(String, String)>,
    RawQuery(query): RawQuery,
) -> Response {
    from_object(&shared, &ehr, &object, |held| pick(held, None, &query.unwrap_or_default()).map(show_version))
}

/// `GET …/versioned_composition/{object}/version/{version_uid}`
pub(super) async fn version_by_uid(
    State(shared): State<Arc<Shared>>,
    Path((ehr, object, uid)): Path<(String, String, String)>,
) -> Response {
    from_object(&shared, &ehr, &object, |held| pick(held, Some(&uid), "").map(show_version))
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
