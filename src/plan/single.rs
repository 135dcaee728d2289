//! Directed at exactly one endpoint: its rows and their order are the answer's (§11.6.2, §11.6.3, N14).

use super::draft::Draft;
use super::project::Meaning;
use super::{CombineSpec, PlanError, order, project};
use crate::intake::QueryRequest;

/// OFFSET and aggregates pass through; the patient and the endpoint's attributes are still put in here.
pub(super) fn shape(draft: &mut Draft<'_>, request: &QueryRequest, meaning: &Meaning<'_>) -> Result<CombineSpec, PlanError> {
    let facade = request.query.select.columns.as_slice();
    let cells = project::rows(std::mem::take(&mut draft.query.select.columns), meaning, &mut draft.node, &mut draft.names)?;
    let order_by = std::mem::take(&mut draft.query.order_by);
    draft.query.order_by = order::single(&order_by, facade, &cells, meaning, &draft.node)?;
    let distinct = draft.query.select.distinct;
    draft.never_empty();
    let mut window = draft.window;
    if distinct && draft.node.any_hidden() {
        // All that is answered is the same in every row, so there is one distinct row, or none.
        window.limit = Some(1);
        draft.query.order_by.clear();
        draft.push_limit(1, 0);
    } else if let Some(limit) = window.limit {
        draft.push_limit(limit, window.offset);
        window.offset = 0;
    }
    // What is left of OFFSET is skipped here: AQL has none without LIMIT.
    Ok(CombineSpec {
        node_width: draft.node.width(),
        cells,
        keys: Vec::new(),
        uid: None,
        distinct: false,
        offset: window.offset,
        limit: window.limit,
        pushed_limit: window.limit,
        dedup: request.dedup,
        aggregates: None,
        single: true,
    })
}
