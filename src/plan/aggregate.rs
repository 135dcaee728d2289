//! Aggregates over several nodes: from per-node aggregates, from the underlying rows, or not at all (§11.6.3, N14, N39).

use crate::config::AggregateStrategy;
use openehr_aql::ast::{Aggregate, AggregateFunction, Column, ColumnValue, Query, Span};

use super::columns::{Names, NodeColumns, path};
use super::paging::Window;
use super::project::Meaning;
use super::{
    AggregateRecipe, CellSource, DecomposedAggregate, PlanContext, PlanError, RowAggregate, from, literal, order, several,
};
use crate::intake::{Completeness, DedupMode, QueryRequest};
use crate::sensitive::Sensitive;

/// Does the query select an aggregate?
pub(super) fn any(columns: &[Column]) -> bool {
    columns.iter().any(|column| matches!(column.value, ColumnValue::Aggregate(_)))
}

/// The one row of aggregates: its cells, and how they are made of what nodes answer.
pub(super) struct Row {
    pub(super) cells: Vec<CellSource>,
    pub(super) recipe: AggregateRecipe,
    /// The node column with the version uid, where copies must be found.
    pub(super) uid: Option<usize>,
}

/// Refuses what no number of nodes answers sensibly: a constant of ours beside an aggregate would have to be grouped by.
///
/// # Errors
/// The patient or an endpoint is selected beside an aggregate.
pub(super) fn refuse_company(columns: &[Column], meaning: &Meaning<'_>) -> Result<(), PlanError> {
    for column in columns {
        if let ColumnValue::Path(path) = &column.value
            && meaning.known(path)?.is_some()
        {
            let reason = "The patient or an endpoint cannot be selected beside an aggregate: each row of an answer has them, but one row of aggregates has no rows behind it";
            return Err(PlanError::Combination { place: meaning.source.place(column.span), reason });
        }
    }
    Ok(())
}

/// Plans the aggregates of a query over several nodes.
///
/// # Errors
/// They have no exact answer, or `partial` is asked for.
pub(super) fn planned(
    query: &mut Query,
    request: &QueryRequest,
    window: Window,
    meaning: &Meaning<'_>,
    context: &PlanContext<'_>,
    node: &mut NodeColumns,
    names: &mut Names<'_>,
) -> Result<Row, PlanError> {
    if request.completeness == Completeness::Partial {
        return Err(PlanError::PartialAggregate);
    }
    refuse_clauses(query, window, meaning)?;
    let columns = query.select.columns.clone();
    match context.aggregate_strategy {
        AggregateStrategy::Decompose => decomposed(&columns, request.dedup, meaning, context, node, names),
        AggregateStrategy::Rows => from_rows(query, &columns, request.dedup, meaning, node, names),
    }
}

/// There is one row, so ORDER BY one of its columns does nothing; what would group or skip is refused.
fn refuse_clauses(query: &Query, window: Window, meaning: &Meaning<'_>) -> Result<(), PlanError> {
    let refused = |span, reason| Err(PlanError::Aggregate { place: meaning.source.place(span), reason });
    for key in &query.order_by {
        if order::aliased(key, &query.select.columns, meaning)?.is_none() {
            return refused(
                key.span,
                "ORDER BY beside it names what is no column of the one row, and some servers would group by it",
            );
        }
    }
    if query.select.distinct {
        return refused(query.select.span, "it stands beside DISTINCT");
    }
    if window.offset > 0 {
        return refused(query.select.span, "it stands beside OFFSET, and there is one row only");
    }
    Ok(())
}

fn decomposed(
    columns: &[Column],
    dedup: DedupMode,
    meaning: &Meaning<'_>,
    context: &PlanContext<'_>,
    node: &mut NodeColumns,
    names: &mut Names<'_>,
) -> Result<Row, PlanError> {
    let variables = meaning.variables();
    let (mut cells, mut recipe) = (Vec::new(), Vec::new());
    for column in columns {
        let aggregate = match of_column(column, meaning)? {
            Company::Constant(cell) => {
                cells.push(cell);
                continue;
            }
            Company::Aggregate(aggregate) => aggregate,
        };
        let refused = |reason| Err(PlanError::Aggregate { place: meaning.source.place(aggregate.span), reason });
        if aggregate.distinct {
            return refused("the same value may lie at two nodes");
        }
        if dedup != DedupMode::None {
            return refused("copies lie at several nodes, and `version-identity` would have to be applied to the rows");
        }
        if !context.decomposable.contains(&aggregate.function) {
            return refused("the function is not declared decomposable here (`aggregates.decomposable`)");
        }
        let alias = column.alias.as_ref();
        let mut keep = |node: &mut NodeColumns| node.push(ColumnValue::Aggregate(aggregate.clone()), alias, &variables, names);
        cells.push(CellSource::Aggregate(recipe.len()));
        recipe.push(match aggregate.function {
            AggregateFunction::Count => DecomposedAggregate::Count(keep(node)),
            AggregateFunction::Sum => DecomposedAggregate::Sum(keep(node)),
            AggregateFunction::Min => DecomposedAggregate::Min(keep(node)),
            AggregateFunction::Max => DecomposedAggregate::Max(keep(node)),
            AggregateFunction::Avg => {
                let part = |function| ColumnValue::Aggregate(Aggregate { function, span: Span::NONE, ..aggregate.clone() });
                DecomposedAggregate::Avg {
                    sum: node.hide(part(AggregateFunction::Sum), names),
                    count: node.hide(part(AggregateFunction::Count), names),
                }
            }
        });
    }
    Ok(Row { cells, recipe: AggregateRecipe::Decompose(recipe), uid: None })
}

fn from_rows(
    query: &mut Query,
    columns: &[Column],
    dedup: DedupMode,
    meaning: &Meaning<'_>,
    node: &mut NodeColumns,
    names: &mut Names<'_>,
) -> Result<Row, PlanError> {
    let (mut cells, mut recipe) = (Vec::new(), Vec::new());
    for column in columns {
        match of_column(column, meaning)? {
            Company::Constant(cell) => cells.push(cell),
            Company::Aggregate(aggregate) => {
                cells.push(CellSource::Aggregate(recipe.len()));
                let column = aggregate.path.as_ref().map(|path| node.of_path(path, names));
                recipe.push(RowAggregate { function: aggregate.function, distinct: aggregate.distinct, column });
            }
        }
    }
    let uid = match dedup {
        DedupMode::None => None,
        DedupMode::VersionIdentity => {
            let composition = from::composition_variable(query, names).ok_or(PlanError::DedupWithoutComposition)?;
            several::one_version_a_row(&query.from, meaning.source)?;
            Some(node.of_path(&path(&composition, &["uid", "value"]), names))
        }
    };
    Ok(Row { cells, recipe: AggregateRecipe::Rows(recipe), uid })
}

/// What may stand in one row of aggregates.
enum Company<'a> {
    Constant(CellSource),
    Aggregate(&'a Aggregate),
}

fn of_column<'a>(column: &'a Column, meaning: &Meaning<'_>) -> Result<Company<'a>, PlanError> {
    match &column.value {
        ColumnValue::Aggregate(aggregate) => Ok(Company::Aggregate(aggregate)),
        ColumnValue::Literal(constant) => Ok(Company::Constant(CellSource::Constant(Sensitive::new(literal::json(constant))))),
        ColumnValue::Path(_) | ColumnValue::Call(_) => Err(PlanError::Aggregate {
            place: meaning.source.place(column.span),
            reason: "what is selected beside it would group the rows, which AQL has no rule for",
        }),
    }
}
