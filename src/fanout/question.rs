//! What a fan-out needs of a plan: the text for a node, and how to read what it answers.

use std::sync::Arc;

use bytes::Bytes;

use crate::combine::cut::{CutVerdict, inspect};
use crate::combine::rows::{NodeRows, ReadError, RowBudget};
use crate::combine::validate;
use crate::ids::EhrId;
use crate::node::Gate;
use crate::plan::{CombineSpec, Cut, Plan, hygiene};
use crate::registry::NodeOrdering;

/// Why a body is no usable answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Unreadable {
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

    /// How the answers become one.
    fn spec(&self) -> &CombineSpec;

    /// Looks at every request before it leaves, and at a node's words.
    fn gate(&self) -> &dyn Gate;
}

impl Question for Plan {
    fn text(&self, ehr_id: Option<&EhrId>, cut: Cut) -> String {
        self.node_query.for_ehr(ehr_id, cut)
    }

    fn spec(&self) -> &CombineSpec {
        &self.combine
    }

    fn gate(&self) -> &dyn Gate {
        &self.gate
    }
}

impl Gate for hygiene::Gate {
    fn permits(&self, head: &http::request::Parts, body: &[u8]) -> bool {
        self.inspect(&head.method, &head.uri.to_string(), &head.headers, body).is_ok()
    }

    fn hears(&self, text: &str) -> bool {
        self.occurs_in(text)
    }
}

/// Reads a node's answer, checks that its cells can take part, and judges the cut it made.
///
/// # Errors
/// When it is no RESULT_SET of the shape asked for, its cells cannot take part, or it goes past the budget.
pub(super) fn read(
    spec: &CombineSpec,
    body: Bytes,
    cut: Cut,
    ordering: NodeOrdering,
    budget: &Arc<RowBudget>,
) -> Result<(NodeRows, CutVerdict), Unreadable> {
    let rows = NodeRows::read(body, spec.node_width, budget).map_err(|error| match error {
        ReadError::TooManyRows { most } => Unreadable::TooManyRows { most },
        ReadError::TooLarge
        | ReadError::NotUtf8 { .. }
        | ReadError::NotJson { .. }
        | ReadError::NotResultSet(_)
        | ReadError::Row { .. } => Unreadable::Unusable(error.to_string()),
    })?;
    validate(spec, &rows).map_err(|error| Unreadable::Unusable(error.to_string()))?;
    let verdict = match cut {
        Cut::Pushed => inspect(spec, &rows, ordering),
        Cut::Whole => CutVerdict::Usable,
    };
    Ok((rows, verdict))
}
