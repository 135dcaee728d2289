//! Admission: past `limits.max_inflight` requests being served, the next is told to come back, at once.

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;

use super::error::ClientError;
use super::id_of;
use super::state::Gateway;
use crate::error::ErrorCode;

/// Serves the request if there is a place, else answers `503` with `Retry-After`.
pub(super) async fn admit(State(gateway): State<Gateway>, request: Request, next: Next) -> Response {
    match gateway.admit() {
        Some(_place) => next.run(request).await,
        None => {
            let message = format!(
                "{} requests are being served, which is all that `limits.max_inflight` allows. Ask again in a moment.",
                gateway.settings().limits.max_inflight
            );
            ClientError::new(ErrorCode::Overloaded, message).respond(id_of(&request))
        }
    }
}
