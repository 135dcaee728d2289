//! ORDER BY: what the gateway compares, and what a node is told to sort by (§11.6.1, N13).

use openehr_aql::ast::{Column, ColumnValue, OrderKey, Path, Span};

use super::columns::{Names, NodeColumns};
use super::project::Meaning;
use super::{CellSource, EndpointAttribute, KeySource, PlanError, SortKey};

/// The gateway's keys and the node's. They differ by what is the same in every row of a node.
#[derive(Debug, Default)]
pub(super) struct Keys {
    pub(super) gateway: Vec<SortKey>,
    pub(super) node: Vec<OrderKey>,
}

/// What a key turns out to be.
enum Meant {
    /// The same for all rows.
    Nothing,
    Endpoint(EndpointAttribute),
    /// A node column, and the path that names it in ORDER BY.
    Node(usize, Path),
}

/// Reads ORDER BY over the cells of rows; keys that are not selected become hidden columns.
///
/// # Errors
/// An alias stands for two columns; an endpoint has no such attribute; a key is the patient.
pub(super) fn keys(
    order_by: &[OrderKey],
    facade: &[Column],
    cells: &[CellSource],
    meaning: &Meaning<'_>,
    node: &mut NodeColumns,
    names: &mut Names<'_>,
) -> Result<Keys, PlanError> {
    let mut keys = Keys::default();
    for key in order_by {
        let descending = key.descending;
        let meant = match aliased(key, facade, meaning)? {
            Some(index) => by_column(index, key, facade, cells, meaning, node)?,
            None => match meaning.directive.filter(|directive| directive.starts(&key.path)) {
                Some(directive) => Meant::Endpoint(directive.attribute(&key.path, meaning.source)?),
                None => Meant::Node(node.of_path(&key.path, names), key.path.clone()),
            },
        };
        match meant {
            Meant::Nothing => {}
            Meant::Endpoint(attribute) => keys.gateway.push(SortKey { by: KeySource::Endpoint(attribute), descending }),
            Meant::Node(index, path) => {
                keys.gateway.push(SortKey { by: KeySource::Node(index), descending });
                keys.node.push(OrderKey { path, descending, span: Span::NONE });
            }
        }
    }
    Ok(keys)
}

/// What a single node is told to sort by: the same, but that aliases may be others there and endpoints are all one.
///
/// # Errors
/// As [`keys`].
pub(super) fn single(
    order_by: &[OrderKey],
    facade: &[Column],
    cells: &[CellSource],
    meaning: &Meaning<'_>,
    node: &NodeColumns,
) -> Result<Vec<OrderKey>, PlanError> {
    let mut keys = Vec::with_capacity(order_by.len());
    for key in order_by {
        let path = match aliased(key, facade, meaning)? {
            Some(index) => match by_column(index, key, facade, cells, meaning, node)? {
                Meant::Node(_, path) => path,
                Meant::Nothing | Meant::Endpoint(_) => continue,
            },
            None => match meaning.directive.filter(|directive| directive.starts(&key.path)) {
                Some(directive) => {
                    directive.attribute(&key.path, meaning.source)?;
                    continue;
                }
                None => key.path.clone(),
            },
        };
        keys.push(OrderKey { path, descending: key.descending, span: Span::NONE });
    }
    Ok(keys)
}

/// The column whose alias the key is; a name that FROM declares is its variable.
pub(super) fn aliased(key: &OrderKey, facade: &[Column], meaning: &Meaning<'_>) -> Result<Option<usize>, PlanError> {
    let name = &key.path.variable.text;
    let declared = meaning.variables().iter().any(|variable| variable.is(name))
        || meaning.directive.is_some_and(|one| one.starts(&key.path));
    if declared || !key.path.is_bare() {
        return Ok(None);
    }
    let is_key = |column: &Column| column.alias.as_ref().is_some_and(|alias| alias.is(name));
    let mut found = facade.iter().enumerate().filter(|(_, column)| is_key(column)).map(|(index, _)| index);
    match (found.next(), found.next()) {
        (first, None) => Ok(first),
        _ => Err(PlanError::Query {
            place: meaning.source.place(key.span),
            problem: "ORDER BY names an alias that two columns have: give them different ones",
        }),
    }
}

fn by_column(
    index: usize,
    key: &OrderKey,
    facade: &[Column],
    cells: &[CellSource],
    meaning: &Meaning<'_>,
    node: &NodeColumns,
) -> Result<Meant, PlanError> {
    let value = facade.get(index).map(|column| &column.value);
    let patient = |path: &&Path| meaning.said(path).is_some();
    Ok(match (cells.get(index), value) {
        (Some(CellSource::Constant(_)), Some(ColumnValue::Path(path))) if patient(&path) => {
            let problem = "ORDER BY sorts by the patient, who is the same in every row";
            return Err(PlanError::Irreducible { place: meaning.source.place(key.span), problem });
        }
        (Some(CellSource::Endpoint(attribute)), _) => Meant::Endpoint(*attribute),
        (Some(CellSource::Node(at)), Some(ColumnValue::Path(path))) => Meant::Node(*at, path.clone()),
        (Some(CellSource::Node(at)), _) => {
            // Only a call is left, and only its alias names it.
            let variable = node.alias(*at).cloned().unwrap_or_else(|| key.path.variable.clone());
            Meant::Node(*at, Path { variable, predicate: None, steps: Vec::new(), span: Span::NONE })
        }
        (Some(CellSource::Constant(_) | CellSource::Aggregate(_)) | None, _) => Meant::Nothing,
    })
}
