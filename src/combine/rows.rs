//! A node's RESULT_SET as bytes and the places of its cells.

use bytes::Bytes;

/// The rows of one node's answer: the body as received and the span of every cell, row by row.
#[derive(Clone, Debug, Default)]
pub struct NodeRows {
    body: Bytes,
    cells: Vec<(u32, u32)>,
    width: usize,
    rows: usize,
}
