//! Methods a resource does not have: `405` with `Allow`, and `OPTIONS` on resources without an own answer to it.

use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use http::{StatusCode, header};

use super::error::ClientError;
use super::id_of;
use crate::error::ErrorCode;

/// The answer to a method that the resource does not have; the router adds `Allow`.
pub(super) async fn not_allowed(request: Request) -> Response {
    let message = "This resource does not have this method. The header Allow names those it has.";
    ClientError::new(ErrorCode::MethodNotAllowed, message).respond(id_of(&request))
}

/// `OPTIONS` on the explanation of a query: the same (§1).
pub(super) async fn of_explain() -> Response {
    (StatusCode::NO_CONTENT, [(header::ALLOW, "POST, OPTIONS")]).into_response()
}

/// `OPTIONS` on the query resource: `204` with what it has (§1).
pub(super) async fn of_query() -> Response {
    (StatusCode::NO_CONTENT, [(header::ALLOW, "GET, HEAD, POST, OPTIONS")]).into_response()
}
