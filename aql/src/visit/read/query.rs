//! The clauses around FROM and WHERE.

use std::ops::ControlFlow;

use super::Visit;
use crate::ast::{Aggregate, Column, ColumnValue, Count, Directive, DirectiveId, Limit, OrderKey, Query, Select, Top};

/// Goes on to what a [`Query`] holds.
pub fn walk_query<'ast, V: Visit<'ast> + ?Sized>(v: &mut V, node: &'ast Query) -> ControlFlow<V::Break> {
    let Query { directive, select, from, condition, order_by, limit } = node;
    if let Some(one) = directive {
        v.visit_directive(one)?;
    }
    v.visit_select(select)?;
    v.visit_containment(from)?;
    if let Some(one) = condition {
        v.visit_condition(one)?;
    }
    for one in order_by {
        v.visit_order_key(one)?;
    }
    if let Some(one) = limit {
        v.visit_limit(one)?;
    }
    ControlFlow::Continue(())
}

/// Goes on to what a [`Directive`] holds.
pub fn walk_directive<'ast, V: Visit<'ast> + ?Sized>(v: &mut V, node: &'ast Directive) -> ControlFlow<V::Break> {
    let Directive { kind: _, variable, ids, span: _ } = node;
    if let Some(one) = variable {
        v.visit_name(one)?;
    }
    for one in ids {
        v.visit_directive_id(one)?;
    }
    ControlFlow::Continue(())
}

/// Goes on to what a [`DirectiveId`] holds.
pub fn walk_directive_id<'ast, V: Visit<'ast> + ?Sized>(_v: &mut V, node: &'ast DirectiveId) -> ControlFlow<V::Break> {
    let DirectiveId { id: _, span: _ } = node;
    ControlFlow::Continue(())
}

/// Goes on to what a [`Select`] holds.
pub fn walk_select<'ast, V: Visit<'ast> + ?Sized>(v: &mut V, node: &'ast Select) -> ControlFlow<V::Break> {
    let Select { distinct: _, top, columns, span: _ } = node;
    if let Some(one) = top {
        v.visit_top(one)?;
    }
    for one in columns {
        v.visit_column(one)?;
    }
    ControlFlow::Continue(())
}

/// Goes on to what a [`Top`] holds.
pub fn walk_top<'ast, V: Visit<'ast> + ?Sized>(v: &mut V, node: &'ast Top) -> ControlFlow<V::Break> {
    let Top { count, direction: _ } = node;
    v.visit_count(count)?;
    ControlFlow::Continue(())
}

/// Goes on to what a [`Column`] holds.
pub fn walk_column<'ast, V: Visit<'ast> + ?Sized>(v: &mut V, node: &'ast Column) -> ControlFlow<V::Break> {
    let Column { value, alias, span: _ } = node;
    v.visit_column_value(value)?;
    if let Some(one) = alias {
        v.visit_name(one)?;
    }
    ControlFlow::Continue(())
}

/// Goes on to what a [`ColumnValue`] holds.
pub fn walk_column_value<'ast, V: Visit<'ast> + ?Sized>(v: &mut V, node: &'ast ColumnValue) -> ControlFlow<V::Break> {
    match node {
        ColumnValue::Path(one) => v.visit_path(one)?,
        ColumnValue::Literal(one) => v.visit_literal(one)?,
        ColumnValue::Aggregate(one) => v.visit_aggregate(one)?,
        ColumnValue::Call(one) => v.visit_call(one)?,
    }
    ControlFlow::Continue(())
}

/// Goes on to what a [`Aggregate`] holds.
pub fn walk_aggregate<'ast, V: Visit<'ast> + ?Sized>(v: &mut V, node: &'ast Aggregate) -> ControlFlow<V::Break> {
    let Aggregate { function: _, distinct: _, path, span: _ } = node;
    if let Some(one) = path {
        v.visit_path(one)?;
    }
    ControlFlow::Continue(())
}

/// Goes on to what a [`OrderKey`] holds.
pub fn walk_order_key<'ast, V: Visit<'ast> + ?Sized>(v: &mut V, node: &'ast OrderKey) -> ControlFlow<V::Break> {
    let OrderKey { path, descending: _, span: _ } = node;
    v.visit_path(path)?;
    ControlFlow::Continue(())
}

/// Goes on to what a [`Limit`] holds.
pub fn walk_limit<'ast, V: Visit<'ast> + ?Sized>(v: &mut V, node: &'ast Limit) -> ControlFlow<V::Break> {
    let Limit { count, offset, span: _ } = node;
    v.visit_count(count)?;
    if let Some(one) = offset {
        v.visit_count(one)?;
    }
    ControlFlow::Continue(())
}

/// Goes on to what a [`Count`] holds.
pub fn walk_count<'ast, V: Visit<'ast> + ?Sized>(_v: &mut V, node: &'ast Count) -> ControlFlow<V::Break> {
    let Count { digits: _, span: _ } = node;
    ControlFlow::Continue(())
}
