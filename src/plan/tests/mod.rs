//! Façade queries and what becomes of them.

mod aggregates;
mod columns;
mod federation;
mod golden;
mod leaks;
mod log;
mod paging;
mod subject;

use chrono::{DateTime, Utc};
use openehr_aql::ast::AggregateFunction;

use super::*;
use crate::config::{AggregateStrategy, OffsetStrategy};
use crate::error::ErrorCode;
use crate::ids::EhrId;
use crate::intake::{QueryRequest, QueryText, RawQuery, assemble, read_headers};

/// The local id of every test.
pub(super) const EHR: &str = "0c5f1d1e-2f7b-4c9e-9a43-5b1f6f0f3a11";

const ALL: [AggregateFunction; 5] =
    [AggregateFunction::Count, AggregateFunction::Sum, AggregateFunction::Min, AggregateFunction::Max, AggregateFunction::Avg];

/// Everything offered, two endpoints or more, no localizer.
pub(super) fn context() -> PlanContext<'static> {
    PlanContext {
        default_namespace: Some("urn:oid:2.999.1"),
        offset_strategy: OffsetStrategy::Window,
        max_window: 1000,
        decomposable: &ALL,
        aggregate_strategy: AggregateStrategy::Decompose,
        dedup_offered: true,
        best_effort: true,
        single_destination: false,
        localizer_configured: false,
        max_rows: 100_000,
        now: DateTime::<Utc>::from_timestamp_millis(1_780_000_000_123).unwrap(),
    }
}

pub(super) fn request(aql: &str) -> QueryRequest {
    let raw = RawQuery { text: Some(QueryText(aql.to_owned())), ..RawQuery::default() };
    match assemble(raw, None, read_headers(&http::HeaderMap::new()).unwrap()) {
        Ok(request) => request,
        Err(error) => panic!("{error}\n{aql}"),
    }
}

pub(super) fn planned(aql: &str) -> Plan {
    planned_in(aql, &context())
}

pub(super) fn planned_in(aql: &str, context: &PlanContext<'_>) -> Plan {
    plan(&request(aql), context).unwrap_or_else(|error| panic!("{error}\n{aql}"))
}

pub(super) fn refused(aql: &str) -> PlanError {
    refused_in(aql, &context())
}

pub(super) fn refused_in(aql: &str, context: &PlanContext<'_>) -> PlanError {
    match plan(&request(aql), context) {
        Ok(plan) => panic!("planned: {}\n{aql}", text(&plan)),
        Err(error) => error,
    }
}

/// What a node is sent.
pub(super) fn text(plan: &Plan) -> String {
    let ehr_id = EhrId::new(EHR);
    let scoped = !matches!(plan.scope, Scope::Population);
    plan.node_query.for_ehr(scoped.then_some(&ehr_id), Cut::Pushed)
}

/// Is the node sent this query, compared as trees? `{}` stands for the scope.
#[track_caller]
pub(super) fn sends(plan: &Plan, node_aql: &str) {
    let wanted = node_aql.replace("{}", &format!("e/ehr_id/value = '{EHR}'"));
    let sent = text(plan);
    assert_eq!(openehr_aql::parse(&sent).unwrap(), openehr_aql::parse(&wanted).unwrap(), "\n  sent {sent}\nwanted {wanted}");
}

pub(super) fn patient(plan: &Plan) -> (&str, &str) {
    match &plan.scope {
        Scope::Patient(patient) => (patient.namespace.expose(), patient.value.expose()),
        other => panic!("{other:?}"),
    }
}

/// The answer's cells in short: `n0` a node's, `=x` a constant, `@` an endpoint's, `#0` an aggregate.
pub(super) fn cells(plan: &Plan) -> String {
    let cell = |cell: &CellSource| match cell {
        CellSource::Node(index) => format!("n{index}"),
        CellSource::Constant(text) => format!("={}", text.expose()),
        CellSource::Endpoint(attribute) => format!("@{attribute:?}"),
        CellSource::Aggregate(index) => format!("#{index}"),
    };
    plan.combine.cells.iter().map(cell).collect::<Vec<_>>().join(" ")
}
