//! SELECT, ORDER BY, DISTINCT and LIMIT over the rows.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeSet;

use openehr_aql::ast::{Column, ColumnValue, OrderKey, Query, TopDirection};

use super::aggregate::Accumulator;
use super::error::EvalError;
use super::expression::{Expression, Row};
use super::literal::constant;
use super::scope::{Place, Scope};
use crate::model::VersionUid;
use crate::order::{Identity, Key, Rules, Ties, identity};
use crate::value::Json;

/// What a column gives.
#[derive(Debug)]
pub(super) enum Output {
    Plain(Expression),
    /// The path; `None` counts rows.
    Aggregate(openehr_aql::ast::AggregateFunction, bool, Option<Place>),
}

/// Resolves the columns; aggregates stand alone or beside constants.
pub(super) fn columns<'q>(columns: &'q [Column], scope: &mut Scope<'q>, now: &str) -> Result<Vec<Output>, EvalError> {
    let mut outputs = Vec::with_capacity(columns.len());
    for column in columns {
        outputs.push(match &column.value {
            ColumnValue::Path(path) => Output::Plain(Expression::Place(scope.place(path)?)),
            ColumnValue::Literal(literal) => Output::Plain(Expression::Constant(constant(literal))),
            ColumnValue::Call(call) => Output::Plain(Expression::call(call, scope, now)?),
            ColumnValue::Aggregate(aggregate) => {
                let path = aggregate.path.as_ref().map(|path| scope.place(path)).transpose()?;
                Output::Aggregate(aggregate.function, aggregate.distinct, path)
            }
        });
    }
    let plain = |output: &Output| matches!(output, Output::Plain(Expression::Place(_) | Expression::Call(..)));
    if aggregates(&outputs) && outputs.iter().any(plain) { Err(EvalError::Grouping) } else { Ok(outputs) }
}

/// Is there an aggregate among them?
pub(super) fn aggregates(outputs: &[Output]) -> bool {
    outputs.iter().any(|output| matches!(output, Output::Aggregate(..)))
}

/// What is sorted by: a place, or a column by its alias.
#[derive(Clone, Copy, Debug)]
enum SortBy {
    Place(Place),
    Column(usize),
}

/// One sort key.
#[derive(Clone, Copy, Debug)]
pub(super) struct SortKey {
    by: SortBy,
    descending: bool,
    rules: Rules,
}

/// Resolves the sort keys: a variable's path, or else an alias.
pub(super) fn sort_keys<'q>(query: &'q Query, scope: &mut Scope<'q>, rules: Rules) -> Result<Vec<SortKey>, EvalError> {
    let alias = |key: &OrderKey| {
        let plain = key.path.steps.is_empty() && key.path.predicate.is_none();
        let named = |column: &Column| column.alias.as_ref().is_some_and(|alias| alias.is(&key.path.variable.text));
        if plain { query.select.columns.iter().position(named) } else { None }
    };
    let mut keys = Vec::with_capacity(query.order_by.len());
    for key in &query.order_by {
        let by = match (scope.variable(&key.path.variable.text), alias(key)) {
            (None, Some(column)) => SortBy::Column(column),
            _ => SortBy::Place(scope.place(&key.path)?),
        };
        let attributes: Vec<&str> = key.path.steps.iter().map(|step| step.name.text.as_str()).collect();
        keys.push(SortKey { by, descending: key.descending, rules: rules.for_path(&attributes) });
    }
    Ok(keys)
}

/// A row on its way to the result.
pub(super) struct Sortable<'a> {
    pub(super) cells: Vec<Cow<'a, Json>>,
    keys: Vec<Key>,
    origin: &'a str,
    uid: Option<(String, String, u32)>,
}

impl<'a> Sortable<'a> {
    /// Takes what is needed of a row.
    pub(super) fn of(row: &Row<'a>, outputs: &[Output], keys: &[SortKey], composition: Option<usize>) -> Result<Self, EvalError> {
        let mut cells = Vec::with_capacity(outputs.len());
        for output in outputs {
            if let Output::Plain(expression) = output {
                cells.push(expression.value(row)?);
            }
        }
        let key = |key: &SortKey| match key.by {
            SortBy::Place(place) => row.at(place).map_or(Key::Null, |value| key.rules.key(value)),
            SortBy::Column(column) => cells.get(column).map_or(Key::Null, |cell| key.rules.key(cell)),
        };
        let keys = keys.iter().map(key).collect();
        let uid = composition.and_then(|slot| row.slots.get(slot).copied().flatten()).and_then(|item| {
            VersionUid::parse(item.json.text_at(&["uid", "value"])?).map(|uid| (uid.object, uid.system, uid.version))
        });
        Ok(Sortable { cells, keys, origin: origin(row), uid })
    }

