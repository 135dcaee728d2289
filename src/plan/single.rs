//! Directed at exactly one endpoint: its rows and their order are the answer's (§11.6.2, §11.6.3, N14).

use super::draft::Draft;
use super::project::Meaning;
use super::{CombineSpec, PlanError, order, project};
use crate::intake::QueryRequest;

/// OFFSET and aggregates pass through; the patient and the endpoint's attributes are still put in here.
pub(super) fn shape(draft: &mut Draft<'_>, request: &QueryRequest, meaning: &Meaning<'_>) -> Result<CombineSpec, PlanError> {
    let facade = std::mem::take(&mut draft.query.select.columns);
    let cells = project::rows(&facade, meaning, &mut draft.node, &mut draft.names)?;
    let order_by = std::mem::take(&mut draft.query.order_by);
    draft.query.order_by = order::single(&order_by, &facade, &cells, meaning, &draft.node)?;
    let distinct = draft.query.select.distinct;
    draft.never_empty();
    // A column of ours makes rows distinct that the client's are not: then everything after DISTINCT is done here.
    let widened = distinct && draft.node.any_hidden();
    let window = draft.window;
    let (offset, pushed_limit) = match window.limit {
        Some(limit) if !widened => {
            draft.push_limit(limit, window.offset);
            (0, Some(limit))
        }
        // AQL has no OFFSET without LIMIT.
        Some(_) | None => (window.offset, None),
    };
    Ok(CombineSpec {
        node_width: draft.node.width(),
        cells,
        keys: Vec::new(),
        uid: None,
        distinct: widened,
        offset,
        limit: window.limit,
        pushed_limit,
        dedup: request.dedup,
        aggregates: None,
        single: true,
    })
}
