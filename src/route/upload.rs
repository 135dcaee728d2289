//! One template to several endpoints: not atomic, so every endpoint's outcome is told, and it is no success while one failed
//! (§12.6).

use std::sync::Arc;

use axum::body::Body;
use futures_util::future::join_all;
use http::{HeaderMap, Response, StatusCode};

use super::error::RouteError;
use super::forward::Outgoing;
use super::outcome::{Outcome, acting, report};
use super::serve::{Call, outgoing};
use super::{RoutedRequest, Routing};
use crate::budget::Budget;
use crate::error::ErrorCode;
use crate::registry::{Endpoint, Membership};
use crate::status::EndpointStatus;

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
        Ok(answer(acting(&endpoints, &outcomes), outcomes))
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
    report(status, headers, failure, outcomes)
}
