//! A Patient Identifier Cross-reference Manager: IHE PIXm *Get Corresponding Identifiers* (ITI-83) by GET and POST, fed by
//! *Patient Identity Feed FHIR* (ITI-104).

use std::io;
use std::sync::{Arc, PoisonError, RwLock};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{RawQuery, State};
use axum::response::Response;
use axum::routing::{get, put};
use http::StatusCode;

use super::fhir::{fhir, identifier, outcome, question, targets};
use super::{Identifier, IdentityRegistry};
use crate::node::query_pairs;
use crate::value::Json;
use crate::wire::Server;

type Held = Arc<RwLock<IdentityRegistry>>;

/// A running manager; it stops when dropped.
#[derive(Debug)]
pub struct PixManager {
    server: Server,
    held: Held,
}

impl PixManager {
    /// Starts one that knows nobody. Needs a tokio runtime.
    ///
    /// # Errors
    /// No port can be had.
    pub async fn start() -> io::Result<PixManager> {
        let held = Held::default();
        let ask = get(ask_by_get).post(ask_by_post);
        let router = Router::new()
            .route("/fhir/Patient/$ihe-pix", ask.clone())
            .route("/fhir/Patient/%24ihe-pix", ask)
            .route("/fhir/Patient", put(feed).delete(remove))
            .with_state(Arc::clone(&held));
        Ok(PixManager { server: Server::start(router).await?, held })
    }

    /// Its FHIR base.
    #[must_use]
    pub fn url(&self) -> String {
        format!("{}/fhir", self.server.url())
    }

    /// The server below: journal, faults, up and down.
    #[must_use]
    pub fn server(&self) -> &Server {
        &self.server
    }

    /// Reads or changes what it knows, behind the back of its interface.
    pub fn registry<T>(&self, change: impl FnOnce(&mut IdentityRegistry) -> T) -> T {
        change(&mut self.held.write().unwrap_or_else(PoisonError::into_inner))
    }
}

async fn ask_by_get(State(held): State<Held>, RawQuery(query): RawQuery) -> Response {
    let pairs = query_pairs(&query.unwrap_or_default());
    let all = |name: &str| pairs.iter().filter(|(given, _)| given == name).map(|(_, value)| value.clone()).collect::<Vec<_>>();
    let source = all("sourceIdentifier").first().and_then(|token| Identifier::parse(token));
    let domains = all("targetSystem").iter().flat_map(|list| list.split(',').map(str::to_owned).collect::<Vec<_>>()).collect();
    corresponding(&held, source, domains)
}

async fn ask_by_post(State(held): State<Held>, body: Bytes) -> Response {
    match Json::parse(&body).ok().as_ref().and_then(question) {
        Some((source, domains)) => corresponding(&held, source, domains),
        None => outcome(StatusCode::BAD_REQUEST, "invalid", "the body is no Parameters resource"),
    }
}

fn corresponding(held: &Held, source: Option<Identifier>, domains: Vec<String>) -> Response {
    let held = held.read().unwrap_or_else(PoisonError::into_inner);
    let Some(source) = source else {
        return outcome(StatusCode::BAD_REQUEST, "required", "sourceIdentifier is missing or has no system");
    };
    if !held.knows_domain(&source.system) {
        return outcome(StatusCode::BAD_REQUEST, "code-invalid", "sourceIdentifier Assigning Authority not found");
    }
    if domains.iter().any(|domain| !held.knows_domain(domain)) {
        return outcome(StatusCode::FORBIDDEN, "code-invalid", "targetSystem not found");
    }
    match held.corresponding(&source, &domains) {
        Some(found) => fhir(StatusCode::OK, &targets(&found)),
        None => outcome(StatusCode::NOT_FOUND, "not-found", "sourceIdentifier Patient Identifier not found"),
    }
}

/// The identifier a feed is about, from `?identifier=system|value`.
fn key(query: Option<String>) -> Option<Identifier> {
    let pairs = query_pairs(&query.unwrap_or_default());
    pairs.iter().find(|(name, _)| name == "identifier").and_then(|(_, token)| Identifier::parse(token))
}

/// `PUT Patient?identifier=`: a patient is new, has other identifiers, or was merged into another (`replaced-by`).
async fn feed(State(held): State<Held>, RawQuery(query): RawQuery, body: Bytes) -> Response {
    let patient = Json::parse(&body).ok().filter(|patient| patient.text_at(&["resourceType"]) == Some("Patient"));
    let (Some(key), Some(patient)) = (key(query), patient) else {
        return outcome(StatusCode::BAD_REQUEST, "invalid", "a Patient and ?identifier=system|value are needed");
    };
    let list = |name: &str| patient.get(name).and_then(Json::as_array).unwrap_or_default();
    let mut identifiers: Vec<Identifier> = list("identifier").iter().filter_map(identifier).collect();
    if !identifiers.contains(&key) {
        return outcome(StatusCode::UNPROCESSABLE_ENTITY, "invalid", "the Patient does not have the identifier of the address");
    }
    let replaced = list("link").iter().filter(|link| link.text_at(&["type"]) == Some("replaced-by"));
    let survivors: Vec<Identifier> = replaced.filter_map(|link| identifier(link.at(&["other", "identifier"])?)).collect();
    let mut held = held.write().unwrap_or_else(PoisonError::into_inner);
    let known = held.corresponding(&key, &[]).is_some();
    if survivors.is_empty() {
        held.revise(&key, identifiers);
    } else {
        identifiers.extend(survivors);
        held.join(identifiers);
    }
    fhir(if known { StatusCode::OK } else { StatusCode::CREATED }, &patient)
}

/// `DELETE Patient?identifier=`
async fn remove(State(held): State<Held>, RawQuery(query): RawQuery) -> Response {
    let Some(key) = key(query) else {
        return outcome(StatusCode::BAD_REQUEST, "invalid", "?identifier=system|value is needed");
    };
    held.write().unwrap_or_else(PoisonError::into_inner).remove(&key);
    Response::builder().status(StatusCode::NO_CONTENT).body(axum::body::Body::empty()).unwrap_or_default()
}
