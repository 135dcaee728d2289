//! One id per request: in the log, in every error body, in the `x-request-id` answer header.
//!
//! A client's own id is not taken over: it is text that we did not make, and it may name a patient.

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use http::HeaderValue;
use uuid::Uuid;

/// The id of a request, a UUID of our own making.
#[derive(Clone, Debug, Default)]
pub(super) struct RequestId(String);

impl RequestId {
    /// The text.
    #[must_use]
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

/// Gives the request its id and the answer the same.
pub(super) async fn assign(mut request: Request, next: Next) -> Response {
    let id = RequestId(Uuid::now_v7().to_string());
    let value = HeaderValue::from_str(id.as_str());
    request.extensions_mut().insert(id);
    let mut response = next.run(request).await;
    if let Ok(value) = value {
        response.headers_mut().insert("x-request-id", value);
    }
    response
}
