//! One answer of many: total order, k-way merge, distinct, de-duplication, aggregates, page (§11.6, §9, §10).
//!
//! Pure: no clock, no network, no store. A node's body stays bytes; only cells that someone must look at are decoded.
//!
//! The way of a node's answer: [`rows::NodeRows::read`] finds its cells, [`validate`] says whether they can take part,
//! [`cut::inspect`] whether the node's own LIMIT can be relied on, and [`combine`] makes one answer of all that can. Reading and
//! combining take time in proportion to the bytes: both belong on a thread where waiting hurts nobody.

mod aggregate;
mod combined;
pub mod cut;
mod dedup;
mod distinct;
mod endpoint_cells;
mod error;
mod keys;
mod merge;
pub(crate) mod order;
mod pick;
pub mod rows;
mod same;
#[cfg(test)]
pub(crate) mod tests;

use std::sync::Arc;

pub use combined::{Combined, Part};
pub use dedup::Suppressed;
pub use error::{CombineError, Unusable};

use crate::plan::{AggregateRecipe, CellSource, CombineSpec, KeySource};
use crate::registry::Endpoint;
use rows::NodeRows;

/// The rows of one endpoint that is `active`.
#[derive(Debug)]
pub struct Contribution {
    /// Where they come from.
    pub endpoint: Arc<Endpoint>,
    /// The rows.
    pub rows: NodeRows,
}

impl Contribution {
    fn unusable(&self, reason: Unusable) -> CombineError {
        CombineError::Endpoint { endpoint: self.endpoint.id.clone(), reason }
    }
}

/// Can these rows take part? Asked of each endpoint before completeness is decided: one that answers what cannot be used is
/// `node-error`, not a reason to fail later.
///
/// # Errors
/// When they cannot; the text is fit for the endpoint's report.
pub fn validate(spec: &CombineSpec, rows: &NodeRows) -> Result<(), Unusable> {
    if rows.width() != spec.node_width {
        return Err(Unusable::Width);
    }
    match &spec.aggregates {
        Some(recipe) if !spec.single => aggregate::validate(recipe, rows),
        Some(_) | None => Ok(()),
    }
}

/// Makes one answer of many. The order in which the contributions come does not matter.
///
/// # Errors
/// When an endpoint's rows cannot take part, when MIN or MAX would depend on how nodes order, or when the plan contradicts
/// itself.
pub fn combine(spec: &CombineSpec, mut contributions: Vec<Contribution>) -> Result<Combined, CombineError> {
    check_plan(spec)?;
    for contribution in &contributions {
        validate(spec, &contribution.rows).map_err(|reason| contribution.unusable(reason))?;
    }
    contributions.sort_by(|left, right| left.endpoint.id.cmp(&right.endpoint.id));
    match &spec.aggregates {
        Some(recipe) if !spec.single => aggregate::combine(spec, recipe, contributions),
        Some(_) | None => {
            let (picks, suppressed) = pick::picks(spec, &contributions);
            Ok(Combined::of_rows(spec, contributions, picks, suppressed))
        }
    }
}

/// Does the plan name only cells that nodes are asked for?
fn check_plan(spec: &CombineSpec) -> Result<(), CombineError> {
    let aggregates = match &spec.aggregates {
        _ if spec.single => 0,
        None => 0,
        Some(AggregateRecipe::Decompose(list)) => list.len(),
        Some(AggregateRecipe::Rows(list)) => list.len(),
    };
    let inside = |column: &usize| *column < spec.node_width;
    let cells_fit = spec.cells.iter().all(|cell| match cell {
        CellSource::Node(column) => inside(column),
        CellSource::Aggregate(index) => *index < aggregates,
        CellSource::Constant(_) | CellSource::Endpoint(_) => true,
    });
    let keys_fit = spec.keys.iter().all(|key| match key.by {
        KeySource::Node(column) => inside(&column),
        KeySource::Endpoint(_) => true,
    });
    match (cells_fit, keys_fit && spec.uid.iter().all(inside)) {
        (true, true) => Ok(()),
        (false, _) => Err(CombineError::Plan("an answered cell is not asked for")),
        (true, false) => Err(CombineError::Plan("a key is not asked for")),
    }
}
