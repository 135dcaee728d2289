//! The clauses around FROM and WHERE.

use super::VisitMut;
use crate::ast::{Aggregate, Column, ColumnValue, Count, Directive, DirectiveId, Limit, OrderKey, Query, Select, Top};

/// Goes on to what a [`Query`] holds.
pub fn walk_query_mut<V: VisitMut + ?Sized>(v: &mut V, node: &mut Query) {
    let Query { directive, select, from, condition, order_by, limit } = node;
    if let Some(one) = directive {
        v.visit_directive_mut(one);
    }
    v.visit_select_mut(select);
    v.visit_containment_mut(from);
    if let Some(one) = condition {
        v.visit_condition_mut(one);
    }
    for one in order_by {
        v.visit_order_key_mut(one);
    }
    if let Some(one) = limit {
        v.visit_limit_mut(one);
    }
}

/// Goes on to what a [`Directive`] holds.
pub fn walk_directive_mut<V: VisitMut + ?Sized>(v: &mut V, node: &mut Directive) {
    let Directive { kind: _, variable, ids, span: _ } = node;
    if let Some(one) = variable {
        v.visit_name_mut(one);
    }
    for one in ids {
        v.visit_directive_id_mut(one);
    }
}

/// Goes on to what a [`DirectiveId`] holds.
pub fn walk_directive_id_mut<V: VisitMut + ?Sized>(_v: &mut V, node: &mut DirectiveId) {
    let DirectiveId { id: _, span: _ } = node;
}

/// Goes on to what a [`Select`] holds.
pub fn walk_select_mut<V: VisitMut + ?Sized>(v: &mut V, node: &mut Select) {
    let Select { distinct: _, top, columns, span: _ } = node;
    if let Some(one) = top {
        v.visit_top_mut(one);
    }
    for one in columns {
        v.visit_column_mut(one);
    }
}

/// Goes on to what a [`Top`] holds.
pub fn walk_top_mut<V: VisitMut + ?Sized>(v: &mut V, node: &mut Top) {
    let Top { count, direction: _ } = node;
    v.visit_count_mut(count);
}

/// Goes on to what a [`Column`] holds.
pub fn walk_column_mut<V: VisitMut + ?Sized>(v: &mut V, node: &mut Column) {
    let Column { value, alias, span: _ } = node;
    v.visit_column_value_mut(value);
    if let Some(one) = alias {
        v.visit_name_mut(one);
    }
}

/// Goes on to what a [`ColumnValue`] holds.
pub fn walk_column_value_mut<V: VisitMut + ?Sized>(v: &mut V, node: &mut ColumnValue) {
    match node {
        ColumnValue::Path(one) => v.visit_path_mut(one),
        ColumnValue::Literal(one) => v.visit_literal_mut(one),
        ColumnValue::Aggregate(one) => v.visit_aggregate_mut(one),
        ColumnValue::Call(one) => v.visit_call_mut(one),
    }
}

/// Goes on to what a [`Aggregate`] holds.
pub fn walk_aggregate_mut<V: VisitMut + ?Sized>(v: &mut V, node: &mut Aggregate) {
    let Aggregate { function: _, distinct: _, path, span: _ } = node;
    if let Some(one) = path {
        v.visit_path_mut(one);
    }
}

/// Goes on to what a [`OrderKey`] holds.
pub fn walk_order_key_mut<V: VisitMut + ?Sized>(v: &mut V, node: &mut OrderKey) {
    let OrderKey { path, descending: _, span: _ } = node;
    v.visit_path_mut(path);
}

/// Goes on to what a [`Limit`] holds.
pub fn walk_limit_mut<V: VisitMut + ?Sized>(v: &mut V, node: &mut Limit) {
    let Limit { count, offset, span: _ } = node;
    v.visit_count_mut(count);
    if let Some(one) = offset {
        v.visit_count_mut(one);
    }
}

/// Goes on to what a [`Count`] holds.
pub fn walk_count_mut<V: VisitMut + ?Sized>(_v: &mut V, node: &mut Count) {
    let Count { digits: _, span: _ } = node;
}
