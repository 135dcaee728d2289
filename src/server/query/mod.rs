//! `{base}/v1/query/…`: the federated query (§7), ad hoc or stored (N44), and its explanation.

mod bindings;
mod explain;
mod journey;
mod rows;
mod stored;
mod telling;
mod unsettled;

use std::sync::Arc;

use axum::body::to_bytes;
use axum::extract::{Request, State};
use axum::response::Response;
use http::{HeaderMap, header};
use tokio::time::timeout_at;

use super::error::ClientError;
use super::request_id::RequestId;
use super::state::Gateway;
use crate::budget::Budget;
use crate::error::ErrorCode;
use crate::intake::{self, QueryRequest, RawQuery};
use crate::queries::StoredQuery;
use stored::StoredPath;

/// `POST {base}/v1/query/aql`
pub(super) async fn post(State(gateway): State<Gateway>, request: Request) -> Response {
    posted(&gateway, request, None).await
}

/// `GET {base}/v1/query/aql`
pub(super) async fn get(State(gateway): State<Gateway>, request: Request) -> Response {
    got(&gateway, request, None).await
}

/// `POST {base}/v1/query/{name}[/{version}]`
pub(super) async fn post_stored(State(gateway): State<Gateway>, path: StoredPath, request: Request) -> Response {
    match stored::find(&gateway, path) {
        Ok(definition) => posted(&gateway, request, Some(definition)).await,
        Err(error) => error.respond(id_of(&request).as_str()),
    }
}

/// `GET {base}/v1/query/{name}[/{version}]`
pub(super) async fn get_stored(State(gateway): State<Gateway>, path: StoredPath, request: Request) -> Response {
    match stored::find(&gateway, path) {
        Ok(definition) => got(&gateway, request, Some(definition)).await,
        Err(error) => error.respond(id_of(&request).as_str()),
    }
}

/// `POST {base}/federation/explain`
pub(super) async fn explain(State(gateway): State<Gateway>, request: Request) -> Response {
    let id = id_of(&request);
    let budget = gateway.budget();
    let answer = async {
        let (raw, headers) = read_body(&gateway, request, &budget).await?;
        explain::explain(&gateway, &assembled(&gateway, raw, &headers, None)?, budget).await
    };
    answer.await.unwrap_or_else(|error| error.respond(id.as_str()))
}

async fn posted(gateway: &Gateway, request: Request, stored: Option<Arc<StoredQuery>>) -> Response {
    let id = id_of(&request);
    let budget = gateway.budget();
    let answer = async {
        let (raw, headers) = read_body(gateway, request, &budget).await?;
        let asked = assembled(gateway, raw, &headers, stored.as_deref())?;
        journey::answer(gateway, asked, stored.as_deref(), budget, &id).await
    };
    answer.await.unwrap_or_else(|error| error.respond(id.as_str()))
}

async fn got(gateway: &Gateway, request: Request, stored: Option<Arc<StoredQuery>>) -> Response {
    let id = id_of(&request);
    let budget = gateway.budget();
    let (head, _) = request.into_parts();
    let answer = async {
        let raw = intake::read_get(head.uri.query().unwrap_or_default())?;
        let asked = assembled(gateway, raw, &head.headers, stored.as_deref())?;
        journey::answer(gateway, asked, stored.as_deref(), budget, &id).await
    };
    answer.await.unwrap_or_else(|error| error.respond(id.as_str()))
}

fn id_of(request: &Request) -> RequestId {
    request.extensions().get::<RequestId>().cloned().unwrap_or_default()
}

/// What a POST says, its body read within the bounds.
async fn read_body(gateway: &Gateway, request: Request, budget: &Budget) -> Result<(RawQuery, HeaderMap), ClientError> {
    let (head, body) = request.into_parts();
    judge_media_type(&head.headers)?;
    let most = gateway.settings().server.max_body_bytes;
    let read = timeout_at(budget.deadline(), to_bytes(body, most)).await.map_err(|_| too_slow())?;
    let body = read.map_err(|error| unread(&error, most))?;
    Ok((intake::read_post(&body)?, head.headers))
}

fn assembled(
    gateway: &Gateway,
    raw: RawQuery,
    headers: &HeaderMap,
    stored: Option<&StoredQuery>,
) -> Result<QueryRequest, ClientError> {
    let text = stored.map(|definition| definition.q.as_str());
    let request = intake::read_headers(headers).and_then(|headers| intake::assemble(raw, text, headers));
    let request = request.map_err(|error| intake::for_client(error, gateway.registry()))?;
    intake::check_targets(&request.targeting, gateway.registry())?;
    Ok(request)
}

/// JSON, or nothing said: the body is then read as what it must be.
fn judge_media_type(headers: &HeaderMap) -> Result<(), ClientError> {
    let Some(value) = headers.get(header::CONTENT_TYPE) else { return Ok(()) };
    let essence = value.to_str().unwrap_or_default().split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if essence == "application/json" || essence.ends_with("+json") {
        return Ok(());
    }
    Err(ClientError::new(
        ErrorCode::UnsupportedMediaType,
        "A query is sent as `application/json`: an object with the member `q`.",
    ))
}

fn too_slow() -> ClientError {
    ClientError::new(
        ErrorCode::RequestTimeout,
        "The request's body did not arrive within the time for the whole request (`timeouts.overall_ms`).",
    )
}

fn unread(error: &axum::Error, most: usize) -> ClientError {
    use std::error::Error;
    if error.source().is_some_and(|source| source.is::<http_body_util::LengthLimitError>()) {
        let message = format!("The body is larger than `server.max_body_bytes` ({most}).");
        return ClientError::new(ErrorCode::BodyTooLarge, message);
    }
    ClientError::new(ErrorCode::InvalidRequest, "The request's body ended early.")
}
