//! `{base}/v1/ehr/{ehr_id}/ehr_status` and `…/versioned_ehr_status`.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, RawQuery, State};
use axum::response::Response;
use http::{HeaderMap, StatusCode};

use super::composition::{Written, preceding};
use super::error::Refusal;
use super::version::{history, pick, show, show_version, versioned};
use super::{Shared, commit_now};
use crate::model::{ModelError, VersionedObject};
use crate::value::Json;

/// Answers from an EHR's status.
fn from_status(shared: &Shared, ehr: &str, answer: impl FnOnce(&VersionedObject) -> Option<Response>) -> Response {
    let repository = shared.read();
    let held = repository.ehr(ehr).map(|ehr| &ehr.status);
    held.and_then(answer).unwrap_or_else(|| Refusal::from(ModelError::NoObject).answer(shared.config().dialect))
}

/// `GET …/ehr_status`
pub(super) async fn read(State(shared): State<Arc<Shared>>, Path(ehr): Path<String>, RawQuery(query): RawQuery) -> Response {
    from_status(&shared, &ehr, |held| pick(held, None, &query.unwrap_or_default()).map(show))
}

/// `GET …/ehr_status/{version_uid}`
pub(super) async fn read_version(State(shared): State<Arc<Shared>>, Path((ehr, uid)): Path<(String, String)>) -> Response {
    from_status(&shared, &ehr, |held| pick(held, Some(&uid), "").map(show))
}

/// `PUT …/ehr_status`
pub(super) async fn update(
    State(shared): State<Arc<Shared>>,
    Path(ehr): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let dialect = shared.config().dialect;
    let result = preceding(&headers, dialect).and_then(|preceding| {
        let status = Json::parse(&body).map_err(|error| Refusal::bad(error.to_string()))?;
        if status.type_name() != Some("EHR_STATUS") {
            return Err(Refusal::bad("the body is no EHR_STATUS"));
        }
        let mut repository = shared.write();
        let uid = repository.change_status(&ehr, &preceding, status, &commit_now())?;
        let data = repository.ehr(&ehr).and_then(|ehr| ehr.status.current().cloned());
        Ok((uid, data))
    });
    let written = Written { place: format!("/ehr/{ehr}/ehr_status"), full: StatusCode::OK, bare: StatusCode::NO_CONTENT };
    written.answer(&headers, dialect, result)
}

/// `GET …/versioned_ehr_status`
pub(super) async fn object(State(shared): State<Arc<Shared>>, Path(ehr): Path<String>) -> Response {
    from_status(&shared, &ehr, |held| Some(versioned("VERSIONED_EHR_STATUS", held, &ehr)))
}

/// `GET …/versioned_ehr_status/revision_history`
pub(super) async fn revisions(State(shared): State<Arc<Shared>>, Path(ehr): Path<String>) -> Response {
    from_status(&shared, &ehr, |held| Some(history(held)))
}

/// `GET …/versioned_ehr_status/version`
pub(super) async fn version(State(shared): State<Arc<Shared>>, Path(ehr): Path<String>, RawQuery(query): RawQuery) -> Response {
    from_status(&shared, &ehr, |held| pick(held, None, &query.unwrap_or_default()).map(show_version))
}

/// `GET …/versioned_ehr_status/version/{version_uid}`
pub(super) async fn version_by_uid(State(shared): State<Arc<Shared>>, Path((ehr, uid)): Path<(String, String)>) -> Response {
    from_status(&shared, &ehr, |held| pick(held, Some(&uid), "").map(show_version))
}
