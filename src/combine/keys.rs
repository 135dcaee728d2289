//! The sort keys of one node's rows, decoded once.

use std::cmp::Ordering;

use super::order::{Key, VersionUid};
use super::rows::NodeRows;
use crate::plan::{CombineSpec, KeySource, SortKey};

/// One key of ORDER BY that a node's cells are compared by.
#[derive(Clone, Copy)]
pub(super) struct NodeKey {
    pub(super) column: usize,
    pub(super) descending: bool,
}

/// The keys that can differ between rows of one node: an endpoint's attributes cannot.
pub(super) fn node_keys(keys: &[SortKey]) -> Vec<NodeKey> {
    keys.iter()
        .filter_map(|key| match key.by {
            KeySource::Node(column) => Some(NodeKey { column, descending: key.descending }),
            KeySource::Endpoint(_) => None,
        })
        .collect()
}

pub(super) fn turned(order: Ordering, descending: bool) -> Ordering {
    if descending { order.reverse() } else { order }
}

/// The decoded keys of every row, row by row.
pub(super) struct KeyTable<'a> {
    rows: &'a NodeRows,
    by: Vec<NodeKey>,
    uid: Option<usize>,
    keys: Vec<Key<'a>>,
    /// Does each row stand at or behind the one before it, ties included?
    ordered: bool,
}

impl<'a> KeyTable<'a> {
    /// Decodes the keys of all rows, each once, and notices on the way whether they are in order.
    pub(super) fn of(spec: &CombineSpec, rows: &'a NodeRows) -> Self {
        let by = node_keys(&spec.keys);
        let keys = Vec::with_capacity(rows.len() * by.len());
        let mut table = KeyTable { rows, by, uid: spec.uid, keys, ordered: true };
        for row in 0..rows.len() {
            table.keys.extend(table.by.iter().map(|key| Key::of(rows.cell(row, key.column))));
            table.ordered = table.ordered && (row == 0 || table.total(row - 1, row).is_le());
        }
        table
    }

    /// The keys of one row.
    #[inline]
    pub(super) fn keys(&self, row: usize) -> &[Key<'a>] {
        let from = row * self.by.len();
        self.keys.get(from..from + self.by.len()).unwrap_or_default()
    }

    /// Two rows of this node by ORDER BY, then uid, then bytes.
    fn total(&self, left: usize, right: usize) -> Ordering {
        for ((left, right), by) in self.keys(left).iter().zip(self.keys(right)).zip(&self.by) {
            let order = left.cmp(right);
            if order.is_ne() {
                return turned(order, by.descending);
            }
        }
        self.tie(left, right)
    }

    /// Rows whose keys are equal: by version uid, then by the bytes of the row.
    #[cold]
    fn tie(&self, left: usize, right: usize) -> Ordering {
        let by_uid = self.uid.map_or(Ordering::Equal, |column| {
            let (left, right) = (self.rows.cell(left, column), self.rows.cell(right, column));
            if left == right { Ordering::Equal } else { VersionUid::of(left).cmp(&VersionUid::of(right)) }
        });
        by_uid.then_with(|| self.bytes(left).cmp(self.bytes(right)))
    }

    fn bytes(&self, row: usize) -> &[u8] {
        self.rows.run(row, 0, self.rows.width().saturating_sub(1))
    }

    /// The rows in order; none when they are as they stand, which is what to expect of a node that was asked to order.
    pub(super) fn permutation(&self) -> Option<Vec<u32>> {
        if self.ordered {
            return None;
        }
        let mut rows: Vec<u32> = (0..u32::try_from(self.rows.len()).unwrap_or(u32::MAX)).collect();
        rows.sort_unstable_by(|left, right| self.total(*left as usize, *right as usize).then_with(|| left.cmp(right)));
        Some(rows)
    }
}
