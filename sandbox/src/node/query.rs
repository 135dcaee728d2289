//! `GET` and `POST {base}/v1/query/aql`.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, RawQuery, State};
use axum::response::Response;
use http::{HeaderMap, StatusCode};
use openehr_aql::ast::Query;

use super::answer::{Shape, write};
use super::composition::public_base;
use super::error::Refusal;
use super::request::Ask;
use super::{Dialect, NodeConfig, Shared, checks};
use crate::eval::{column_names, evaluate};

/// The query in a body.
pub(super) async fn by_post(State(shared): State<Arc<Shared>>, headers: HeaderMap, body: Bytes) -> Response {
    let dialect = shared.config().dialect;
    let ask = Ask::from_body(&body, &headers, dialect, None);
    answer(shared, ask).await
}

/// The query in the query string.
pub(super) async fn by_get(State(shared): State<Arc<Shared>>, RawQuery(query): RawQuery, headers: HeaderMap) -> Response {
    let dialect = shared.config().dialect;
    let ask = Ask::from_query(&query.unwrap_or_default(), &headers, dialect, None);
    let href = format!("{}/v1/query/aql", public_base(&headers, dialect));
    answer(shared, ask.map(|ask| Ask { href: Some(href), ..ask })).await
}

/// `POST …/query/{name}`
pub(super) async fn stored_by_post(
    State(shared): State<Arc<Shared>>,
    Path(name): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    stored(shared, name, None, &headers, Some(&body), "").await
}

/// `POST …/query/{name}/{version}`
pub(super) async fn version_by_post(
    State(shared): State<Arc<Shared>>,
    Path((name, version)): Path<(String, String)>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    stored(shared, name, Some(version), &headers, Some(&body), "").await
}

/// `GET …/query/{name}`
pub(super) async fn stored_by_get(
    State(shared): State<Arc<Shared>>,
    Path(name): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    stored(shared, name, None, &headers, None, &query.unwrap_or_default()).await
}

/// `GET …/query/{name}/{version}`
pub(super) async fn version_by_get(
    State(shared): State<Arc<Shared>>,
    Path((name, version)): Path<(String, String)>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    stored(shared, name, Some(version), &headers, None, &query.unwrap_or_default()).await
}

/// Runs a stored query; its parameters stand in the body of a POST, in the query string of a GET.
async fn stored(
    shared: Arc<Shared>,
    name: String,
    version: Option<String>,
    headers: &HeaderMap,
    body: Option<&[u8]>,
    query: &str,
) -> Response {
    let dialect = shared.config().dialect;
    let found = shared.definitions().query(&name, version.as_deref()).map(|(version, text)| (version, text.to_owned()));
    let Some(((major, minor, patch), text)) = found else {
        return Refusal::new(StatusCode::NOT_FOUND, "there is no such stored query").answer(dialect);
    };
    let ask = match body {
        Some(body) => Ask::from_body(if body.is_empty() { b"{}" } else { body }, headers, dialect, Some(text)),
        None => Ask::from_query(query, headers, dialect, Some(text)),
    };
    let shown = if dialect == Dialect::EhrbaseLike { format!("{name}/{major}.{minor}.{patch}") } else { name };
    answer(shared, ask.map(|ask| Ask { name: Some(shown), ..ask })).await
}

async fn answer(shared: Arc<Shared>, ask: Result<Ask, Refusal>) -> Response {
    let config = shared.config();
    let dialect = config.dialect;
    let ask = match ask {
        Ok(ask) => ask,
        Err(refusal) => return refusal.answer(dialect),
    };
    // Evaluation is work for a processor, not for the threads that serve sockets.
    let worked = tokio::task::spawn_blocking(move || work(&shared, &config, &ask)).await;
    let result = worked.unwrap_or_else(|_| Err(Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "the evaluation broke off")));
    result.unwrap_or_else(|refusal| refusal.answer(dialect))
}

fn work(shared: &Shared, config: &NodeConfig, ask: &Ask) -> Result<Response, Refusal> {
    let repository = shared.read();
    let result = run(&repository, config, ask);
    match (config.dialect, result) {
        // Whatever goes wrong there goes wrong inside.
        (Dialect::GopenehrLike, Err(refusal)) if refusal.status == StatusCode::BAD_REQUEST => {
            Err(Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "Failed to execute Ad Hoc AQL Post"))
        }
        (_, result) => result,
    }
}

fn run(repository: &crate::model::Repository, config: &NodeConfig, ask: &Ask) -> Result<Response, Refusal> {
    let mut query = openehr_aql::parse(&ask.q).map_err(|error| Refusal::bad(format!("Could not parse AQL query: {error}")))?;
    openehr_aql::bind(&mut query, &ask.parameters).map_err(|error| Refusal::bad(error.to_string()))?;
    match config.dialect {
        Dialect::EhrbaseLike => checks::ehrbase(&query, &repository.system_id)?,
        Dialect::GopenehrLike => checks::gopenehr(&query)?,
        Dialect::Standard | Dialect::BetterLike => {}
    }
    page(&query, ask, config.dialect)?;
    let mut settings = config.settings.clone();
    if config.dialect != Dialect::EhrbaseLike {
        settings.ehr_id.clone_from(&ask.ehr_id);
    }
    let mut rows = evaluate(&query, repository, &settings)?.rows;
    if config.dialect == Dialect::GopenehrLike {
        rows.retain(|row| row.iter().any(|cell| !cell.is_null()));
    }
    rows.drain(..ask.offset.unwrap_or(0).min(rows.len()));
    rows.truncate(ask.fetch.unwrap_or(usize::MAX));
    let columns = column_names(&query, &ask.q);
    let executed = query.to_string();
    Ok(write(&rows, Shape { dialect: config.dialect, columns, executed, ask }))
}

/// What the dialect refuses about paging.
fn page(query: &Query, ask: &Ask, dialect: Dialect) -> Result<(), Refusal> {
    let refuse = |message: &str| Err(Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, message));
    match dialect {
        Dialect::EhrbaseLike if ask.offset.is_some() && ask.fetch.is_none() => refuse("offset without fetch"),
        Dialect::EhrbaseLike if ask.fetch.is_some() && query.limit.is_some() => refuse("fetch together with LIMIT"),
        Dialect::Standard if ask.fetch.is_some() && query.select.top.is_some() => {
            Err(Refusal::bad("fetch may not be combined with TOP"))
        }
        _ => Ok(()),
    }
}
