//! TOP, LIMIT, OFFSET, `fetch` and `offset` become one window of rows.

use openehr_aql::ast::{Count, Query, TopDirection};

use super::place::Source;
use super::{PlanContext, PlanError};
use crate::config::OffsetStrategy;
use crate::intake::Page;

/// The rows wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Window {
    /// Rows skipped after ordering.
    pub(super) offset: u64,
    /// Rows answered at most.
    pub(super) limit: Option<u64>,
}

/// Takes the clauses out of the tree and settles them with the ITS-REST members.
///
/// # Errors
/// They disagree, do not fit in 64 bits, or TOP asks for the last rows.
pub(super) fn taken(query: &mut Query, page: Page, source: Source<'_>) -> Result<Window, PlanError> {
    let count = |count: &Count| {
        count
            .value()
            .ok_or(PlanError::Query { place: source.place(count.span), problem: "A count of rows does not fit in 64 bits" })
    };
    let mut window = Window::default();
    let mut clause = "LIMIT";
    if let Some(top) = query.select.top.take() {
        if top.direction == Some(TopDirection::Backward) {
            let reason = "TOP … BACKWARD is not served: turn the directions in ORDER BY round and use LIMIT";
            return Err(PlanError::Combination { place: source.place(top.count.span), reason });
        }
        clause = "TOP";
        window.limit = Some(count(&top.count)?);
    }
    let mut offset = None;
    if let Some(limit) = query.limit.take() {
        window.limit = Some(count(&limit.count)?);
        offset = limit.offset.as_ref().map(count).transpose()?;
    }
    window.limit = agreed(window.limit, page.fetch, "fetch", clause)?;
    window.offset = agreed(offset, page.offset, "offset", "OFFSET")?.unwrap_or(0);
    Ok(window)
}

fn agreed(written: Option<u64>, member: Option<u64>, name: &'static str, clause: &'static str) -> Result<Option<u64>, PlanError> {
    match (written, member) {
        (Some(written), Some(member)) if written != member => Err(PlanError::ConflictingPaging { member: name, clause }),
        _ => Ok(written.or(member)),
    }
}

/// How many rows each of several nodes must be asked for so that its part of the window is among them: `offset + limit`.
///
/// # Errors
/// The declared strategy does not serve the OFFSET, or the window is too large (§11.6.2).
pub(super) fn reach(window: Window, ordered: bool, context: &PlanContext<'_>) -> Result<Option<u64>, PlanError> {
    if window.offset == 0 {
        return Ok(window.limit);
    }
    let refused = |strategy, remedy| Err(PlanError::Offset { strategy, remedy });
    match context.offset_strategy {
        OffsetStrategy::Reject => refused("reject", "direct the query at one endpoint, or ask for the first rows by LIMIT alone"),
        OffsetStrategy::Window => match window.limit {
            Some(limit) if ordered => within(window.offset, limit, context).map(Some),
            _ => refused("window", "add ORDER BY and LIMIT, without which there is no page to find"),
        },
    }
}

fn within(offset: u64, limit: u64, context: &PlanContext<'_>) -> Result<u64, PlanError> {
    let (setting, most) = if context.max_window <= context.max_rows {
        ("paging.max_window", context.max_window)
    } else {
        ("limits.max_rows", context.max_rows)
    };
    offset.checked_add(limit).filter(|reach| *reach <= most).ok_or(PlanError::Window { setting, most })
}
