//! Asked of several nodes: what each is sent so that the answer is among what they send back (§11.6, N13, N39).
//!
//! When LIMIT is pushed down. Without DISTINCT and de-duplication always: under one total order the first n rows of the union
//! are among the first n of each part. With DISTINCT only where a node's distinct rows are the answer's (no hidden column) and
//! its order leaves no ties among them (every column a key, or no order at all). With `version-identity` never: rows that lose
//! to their copies elsewhere take places in a node's first n, and nothing bounds how many (`docs/adr/0304`).

use openehr_aql::ast::{Containment, OrderKey, Path, Span};

use super::columns::path;
use super::draft::Draft;
use super::order::Keys;
use super::place::Source;
use super::project::Meaning;
use super::{AggregateRecipe, CombineSpec, KeySource, PlanContext, PlanError, aggregate, from, order, paging, project};
use crate::intake::{DedupMode, QueryRequest};

/// Plans rows.
pub(super) fn rows(
    draft: &mut Draft<'_>,
    request: &QueryRequest,
    meaning: &Meaning<'_>,
    context: &PlanContext<'_>,
) -> Result<CombineSpec, PlanError> {
    let facade = request.query.select.columns.as_slice();
    let cells = project::rows(std::mem::take(&mut draft.query.select.columns), meaning, &mut draft.node, &mut draft.names)?;
    let order_by = std::mem::take(&mut draft.query.order_by);
    let keys = order::keys(&order_by, facade, &cells, meaning, &mut draft.node, &mut draft.names)?;
    let reach = paging::reach(draft.window, !order_by.is_empty(), context)?;
    let distinct = draft.query.select.distinct;
    // The order in which distinct rows stand: open where ties remain, which then are told apart as all ties are.
    let whole_rows_are_keys = !draft.node.any_hidden() && is_each_a_key(draft.node.width(), &keys);
    let settled = order_by.is_empty() && !draft.node.any_hidden() || whole_rows_are_keys;
    let pushed_limit = reach.filter(|_| request.dedup == DedupMode::None && (!distinct || settled));
    let uid = match request.dedup {
        DedupMode::VersionIdentity => {
            let uid = draft.uid().ok_or(PlanError::DedupWithoutComposition)?;
            one_version_a_row(&draft.query.from, meaning.source)?;
            Some(uid)
        }
        DedupMode::None if distinct && settled => draft.selected_uid(),
        DedupMode::None if reach.is_some() || !order_by.is_empty() => draft.uid(),
        DedupMode::None => None,
    };
    draft.never_empty();
    let Keys { gateway, node } = keys;
    draft.query.order_by = node;
    if let Some(limit) = pushed_limit {
        draft.push_limit(limit, 0);
        sort_by_uid(draft, distinct);
    }
    Ok(CombineSpec {
        node_width: draft.node.width(),
        cells,
        keys: gateway,
        uid,
        distinct,
        offset: draft.window.offset,
        limit: draft.window.limit,
        pushed_limit,
        dedup: request.dedup,
        aggregates: None,
        single: false,
    })
}

/// De-duplication takes rows for copies by one version uid, so that uid must be all that a row is about: of pairs of versions
/// only those would be left whose first is no copy.
///
/// # Errors
/// FROM pairs the COMPOSITION with something else.
pub(super) fn one_version_a_row(from: &Containment, source: Source<'_>) -> Result<(), PlanError> {
    let Some(span) = from::beside_composition(from) else { return Ok(()) };
    let reason = "De-duplication tells copies by the version of one COMPOSITION, and each row is about something else as well: put COMPOSITION alone below the EHR, or ask without `version-identity`";
    Err(PlanError::Combination { place: source.place(span), reason })
}

fn is_each_a_key(width: usize, keys: &Keys) -> bool {
    (0..width).all(|index| keys.gateway.iter().any(|key| key.by == KeySource::Node(index)))
}

/// The version uid as last key, so that a node cuts through ties the same way each time.
fn sort_by_uid(draft: &mut Draft<'_>, distinct: bool) {
    let Some(composition) = from::composition_variable(&mut draft.query, &mut draft.names) else { return };
    let uid: Path = path(&composition, &["uid", "value"]);
    let is_key = draft.query.order_by.iter().any(|key| key.path == uid);
    // Under DISTINCT a key that is not selected would ask for other rows.
    if !is_key && (!distinct || draft.node.find(&uid).is_some()) {
        draft.query.order_by.push(OrderKey { path: uid, descending: false, span: Span::NONE });
    }
}

/// Plans one row of aggregates.
pub(super) fn aggregates(
    draft: &mut Draft<'_>,
    request: &QueryRequest,
    meaning: &Meaning<'_>,
    context: &PlanContext<'_>,
) -> Result<CombineSpec, PlanError> {
    let row = aggregate::planned(&mut draft.query, request, draft.window, meaning, context, &mut draft.node, &mut draft.names)?;
    draft.query.order_by.clear();
    if counts_rows(&row.recipe) {
        // Some servers leave out rows whose every column is missing; this one never is.
        draft.mark_rows();
    }
    draft.never_empty();
    Ok(CombineSpec {
        node_width: draft.node.width(),
        cells: row.cells,
        keys: Vec::new(),
        uid: row.uid,
        distinct: false,
        offset: 0,
        limit: draft.window.limit,
        pushed_limit: None,
        dedup: request.dedup,
        aggregates: Some(row.recipe),
        single: false,
    })
}

fn counts_rows(recipe: &AggregateRecipe) -> bool {
    match recipe {
        AggregateRecipe::Decompose(_) => false,
        AggregateRecipe::Rows(aggregates) => aggregates.iter().any(|aggregate| aggregate.column.is_none()),
    }
}
