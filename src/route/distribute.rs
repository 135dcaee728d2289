//! The definition of a stored query to the nodes, where that is on: so that apps which ask a node itself find it there (§12.7).
//!
//! The gateway's registry holds the definition whatever becomes of it at the nodes; each node's outcome is told.

use std::sync::Arc;

use axum::body::Body;
use futures_util::future::join_all;
use http::header::{ACCEPT, CONTENT_TYPE, HeaderValue};
use http::{HeaderMap, Method, Response, StatusCode};
use http_body_util::{BodyExt as _, Limited};

use super::Routing;
use super::forward::Outgoing;
use super::outcome::{Outcome, acting, report};
use crate::budget::Budget;
use crate::error::ErrorCode;
use crate::queries::{StoredQuery, says_the_same};
use crate::registry::Endpoint;
use crate::status::EndpointStatus;

impl Routing {
    /// Sends its text for nodes to every endpoint in service at once, each once.
    pub(super) async fn distribute(&self, query: &StoredQuery, text: &str, budget: &Budget) -> Response<Body> {
        let endpoints = self.in_service();
        let outcomes = join_all(endpoints.iter().map(|endpoint| self.distribute_to(endpoint, query, text, budget))).await;
        let headers = acting(&endpoints, &outcomes);
        if outcomes.iter().all(Outcome::took_it) {
            return report(StatusCode::OK, headers, None, outcomes);
        }
        let message = "The definition is stored at the gateway, and some of the endpoints did not take it; each is in `outcomes`. \
                       Store it at those themselves; `federation/drift` tells which lack it.";
        report(StatusCode::MULTI_STATUS, headers, Some((ErrorCode::MixedOutcome, message)), outcomes)
    }

    async fn distribute_to(&self, endpoint: &Arc<Endpoint>, query: &StoredQuery, text: &str, budget: &Budget) -> Outcome {
        let headers = HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static("text/plain"))]);
        let (method, target, body) = (&Method::PUT, &place(query), Body::from(text.to_owned()));
        let response = match self.forward(endpoint, Outgoing { method, target, headers: &headers, body }, budget).await {
            Ok(response) => response,
            Err(error) => return Outcome::refused(endpoint, &error),
        };
        // Two endpoints may lead to one node, and a definition may have been sent before: what is there already is there.
        if response.status() == StatusCode::CONFLICT {
            let held = self.held(endpoint, query, budget).await;
            if held.is_ok_and(|held| held.is_some_and(|text| says_the_same(&text, &query.q))) {
                return Outcome::answered(endpoint, StatusCode::OK, &HeaderMap::new());
            }
        }
        Outcome::answered(endpoint, response.status(), response.headers())
    }

    /// The text an endpoint has under this name and version, if it has any.
    ///
    /// # Errors
    /// The outcome, when it does not say.
    pub(super) async fn held(
        &self,
        endpoint: &Arc<Endpoint>,
        query: &StoredQuery,
        budget: &Budget,
    ) -> Result<Option<String>, Outcome> {
        let headers = HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static("application/json"))]);
        let (method, target, body) = (&Method::GET, &place(query), Body::empty());
        let sent = self.forward(endpoint, Outgoing { method, target, headers: &headers, body }, budget).await;
        let response = sent.map_err(|error| Outcome::refused(endpoint, &error))?;
        match response.status() {
            StatusCode::NOT_FOUND => Ok(None),
            StatusCode::OK => {
                let unread = || Outcome::failed(endpoint, EndpointStatus::NodeError, "no definition in the answer".to_owned());
                self.text_of(response.into_body(), budget).await.map(Some).ok_or_else(unread)
            }
            other => Err(Outcome::answered(endpoint, other, response.headers())),
        }
    }

    async fn text_of(&self, body: Body, budget: &Budget) -> Option<String> {
        #[derive(serde::Deserialize)]
        struct Definition {
            q: String,
        }
        let reading = Limited::new(body, self.settings.max_body_bytes).collect();
        let bytes = tokio::time::timeout_at(budget.deadline(), reading).await.ok()?.ok()?.to_bytes();
        Some(serde_json::from_slice::<Definition>(&bytes).ok()?.q)
    }
}

/// Where it is at a node. Names and versions have no letter that a path would have to encode.
fn place(query: &StoredQuery) -> String {
    format!("v1/definition/query/{}/{}", query.name, query.version)
}
