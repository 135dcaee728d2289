//! How queries are served: time, pages, aggregates, bounds.

use std::time::Duration;

use openehr_aql::ast::AggregateFunction;

/// How long anything may take. `per_node` never exceeds `overall`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeoutSettings {
    /// `timeouts.per_node_ms`: for any one endpoint.
    pub per_node: Duration,
    /// `timeouts.overall_ms`: for the whole request.
    pub overall: Duration,
    /// `timeouts.async_per_node_ms`: the same for queries answered later.
    pub async_per_node: Duration,
    /// `timeouts.async_overall_ms`
    pub async_overall: Duration,
}

/// How OFFSET over several nodes is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PagingSettings {
    /// `paging.offset_strategy`
    pub strategy: OffsetStrategy,
    /// `paging.max_window`: OFFSET plus LIMIT, in rows of one node, that `window` asks for at most.
    pub max_window: u64,
}

/// The strategies for OFFSET (§11.6.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OffsetStrategy {
    /// OFFSET over several nodes is refused.
    Reject,
    /// Every node is asked for OFFSET plus LIMIT rows; the gateway skips.
    Window,
}

/// How aggregates over several nodes are served (§11.6.3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AggregateSettings {
    /// `aggregates.decomposable`: those recombined from per-node aggregates; all others are refused.
    pub decomposable: Vec<AggregateFunction>,
    /// `aggregates.strategy`
    pub strategy: AggregateStrategy,
}

/// Where aggregates are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AggregateStrategy {
    /// At the nodes, recombined here.
    Decompose,
    /// Here, from the underlying rows.
    Rows,
}

/// Bounds; an error for exceeding one names its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitSettings {
    /// `limits.max_rows`: rows one query may hold.
    pub max_rows: usize,
    /// `limits.max_node_bytes`: bytes of one node's answer. Fits 32 bits: cells are found by 32-bit positions.
    pub max_node_bytes: usize,
    /// `limits.max_inflight_per_endpoint`: requests to one endpoint at a time.
    pub max_inflight_per_endpoint: usize,
    /// `limits.max_inflight`: requests served at a time.
    pub max_inflight: usize,
    /// `limits.max_jobs_per_caller`
    pub max_jobs_per_caller: usize,
    /// `limits.max_cursors_per_caller`
    pub max_cursors_per_caller: usize,
}

impl Default for TimeoutSettings {
    fn default() -> Self {
        TimeoutSettings {
            // People wait for a synchronous answer: seconds. Nobody waits for the other kind: minutes.
            per_node: Duration::from_secs(5),
            overall: Duration::from_secs(15),
            async_per_node: Duration::from_mins(2),
            async_overall: Duration::from_mins(10),
        }
    }
}

impl Default for PagingSettings {
    fn default() -> Self {
        // Exact and bounded; a thousand rows of each node for one page is the most that is still cheaper than a cursor.
        PagingSettings { strategy: OffsetStrategy::Window, max_window: 1000 }
    }
}

impl Default for AggregateSettings {
    fn default() -> Self {
        use AggregateFunction::{Avg, Count, Max, Min, Sum};
        AggregateSettings { decomposable: vec![Count, Sum, Min, Max, Avg], strategy: AggregateStrategy::Decompose }
    }
}

impl Default for LimitSettings {
    fn default() -> Self {
        LimitSettings {
            max_rows: 100_000,
            max_node_bytes: 64 * 1024 * 1024,
            // A CDR's own worker pool is of this order; more only queues there.
            max_inflight_per_endpoint: 32,
            max_inflight: 1024,
            max_jobs_per_caller: 8,
            max_cursors_per_caller: 8,
        }
    }
}

/// Which copies of one version are suppressed (§10).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum DedupMode {
    /// None.
    #[default]
    None,
    /// One copy of each `OBJECT_VERSION_ID` stays.
    VersionIdentity,
}

impl DedupMode {
    /// The name on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            DedupMode::None => "none",
            DedupMode::VersionIdentity => "version-identity",
        }
    }
}
