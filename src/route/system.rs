//! `OPTIONS {base}/v1/`: what ITS-REST's System API says of a server. What the federation says of itself is at `{base}`.

use axum::body::Body;
use http::Response;
use http::header::{ALLOW, CONTENT_TYPE, HeaderValue};

/// The System description, the same for everyone.
pub(super) fn described() -> Response<Body> {
    let body = serde_json::json!({
        "solution": "Tributary",
        "solution_version": env!("CARGO_PKG_VERSION"),
        "restapi_specs_version": "1.1.0",
        "endpoints": ["/ehr", "/query", "/definition"],
    });
    let mut response = Response::new(Body::from(body.to_string()));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response.headers_mut().insert(ALLOW, HeaderValue::from_static("OPTIONS"));
    response
}
