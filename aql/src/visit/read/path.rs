//! Paths and predicates.

use std::ops::ControlFlow;

use super::Visit;
use crate::ast::{NodeId, NodeName, ObjectPath, Path, Predicate, PredicateComparison, PredicateValue, Step};

/// Goes on to what a [`Path`] holds.
pub fn walk_path<'ast, V: Visit<'ast> + ?Sized>(v: &mut V, node: &'ast Path) -> ControlFlow<V::Break> {
    let Path { variable, predicate, steps, span: _ } = node;
    v.visit_name(variable)?;
    if let Some(one) = predicate {
        v.visit_predicate(one)?;
    }
    for one in steps {
        v.visit_step(one)?;
    }
    ControlFlow::Continue(())
}

/// Goes on to what a [`ObjectPath`] holds.
pub fn walk_object_path<'ast, V: Visit<'ast> + ?Sized>(v: &mut V, node: &'ast ObjectPath) -> ControlFlow<V::Break> {
    let ObjectPath { steps, span: _ } = node;
    for one in steps {
        v.visit_step(one)?;
    }
    ControlFlow::Continue(())
}

/// Goes on to what a [`Step`] holds.
pub fn walk_step<'ast, V: Visit<'ast> + ?Sized>(v: &mut V, node: &'ast Step) -> ControlFlow<V::Break> {
    let Step { name, predicate, span: _ } = node;
    v.visit_name(name)?;
    if let Some(one) = predicate {
        v.visit_predicate(one)?;
    }
    ControlFlow::Continue(())
}

/// Goes on to what a [`Predicate`] holds.
pub fn walk_predicate<'ast, V: Visit<'ast> + ?Sized>(v: &mut V, node: &'ast Predicate) -> ControlFlow<V::Break> {
    match node {
        Predicate::And(members) => {
            for one in members {
                v.visit_predicate(one)?;
            }
        }
        Predicate::Or(members) => {
            for one in members {
                v.visit_predicate(one)?;
            }
        }
        Predicate::Parameter(one) => v.visit_parameter(one)?,
        Predicate::Node { id, name } => {
            v.visit_node_id(id)?;
            if let Some(one) = name {
                v.visit_node_name(one)?;
            }
        }
        Predicate::Comparison(one) => v.visit_predicate_comparison(one)?,
        Predicate::Matches { path, regex } => {
            v.visit_object_path(path)?;
            v.visit_text(regex)?;
        }
    }
    ControlFlow::Continue(())
}

/// Goes on to what a [`NodeId`] holds.
pub fn walk_node_id<'ast, V: Visit<'ast> + ?Sized>(_v: &mut V, node: &'ast NodeId) -> ControlFlow<V::Break> {
    let NodeId { kind: _, text: _, span: _ } = node;
    ControlFlow::Continue(())
}

/// Goes on to what a [`NodeName`] holds.
pub fn walk_node_name<'ast, V: Visit<'ast> + ?Sized>(v: &mut V, node: &'ast NodeName) -> ControlFlow<V::Break> {
    match node {
        NodeName::Text(one) => v.visit_literal(one)?,
        NodeName::Parameter(one) => v.visit_parameter(one)?,
        NodeName::Term(one) => v.visit_text(one)?,
        NodeName::Code(one) => v.visit_node_id(one)?,
    }
    ControlFlow::Continue(())
}

/// Goes on to what a [`PredicateComparison`] holds.
pub fn walk_predicate_comparison<'ast, V: Visit<'ast> + ?Sized>(
    v: &mut V,
    node: &'ast PredicateComparison,
) -> ControlFlow<V::Break> {
    let PredicateComparison { path, operator: _, value, span: _ } = node;
    v.visit_object_path(path)?;
    v.visit_predicate_value(value)?;
    ControlFlow::Continue(())
}

/// Goes on to what a [`PredicateValue`] holds.
pub fn walk_predicate_value<'ast, V: Visit<'ast> + ?Sized>(v: &mut V, node: &'ast PredicateValue) -> ControlFlow<V::Break> {
    match node {
        PredicateValue::Literal(one) => v.visit_literal(one)?,
        PredicateValue::Path(one) => v.visit_object_path(one)?,
        PredicateValue::Parameter(one) => v.visit_parameter(one)?,
        PredicateValue::Code(one) => v.visit_node_id(one)?,
    }
    ControlFlow::Continue(())
}
