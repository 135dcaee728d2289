//! Aggregates over several nodes, exactly or not at all (§11.6.3, N14, N39).
//!
//! Two ways to the same row: each node aggregates and its one row is recombined (`decompose`), or each node answers the
//! underlying rows and they are aggregated here (`rows`). Per-node aggregates are never answered as rows.

mod decompose;
mod from_rows;
mod number;
#[cfg(test)]
mod tests;

use super::combined::Combined;
use super::error::{CombineError, Unusable};
use super::order::{Key, Kind};
use super::pick;
use super::rows::NodeRows;
use super::{Contribution, Suppressed};
use crate::plan::{AggregateRecipe, CombineSpec};

/// Can the rows of one endpoint take part?
pub(super) fn validate(recipe: &AggregateRecipe, rows: &NodeRows) -> Result<(), Unusable> {
    match recipe {
        AggregateRecipe::Decompose(list) => decompose::validate(list, rows),
        AggregateRecipe::Rows(list) => from_rows::validate(list, rows),
    }
}

/// Makes the one row. Nobody took part: there is no row, since nothing was counted.
pub(super) fn combine(
    spec: &CombineSpec,
    recipe: &AggregateRecipe,
    contributions: Vec<Contribution>,
) -> Result<Combined, CombineError> {
    let (values, suppressed) = match recipe {
        AggregateRecipe::Decompose(list) => (decompose::combine(list, &contributions)?, Suppressed::default()),
        AggregateRecipe::Rows(list) => {
            let keepers = pick::keepers(spec, &contributions);
            let suppressed = keepers.as_ref().map(|keepers| keepers.report(&contributions)).unwrap_or_default();
            (from_rows::combine(list, &contributions, keepers.as_ref())?, suppressed)
        }
    };
    Combined::of_aggregates(spec, contributions, &values, suppressed)
}

/// Which end of the order is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extreme {
    Min,
    Max,
}

/// The least or greatest cell so far, by the total order; nulls do not take part.
struct Best<'a> {
    extreme: Extreme,
    best: Option<(Key<'a>, &'a [u8])>,
}

impl<'a> Best<'a> {
    fn new(extreme: Extreme) -> Self {
        Best { extreme, best: None }
    }

    /// Of cells that order as equal the one with the lesser bytes is answered, so that who comes first changes nothing.
    fn take(&mut self, cell: &'a [u8]) {
        let key = Key::of(cell);
        if key.kind() == Kind::Null {
            return;
        }
        let better = self.best.as_ref().is_none_or(|(best, bytes)| {
            let by_key = match self.extreme {
                Extreme::Min => key.cmp(best),
                Extreme::Max => best.cmp(&key),
            };
            by_key.then_with(|| cell.cmp(bytes)).is_lt()
        });
        if better {
            self.best = Some((key, cell));
        }
    }

    /// The winning cell's own bytes.
    fn cell(&self) -> String {
        let cell = self.best.as_ref().map_or(b"null".as_slice(), |(_, cell)| cell);
        String::from_utf8_lossy(cell).into_owned()
    }
}
