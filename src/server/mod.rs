//! Listener, tower stack, routers, and the one function that turns errors into answers.

mod access_log;
mod admin;
mod admission;
mod drift;
pub mod error;
mod federation;
mod health;
mod listen;
mod loops;
mod methods;
mod metrics;
mod query;
mod request_id;
mod routed;
mod state;

use axum::Router;
use axum::extract::Request;
use axum::middleware;
use axum::response::Response;
use axum::routing::{MethodRouter, any, get, options, post};
use tower::ServiceBuilder;
use tower_http::catch_panic::CatchPanicLayer;

use crate::error::ErrorCode;
pub use admin::admin_router;
use error::ClientError;
pub use listen::{DRAIN_TIME, serve};
use request_id::RequestId;
pub use state::{Gateway, StartError};

/// The whole surface of the gateway (§1): everything below `server.base_path`, and the two health paths.
pub fn router(gateway: &Gateway) -> Router {
    let base = gateway.settings().server.base_path.trim_end_matches('/');
    let below = |path: &str| format!("{base}{path}");
    let mut surface = Router::new()
        .route(&below("/"), options(federation::describe))
        .route(&below("/v1/query/aql"), get(query::get).post(query::post).options(methods::of_query))
        .route(&below("/v1/query/{name}"), stored())
        .route(&below("/v1/query/{name}/{version}"), stored())
        .route(&below("/v1"), any(routed::serve))
        .route(&below("/v1/"), any(routed::serve))
        .route(&below("/v1/{*rest}"), any(routed::serve));
    if !base.is_empty() {
        surface = surface.route(base, options(federation::describe));
    }
    if gateway.settings().federation.explain {
        surface = surface.route(&below("/federation/explain"), post(query::explain).options(methods::of_explain));
    }
    if gateway.settings().federation.stored_query_fan_out {
        surface = surface.route(&below("/federation/drift"), get(drift::report));
    }
    let stack = ServiceBuilder::new()
        // Outermost, so that everything below can name the request.
        .layer(middleware::from_fn(request_id::assign))
        // Above all that may refuse, so that refusals are logged as well.
        .layer(middleware::from_fn_with_state(gateway.clone(), access_log::log))
        // A fault of ours becomes a fixed 500 and ends nothing but its request.
        .layer(CatchPanicLayer::custom(panicked))
        // A loop is refused before it can take a place that others wait for.
        .layer(middleware::from_fn_with_state(gateway.clone(), loops::refuse))
        .layer(middleware::from_fn_with_state(gateway.clone(), admission::admit));
    surface
        .fallback(not_found)
        .method_not_allowed_fallback(methods::not_allowed)
        .layer(stack)
        // Health is asked by machines that must always get an answer: no admission, no log line.
        .merge(health::router())
        .with_state(gateway.clone())
}

fn stored() -> MethodRouter<Gateway> {
    get(query::get_stored).post(query::post_stored).options(methods::of_query)
}

async fn not_found(request: Request) -> Response {
    ClientError::new(ErrorCode::NotFound, "There is no such resource at this gateway.").respond(id_of(&request))
}

/// The id that [`request_id::assign`] gave the request.
fn id_of(request: &Request) -> &str {
    request.extensions().get::<RequestId>().map_or("", RequestId::as_str)
}

/// What a panic becomes. Its text is not logged: it may hold a value of the request.
fn panicked(_: Box<dyn std::any::Any + Send + 'static>) -> Response {
    tracing::error!("a request panicked; the place stands on standard error");
    ClientError::internal().respond("")
}
