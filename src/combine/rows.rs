//! A node's RESULT_SET as bytes and the places of its cells.
//!
//! The body is checked once, completely, and stays as it came. What is kept beside it is one `u32` per separator of a row:
//! the opening bracket, the commas, the closing bracket. A cell is what stands between two of them, a run of cells what
//! stands between two further apart, so that writing a row is usually one copy.

mod budget;
mod read;
pub(crate) mod scan;
#[cfg(test)]
mod tests;

use std::fmt;

use bytes::Bytes;

use budget::HeldRows;
pub use budget::RowBudget;
pub use read::ReadError;

/// The rows of one node's answer: the body as received and the place of every cell, row by row.
///
/// Every cell is one complete JSON value. The rows count against their [`RowBudget`] until they are dropped.
pub struct NodeRows {
    body: Bytes,
    /// `width + 1` separators a row.
    marks: Vec<u32>,
    width: usize,
    rows: usize,
    _held: Option<HeldRows>,
}

impl NodeRows {
    /// No rows: an empty body (`204`) is such an answer.
    #[must_use]
    pub fn none(width: usize) -> Self {
        NodeRows { body: Bytes::new(), marks: Vec::new(), width, rows: 0, _held: None }
    }

    /// How many rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows
    }

    /// No row at all?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// How many cells each row has.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Bytes of the body these rows stand in.
    #[must_use]
    pub fn body_bytes(&self) -> usize {
        self.body.len()
    }

    /// One cell, as the node wrote it, without the blanks around it. A cell that is not there reads as `null`.
    #[must_use]
    pub fn cell(&self, row: usize, column: usize) -> &[u8] {
        self.run(row, column, column)
    }

    /// The cells of one row.
    pub fn row(&self, row: usize) -> impl Iterator<Item = &[u8]> {
        (0..self.width).map(move |column| self.cell(row, column))
    }

    /// Neighbouring cells of one row, from `first` to `last` and including both, with the commas between them.
    #[must_use]
    pub fn run(&self, row: usize, first: usize, last: usize) -> &[u8] {
        self.span(row, first, last).unwrap_or(b"null")
    }

    fn span(&self, row: usize, first: usize, last: usize) -> Option<&[u8]> {
        if last >= self.width {
            return None;
        }
        let stride = row.checked_mul(self.width.checked_add(1)?)?;
        let from = *self.marks.get(stride.checked_add(first)?)? as usize + 1;
        let to = *self.marks.get(stride.checked_add(last)?.checked_add(1)?)? as usize;
        Some(self.body.get(from..to)?.trim_ascii())
    }
}

impl fmt::Debug for NodeRows {
    /// Never a cell: what a node sent is about a patient.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NodeRows").field("rows", &self.rows).field("width", &self.width).finish_non_exhaustive()
    }
}