    /// Orders two rows; `Equal` only where the rules leave the order of storage to decide.
    fn compare(&self, other: &Self, keys: &[SortKey], ties: Ties) -> Ordering {
        let by_keys = self.keys.iter().zip(&other.keys).zip(keys);
        by_keys
            .map(|((left, right), key)| key.rules.compare(left, right, key.descending))
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal)
            .then_with(|| match ties {
                Ties::Storage => Ordering::Equal,
                Ties::Total => {
                    let by_place = self.origin.cmp(other.origin).then_with(|| self.uid.cmp(&other.uid));
                    by_place.then_with(|| bytes(&self.cells).cmp(&bytes(&other.cells)))
                }
            })
    }
}

/// Where a row's first bound object is held.
fn origin<'a>(row: &Row<'a>) -> &'a str {
    let items = || row.slots.iter().flatten();
    let home = items().find_map(|item| item.home).map(|home| &*home.origin);
    home.or_else(|| items().next().map(|item| &*item.ehr.origin)).unwrap_or_default()
}

fn bytes(cells: &[Cow<'_, Json>]) -> Vec<u8> {
    let mut out = Vec::new();
    for cell in cells {
        cell.write(&mut out, crate::value::Style::Compact);
        out.push(b',');
    }
    out
}

/// Sorts by the keys; without keys by origin alone, each origin's rows as they came.
pub(super) fn sort(rows: &mut [Sortable<'_>], keys: &[SortKey], ties: Ties) {
    if keys.is_empty() {
        rows.sort_by(|left, right| left.origin.cmp(right.origin));
    } else {
        rows.sort_by(|left, right| left.compare(right, keys, ties));
    }
}

/// Keeps the first of rows that are the same in every column.
pub(super) fn distinct(rows: &mut Vec<Sortable<'_>>) {
    let mut seen: BTreeSet<Vec<Identity>> = BTreeSet::new();
    rows.retain(|row| seen.insert(row.cells.iter().map(|cell| identity(cell)).collect()));
}

/// Which rows of the sorted result are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cut {
    pub(super) skip: usize,
    pub(super) keep: Option<usize>,
    /// `TOP n BACKWARD`: the last ones.
    pub(super) from_end: bool,
}

/// What LIMIT, OFFSET and TOP say.
pub(super) fn cut(query: &Query) -> Result<Cut, EvalError> {
    let size = |count: &openehr_aql::ast::Count| count.value().and_then(|n| usize::try_from(n).ok()).ok_or(EvalError::Count);
    match (&query.select.top, &query.limit) {
        (Some(_), Some(_)) => Err(EvalError::TopAndLimit),
        (Some(top), None) => {
            Ok(Cut { skip: 0, keep: Some(size(&top.count)?), from_end: top.direction == Some(TopDirection::Backward) })
        }
        (None, Some(limit)) => {
            let skip = limit.offset.as_ref().map_or(Ok(0), size)?;
            Ok(Cut { skip, keep: Some(size(&limit.count)?), from_end: false })
        }
        (None, None) => Ok(Cut { skip: 0, keep: None, from_end: false }),
    }
}

impl Cut {
    /// Applies it.
    pub(super) fn apply<T>(self, mut rows: Vec<T>) -> Vec<T> {
        if self.from_end {
            let keep = self.keep.unwrap_or(rows.len()).min(rows.len());
            return rows.split_off(rows.len() - keep);
        }
        rows.drain(..self.skip.min(rows.len()));
        rows.truncate(self.keep.unwrap_or(usize::MAX));
        rows
    }
}

/// The accumulators of the aggregate columns, in their places.
pub(super) fn accumulators<'a>(outputs: &[Output], rules: Rules) -> Vec<Option<Accumulator<'a>>> {
    let accumulator = |output: &Output| match output {
        Output::Aggregate(function, distinct, _) => Some(Accumulator::new(*function, *distinct, rules)),
        Output::Plain(_) => None,
    };
    outputs.iter().map(accumulator).collect()
}
