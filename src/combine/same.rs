//! When two answered rows are the same (DISTINCT).

use super::order::identity;
use super::rows::NodeRows;
use crate::plan::{CellSource, CombineSpec};

/// The node columns that can make answered rows of one endpoint differ.
///
/// Constants are alike in all rows; an endpoint's attributes are alike in all rows of an endpoint.
pub(super) struct RowIdentity {
    columns: Vec<usize>,
}

impl RowIdentity {
    pub(super) fn of(spec: &CombineSpec) -> Self {
        let columns = spec.cells.iter().filter_map(|cell| match cell {
            CellSource::Node(column) => Some(*column),
            CellSource::Constant(_) | CellSource::Endpoint(_) | CellSource::Aggregate(_) => None,
        });
        RowIdentity { columns: columns.collect() }
    }

    /// Appends bytes that are equal exactly when the rows are the same in these columns.
    pub(super) fn write(&self, rows: &NodeRows, row: usize, out: &mut Vec<u8>) {
        for column in &self.columns {
            identity(rows.cell(row, *column), out);
        }
    }
}
