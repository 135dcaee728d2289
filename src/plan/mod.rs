//! What a façade query means over a federation: whom it is about, what each node is sent, how the answers become one.
//!
//! Pure: no clock, no network. A [`Plan`] is made once per request by [`plan`]; everything later reads it and nothing
//! re-parses text. The steps, in their order: `paging` settles the rows wanted, `clock` the time, `from` roots the query in
//! one EHR, `subject` takes the patient out, `project` and `order` say what nodes are sent and where cells come from,
//! `aggregate` whether aggregates can be exact, [`hygiene`] that nothing of the patient is left.

mod aggregate;
mod clock;
mod columns;
mod context;
mod draft;
mod endpoint;
mod error;
mod from;
pub mod hygiene;
pub(crate) mod literal;
mod node_query;
mod order;
mod paging;
mod place;
mod project;
mod scope;
mod several;
mod single;
mod subject;
#[cfg(test)]
mod tests;

pub use context::PlanContext;
pub use draft::plan;
pub use error::PlanError;
pub use place::Place;

use crate::ids::EhrId;
use crate::intake::DedupMode;
pub use crate::sensitive::PatientReference;
use crate::sensitive::Sensitive;

/// What a query means (§7.1).
#[derive(Debug)]
pub struct Plan {
    /// Whose data.
    pub scope: Scope,
    /// What each node is sent.
    pub node_query: NodeQuery,
    /// How rows become the answer.
    pub combine: CombineSpec,
    /// The answer's `columns[]`.
    pub columns: Vec<ResultColumn>,
    /// Searches every request to a node before it leaves; none when no patient is named.
    pub gate: Option<hygiene::Gate>,
}

/// Whose data a query asks for.
#[derive(Debug)]
pub enum Scope {
    /// One patient, known by an identifier that nodes are never told.
    Patient(PatientReference),
    /// One EHR, known by its local id: goes to the node that holds it.
    Ehr(EhrId),
    /// Nobody in particular: a query over populations.
    Population,
}

/// One entry of the answer's `columns[]` (N17, N40).
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct ResultColumn {
    /// The alias, else `#` and the index in the façade's SELECT.
    pub name: String,
    /// The path as the façade wrote it, variable included; none for what is no path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
}

/// The node AQL, short of the `ehr_id` and the LIMIT; printed by [`NodeQuery::for_ehr`].
#[derive(Clone, Debug)]
pub struct NodeQuery {
    /// The tree without LIMIT and without the `ehr_id`.
    pub(crate) tree: openehr_aql::ast::Query,
    /// The variable of the EHR at the root.
    pub(crate) ehr: Option<openehr_aql::ast::Name>,
    /// The LIMIT under [`Cut::Pushed`].
    pub(crate) limit: Option<openehr_aql::ast::Limit>,
    /// The node's own cut is the answer's, so it is always sent.
    pub(crate) single: bool,
}

/// Does the node cut, or only the gateway?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// The node is sent the LIMIT.
    Pushed,
    /// The node is sent no LIMIT: its cut is not to be relied on.
    Whole,
}

/// How the rows of several nodes become the rows of one answer (§11.6, §9, §10).
#[derive(Clone, Debug)]
pub struct CombineSpec {
    /// How many cells a node's row has, hidden ones included.
    pub node_width: usize,
    /// Where each cell of the answer comes from, in the order of the façade's SELECT.
    pub cells: Vec<CellSource>,
    /// ORDER BY, most significant key first.
    pub keys: Vec<SortKey>,
    /// The node column with the version uid of the row's composition: breaks ties and finds copies.
    pub uid: Option<usize>,
    /// DISTINCT over the whole answered row.
    pub distinct: bool,
    /// Rows skipped after ordering.
    pub offset: u64,
    /// Rows answered at most.
    pub limit: Option<u64>,
    /// The LIMIT each node is sent under [`Cut::Pushed`]; none when none is pushed.
    pub pushed_limit: Option<u64>,
    /// Which copies are suppressed.
    pub dedup: DedupMode,
    /// One row of aggregates instead of rows.
    pub aggregates: Option<AggregateRecipe>,
    /// Directed at exactly one endpoint: the node's rows and their order are the answer's.
    pub single: bool,
}

/// Where a cell of the answer comes from.
#[derive(Clone, Debug)]
pub enum CellSource {
    /// The node's cell of this index, byte for byte.
    Node(usize),
    /// The same JSON text in every row: the re-injected subject (N5), a façade constant.
    Constant(Sensitive<String>),
    /// An attribute of the endpoint the row came from (§9.3, N12).
    Endpoint(EndpointAttribute),
    /// The aggregate of this index in the recipe.
    Aggregate(usize),
}

/// The attributes selectable through the directive's variable (§9.3, N12, CP-37).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndpointAttribute {
    /// `p/id`, `p/endpoint_id`
    EndpointId,
    /// `p/organisation`, `p/organisation_id` and their spellings with z
    Organisation,
    /// `p/system_id`
    SystemId,
    /// `p/node_id`
    NodeId,
    /// `p/url`
    Url,
}

/// One ORDER BY key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SortKey {
    /// What is compared.
    pub by: KeySource,
    /// Largest first?
    pub descending: bool,
}

/// What an ORDER BY key compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeySource {
    /// The node's cell of this index.
    Node(usize),
    /// An attribute of the endpoint.
    Endpoint(EndpointAttribute),
}

/// How aggregates over several nodes are made exact (§11.6.3, N14, N39).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AggregateRecipe {
    /// Each node answers one row of aggregates; they are recombined.
    Decompose(Vec<DecomposedAggregate>),
    /// Each node answers the underlying rows; they are aggregated here.
    Rows(Vec<RowAggregate>),
}

/// Recombining one aggregate from per-node aggregates; the indices are node columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecomposedAggregate {
    /// Counts are added.
    Count(usize),
    /// Sums are added; no values at all gives null.
    Sum(usize),
    /// The least of the least.
    Min(usize),
    /// The greatest of the greatest.
    Max(usize),
    /// Sums over counts.
    Avg {
        /// The node column with the sum.
        sum: usize,
        /// The node column with the count of the values summed.
        count: usize,
    },
}

/// Aggregating one façade column from the underlying rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowAggregate {
    /// Which function.
    pub function: openehr_aql::ast::AggregateFunction,
    /// `COUNT(DISTINCT …)`
    pub distinct: bool,
    /// The node column with the values; none for `COUNT(*)`.
    pub column: Option<usize>,
}
