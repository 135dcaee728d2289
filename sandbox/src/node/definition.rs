//! `{base}/v1/definition`: templates and stored queries.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderValue, StatusCode, header};

use super::composition::{Prefer, empty, public_base, tagged};
use super::error::{Refusal, json};
use super::{Dialect, Shared, commit_now};
use crate::value::Json;

/// A semantic version without a label.
pub(super) type Semver = (u32, u32, u32);

/// What is defined at a node.
#[derive(Debug, Default)]
pub(super) struct Definitions {
    /// Templates of ADL 1.4 by id: the text as sent, and when.
    templates: BTreeMap<String, (Vec<u8>, String)>,
    /// Stored queries by name and version: the text, and when.
    queries: BTreeMap<(String, Semver), (String, String)>,
}

impl Definitions {
    /// The stored query of this name at a version, a prefix of one, or the latest.
    pub(super) fn query(&self, name: &str, version: Option<&str>) -> Option<(Semver, &str)> {
        let prefix: Vec<u32> = match version {
            Some(text) => text.split('.').map(|part| part.parse().ok()).collect::<Option<_>>()?,
            None => Vec::new(),
        };
        let fits = |(major, minor, patch): Semver| [major, minor, patch].starts_with(&prefix) && prefix.len() <= 3;
        let mut found = self.queries.iter().filter(|((held, version), _)| held == name && fits(*version));
        found.next_back().map(|((_, version), (text, _))| (*version, text.as_str()))
    }
}

fn dotted((major, minor, patch): Semver) -> String {
    format!("{major}.{minor}.{patch}")
}

/// `POST …/template/adl1.4`
pub(super) async fn upload_template(State(shared): State<Arc<Shared>>, headers: HeaderMap, body: Bytes) -> Response {
    let dialect = shared.config().dialect;
    if dialect == Dialect::GopenehrLike {
        return Refusal::new(StatusCode::NOT_IMPLEMENTED, "Not implemented").answer(dialect);
    }
    let text = String::from_utf8_lossy(&body);
    let Some(id) = template_id(&text) else {
        return Refusal::bad("the body is no operational template with a template_id").answer(dialect);
    };
    let mut definitions = shared.definitions();
    if definitions.templates.contains_key(&id) {
        return Refusal::new(StatusCode::CONFLICT, "a template of this id exists").answer(dialect);
    }
    definitions.templates.insert(id.clone(), (body.to_vec(), commit_now().time));
    let location = format!("{}/v1/definition/template/adl1.4/{}", public_base(&headers, dialect), id.replace(' ', "%20"));
    let response = match Prefer::of(&headers) {
        Prefer::Representation => xml(StatusCode::CREATED, body.to_vec()),
        Prefer::Minimal | Prefer::Identifier => empty(StatusCode::CREATED),
    };
    tagged(response, &id, Some(&location))
}

fn template_id(text: &str) -> Option<String> {
    let inner = text.split_once("<template_id>")?.1.split_once("</template_id>")?.0;
    let id = inner.split_once("<value>")?.1.split_once("</value>")?.0.trim();
    (!id.is_empty()).then(|| id.to_owned())
}

fn xml(status: StatusCode, body: Vec<u8>) -> Response {
    (status, [(header::CONTENT_TYPE, HeaderValue::from_static("application/xml"))], body).into_response()
}

/// `GET …/template/adl1.4`
pub(super) async fn list_templates(State(shared): State<Arc<Shared>>) -> Response {
    let entry = |(id, (_, created)): (&String, &(Vec<u8>, String))| {
        Json::object([
            ("template_id", Json::text(id.as_str())),
            ("concept", Json::text(id.as_str())),
            ("archetype_id", Json::text("openEHR-EHR-COMPOSITION.encounter.v1")),
            ("created_timestamp", Json::text(created.as_str())),
        ])
    };
    let list = shared.definitions().templates.iter().map(entry).collect();
    json(StatusCode::OK, Json::Array(list).to_bytes())
}

/// `GET …/template/adl1.4/{template_id}`
pub(super) async fn read_template(State(shared): State<Arc<Shared>>, Path(id): Path<String>) -> Response {
    match shared.definitions().templates.get(&id) {
        Some((body, _)) => tagged(xml(StatusCode::OK, body.clone()), &id, None),
        None => Refusal::new(StatusCode::NOT_FOUND, "there is no template of this id").answer(shared.config().dialect),
    }
}

