//! COUNT, SUM, MIN, MAX and AVG over the rows. Plain numbers are added exactly; a mean is exact when its digits end, else
//! rounded to 34 significant ones.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::num::NonZeroU64;

use bigdecimal::num_bigint::BigInt;
use bigdecimal::{BigDecimal, RoundingMode};
use openehr_aql::ast::AggregateFunction;

use super::error::EvalError;
use super::functions::{decimal, plain};
use crate::order::{Identity, Key, Rules, Ties, identity};
use crate::value::Json;

/// Significant digits of a mean that does not end: those of decimal128.
const MEAN_DIGITS: u64 = 34;
/// Dividing by a 64-bit count adds no more places than this to a quotient that ends.
const MEAN_PLACES: u32 = 64;

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
            AggregateFunction::Sum | AggregateFunction::Avg if matches!(*value, Json::Number(_)) => self.sum += decimal(&value)?,
            AggregateFunction::Sum | AggregateFunction::Avg => return Err(EvalError::NotANumber),
            AggregateFunction::Min | AggregateFunction::Max => {
                let key = self.rules.key(&value);
                if self.best.as_ref().is_none_or(|(best, held)| self.beats(&key, &value, best, held)) {
                    self.best = Some((key, value));
                }
            }
        }
        Ok(())
    }

    /// Does a value stand before the best one so far? Of equal ones the lesser bytes win, where ties are settled.
    fn beats(&self, key: &Key, value: &Json, best: &Key, held: &Json) -> bool {
        let order = if self.function == AggregateFunction::Min { key.cmp(best) } else { best.cmp(key) };
        match self.rules.ties {
            Ties::Total => order.then_with(|| value.to_bytes().cmp(&held.to_bytes())).is_lt(),
            Ties::Storage => order.is_lt(),
        }
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

/// The mean, without zeros at its end.
fn average(sum: &BigDecimal, count: u64) -> Json {
    let (digits, scale) = sum.as_bigint_and_exponent();
    let shifted = digits * BigInt::from(10).pow(MEAN_PLACES);
    let count = BigInt::from(count);
    if (&shifted % &count) == BigInt::from(0) {
        return plain(&BigDecimal::new(shifted / count, scale + i64::from(MEAN_PLACES)).normalized());
    }
    let quotient = sum / BigDecimal::from(count);
    let digits = NonZeroU64::new(MEAN_DIGITS).unwrap_or(NonZeroU64::MIN);
    plain(&quotient.with_precision_round(digits, RoundingMode::HalfEven).normalized())
}
