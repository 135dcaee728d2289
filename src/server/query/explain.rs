//! `POST {base}/federation/explain`: what a query would ask of whom, and why, without asking any node.
//!
//! The localizer, the consent service and the cross-reference are asked as for the query itself. The node AQL is shown with
//! a marker where the `ehr_id` goes; the patient identifier is nowhere in it.

use axum::Json;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::journey::{NotSelected, plan_context, select};
use crate::budget::Budget;
use crate::envelope::{StepNote, Timeout};
use crate::intake::QueryRequest;
use crate::plan::{Cut, Plan, Scope, plan};
use crate::registry::NodeOrdering;
use crate::select::{Decision, Member};
use crate::server::error::ClientError;
use crate::server::state::Gateway;
use crate::status::EndpointStatus;

/// What a query would do.
#[derive(Serialize)]
struct Explanation {
    scope: &'static str,
    columns: Vec<String>,
    timeout: Timeout,
    #[serde(skip_serializing_if = "Option::is_none")]
    localization: Option<StepNote>,
    #[serde(skip_serializing_if = "Option::is_none")]
    consent: Option<StepNote>,
    endpoints: Vec<Explained>,
}

/// What would happen at one member.
#[derive(Serialize)]
struct Explained {
    id: String,
    /// `ask`, or the status it is settled with.
    decision: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    aql: Option<String>,
}

/// Explains one query.
///
/// # Errors
/// As the query itself, short of what nodes would answer.
pub(super) async fn explain(gateway: &Gateway, request: &QueryRequest, budget: Budget) -> Result<Response, ClientError> {
    let budget = request.wait.map_or(budget, |wish| budget.shortened(wish));
    let plan = plan(request, &plan_context(gateway, &request.targeting))?;
    let selection = match select(gateway, &plan.scope, &request.targeting, budget).await {
        Ok(selection) => selection,
        Err(NotSelected::Refused(error)) => return Err(error),
        Err(NotSelected::Reported { code, message, .. }) => return Err(ClientError::new(code, message)),
    };
    let explanation = Explanation {
        scope: scope_name(&plan.scope),
        columns: plan.columns.iter().map(|column| column.name.clone()).collect(),
        timeout: Timeout::of(&budget),
        localization: selection.localization.as_ref().map(StepNote::from),
        consent: selection.consent.as_ref().map(StepNote::from),
        endpoints: selection.members.iter().map(|member| explained(member, &plan)).collect(),
    };
    Ok(Json(explanation).into_response())
}

fn scope_name(scope: &Scope) -> &'static str {
    match scope {
        Scope::Patient(_) => "patient",
        Scope::Ehr(_) => "ehr",
        Scope::Population => "population",
    }
}

fn explained(member: &Member, plan: &Plan) -> Explained {
    let (decision, reason, aql) = match &member.decision {
        Decision::Ask(ehr_id) => {
            let cut = match member.endpoint.ordering {
                NodeOrdering::Untrusted => Cut::Whole,
                NodeOrdering::Exact | NodeOrdering::Trusted => Cut::Pushed,
            };
            ("ask", None, Some(plan.node_query.for_explanation(ehr_id.is_some(), cut)))
        }
        Decision::Settled { status, reason } => (status.as_str(), reason.clone(), None),
        Decision::Unknown { reason } => (EndpointStatus::NotResolved.as_str(), Some(reason.clone()), None),
    };
    Explained { id: member.endpoint.id.to_string(), decision, reason, aql }
}
