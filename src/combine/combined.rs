//! The rows of the answer, ready to be written.

use std::ops::Range;
use std::sync::Arc;

use super::Contribution;
use super::dedup::Suppressed;
use super::endpoint_cells::attribute_cell;
use super::error::CombineError;
use super::pick::Pick;
use super::rows::NodeRows;
use crate::plan::{CellSource, CombineSpec};
use crate::registry::Endpoint;
use crate::sensitive::Sensitive;

/// One answer of many.
///
/// The rows are not there as text: they are written on demand, by copying from the nodes' bodies, which are held until this is
/// dropped.
#[derive(Debug)]
pub struct Combined {
    parts: Vec<Part>,
    template: Vec<Segment>,
    picks: Vec<Pick>,
    suppressed: Suppressed,
}

/// An endpoint whose rows took part.
#[derive(Debug)]
pub struct Part {
    /// The endpoint.
    pub endpoint: Arc<Endpoint>,
    /// How many rows it answered: before DISTINCT, dedup and LIMIT (§11.1).
    pub row_count: usize,
    rows: NodeRows,
    /// Its attributes as cells, in the order of the template's [`Segment::Attribute`]s.
    attributes: Vec<Vec<u8>>,
}

/// A piece of an answered row.
#[derive(Debug)]
enum Segment {
    /// Neighbouring cells of the node's row, written in one copy.
    Run { first: usize, last: usize },
    /// The same in every row.
    Text(Sensitive<String>),
    /// The endpoint's attribute of this index.
    Attribute(usize),
}

impl Combined {
    pub(super) fn of_rows(
        spec: &CombineSpec,
        contributions: Vec<Contribution>,
        picks: Vec<Pick>,
        suppressed: Suppressed,
    ) -> Self {
        let parts = contributions.into_iter().map(|contribution| Part::of(spec, contribution)).collect();
        Combined { parts, template: template(&spec.cells), picks, suppressed }
    }

    /// The one row of aggregates; none when nobody took part, or the page leaves it out.
    pub(super) fn of_aggregates(
        spec: &CombineSpec,
        contributions: Vec<Contribution>,
        values: &[String],
        suppressed: Suppressed,
    ) -> Result<Self, CombineError> {
        let row = !contributions.is_empty() && spec.offset == 0 && spec.limit != Some(0);
        let segment = |cell: &CellSource| match cell {
            CellSource::Constant(text) => Ok(Segment::Text(text.clone())),
            CellSource::Aggregate(index) => {
                let value = values.get(*index).ok_or(CombineError::Plan("an aggregate is not computed"))?;
                Ok(Segment::Text(Sensitive::new(value.clone())))
            }
            CellSource::Node(_) | CellSource::Endpoint(_) => {
                Err(CombineError::Plan("a cell of many rows stands beside aggregates"))
            }
        };
        let template = spec.cells.iter().map(segment).collect::<Result<_, _>>()?;
        let parts = contributions.into_iter().map(|contribution| Part::of(spec, contribution)).collect();
        let picks = if row { vec![Pick { part: 0, row: 0 }] } else { Vec::new() };
        Ok(Combined { parts, template, picks, suppressed })
    }

    /// How many rows the answer has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.picks.len()
    }

    /// Has it none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.picks.is_empty()
    }

    /// The endpoints whose answers took part, by id, with the number of rows each answered.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Which copies were left out; nothing when none were looked for.
    #[must_use]
    pub fn suppressed(&self) -> &Suppressed {
        &self.suppressed
    }

    /// Appends all rows, separated by commas, without the brackets around them.
    pub fn write_rows(&self, out: &mut Vec<u8>) {
        self.write_range(0..self.len(), out);
    }

    /// Appends some rows, separated by commas. A range that ends past the last row ends there.
    pub fn write_range(&self, range: Range<usize>, out: &mut Vec<u8>) {
        let range = range.start.min(self.len())..range.end.min(self.len());
        for (index, pick) in self.picks.get(range).unwrap_or_default().iter().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            self.write_row(*pick, out);
        }
    }

    /// Appends rows from `row` on, with the commas before all but the answer's first, until `out` holds `bytes` or more; gives
    /// the row to go on with, which is [`len`](Self::len) when all are written.
    pub fn write_chunk(&self, row: usize, bytes: usize, out: &mut Vec<u8>) -> usize {
        let mut next = row;
        while let Some(pick) = self.picks.get(next).filter(|_| out.len() < bytes) {
            if next > 0 {
                out.push(b',');
            }
            self.write_row(*pick, out);
            next += 1;
        }
        next
    }

    #[inline]
    fn write_row(&self, pick: Pick, out: &mut Vec<u8>) {
        let Some(part) = self.parts.get(pick.part as usize) else { return };
        out.push(b'[');
        for (index, segment) in self.template.iter().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            out.extend_from_slice(match segment {
                Segment::Run { first, last } => part.rows.run(pick.row as usize, *first, *last),
                Segment::Text(text) => text.expose().as_bytes(),
                Segment::Attribute(index) => part.attributes.get(*index).map_or(b"null", Vec::as_slice),
            });
        }
        out.push(b']');
    }
}

impl Part {
    fn of(spec: &CombineSpec, contribution: Contribution) -> Self {
        let Contribution { endpoint, rows } = contribution;
        let attributes = spec.cells.iter().filter_map(|cell| match cell {
            CellSource::Endpoint(attribute) => Some(attribute_cell(&endpoint, *attribute)),
            CellSource::Node(_) | CellSource::Constant(_) | CellSource::Aggregate(_) => None,
        });
        let attributes = attributes.collect();
        Part { row_count: rows.len(), endpoint, rows, attributes }
    }
}

/// Joins neighbouring node cells to runs.
fn template(cells: &[CellSource]) -> Vec<Segment> {
    let mut template = Vec::new();
    let mut attributes = 0;
    for cell in cells {
        match (cell, template.last_mut()) {
            (CellSource::Node(column), Some(Segment::Run { last, .. })) if *last + 1 == *column => *last = *column,
            (CellSource::Node(column), _) => template.push(Segment::Run { first: *column, last: *column }),
            (CellSource::Constant(text), _) => template.push(Segment::Text(text.clone())),
            (CellSource::Endpoint(_), _) => {
                template.push(Segment::Attribute(attributes));
                attributes += 1;
            }
            // Aggregates are no rows of nodes; see `of_aggregates`.
            (CellSource::Aggregate(_), _) => template.push(Segment::Text(Sensitive::new("null".to_owned()))),
        }
    }
    template
}
