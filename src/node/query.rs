//! Asking one endpoint one query.

use std::sync::Arc;

use axum::body::Body;
use bytes::Bytes;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderValue, VIA};
use http::{Method, Request, Response, StatusCode, Uri};
use tokio::time::Instant;

use super::body::{BodyFailure, read_bounded};
use super::failure::NodeFailure;
use super::said::quoted;
use super::transport::Transport;
use super::{Credentials, Gate};
use crate::registry::Endpoint;

/// The path of the query service below a node's `{base}`.
const QUERY_PATH: &str = "v1/query/aql";
/// Bytes of a failure's body that are read: its code and its words stand at the beginning.
const MAX_FAILURE_BYTES: usize = 64 * 1024;
/// Bytes of a small document at most: an EHR with its status is some kilobytes.
const MAX_SMALL_BYTES: usize = 1024 * 1024;
const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// Talks to nodes. Cheap to clone; clones share connections.
#[derive(Clone)]
pub struct NodeClient {
    transport: Arc<dyn Transport>,
    via: HeaderValue,
    max_node_bytes: usize,
}

/// A query as it will leave, seen by the gate: there is no other way to make one.
#[derive(Debug)]
pub struct ComposedQuery(Request<Body>);

/// What a node answered, when it is usable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeAnswer {
    /// A body that should be a RESULT_SET.
    ResultSet(Bytes),
    /// `204`: nothing matched.
    NoRows,
}

/// The gate found a patient identifier in what was about to leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a request to a node would have carried the patient identifier; it was not sent")]
pub struct Withheld;

/// Why a query is not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ComposeFailure {
    /// The gate's refusal: ends the whole request.
    #[error(transparent)]
    Withheld(#[from] Withheld),
    /// The endpoint's URL or credentials are no valid HTTP.
    #[error("the endpoint's URL or credentials cannot be put into a request")]
    Unusable,
}

impl NodeClient {
    /// A client that names itself `alias` in `Via` and reads at most `max_node_bytes` of an answer (`limits.max_node_bytes`).
    ///
    /// # Errors
    /// When the alias is no pseudonym fit for a header.
    pub fn new(
        transport: Arc<dyn Transport>,
        alias: &str,
        max_node_bytes: usize,
    ) -> Result<Self, http::header::InvalidHeaderValue> {
        let via = HeaderValue::try_from(format!("1.1 {alias}"))?;
        Ok(NodeClient { transport, via, max_node_bytes })
    }

    /// The way to nodes, for what is no query.
    #[must_use]
    pub fn transport(&self) -> &Arc<dyn Transport> {
        &self.transport
    }

    /// What the gateway adds to `Via`.
    #[must_use]
    pub fn via(&self) -> &HeaderValue {
        &self.via
    }

    /// Bytes read of one answer at most.
    #[must_use]
    pub fn max_node_bytes(&self) -> usize {
        self.max_node_bytes
    }

    /// Writes the request: POST, the whole query in the AQL and no other member, since servers ignore or refuse those. The
    /// gate sees it whole.
    ///
    /// # Errors
    /// When the gate refuses, or the endpoint's settings cannot be put into a request.
    pub fn compose(&self, endpoint: &Endpoint, aql: &str, gate: &dyn Gate) -> Result<ComposedQuery, ComposeFailure> {
        let body = serde_json::to_vec(&QueryBody { q: aql }).map_err(|_| ComposeFailure::Unusable)?;
        let mut request = self.request(endpoint, Method::POST, QUERY_PATH, Body::empty())?;
        let headers = request.headers_mut();
        headers.insert(ACCEPT, JSON);
        headers.insert(CONTENT_TYPE, JSON);
        headers.insert(VIA, self.via.clone());
        let (head, _) = request.into_parts();
        if !gate.permits(&head, &body) {
            return Err(ComposeFailure::Withheld(Withheld));
        }
        Ok(ComposedQuery(Request::from_parts(head, Body::from(body))))
    }

    /// A request to this endpoint under the gateway's credentials there. `below_base` is the raw path and query below the
    /// node's `{base}`, and leaves as it is.
    ///
    /// # Errors
    /// When the endpoint's settings cannot be put into a request.
    pub fn request(
        &self,
        endpoint: &Endpoint,
        method: Method,
        below_base: &str,
        body: Body,
    ) -> Result<Request<Body>, ComposeFailure> {
        let uri = Uri::try_from(format!("{}{below_base}", endpoint.url)).map_err(|_| ComposeFailure::Unusable)?;
        let mut request = Request::new(body);
        *request.method_mut() = method;
        *request.uri_mut() = uri;
        if let Some(authorization) = endpoint.credentials.authorization() {
            request.headers_mut().insert(AUTHORIZATION, authorization.map_err(|_| ComposeFailure::Unusable)?);
        }
        Ok(request)
    }

