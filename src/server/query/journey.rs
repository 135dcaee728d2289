//! One query, from the request to the answer. The order of the journey is this file.

use std::sync::Arc;

use axum::response::Response;
use chrono::Utc;

use super::bindings;
use super::telling::Telling;
use super::unsettled::unsettled;
use crate::budget::Budget;
use crate::error::ErrorCode;
use crate::fanout;
use crate::intake::{DedupMode, QueryRequest, Targeting};
use crate::plan::{PlanContext, Scope, plan};
use crate::queries::StoredQuery;
use crate::route::{Asker, Target};
use crate::select::Selection;
use crate::server::error::ClientError;
use crate::server::request_id::RequestId;
use crate::server::state::Gateway;

/// Answers one query; `stored` is the definition it runs, when it runs one.
///
/// # Errors
/// What ends the request before or beside a report of the members.
pub(super) async fn answer(
    gateway: &Gateway,
    request: QueryRequest,
    stored: Option<&StoredQuery>,
    budget: Budget,
    id: &RequestId,
) -> Result<Response, ClientError> {
    let budget = request.wait.map_or(budget, |wish| budget.shortened(wish));
    let plan = Arc::new(plan(&request, &plan_context(gateway, &request.targeting))?);
    let mut telling = Telling::new(&request, stored, Arc::clone(&plan), budget, id);
    let members = match select(gateway, &plan.scope, &request.targeting, budget).await {
        Ok(selection) => telling.note_steps(selection),
        Err(NotSelected::Refused(error)) => return Err(error),
        Err(NotSelected::Reported { code, message, selection }) => return Ok(telling.not_asked(selection, code, message)),
    };
    let asked = bindings::asked(&members);
    let outcomes = gateway.fanout().ask(members, Arc::clone(&plan), budget).await?;
    gateway.metrics().outcomes(&outcomes);
    bindings::learn(gateway, &request.query, asked, &outcomes);
    let decision = fanout::decide(&outcomes, request.completeness);
    match decision.failure {
        Some(code) => Ok(telling.failed(&outcomes, decision.complete, code)),
        None => telling.answered(outcomes, decision.complete).await,
    }
}

/// Why nobody is asked.
pub(super) enum NotSelected {
    /// There is nothing to report about the members.
    Refused(ClientError),
    /// What was decided about the members is worth reporting.
    Reported { code: ErrorCode, message: String, selection: Selection },
}

/// Whom to ask. A query about one EHR goes where a read of that EHR would go (§12, N36).
pub(super) async fn select(
    gateway: &Gateway,
    scope: &Scope,
    targeting: &Targeting,
    budget: Budget,
) -> Result<Selection, NotSelected> {
    let selected = match (scope, targeting) {
        (Scope::Ehr(ehr_id), Targeting::Undirected) => {
            let asker = Asker { caller: gateway.caller(), target: Target::None, budget };
            let holder = gateway.routing().holder(ehr_id, &asker).await.map_err(|error| unsettled(gateway, &error))?;
            gateway.selector().select_ehr(ehr_id, targeting, Some(&holder.node.id))
        }
        _ => gateway.selector().select(scope, targeting, &budget).await,
    };
    selected.map_err(|error| {
        let (code, message) = (error.code(), error.to_string());
        match error.into_selection() {
            Some(selection) => NotSelected::Reported { code, message, selection },
            None => NotSelected::Refused(ClientError::new(code, message)),
        }
    })
}

/// What planning needs to know of this deployment and this moment.
pub(super) fn plan_context<'a>(gateway: &'a Gateway, targeting: &Targeting) -> PlanContext<'a> {
    let settings = gateway.settings();
    PlanContext {
        default_namespace: settings.federation.default_namespace.as_deref(),
        offset_strategy: settings.paging.strategy,
        max_window: settings.paging.max_window,
        decomposable: &settings.aggregates.decomposable,
        aggregate_strategy: settings.aggregates.strategy,
        dedup_offered: settings.dedup_modes.contains(&DedupMode::VersionIdentity),
        best_effort: settings.best_effort,
        single_destination: matches!(targeting, Targeting::Endpoints(ids) if ids.len() == 1),
        localizer_configured: gateway.selector().localizes(),
        max_rows: settings.limits.max_rows as u64,
        now: Utc::now(),
    }
}
