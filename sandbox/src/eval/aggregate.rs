//! COUNT, SUM, MIN, MAX and AVG over the rows. Numbers are added exactly; an average that does not end is rounded to 16
//! places, half up.

use std::borrow::Cow;
use std::collections::BTreeSet;

use bigdecimal::{BigDecimal, RoundingMode};
use openehr_aql::ast::AggregateFunction;

use super::error::EvalError;
use super::functions::{decimal, plain};
use crate::order::{Identity, Key, Rules, identity};
use crate::value::Json;

/// Places behind the point of an average that does not end.
const AVERAGE_PLACES: i64 = 16;

/// One aggregate, on its way through the rows.
#[derive(Debug)]
pub(super) struct Accumulator<'a> {
    function: AggregateFunction,
    distinct: bool,
    rules: Rules,
    seen: BTreeSet<Identity>,
    count: u64,
    sum: BigDecimal,
    best: Option<(Key, Cow<'a, Json>)>,
}

impl<'a> Accumulator<'a> {
    /// An aggregate over no rows.
    pub(super) fn new(function: AggregateFunction, distinct: bool, rules: Rules) -> Self {
        Accumulator { function, distinct, rules, seen: BTreeSet::new(), count: 0, sum: BigDecimal::from(0), best: None }
    }

    /// Counts a row, whatever is in it.
    pub(super) fn row(&mut self) {
        self.count += 1;
    }

    /// Takes a value; a missing one does not count.
    pub(super) fn value(&mut self, value: Cow<'a, Json>) -> Result<(), EvalError> {
        if value.is_null() || (self.distinct && !self.seen.insert(identity(&value))) {
            return Ok(());
        }
        self.count += 1;
        match self.function {
            AggregateFunction::Count => {}
            AggregateFunction::Sum | AggregateFunction::Avg => self.sum += decimal(&value)?,
            AggregateFunction::Min | AggregateFunction::Max => {
                let key = self.rules.key(&value);
                let better = self.best.as_ref().is_none_or(|(best, _)| match self.function {
                    AggregateFunction::Min => key < *best,
                    _ => key > *best,
                });
                if better {
                    self.best = Some((key, value));
                }
            }
        }
        Ok(())
    }

    /// The result.
    pub(super) fn finish(self) -> Cow<'a, Json> {
        match self.function {
            AggregateFunction::Count => Cow::Owned(Json::number(self.count)),
            AggregateFunction::Min | AggregateFunction::Max => self.best.map_or(Cow::Owned(Json::Null), |(_, value)| value),
            AggregateFunction::Sum | AggregateFunction::Avg if self.count == 0 => Cow::Owned(Json::Null),
            AggregateFunction::Sum => Cow::Owned(plain(&self.sum)),
            AggregateFunction::Avg => Cow::Owned(average(&self.sum, self.count)),
        }
    }
}

fn average(sum: &BigDecimal, count: u64) -> Json {
    let places = sum.as_bigint_and_exponent().1.max(0) + AVERAGE_PLACES;
    let exact = (sum / BigDecimal::from(count)).normalized();
    let rounded = if exact.as_bigint_and_exponent().1 > places {
        exact.with_scale_round(AVERAGE_PLACES.max(places - AVERAGE_PLACES), RoundingMode::HalfUp)
    } else {
        exact
    };
    plain(&rounded.normalized())
}
