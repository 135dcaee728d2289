//! The rules of the language that are no matter of syntax: what may be declared, used and counted.
//!
//! Only what the specification's text forbids is refused, and of that only what no server would answer as meant. Bare classes,
//! archetype predicates inside paths, parameters named like reserved words and line breaks in strings pass.

use std::ops::ControlFlow;

use crate::analysis::Variables;
use crate::ast::{Count, Limit, OrderKey, Path, Query, Span};
use crate::visit::{Visit, walk_path};

/// A rule that a query breaks. Holds no text of the query; [`RuleError::span`] says where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RuleError {
    /// A path starts from what FROM does not declare.
    #[error("the path starts from a variable that FROM does not declare")]
    UnknownVariable(Span),
    /// A sort key is neither a path from a declared variable nor an alias.
    #[error("the sort key is neither a path from a variable of FROM nor an alias of a column")]
    UnknownSortKey(Span),
    /// FROM declares a name twice; case does not tell names apart.
    #[error("FROM declares this variable a second time (names that differ only in case are the same)")]
    DeclaredTwice(Span),
    /// `TOP` and `LIMIT` in one query.
    #[error("TOP and LIMIT exclude each other: keep LIMIT, TOP is deprecated")]
    TopBesideLimit(Span),
    /// A query for no rows.
    #[error("LIMIT and TOP ask for at least 1 row")]
    NoRows(Span),
    /// A count that fits in no 64 bits.
    #[error("the count of rows is too large: the largest is 18446744073709551615")]
    CountTooLarge(Span),
}

impl RuleError {
    /// Where the rule is broken.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            RuleError::UnknownVariable(span)
            | RuleError::UnknownSortKey(span)
            | RuleError::DeclaredTwice(span)
            | RuleError::TopBesideLimit(span)
            | RuleError::NoRows(span)
            | RuleError::CountTooLarge(span) => *span,
        }
    }
}

/// Checks the rules.
///
/// A sort key may be the bare alias of a column: the specification's text has only paths there, real queries use both, and
/// nothing else can be meant by a name that is no variable.
///
/// # Errors
/// The first rule that is broken.
pub fn check(query: &Query) -> Result<(), RuleError> {
    let variables = Variables::of(query);
    if let Some(twice) = variables.declared_twice() {
        return Err(RuleError::DeclaredTwice(twice.span));
    }
    counts(query)?;
    match (Uses { query, variables }).visit_query(query) {
        ControlFlow::Break(error) => Err(error),
        ControlFlow::Continue(()) => Ok(()),
    }
}

fn counts(query: &Query) -> Result<(), RuleError> {
    let top = query.select.top.as_ref().map(|top| &top.count);
    let (limit, offset) = match &query.limit {
        Some(Limit { count, offset, span: _ }) => (Some(count), offset.as_ref()),
        None => (None, None),
    };
    let value = |count: &Count| count.value().ok_or(RuleError::CountTooLarge(count.span));
    for count in [top, limit].into_iter().flatten() {
        if value(count)? == 0 {
            return Err(RuleError::NoRows(count.span));
        }
    }
    offset.map_or(Ok(0), value)?;
    match (top, &query.limit) {
        (Some(_), Some(limit)) => Err(RuleError::TopBesideLimit(limit.span)),
        _ => Ok(()),
    }
}

struct Uses<'a> {
    query: &'a Query,
    variables: Variables<'a>,
}

impl<'ast> Visit<'ast> for Uses<'ast> {
    type Break = RuleError;

    fn visit_path(&mut self, node: &'ast Path) -> ControlFlow<RuleError> {
        if !self.variables.declares(&node.variable.text) {
            return ControlFlow::Break(RuleError::UnknownVariable(node.variable.span));
        }
        walk_path(self, node)
    }

    fn visit_order_key(&mut self, node: &'ast OrderKey) -> ControlFlow<RuleError> {
        let OrderKey { path, descending: _, span: _ } = node;
        if self.variables.declares(&path.variable.text) {
            return walk_path(self, path);
        }
        if path.is_bare() && self.query.select.column_named(&path.variable.text).is_some() {
            return ControlFlow::Continue(());
        }
        ControlFlow::Break(RuleError::UnknownSortKey(path.variable.span))
    }
}
