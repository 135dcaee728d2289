//! Is the process alive, and is it ready? Answered without asking any node: the gateway is up when members are not.

use axum::Router;
use axum::extract::State;
use axum::routing::get;
use http::StatusCode;

use super::state::Gateway;

/// `/health/live` and `/health/ready`.
pub(super) fn router() -> Router<Gateway> {
    Router::new().route("/health/live", get(|| async { "live\n" })).route("/health/ready", get(ready))
}

/// Ready when there is somebody to ask.
async fn ready(State(gateway): State<Gateway>) -> (StatusCode, &'static str) {
    if gateway.registry().endpoints().len() == 0 {
        return (StatusCode::SERVICE_UNAVAILABLE, "not ready: the registry is empty\n");
    }
    (StatusCode::OK, "ready\n")
}
