//! The operators' listener: health and metrics.

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::header;

use super::health;
use super::state::Gateway;

/// `/health/live`, `/health/ready` and `/metrics`.
pub fn admin_router(gateway: &Gateway) -> Router {
    health::router().route("/metrics", get(metrics)).with_state(gateway.clone())
}

async fn metrics(State(gateway): State<Gateway>) -> Response {
    let text = gateway.metrics().text(gateway.routing().memory().incidents());
    ([(header::CONTENT_TYPE, "application/openmetrics-text; version=1.0.0; charset=utf-8")], text).into_response()
}