/// `PUT …/query/{name}`
pub(super) async fn store_query(
    State(shared): State<Arc<Shared>>,
    Path(name): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    store(&shared, &name, None, &headers, &body)
}

/// `PUT …/query/{name}/{version}`
pub(super) async fn store_query_version(
    State(shared): State<Arc<Shared>>,
    Path((name, version)): Path<(String, String)>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    store(&shared, &name, Some(&version), &headers, &body)
}

fn store(shared: &Shared, name: &str, version: Option<&str>, headers: &HeaderMap, body: &[u8]) -> Response {
    let dialect = shared.config().dialect;
    let result = stored(shared, name, version, body);
    match result {
        Err(refusal) => refusal.answer(dialect),
        Ok(version) => {
            let base = public_base(headers, dialect);
            let location = format!("{base}/v1/definition/query/{name}/{}", dotted(version));
            let mut response = empty(StatusCode::OK);
            if let Ok(location) = HeaderValue::from_str(&location) {
                response.headers_mut().insert(header::LOCATION, location);
            }
            response
        }
    }
}

fn stored(shared: &Shared, name: &str, version: Option<&str>, body: &[u8]) -> Result<Semver, Refusal> {
    let bare = name.rsplit("::").next().unwrap_or(name);
    let spelled = bare.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-'));
    if bare.is_empty() || !spelled || bare.eq_ignore_ascii_case("aql") {
        return Err(Refusal::bad("this is no name for a stored query"));
    }
    let text = String::from_utf8_lossy(body).into_owned();
    openehr_aql::parse(&text).map_err(|error| Refusal::bad(format!("Could not parse AQL query: {error}")))?;
    let mut definitions = shared.definitions();
    let latest = definitions.query(name, None).map(|(version, _)| version);
    let version = match version {
        Some(text) => whole(text).ok_or_else(|| Refusal::bad("the version is not major.minor.patch"))?,
        None => latest.map_or((1, 0, 0), |(major, minor, patch)| (major, minor, patch + 1)),
    };
    let key = (name.to_owned(), version);
    // gopenehr overwrites a version without a word.
    if definitions.queries.contains_key(&key) && shared.config().dialect != Dialect::GopenehrLike {
        return Err(Refusal::new(StatusCode::CONFLICT, "this version exists"));
    }
    definitions.queries.insert(key, (text, commit_now().time));
    Ok(version)
}

fn whole(text: &str) -> Option<Semver> {
    let parts: Vec<u32> = text.split('.').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    if let [major, minor, patch] = parts[..] { Some((major, minor, patch)) } else { None }
}

fn stored_query(name: &str, version: Semver, text: &str, saved: &str) -> Json {
    Json::object([
        ("name", Json::text(name)),
        ("type", Json::text("AQL")),
        ("version", Json::text(dotted(version))),
        ("saved", Json::text(saved)),
        ("q", Json::text(text)),
    ])
}

/// `GET …/query/{name}`: every version of the queries whose names begin so.
pub(super) async fn list_queries(State(shared): State<Arc<Shared>>, Path(name): Path<String>) -> Response {
    let definitions = shared.definitions();
    let found = definitions.queries.iter().filter(|((held, _), _)| held.starts_with(&name));
    let list = found.map(|((name, version), (text, saved))| stored_query(name, *version, text, saved)).collect();
    json(StatusCode::OK, Json::Array(list).to_bytes())
}

/// `GET …/query/{name}/{version}`
pub(super) async fn read_query(State(shared): State<Arc<Shared>>, Path((name, version)): Path<(String, String)>) -> Response {
    let definitions = shared.definitions();
    let found = definitions.query(&name, Some(&version)).and_then(|(version, text)| {
        let (_, saved) = definitions.queries.get(&(name.clone(), version))?;
        Some(stored_query(&name, version, text, saved))
    });
    match found {
        Some(query) => json(StatusCode::OK, query.to_bytes()),
        None => Refusal::new(StatusCode::NOT_FOUND, "there is no such stored query").answer(shared.config().dialect),
    }
}
