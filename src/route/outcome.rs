//! What became of one thing that was sent to several endpoints.

use std::sync::Arc;

use axum::body::Body;
use http::header::{CONTENT_TYPE, ETAG, HeaderName, HeaderValue, LOCATION};
use http::{HeaderMap, Response, StatusCode};
use serde::Serialize;

use super::error::RouteError;
use super::headers::add_acting;
use crate::error::ErrorCode;
use crate::registry::Endpoint;
use crate::status::EndpointStatus;

/// What became of it at one endpoint.
#[derive(Debug, Serialize)]
pub(super) struct Outcome {
    id: String,
    /// As in a query's report; `excluded` when it is out of service.
    pub(super) status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    http_status: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    etag: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    location: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<String>,
}

/// The answer: an error's members when it is one.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    validation_errors: Option<[(); 0]>,
    outcomes: Vec<Outcome>,
}

impl Outcome {
    pub(super) fn failed(endpoint: &Endpoint, status: EndpointStatus, error: String) -> Self {
        let (id, status) = (endpoint.id.to_string(), status.as_str());
        Outcome { id, status, http_status: None, etag: None, location: None, error: Some(error) }
    }

    /// The endpoint gave no answer.
    pub(super) fn refused(endpoint: &Endpoint, error: &RouteError) -> Self {
        match error {
            RouteError::Node { failure, .. } => Outcome::failed(endpoint, failure.status(), failure.to_string()),
            other => Outcome::failed(endpoint, EndpointStatus::Offline, other.to_string()),
        }
    }

    pub(super) fn answered(endpoint: &Endpoint, status: StatusCode, headers: &HeaderMap) -> Self {
        let text = |name: HeaderName| Some(headers.get(name)?.to_str().ok()?.to_owned());
        let took = status.is_success();
        Outcome {
            id: endpoint.id.to_string(),
            status: if took { EndpointStatus::Active } else { EndpointStatus::NodeError }.as_str(),
            http_status: Some(status.as_u16()),
            etag: text(ETAG),
            location: text(LOCATION),
            error: (!took).then(|| format!("HTTP {}", status.as_u16())),
        }
    }

    pub(super) fn took_it(&self) -> bool {
        self.status == EndpointStatus::Active.as_str()
    }

    /// Did the endpoint answer, with whatever?
    pub(super) fn answered_at_all(&self) -> bool {
        self.http_status.is_some()
    }
}

/// The acting-endpoint headers: those that took it. The two lists are of one order.
pub(super) fn acting(endpoints: &[Arc<Endpoint>], outcomes: &[Outcome]) -> HeaderMap {
    let took = endpoints.iter().zip(outcomes).filter(|(_, outcome)| outcome.took_it()).map(|(endpoint, _)| &**endpoint);
    let mut headers = HeaderMap::new();
    add_acting(&mut headers, took);
    headers
}

/// The answer that tells every outcome.
pub(super) fn report(
    status: StatusCode,
    headers: HeaderMap,
    failure: Option<(ErrorCode, &'static str)>,
    outcomes: Vec<Outcome>,
) -> Response<Body> {
    let report = Report {
        message: failure.map(|(_, message)| message),
        code: failure.map(|(code, _)| code.as_str()),
        validation_errors: failure.map(|_| []),
        outcomes,
    };
    let mut response = Response::new(Body::from(serde_json::to_vec(&report).unwrap_or_default()));
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}
