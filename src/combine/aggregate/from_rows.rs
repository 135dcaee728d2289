//! Aggregating the underlying rows here: exact under dedup and for `COUNT(DISTINCT …)` too.

use std::collections::HashSet;

use bigdecimal::BigDecimal;
use openehr_aql::ast::AggregateFunction;

use super::number::{addable, mean, plain};
use super::{Best, Extreme};
use crate::combine::Contribution;
use crate::combine::dedup::Keepers;
use crate::combine::error::{CombineError, Unusable};
use crate::combine::order::identity;
use crate::combine::rows::NodeRows;
use crate::plan::RowAggregate;

pub(super) fn validate(list: &[RowAggregate], rows: &NodeRows) -> Result<(), Unusable> {
    for aggregate in list {
        let function = match aggregate.function {
            AggregateFunction::Sum => "SUM",
            AggregateFunction::Avg => "AVG",
            AggregateFunction::Count | AggregateFunction::Min | AggregateFunction::Max => continue,
        };
        let Some(column) = aggregate.column else { continue };
        let takes_part = |row| matches!(rows.cell(row, column), b"null") || addable(rows.cell(row, column)).is_some();
        if !(0..rows.len()).all(takes_part) {
            return Err(Unusable::NotAddable { function });
        }
    }
    Ok(())
}

pub(super) fn combine(
    list: &[RowAggregate],
    contributions: &[Contribution],
    keepers: Option<&Keepers<'_>>,
) -> Result<Vec<String>, CombineError> {
    list.iter().map(|aggregate| value(aggregate, &Rows { contributions, keepers })).collect()
}

fn value(aggregate: &RowAggregate, rows: &Rows<'_>) -> Result<String, CombineError> {
    match (aggregate.function, aggregate.column, aggregate.distinct) {
        (AggregateFunction::Count, None, false) => Ok(rows.each().count().to_string()),
        (AggregateFunction::Count, Some(column), false) => Ok(rows.values(column).count().to_string()),
        (AggregateFunction::Count, Some(column), true) => Ok(distinct_values(rows, column).to_string()),
        (AggregateFunction::Min, Some(column), _) => Ok(best(Extreme::Min, rows, column)),
        (AggregateFunction::Max, Some(column), _) => Ok(best(Extreme::Max, rows, column)),
        (AggregateFunction::Sum, Some(column), false) => Ok(sum(rows, column).map_or_else(null, |(sum, _)| plain(&sum))),
        (AggregateFunction::Avg, Some(column), false) => {
            Ok(sum(rows, column).and_then(|(sum, count)| mean(&sum, count)).unwrap_or_else(null))
        }
        (AggregateFunction::Count, None, true)
        | (AggregateFunction::Sum | AggregateFunction::Avg, Some(_), true)
        | (AggregateFunction::Min | AggregateFunction::Max | AggregateFunction::Sum | AggregateFunction::Avg, None, _) => {
            Err(CombineError::Plan("an aggregate has no such form"))
        }
    }
}

fn null() -> String {
    "null".to_owned()
}

/// The rows that take part: all but the copies left out.
struct Rows<'a> {
    contributions: &'a [Contribution],
    keepers: Option<&'a Keepers<'a>>,
}

impl<'a> Rows<'a> {
    fn each(&self) -> impl Iterator<Item = (&'a NodeRows, usize)> + '_ {
        (0u32..).zip(self.contributions).flat_map(move |(part, contribution)| {
            let rows = &contribution.rows;
            let kept = move |row: &usize| self.keepers.is_none_or(|keepers| !keepers.suppresses(part, rows, *row));
            (0..rows.len()).filter(kept).map(move |row| (rows, row))
        })
    }

    /// The cells of a column that are values.
    fn values(&self, column: usize) -> impl Iterator<Item = &'a [u8]> + '_ {
        self.each().map(move |(rows, row)| rows.cell(row, column)).filter(|cell| *cell != b"null")
    }
}

fn distinct_values(rows: &Rows<'_>, column: usize) -> usize {
    let mut seen = HashSet::new();
    for cell in rows.values(column) {
        let mut bytes = Vec::new();
        identity(cell, &mut bytes);
        seen.insert(bytes);
    }
    seen.len()
}

fn best(extreme: Extreme, rows: &Rows<'_>, column: usize) -> String {
    let mut best = Best::new(extreme);
    rows.values(column).for_each(|cell| best.take(cell));
    best.cell()
}

/// The sum and the number of its values; none without values. Each cell has been found addable.
fn sum(rows: &Rows<'_>, column: usize) -> Option<(BigDecimal, u64)> {
    rows.values(column).filter_map(addable).fold(None, |sum, value| match sum {
        None => Some((value, 1)),
        Some((sum, count)) => Some((sum + value, count + 1)),
    })
}
