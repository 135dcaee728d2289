//! Requests about one record: handed to routing as they came (§12).

use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::Response;
use http::{HeaderValue, header};

use super::error::ClientError;
use super::id_of;
use super::state::Gateway;
use crate::route::{RouteError, RoutedRequest, add_acting};

/// Everything below `{base}/v1` that is no query.
pub(super) async fn serve(State(gateway): State<Gateway>, request: Request) -> Response {
    let id = id_of(&request).to_owned();
    let routed = below_base(&gateway, request);
    match gateway.routing().serve(routed).await {
        Ok(response) => response,
        Err(error) => ClientError::from(&error).respond(&id),
    }
}

fn below_base(gateway: &Gateway, request: Request) -> RoutedRequest {
    let (head, body) = request.into_parts();
    let base = gateway.settings().server.base_path.as_str();
    let path = head.uri.path();
    RoutedRequest {
        path: path.strip_prefix(base).unwrap_or(path).to_owned(),
        query: head.uri.query().map(str::to_owned),
        method: head.method,
        headers: head.headers,
        body: Body::new(body),
        caller: gateway.caller(),
        budget: gateway.budget(),
    }
}

impl From<&RouteError> for ClientError {
    /// A refusal of ours names the endpoints it is about (CP-24) and, for a wrong method, those there are.
    fn from(error: &RouteError) -> Self {
        let mut refusal = ClientError::new(error.code(), error.to_string());
        add_acting(&mut refusal.headers, error.about().iter().map(AsRef::as_ref));
        if let Some(allow) = error.allow().and_then(|allow| HeaderValue::from_str(allow).ok()) {
            refusal.headers.insert(header::ALLOW, allow);
        }
        refusal
    }
}
