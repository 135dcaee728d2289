//! What a fan-out needs of a plan: the text for a node, and how to read what it answers.

use std::sync::Arc;

use bytes::Bytes;

use crate::combine::rows::{NodeRows, RowBudget};
use crate::ids::EhrId;
use crate::plan::Cut;
use crate::registry::NodeOrdering;

/// Why a body is no usable answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// The rows of all nodes together are past the bound.
    #[error("more rows than `limits.max_rows` ({most}) allows")]
    TooManyRows {
        /// The setting's value.
        most: usize,
    },
    /// It cannot be used; the text is ours and fit for the client.
    #[error("{0}")]
    Unusable(String),
}

/// The plan's side of a fan-out. Shared with the threads that read large answers.
pub trait Question: Send + Sync + 'static {
    /// The node AQL.
    fn text(&self, ehr_id: Option<&EhrId>, cut: Cut) -> String;

    /// Is there a LIMIT that could be pushed down, and would it be cut again here?
    fn pushes_limit(&self) -> bool;

    /// Reads a node's answer and checks that its cells can be used for what the plan does with them.
    ///
    /// # Errors
    /// When it is no RESULT_SET of the shape asked for, or past the budget.
    fn read(&self, body: Bytes, budget: &Arc<RowBudget>) -> Result<NodeRows, Unreadable>;

    /// Can the cut the node made under [`Cut::Pushed`] be relied on?
    fn cut_holds(&self, ordering: NodeOrdering, rows: &NodeRows) -> bool;

    /// No rows, in the shape asked for.
    fn no_rows(&self) -> NodeRows;
}
