//! AQL over records: what a CDR answers.
//!
//! Where the language is open it is read as EHRbase reads it: several values of a path give one row each, sets in FROM are
//! a product, a branch of OR that did not match is null, a missing value compares as false either way. Order, MIN, MAX and
//! DISTINCT follow `docs/order.md`.

mod aggregate;
mod class;
mod columns;
mod compare;
mod condition;
mod error;
mod expression;
mod find;
mod functions;
mod literal;
mod meter;
mod narrow;
mod predicate;
mod rows;
mod scope;
mod select;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use openehr_aql::ast::Query;

use crate::model::Repository;
use crate::order::Rules;
use crate::value::Json;
use aggregate::Accumulator;
pub use columns::{ColumnName, column_names};
use condition::Test;
pub use error::EvalError;
use find::{Finder, Tree};
use meter::Meter;
use rows::Rows;
use scope::Scope;
use select::{Cut, Output, SortKey, Sortable};

/// How a server evaluates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How it orders.
    pub rules: Rules,
    /// It reads ORDER BY and does not sort.
    pub ignores_order: bool,
    /// It reads LIMIT and does not cut.
    pub ignores_limit: bool,
    /// Only this record is searched, whatever the query says (`ehr_id` of the request).
    pub ehr_id: Option<String>,
    /// The most rows it holds for one query.
    pub max_rows: usize,
    /// The most work it does for one query.
    pub max_steps: u64,
    /// Now, as `YYYY-MM-DDThh:mm:ss.fffZ`; the clock's time when `None`.
    pub now: Option<String>,
}

impl Default for Settings {
    fn default() -> Self {
        let (max_rows, max_steps) = (1_000_000, 1_000_000_000);
        let rules = Rules::default();
        Settings { rules, ignores_order: false, ignores_limit: false, ehr_id: None, max_rows, max_steps, now: None }
    }
}

/// The rows of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Answer<'a> {
    /// One row each, one cell for each column.
    pub rows: Vec<Vec<Cow<'a, Json>>>,
}

impl Answer<'_> {
    /// The rows as JSON text, one line each: for tests and messages.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let line = |row: &Vec<Cow<'_, Json>>| Json::Array(row.iter().map(|cell| cell.clone().into_owned()).collect()).to_string();
        self.rows.iter().map(line).collect()
    }
}

/// Answers a query over everything in a repository. Parameters must be bound before.
///
/// # Errors
/// The query says what is not served, or needs more than `settings` allow.
pub fn evaluate<'a>(query: &Query, repository: &'a Repository, settings: &Settings) -> Result<Answer<'a>, EvalError> {
    if query.directive.is_some() {
        return Err(EvalError::Directive);
    }
    let now = settings.now.clone().unwrap_or_else(|| chrono::Utc::now().format("%Y-%m-%dT%H:%M:%S%.3fZ").to_string());
    let prepared = Prepared::of(query, settings, &now)?;
    let meter = Meter::new(settings.max_steps);
    let mut ehrs = narrow::records(query, repository);
    ehrs.retain(|ehr| settings.ehr_id.as_ref().is_none_or(|id| *id == ehr.id));
    let rows = Rows {
        scope: &prepared.scope,
        tree: &prepared.tree,
        test: prepared.test.as_ref(),
        finder: Finder { meter: &meter, ehrs },
    };
    if select::aggregates(&prepared.outputs) { prepared.aggregate(&rows, settings) } else { prepared.list(&rows, settings) }
}

/// A query, resolved.
struct Prepared<'q> {
    scope: Scope<'q>,
    tree: Tree<'q>,
    outputs: Vec<Output>,
    keys: Vec<SortKey>,
    distinct: bool,
    test: Option<Test<'q>>,
    cut: Cut,
    /// The slot of the first composition of FROM.
    composition: Option<usize>,
}

impl<'q> Prepared<'q> {
    fn of(query: &'q Query, settings: &Settings, now: &str) -> Result<Self, EvalError> {
        let mut scope = Scope::default();
        let tree = find::resolve(&query.from, &mut scope)?;
        let outputs = select::columns(&query.select.columns, &mut scope, now)?;
        let keys = select::sort_keys(query, &mut scope, settings.rules)?;
        if select::aggregates(&outputs) && !keys.is_empty() {
            return Err(EvalError::Grouping);
        }
        let test = match &query.condition {
            Some(where_clause) => {
                condition::register(where_clause, &mut scope)?;
                Some(condition::resolve(where_clause, true, &mut scope, now)?)
            }
            None => None,
        };
        let mut cut = select::cut(query)?;
        if settings.ignores_limit {
            cut = Cut { skip: 0, keep: None, from_end: false };
        }
        let keys = if settings.ignores_order { Vec::new() } else { keys };
        let composition = first_composition(&tree);
        Ok(Prepared { scope, tree, outputs, keys, distinct: query.select.distinct, test, cut, composition })
    }

    fn list<'a>(&self, rows: &Rows<'_, '_, 'a>, settings: &Settings) -> Result<Answer<'a>, EvalError> {
        let mut found = Vec::new();
        let one_origin = rows.finder.ehrs.iter().all(|ehr| ehr.origin.is_empty());
        let early = self.keys.is_empty() && !self.distinct && !self.cut.from_end && one_origin;
        let enough = self.cut.keep.filter(|_| early).map(|keep| keep.saturating_add(self.cut.skip));
        if enough != Some(0) {
            rows.each(&mut |row| {
                if found.len() >= settings.max_rows {
                    return Err(EvalError::Rows(settings.max_rows));
                }
                found.push(Sortable::of(row, &self.outputs, &self.keys, self.composition)?);
                Ok(enough.is_none_or(|enough| found.len() < enough))
            })?;
        }
        select::sort(&mut found, &self.keys, settings.rules.ties);
        if self.distinct {
            select::distinct(&mut found);
        }
        Ok(Answer { rows: self.cut.apply(found).into_iter().map(|row| row.cells).collect() })
    }

    fn aggregate<'a>(&self, rows: &Rows<'_, '_, 'a>, settings: &Settings) -> Result<Answer<'a>, EvalError> {
        let mut accumulators: Vec<Option<Accumulator<'a>>> = select::accumulators(&self.outputs, settings.rules);
        rows.each(&mut |row| {
            for (output, accumulator) in self.outputs.iter().zip(&mut accumulators) {
                match (output, accumulator) {
                    (Output::Aggregate(_, _, None), Some(accumulator)) => accumulator.row(),
                    (Output::Aggregate(_, _, Some(place)), Some(accumulator)) => {
                        if let Some(value) = row.at(*place) {
                            accumulator.value(Cow::Borrowed(value))?;
                        }
                    }
                    _ => {}
                }
            }
            Ok(true)
        })?;
        let cells = self.outputs.iter().zip(accumulators).map(|(output, accumulator)| match (output, accumulator) {
            (_, Some(accumulator)) => accumulator.finish(),
            (Output::Plain(expression::Expression::Constant(value)), None) => Cow::Owned(value.clone()),
            (_, None) => Cow::Owned(Json::Null),
        });
        Ok(Answer { rows: self.cut.apply(vec![cells.collect()]) })
    }
}

fn first_composition(tree: &Tree<'_>) -> Option<usize> {
    match tree {
        Tree::And(all) | Tree::Or(all) => all.iter().find_map(first_composition),
        Tree::Class(member) if member.is_composition() => Some(member.slot),
        Tree::Class(member) => member.inner().and_then(first_composition),
    }
}
