//! Telling the client how its query went.

use std::sync::Arc;

use axum::response::{IntoResponse, Response};
use chrono::{SecondsFormat, Utc};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};

use super::rows;
use crate::budget::Budget;
use crate::combine::{Combined, Contribution};
use crate::envelope::{
    DedupReport, EndpointReport, Failure, Federation, Head, OperationOutcome, ResultSet, StepNote, Timeout, millis,
};
use crate::error::ErrorCode;
use crate::fanout::{self, Outcome};
use crate::intake::QueryRequest;
use crate::plan::Plan;
use crate::queries::StoredQuery;
use crate::route::add_acting;
use crate::select::{Decision, Member, Selection, StepReport};
use crate::server::error::{ClientError, status_of};
use crate::server::request_id::RequestId;
use crate::status::EndpointStatus;

const JSON: (HeaderName, HeaderValue) = (header::CONTENT_TYPE, HeaderValue::from_static("application/json"));

/// How the optional steps of selection went.
#[derive(Default)]
struct Steps {
    localization: Option<StepReport>,
    consent: Option<StepReport>,
}

/// Everything needed to tell the client how its query went.
pub(super) struct Telling<'a> {
    request: &'a QueryRequest,
    stored: Option<&'a StoredQuery>,
    plan: Arc<Plan>,
    budget: Budget,
    id: &'a RequestId,
    steps: Steps,
    warnings: Vec<String>,
}

impl<'a> Telling<'a> {
    /// A telling that knows nothing yet of how selection went.
    pub(super) fn new(
        request: &'a QueryRequest,
        stored: Option<&'a StoredQuery>,
        plan: Arc<Plan>,
        budget: Budget,
        id: &'a RequestId,
    ) -> Self {
        Telling { request, stored, plan, budget, id, steps: Steps::default(), warnings: Vec::new() }
    }

    /// Keeps how selection went for the report, and gives its members.
    pub(super) fn note_steps(&mut self, selection: Selection) -> Vec<Member> {
        self.warnings
            .extend([&selection.localization, &selection.consent].into_iter().flatten().filter_map(|step| step.warning.clone()));
        self.steps = Steps { localization: selection.localization, consent: selection.consent };
        selection.members
    }

    /// Selection ended the request, but its decisions are worth reporting.
    pub(super) fn not_asked(&mut self, selection: Selection, code: ErrorCode, message: String) -> Response {
        let members = self.note_steps(selection);
        let reports = members.iter().map(report_of_member).collect();
        self.failure(self.federation(reports, false, DedupReport::unused(self.request.dedup)), code, message)
    }

    /// The completion rule refuses the rows there are (§11.4): the report says why, the message who.
    pub(super) fn failed(&self, outcomes: &[Outcome], complete: bool, code: ErrorCode) -> Response {
        let short: Vec<&str> = outcomes
            .iter()
            .filter(|outcome| fanout::failure(outcome.status, outcome.unresolved_by_outage).is_some())
            .map(|outcome| outcome.endpoint.id.as_str())
            .collect();
        let message = format!(
            "No rows are answered, because not every endpoint in scope answered ({}). meta.federation.endpoints says why. Ask again, \
             direct the query at other endpoints, or accept a part with openEHR-federation-completeness: partial where it is offered.",
            short.join(", ")
        );
        let reports = outcomes.iter().map(report_of_outcome).collect();
        self.failure(self.federation(reports, complete, DedupReport::unused(self.request.dedup)), code, message)
    }

    /// Makes one answer of the rows that came.
    pub(super) async fn answered(&mut self, outcomes: Vec<Outcome>, complete: bool) -> Result<Response, ClientError> {
        self.warnings.extend(outcomes.iter().filter_map(asked_whole));
        let mut reports: Vec<EndpointReport> = outcomes.iter().map(report_of_outcome).collect();
        let contributions = outcomes
            .into_iter()
            .filter_map(|Outcome { endpoint, rows, .. }| Some(Contribution { endpoint, rows: rows? }))
            .collect();
        let combined = rows::combined(&self.plan, contributions).await?;
        for report in &mut reports {
            let part = combined.parts().iter().find(|part| part.endpoint.id == report.id);
            report.row_count = part.map(|part| part.row_count as u64);
        }
        let federation = self.federation(reports, complete, DedupReport::of(self.request.dedup, combined.suppressed()));
        let around = ResultSet::around(&self.head(&federation, &created()));
        let acting = acting(&combined);
        Ok((StatusCode::OK, [JSON], acting, rows::body(around, combined)).into_response())
    }

    fn failure(&self, federation: Federation, code: ErrorCode, message: String) -> Response {
        let failure = Failure { code, message, request_id: self.id.as_str().to_owned() };
        let body = ResultSet::failed(&self.head(&federation, &created()), &failure);
        (status_of(code), [JSON], body).into_response()
    }

    fn head<'h>(&'h self, federation: &'h Federation, created: &'h str) -> Head<'h> {
        Head {
            q: Some(&self.request.text),
            name: self.stored.map(|definition| definition.name.as_str()),
            created,
            columns: &self.plan.columns,
            federation,
        }
    }

    fn federation(&self, endpoints: Vec<EndpointReport>, complete: bool, dedup: DedupReport) -> Federation {
        let localization = self.steps.localization.as_ref().map(StepNote::from);
        let localization_error = localization.as_ref().and_then(|note| note.error.as_deref());
        Federation {
            complete,
            operation_outcome: OperationOutcome::of(&endpoints, localization_error),
            endpoints,
            timeout: Timeout::of(&self.budget),
            dedup,
            consent: self.steps.consent.as_ref().map(StepNote::from),
            localization,
            warnings: self.warnings.clone(),
        }
    }
}

/// The member's report as far as an outcome tells it.
fn report_of_outcome(outcome: &Outcome) -> EndpointReport {
    EndpointReport {
        error: outcome.error.clone(),
        latency_ms: outcome.latency.map(millis),
        unknown: outcome.unresolved_by_outage,
        ..EndpointReport::new(&outcome.endpoint, outcome.status)
    }
}

/// The report of a member that was not asked, because the request ended at selection.
fn report_of_member(member: &Member) -> EndpointReport {
    let (status, error, unknown) = match &member.decision {
        Decision::Settled { status, reason } => (*status, reason.clone(), false),
        Decision::Unknown { reason } => (EndpointStatus::NotResolved, Some(reason.clone()), true),
        Decision::Ask(_) => (EndpointStatus::NotLocalized, None, false),
    };
    // An endpoint that was asked for the EHR and did not say was not sent the query: it has a latency, which is none.
    let latency_ms = fanout::failure(status, false).map(|_| 0);
    EndpointReport { error, unknown, latency_ms, ..EndpointReport::new(&member.endpoint, status) }
}

/// An endpoint whose cut could not be relied on was asked a second time, which costs time: worth knowing for whoever runs it.
fn asked_whole(outcome: &Outcome) -> Option<String> {
    let reason = outcome.asked_whole?;
    Some(format!("endpoint {} was asked once more without LIMIT: {reason}", outcome.endpoint.id))
}

/// The headers that name the endpoints whose rows these are.
fn acting(combined: &Combined) -> HeaderMap {
    let contributing = combined.parts().iter().filter(|part| part.row_count > 0);
    let mut headers = HeaderMap::new();
    add_acting(&mut headers, contributing.map(|part| part.endpoint.as_ref()));
    headers
}

/// Now, as ISO 8601.
fn created() -> String {
    Utc::now().to_rfc3339_opts(SecondsFormat::Millis, true)
}
