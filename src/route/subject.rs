//! `GET {base}/v1/ehr?subject_id=&subject_namespace=`: resolution input, answered with the EHR of the one node that knows the
//! patient (§12, CP-3). The identifier goes to the consent service and the cross-reference, and to no node.

use std::sync::Arc;

use axum::body::Body;
use http::Response;

use super::error::RouteError;
use super::forward::Outgoing;
use super::headers::to_node;
use super::path::parameters;
use super::serve::Call;
use super::{RoutedRequest, Routing};
use crate::ids::EhrId;
use crate::plan::PatientReference;
use crate::plan::hygiene::Gate;
use crate::registry::Endpoint;
use crate::select::{Decision, Member};
use crate::sensitive::Sensitive;

impl Routing {
    pub(super) async fn ehr_of_subject(&self, call: &Call<'_>, request: RoutedRequest) -> Result<Response<Body>, RouteError> {
        let patient = self.patient(request.query.as_deref().unwrap_or_default())?;
        let asked = match call.asker.target.one()? {
            Some(endpoint) => vec![endpoint],
            None => self.one_of_every_node(),
        };
        let members = self.selector.resolve(&patient, &asked, &request.budget).await;
        let (endpoint, ehr_id) = single(members)?;
        self.bindings.learn(&call.asker.caller, &endpoint.node.id, &ehr_id);
        if self.memory.learn_ehr(&ehr_id, &endpoint.node.id) {
            self.memory.incident(std::slice::from_ref(&endpoint));
        }
        let target = format!("v1/ehr/{ehr_id}");
        Gate::new(&patient).inspect(&request.method, &target, &to_node(&request.headers), &[])?;
        let outgoing = Outgoing { method: &request.method, target: &target, headers: &request.headers, body: Body::empty() };
        let response = self.forward(&endpoint, outgoing, &request.budget).await?;
        self.learn(call, &endpoint, response).await
    }

    fn patient(&self, query: &str) -> Result<PatientReference, RouteError> {
        let (mut value, mut namespace) = (None, None);
        for (name, text) in parameters(query) {
            let (place, known) = match &*name {
                "subject_id" => (&mut value, "subject_id"),
                "subject_namespace" => (&mut namespace, "subject_namespace"),
                _ => return Err(RouteError::UnknownParameter),
            };
            if text.is_empty() || place.replace(Sensitive::new(text.into_owned())).is_some() {
                return Err(RouteError::ParameterCount(known));
            }
        }
        let value = value.ok_or(RouteError::ParameterCount("subject_id"))?;
        let default = || self.settings.default_namespace.clone().map(Sensitive::new);
        let namespace = namespace.or_else(default).ok_or(RouteError::MissingNamespace)?;
        Ok(PatientReference { namespace, value })
    }
}

/// The one place where the patient is known; certain only when everyone could say.
fn single(members: Vec<Member>) -> Result<(Arc<Endpoint>, EhrId), RouteError> {
    let (mut known, mut unknown) = (Vec::new(), Vec::new());
    for Member { endpoint, decision } in members {
        match decision {
            Decision::Ask(Some(ehr_id)) => known.push((endpoint, ehr_id)),
            Decision::Unknown { .. } => unknown.push(endpoint),
            Decision::Ask(None) | Decision::Settled { .. } => {}
        }
    }
    if known.len() > 1 {
        return Err(RouteError::AmbiguousPatient(known.into_iter().map(|(endpoint, _)| endpoint).collect()));
    }
    if !unknown.is_empty() {
        return Err(RouteError::CrossReference(unknown));
    }
    known.pop().ok_or(RouteError::PatientNowhere)
}
