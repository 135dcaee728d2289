//! Can the cut that a node made be relied on (§11.6.1)?
//!
//! A node that was sent LIMIT n and answers n rows has left rows out, by its own idea of order. Whether that idea is ours can be
//! seen only in part from what it left. What cannot be seen is either vouched for by the operator ([`NodeOrdering`]) or
//! avoided by asking once more without LIMIT; `docs/order.md` says which is which.

use std::collections::HashSet;

use super::keys::{node_keys, turned};
use super::order::{Key, Kind, Spelling};
use super::rows::NodeRows;
use super::same::RowIdentity;
use crate::intake::DedupMode;
use crate::plan::CombineSpec;
use crate::registry::NodeOrdering;

/// May the rows of a node that was sent the LIMIT be combined?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CutVerdict {
    /// They contain every row of the node that the answer can need.
    Usable,
    /// Rows may be missing: the node is to be asked once more, without LIMIT.
    AskWhole(AskWhole),
}

/// Why a node is asked once more without LIMIT.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AskWhole {
    /// It sent more rows than it was asked for.
    #[error("it did not keep to the LIMIT")]
    LimitIgnored,
    /// Its ORDER BY is declared not to be relied on.
    #[error("its ordering is untrusted")]
    Untrusted,
    /// Its rows are not in the order asked for.
    #[error("its rows contradict the order asked for")]
    OutOfOrder,
    /// It cut through values that servers order differently.
    #[error("it cut through values that servers order differently")]
    KindsDiffer,
    /// Its date/times are spelled in ways that order differently as text.
    #[error("it cut through date/times of different spelling")]
    SpellingsDiffer,
    /// Ascending, and it left only rows without a first key: it may place nulls first.
    #[error("it left only rows without a value to order by")]
    OnlyNulls,
    /// Rows that it holds to be distinct are the same here.
    #[error("some of its distinct rows are the same")]
    NotDistinct,
    /// A copy that should be kept may be among the rows left out.
    #[error("the rows left out may hold the copy to keep")]
    CopiesHidden,
}

/// Judges the rows of a node that was sent `spec.pushed_limit`.
///
/// Fewer rows than that are all the node has, and always usable. A plan that pushes no LIMIT has nothing to judge.
#[must_use]
pub fn inspect(spec: &CombineSpec, rows: &NodeRows, ordering: NodeOrdering) -> CutVerdict {
    let limit = spec.pushed_limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX);
    if rows.len() < limit || limit == 0 || spec.single {
        return CutVerdict::Usable;
    }
    match objection(spec, rows, ordering, limit) {
        None => CutVerdict::Usable,
        Some(reason) => CutVerdict::AskWhole(reason),
    }
}

fn objection(spec: &CombineSpec, rows: &NodeRows, ordering: NodeOrdering, limit: usize) -> Option<AskWhole> {
    if rows.len() > limit {
        return Some(AskWhole::LimitIgnored);
    }
    match spec.dedup {
        DedupMode::VersionIdentity => return Some(AskWhole::CopiesHidden),
        DedupMode::None => {}
    }
    let strict = match ordering {
        NodeOrdering::Exact => false,
        NodeOrdering::Trusted => true,
        NodeOrdering::Untrusted => return Some(AskWhole::Untrusted),
    };
    order_objection(spec, rows, strict).or_else(|| (spec.distinct && repeats(spec, rows)).then_some(AskWhole::NotDistinct))
}

fn order_objection(spec: &CombineSpec, rows: &NodeRows, strict: bool) -> Option<AskWhole> {
    let by = node_keys(&spec.keys);
    let mut columns = vec![Column::default(); by.len()];
    let mut before: Vec<Key<'_>> = Vec::new();
    for row in 0..rows.len() {
        let keys: Vec<Key<'_>> = by.iter().map(|key| Key::of(rows.cell(row, key.column))).collect();
        let pairs = before.iter().zip(&keys).zip(&by);
        let step = pairs.map(|((left, right), key)| turned(left.cmp(right), key.descending)).find(|order| order.is_ne());
        if step.is_some_and(|order| order.is_gt()) {
            return Some(AskWhole::OutOfOrder);
        }
        if strict {
            for ((column, key), by) in columns.iter_mut().zip(&keys).zip(&by) {
                if let Some(reason) = column.objection(key, rows.cell(row, by.column)) {
                    return Some(reason);
                }
            }
        }
        before = keys;
    }
    let first_rises = by.first().is_some_and(|key| !key.descending);
    let only_nulls = columns.first().is_some_and(|column| column.kind.is_none());
    (strict && first_rises && only_nulls).then_some(AskWhole::OnlyNulls)
}

/// What the cells of one key column have shown so far.
#[derive(Clone, Default)]
struct Column {
    kind: Option<Kind>,
    spelling: Option<Spelling>,
}

impl Column {
    /// Takes one more cell; tells when a cut through such a column is not what `trusted` vouches for.
    fn objection(&mut self, key: &Key<'_>, cell: &[u8]) -> Option<AskWhole> {
        let kind = key.kind();
        match kind {
            Kind::Null => return None,
            Kind::Number => {}
            Kind::Instant | Kind::Time => {
                let spelling = Spelling::of(cell);
                if *self.spelling.get_or_insert_with(|| spelling.clone()) != spelling {
                    return Some(AskWhole::SpellingsDiffer);
                }
            }
            Kind::Boolean | Kind::Quantity | Kind::Duration | Kind::Text | Kind::Other => return Some(AskWhole::KindsDiffer),
        }
        (*self.kind.get_or_insert(kind) != kind).then_some(AskWhole::KindsDiffer)
    }
}

/// Are two answered rows of this node the same here?
fn repeats(spec: &CombineSpec, rows: &NodeRows) -> bool {
    let identity = RowIdentity::of(spec);
    let mut seen = HashSet::new();
    (0..rows.len()).any(|row| {
        let mut bytes = Vec::new();
        identity.write(rows, row, &mut bytes);
        !seen.insert(bytes)
    })
}

#[cfg(test)]
mod tests;
