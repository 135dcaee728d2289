//! One template to several endpoints: not atomic, so every endpoint's outcome is told, and it is no success while one failed
//! (§12.6).

use std::sync::Arc;

use axum::body::Body;
use futures_util::future::join_all;
use http::header::{CONTENT_TYPE, ETAG, HeaderName, HeaderValue, LOCATION};
use http::{HeaderMap, Response, StatusCode};
use serde::Serialize;

use super::error::RouteError;
use super::forward::Outgoing;
use super::headers::add_acting;
use super::serve::{Call, outgoing};
use super::{RoutedRequest, Routing};
use crate::budget::Budget;
use crate::error::ErrorCode;
use crate::registry::{Endpoint, Membership};
use crate::status::EndpointStatus;

/// What became of the template at one endpoint.
#[derive(Debug, Serialize)]
struct Outcome {
    id: String,
    /// As in a query's report; `excluded` when it is out of service.
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    http_status: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    etag: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    location: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
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

impl Routing {
    /// Every endpoint in service, by id.
    pub(super) fn in_service(&self) -> Vec<Arc<Endpoint>> {
        self.registry.endpoints().filter(|endpoint| endpoint.membership == Membership::Active).cloned().collect()
    }

    /// Uploads to all at once, each once.
    pub(super) async fn upload(
        &self,
        call: &Call<'_>,
        mut request: RoutedRequest,
        endpoints: Vec<Arc<Endpoint>>,
    ) -> Result<Response<Body>, RouteError> {
        let body = self.whole_body(&mut request).await?;
        let budget = request.budget;
        let one = |endpoint| self.upload_to(endpoint, outgoing(call, &request, Body::from(body.clone())), &budget);
        let outcomes = join_all(endpoints.iter().map(one)).await;
        let took = endpoints.iter().zip(&outcomes).filter(|(_, outcome)| outcome.took_it()).map(|(endpoint, _)| &**endpoint);
        let mut headers = HeaderMap::new();
        add_acting(&mut headers, took);
        Ok(answer(headers, outcomes))
    }

    async fn upload_to(&self, endpoint: &Arc<Endpoint>, template: Outgoing<'_>, budget: &Budget) -> Outcome {
        if let Membership::Suspended(why) = &endpoint.membership {
            return Outcome::failed(endpoint, EndpointStatus::Excluded, format!("not in service: {why}"));
        }
        match self.forward(endpoint, template, budget).await {
            Ok(response) => Outcome::answered(endpoint, response.status(), response.headers()),
            Err(RouteError::Node { failure, .. }) => Outcome::failed(endpoint, failure.status(), failure.to_string()),
            Err(other) => Outcome::failed(endpoint, EndpointStatus::Offline, other.to_string()),
        }
    }
}

impl Outcome {
    fn failed(endpoint: &Endpoint, status: EndpointStatus, error: String) -> Self {
        let (id, status) = (endpoint.id.to_string(), status.as_str());
        Outcome { id, status, http_status: None, etag: None, location: None, error: Some(error) }
    }

    fn answered(endpoint: &Endpoint, status: StatusCode, headers: &HeaderMap) -> Self {
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

    fn took_it(&self) -> bool {
        self.status == EndpointStatus::Active.as_str()
    }

    /// Did the endpoint answer, with whatever?
    fn answered_at_all(&self) -> bool {
        self.http_status.is_some()
    }
}

fn answer(headers: HeaderMap, outcomes: Vec<Outcome>) -> Response<Body> {
    let all = outcomes.iter().all(Outcome::took_it);
    let some = outcomes.iter().any(Outcome::took_it);
    let (status, failure) = match (all, some) {
        (true, _) => (StatusCode::CREATED, None),
        (false, true) => {
            let message = "Some of the endpoints took the template and some did not; each is in `outcomes`. Upload again to those that did not.";
            (StatusCode::MULTI_STATUS, Some((ErrorCode::MixedOutcome, message)))
        }
        (false, false) if outcomes.iter().all(Outcome::answered_at_all) => {
            let message = "None of the endpoints took the template; why is in `outcomes`.";
            (StatusCode::FAILED_DEPENDENCY, Some((ErrorCode::EndpointFailed, message)))
        }
        (false, false) => {
            let message = "None of the endpoints took the template, and some did not answer; each is in `outcomes`.";
            (StatusCode::GATEWAY_TIMEOUT, Some((ErrorCode::EndpointUnavailable, message)))
        }
    };
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
