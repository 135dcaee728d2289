//! What planning needs to know besides the request: settings, and the time.

use chrono::{DateTime, Utc};
use openehr_aql::ast::AggregateFunction;

use crate::config::{AggregateStrategy, OffsetStrategy};

/// The settings a plan depends on, and the circumstances of the request.
#[derive(Clone, Debug)]
pub struct PlanContext<'a> {
    /// `federation.default_namespace`: who issued a patient identifier that names no issuer.
    pub default_namespace: Option<&'a str>,
    /// `paging.offset_strategy`.
    pub offset_strategy: OffsetStrategy,
    /// `paging.max_window`: the most rows asked of a node under `window`.
    pub max_window: u64,
    /// `aggregates.decomposable`.
    pub decomposable: &'a [AggregateFunction],
    /// `aggregates.strategy`.
    pub aggregate_strategy: AggregateStrategy,
    /// Does `dedup.modes` offer `version-identity`?
    pub dedup_offered: bool,
    /// `completeness.best_effort`.
    pub best_effort: bool,
    /// Is the request directed at exactly one endpoint?
    pub single_destination: bool,
    /// Is there a localizer?
    pub localizer_configured: bool,
    /// `limits.max_rows`: the rows one query may hold.
    pub max_rows: u64,
    /// The instant every node is told when the query asks for the time.
    pub now: DateTime<Utc>,
}
