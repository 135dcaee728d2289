//! What answers teach about who holds what.

use std::sync::Arc;

use axum::body::Body;
use bytes::Bytes;
use http::header::{ETAG, LOCATION};
use http::{Response, StatusCode};
use http_body::Body as _;

use super::Routing;
use super::error::RouteError;
use super::forward::done;
use super::serve::Call;
use super::table::Treatment;
use super::version::{creating_systems_of_tags, tags};
use crate::ids::EhrId;
use crate::node::NodeFailure;
use crate::node::body::{BodyFailure, read_bounded};
use crate::registry::Endpoint;

/// A refusal on consent grounds is a small document; only such are looked into.
const MAX_REFUSAL_BYTES: usize = 64 * 1024;

impl Routing {
    /// Learns from an answer and hands it on.
    pub(super) async fn learn(
        &self,
        call: &Call<'_>,
        endpoint: &Arc<Endpoint>,
        response: Response<Body>,
    ) -> Result<Response<Body>, RouteError> {
        if done(response.status()) {
            self.learn_from_success(call, endpoint, &response);
            return Ok(response);
        }
        let is_the_ehr = call.operation.treatment == Treatment::Read && call.operation.template == "/ehr/{ehr_id}";
        if response.status() == StatusCode::NOT_FOUND && is_the_ehr {
            self.memory.forget_ehr(&call.ehr_id(), &endpoint.node.id);
            self.bindings.forget(&call.asker.caller, &endpoint.node.id, &call.ehr_id());
        }
        if response.status() == StatusCode::FORBIDDEN {
            return self.learn_from_refusal(call, endpoint, response).await;
        }
        Ok(response)
    }

    fn learn_from_success(&self, call: &Call<'_>, endpoint: &Arc<Endpoint>, response: &Response<Body>) {
        let node = &endpoint.node.id;
        let etags = || response.headers().get_all(ETAG).iter().filter_map(|tag| tag.to_str().ok());
        for system in etags().flat_map(creating_systems_of_tags) {
            self.memory.learn_system(&system, node);
        }
        let ehr_id = match call.operation.treatment {
            Treatment::NewEhr => etags().flat_map(tags).next().map(str::to_owned).or_else(|| last_segment(response)),
            Treatment::EhrOfSubject
            | Treatment::Definition
            | Treatment::TemplateUpload
            | Treatment::StoredQueryDefinition
            | Treatment::FanOut
            | Treatment::NotServed => None,
            Treatment::NewEhrWithId
            | Treatment::Read
            | Treatment::ReadVersion
            | Treatment::NewObject
            | Treatment::Commit
            | Treatment::Update
            | Treatment::DeleteVersion
            | Treatment::TagWrite => call.captured("ehr_id"),
        };
        if let Some(ehr_id) = ehr_id.filter(|id| EhrId::is_plain(id)).map(EhrId::new)
            && self.memory.learn_ehr(&ehr_id, node)
        {
            let claimants = self.memory.ehr_nodes(&ehr_id).iter().filter_map(|node| self.endpoint_of(node)).collect::<Vec<_>>();
            self.memory.incident(&claimants);
        }
    }

    /// A refusal on consent grounds ends what the session had learnt of this EHR there. The bytes go on as they came.
    async fn learn_from_refusal(
        &self,
        call: &Call<'_>,
        endpoint: &Arc<Endpoint>,
        response: Response<Body>,
    ) -> Result<Response<Body>, RouteError> {
        let small = response.body().size_hint().upper().is_some_and(|size| size <= MAX_REFUSAL_BYTES as u64);
        if endpoint.consent_refusal_codes.is_empty() || !small {
            return Ok(response);
        }
        let (head, body) = response.into_parts();
        let broken_off = |_| {
            let failure = NodeFailure::BrokenOff { status: head.status.as_u16() };
            RouteError::Node { endpoint: Arc::clone(endpoint), failure }
        };
        let reading = tokio::time::timeout_at(call.asker.budget.deadline(), read_bounded(body, MAX_REFUSAL_BYTES)).await;
        let bytes = reading.unwrap_or(Err(BodyFailure::BrokenOff)).map_err(broken_off)?;
        if endpoint.consent_refusal_codes.iter().any(|code| has_code(&bytes, code)) {
            self.bindings.forget(&call.asker.caller, &endpoint.node.id, &call.ehr_id());
        }
        Ok(Response::from_parts(head, Body::from(bytes)))
    }
}

fn has_code(body: &Bytes, code: &str) -> bool {
    #[derive(serde::Deserialize)]
    struct Refusal {
        code: String,
    }
    serde_json::from_slice::<Refusal>(body).is_ok_and(|refusal| refusal.code == code)
}

fn last_segment(response: &Response<Body>) -> Option<String> {
    let location = response.headers().get(LOCATION)?.to_str().ok()?;
    location.rsplit('/').next().filter(|segment| !segment.is_empty()).map(str::to_owned)
}
