//! `OPTIONS {base}/v1/`: what the server says about itself.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use http::{HeaderValue, StatusCode, header};

use super::error::{Refusal, json};
use super::{Dialect, Shared};
use crate::value::Json;

/// The System body of ITS-REST; EHRbase has none at its root, gopenehr spells a member its own way.
pub(super) async fn describe(State(shared): State<Arc<Shared>>) -> Response {
    let config = shared.config();
    if config.dialect == Dialect::EhrbaseLike {
        return Refusal::new(StatusCode::NOT_FOUND, "no endpoint OPTIONS /v1").answer(config.dialect);
    }
    let version = if config.dialect == Dialect::GopenehrLike { "version" } else { "solution_version" };
    let endpoints = ["/ehr", "/query", "/definition"].into_iter().map(Json::text).collect();
    let body = Json::object([
        ("solution", Json::text(config.product)),
        (version, Json::text(config.version)),
        ("vendor", Json::text("Tributary")),
        ("restapi_specs_version", Json::text("1.1.0")),
        ("conformance_profile", Json::text("SANDBOX")),
        ("endpoints", Json::Array(endpoints)),
    ]);
    let mut response = json(StatusCode::OK, body.to_bytes());
    response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("OPTIONS, GET, POST, PUT, DELETE"));
    response
}

/// A path that leads nowhere.
pub(super) async fn nothing_there(State(shared): State<Arc<Shared>>) -> Response {
    Refusal::new(StatusCode::NOT_FOUND, "there is nothing at this path").answer(shared.config().dialect)
}