    /// Gets a small JSON document from a node, all of it before `deadline`.
    ///
    /// # Errors
    /// What became of it instead of an answer; any HTTP answer is one.
    pub async fn get_small(
        &self,
        endpoint: &Endpoint,
        below_base: &str,
        deadline: Instant,
    ) -> Result<(StatusCode, Bytes), NodeFailure> {
        let request = self.request(endpoint, Method::GET, below_base, Body::empty());
        let mut request = request.map_err(|_| NodeFailure::NotComposed)?;
        request.headers_mut().insert(ACCEPT, JSON);
        request.headers_mut().insert(VIA, self.via.clone());
        let started = Instant::now();
        let mut exchange = self.transport.send(request);
        let answered = async {
            let (head, body) = exchange.response.as_mut().await?.into_parts();
            let status = head.status.as_u16();
            let bytes = read_bounded(body, MAX_SMALL_BYTES).await;
            bytes.map(|bytes| (head.status, bytes)).map_err(|failure| match failure {
                BodyFailure::TooLarge => NodeFailure::TooLarge { status, limit: MAX_SMALL_BYTES },
                BodyFailure::BrokenOff => NodeFailure::BrokenOff { status },
            })
        };
        match tokio::time::timeout_at(deadline, answered).await {
            Ok(outcome) => outcome,
            Err(_) => Err(exchange.late(started)),
        }
    }

    /// Sends a composed query and reads the answer, all before `deadline`. Dropping the future closes the connection.
    ///
    /// # Errors
    /// What became of it instead of an answer.
    pub async fn send(
        &self,
        endpoint: &Endpoint,
        query: ComposedQuery,
        deadline: Instant,
        gate: &dyn Gate,
    ) -> Result<NodeAnswer, NodeFailure> {
        let started = Instant::now();
        let mut exchange = self.transport.send(query.0);
        let answered = async {
            let response = exchange.response.as_mut().await?;
            self.read(endpoint, response, gate).await
        };
        match tokio::time::timeout_at(deadline, answered).await {
            Ok(outcome) => outcome,
            Err(_) => Err(exchange.late(started)),
        }
    }

    async fn read(&self, endpoint: &Endpoint, response: Response<Body>, gate: &dyn Gate) -> Result<NodeAnswer, NodeFailure> {
        let (head, body) = response.into_parts();
        let status = head.status.as_u16();
        match head.status {
            StatusCode::OK => match read_bounded(body, self.max_node_bytes).await {
                Ok(bytes) => Ok(NodeAnswer::ResultSet(bytes)),
                Err(BodyFailure::TooLarge) => Err(NodeFailure::TooLarge { status, limit: self.max_node_bytes }),
                Err(BodyFailure::BrokenOff) => Err(NodeFailure::BrokenOff { status }),
            },
            StatusCode::NO_CONTENT => Ok(NodeAnswer::NoRows),
            other if other.is_redirection() => Err(NodeFailure::Redirect(status)),
            other => {
                let words = FailureBody::read(body).await;
                let refused = words.code.is_some_and(|code| endpoint.consent_refusal_codes.contains(&code));
                if other == StatusCode::FORBIDDEN && refused {
                    return Err(NodeFailure::ConsentRefused);
                }
                let said = words.message.map(|message| quoted(&message, |text| gate.hears(text)));
                Err(NodeFailure::Status { status, said: said.filter(|said| !said.is_empty()) })
            }
        }
    }
}

#[derive(serde::Serialize)]
struct QueryBody<'a> {
    q: &'a str,
}

/// What can be understood of a failure's body; anything else in it is passed over.
#[derive(Default, serde::Deserialize)]
struct FailureBody {
    #[serde(default, deserialize_with = "text_or_none")]
    code: Option<String>,
    #[serde(default, deserialize_with = "text_or_none")]
    message: Option<String>,
}

impl FailureBody {
    async fn read(body: Body) -> Self {
        let bytes = read_bounded(body, MAX_FAILURE_BYTES).await.unwrap_or_default();
        serde_json::from_slice(&bytes).unwrap_or_default()
    }
}

/// A member that is no string says nothing, and spoils nothing.
fn text_or_none<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let raw: &serde_json::value::RawValue = serde::Deserialize::deserialize(deserializer)?;
    Ok(serde_json::from_str(raw.get()).ok())
}

impl Credentials {
    /// The `Authorization` header, when there are credentials.
    pub(crate) fn authorization(&self) -> Option<Result<HeaderValue, http::header::InvalidHeaderValue>> {
        use base64::Engine as _;
        use secrecy::ExposeSecret as _;
        let text = match self {
            Credentials::None => return None,
            Credentials::Basic { username, password } => {
                let pair = format!("{username}:{}", password.expose_secret());
                format!("Basic {}", base64::engine::general_purpose::STANDARD.encode(pair))
            }
            Credentials::Bearer { token } => format!("Bearer {}", token.expose_secret()),
        };
        Some(HeaderValue::try_from(text).map(|mut value| {
            value.set_sensitive(true);
            value
        }))
    }
}
