//! One line per request: what was asked of which resource, how it ended, how long it took. Never a path, a query or a body,
//! since any of them may name a patient.

use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::Response;
use tokio::time::Instant;

use super::request_id::RequestId;
use super::state::Gateway;

/// Writes the line when the answer's head is ready.
pub(super) async fn log(State(gateway): State<Gateway>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let method = known_method(request.method());
    let route = request.extensions().get::<MatchedPath>().map_or("unmatched", MatchedPath::as_str).to_owned();
    let id = request.extensions().get::<RequestId>().cloned();
    let response = next.run(request).await;
    gateway.metrics().request(&route, method, response.status().as_u16());
    tracing::info!(
        request.id = id.as_ref().map_or("", RequestId::as_str),
        http.method = method,
        http.route = route,
        http.status = response.status().as_u16(),
        duration_ms = crate::envelope::millis(started.elapsed()),
        "request answered"
    );
    response
}

/// The method's name, or `other`: a method's name is text that a client chose.
fn known_method(method: &http::Method) -> &'static str {
    match *method {
        http::Method::GET => "GET",
        http::Method::POST => "POST",
        http::Method::PUT => "PUT",
        http::Method::DELETE => "DELETE",
        http::Method::OPTIONS => "OPTIONS",
        http::Method::HEAD => "HEAD",
        _ => "other",
    }
}
