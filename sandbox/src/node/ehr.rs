//! `{base}/v1/ehr`: records.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, RawQuery, State};
use axum::response::Response;
use http::{HeaderMap, StatusCode, header};

use super::composition::{Prefer, tagged};
use super::error::{Refusal, json};
use super::request::pairs;
use super::{Shared, commit_now};
use crate::model::ehr_status;
use crate::value::Json;

/// `POST /ehr`
pub(super) async fn create(State(shared): State<Arc<Shared>>, headers: HeaderMap, body: Bytes) -> Response {
    insert(&shared, uuid::Uuid::new_v4().to_string(), &headers, &body)
}

/// `PUT /ehr/{ehr_id}`
pub(super) async fn create_with_id(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    insert(&shared, id, &headers, &body)
}

fn insert(shared: &Shared, id: String, headers: &HeaderMap, body: &[u8]) -> Response {
    let dialect = shared.config().dialect;
    let status = if body.is_empty() { Ok(ehr_status(None)) } else { Json::parse(body) };
    let status = match status {
        Ok(status) if status.type_name() == Some("EHR_STATUS") => status,
        Ok(_) => return Refusal::bad("the body is no EHR_STATUS").answer(dialect),
        Err(error) => return Refusal::bad(error.to_string()).answer(dialect),
    };
    let mut repository = shared.write();
    let created = repository.create_ehr(id, status, uuid::Uuid::new_v4().to_string(), &commit_now());
    let (id, object) = match created {
        Ok(ehr) => (ehr.id.clone(), ehr.object.clone()),
        Err(error) => return Refusal::from(error).answer(dialect),
    };
    let location = format!("{}/v1/ehr/{id}", super::composition::public_base(headers, dialect));
    let response = match Prefer::of(headers) {
        Prefer::Representation => json(StatusCode::CREATED, object.to_bytes()),
        Prefer::Identifier => json(StatusCode::CREATED, Json::object([("uid", Json::text(id.as_str()))]).to_bytes()),
        Prefer::Minimal => super::composition::empty(StatusCode::CREATED),
    };
    tagged(response, &id, Some(&location))
}

/// `GET /ehr/{ehr_id}`
pub(super) async fn read(State(shared): State<Arc<Shared>>, Path(id): Path<String>) -> Response {
    match shared.read().ehr(&id) {
        Some(ehr) => tagged(json(StatusCode::OK, ehr.object.to_bytes()), &ehr.id, None),
        None => Refusal::new(StatusCode::NOT_FOUND, "there is no EHR of this id").answer(shared.config().dialect),
    }
}

/// `GET /ehr?subject_id=&subject_namespace=`
pub(super) async fn by_subject(State(shared): State<Arc<Shared>>, RawQuery(query): RawQuery) -> Response {
    let given = pairs(&query.unwrap_or_default());
    let value = |name: &str| given.iter().find(|(given, _)| given == name).map(|(_, value)| value.clone());
    let dialect = shared.config().dialect;
    let (Some(id), Some(namespace)) = (value("subject_id"), value("subject_namespace")) else {
        return Refusal::bad("subject_id and subject_namespace are needed").answer(dialect);
    };
    match shared.read().ehr_of_subject(&id, &namespace) {
        Some(ehr) => tagged(json(StatusCode::OK, ehr.object.to_bytes()), &ehr.id, None),
        None => Refusal::new(StatusCode::NOT_FOUND, "there is no EHR about this subject").answer(dialect),
    }
}

/// The base a client used, for `Location`.
pub(super) fn host(headers: &HeaderMap) -> &str {
    headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or("localhost")
}
