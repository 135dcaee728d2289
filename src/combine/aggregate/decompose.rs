//! Recombining the one row of aggregates that each node answered.

use bigdecimal::BigDecimal;

use super::number::{addable, count, mean, plain};
use super::{Best, Extreme};
use crate::combine::Contribution;
use crate::combine::error::{CombineError, Unusable};
use crate::combine::order::{Key, Kind};
use crate::combine::rows::NodeRows;
use crate::plan::DecomposedAggregate;
use crate::registry::NodeOrdering;

pub(super) fn validate(list: &[DecomposedAggregate], rows: &NodeRows) -> Result<(), Unusable> {
    if rows.len() != 1 {
        return Err(Unusable::NotOneRow { rows: rows.len() });
    }
    for aggregate in list {
        match *aggregate {
            DecomposedAggregate::Count(column) => {
                count_at(rows, column)?;
            }
            DecomposedAggregate::Sum(column) => {
                sum_at(rows, column, "SUM")?;
            }
            DecomposedAggregate::Avg { sum, count } => {
                if sum_at(rows, sum, "AVG")?.is_some() != (count_at(rows, count)? > 0) {
                    return Err(Unusable::SumWithoutCount);
                }
            }
            DecomposedAggregate::Min(_) | DecomposedAggregate::Max(_) => {}
        }
    }
    Ok(())
}

fn count_at(rows: &NodeRows, column: usize) -> Result<u64, Unusable> {
    count(rows.cell(0, column)).ok_or(Unusable::Count)
}

/// A sum, or none where the node had no values.
fn sum_at(rows: &NodeRows, column: usize, function: &'static str) -> Result<Option<BigDecimal>, Unusable> {
    match rows.cell(0, column) {
        b"null" => Ok(None),
        cell => addable(cell).map(Some).ok_or(Unusable::NotAddable { function }),
    }
}

pub(super) fn combine(list: &[DecomposedAggregate], contributions: &[Contribution]) -> Result<Vec<String>, CombineError> {
    list.iter()
        .map(|aggregate| match *aggregate {
            DecomposedAggregate::Count(column) => Ok(total_count(contributions, column)?.to_string()),
            DecomposedAggregate::Sum(column) => {
                Ok(total_sum(contributions, column, "SUM")?.as_ref().map_or_else(|| "null".to_owned(), plain))
            }
            DecomposedAggregate::Avg { sum, count } => average(contributions, sum, count),
            DecomposedAggregate::Min(column) => extreme(Extreme::Min, column, contributions),
            DecomposedAggregate::Max(column) => extreme(Extreme::Max, column, contributions),
        })
        .collect()
}

fn total_count(contributions: &[Contribution], column: usize) -> Result<u128, CombineError> {
    let mut total = 0u128;
    for contribution in contributions {
        total += u128::from(count_at(&contribution.rows, column).map_err(|reason| contribution.unusable(reason))?);
    }
    Ok(total)
}

fn total_sum(contributions: &[Contribution], column: usize, function: &'static str) -> Result<Option<BigDecimal>, CombineError> {
    let mut total: Option<BigDecimal> = None;
    for contribution in contributions {
        let sum = sum_at(&contribution.rows, column, function).map_err(|reason| contribution.unusable(reason))?;
        total = match (total, sum) {
            (Some(total), Some(sum)) => Some(total + sum),
            (total, sum) => total.or(sum),
        };
    }
    Ok(total)
}

fn average(contributions: &[Contribution], sum: usize, count: usize) -> Result<String, CombineError> {
    let count =
        u64::try_from(total_count(contributions, count)?).map_err(|_| CombineError::Plan("a count is out of all bounds"))?;
    let sum = total_sum(contributions, sum, "AVG")?;
    Ok(sum.and_then(|sum| mean(&sum, count)).unwrap_or_else(|| "null".to_owned()))
}

/// The extreme of the nodes' extremes. That is the extreme of all values only if every node orders its values as we do.
fn extreme(extreme: Extreme, column: usize, contributions: &[Contribution]) -> Result<String, CombineError> {
    let mut best = Best::new(extreme);
    let mut kinds: Vec<Kind> = Vec::new();
    let mut vouched = true;
    for contribution in contributions {
        let cell = contribution.rows.cell(0, column);
        let kind = Key::of(cell).kind();
        if kind != Kind::Null {
            kinds.push(kind);
            vouched &= contribution.endpoint.ordering == NodeOrdering::Exact;
        }
        best.take(cell);
    }
    match doubt(&kinds) {
        Some(values) if !vouched => Err(CombineError::Incomparable { function: extreme.name(), values }),
        Some(_) | None => Ok(best.cell()),
    }
}

/// Why nodes may not agree on the extreme of such values.
fn doubt(kinds: &[Kind]) -> Option<&'static str> {
    let unlike = kinds.windows(2).any(|pair| pair.first() != pair.last());
    let values = kinds.iter().find_map(|kind| match kind {
        Kind::Number | Kind::Instant | Kind::Time | Kind::Null => None,
        Kind::Text => Some("texts"),
        Kind::Boolean => Some("booleans"),
        Kind::Quantity => Some("quantities with units"),
        Kind::Duration => Some("durations"),
        Kind::Other => Some("structures"),
    });
    values.or(unlike.then_some("of unlike kinds"))
}

impl Extreme {
    fn name(self) -> &'static str {
        match self {
            Extreme::Min => "MIN",
            Extreme::Max => "MAX",
        }
    }
}
