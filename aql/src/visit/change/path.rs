//! Paths and predicates.

use super::VisitMut;
use crate::ast::{NodeId, NodeName, ObjectPath, Path, Predicate, PredicateComparison, PredicateValue, Step};

/// Goes on to what a [`Path`] holds.
pub fn walk_path_mut<V: VisitMut + ?Sized>(v: &mut V, node: &mut Path) {
    let Path { variable, predicate, steps, span: _ } = node;
    v.visit_name_mut(variable);
    if let Some(one) = predicate {
        v.visit_predicate_mut(one);
    }
    for one in steps {
        v.visit_step_mut(one);
    }
}

/// Goes on to what a [`ObjectPath`] holds.
pub fn walk_object_path_mut<V: VisitMut + ?Sized>(v: &mut V, node: &mut ObjectPath) {
    let ObjectPath { steps, span: _ } = node;
    for one in steps {
        v.visit_step_mut(one);
    }
}

/// Goes on to what a [`Step`] holds.
pub fn walk_step_mut<V: VisitMut + ?Sized>(v: &mut V, node: &mut Step) {
    let Step { name, predicate, span: _ } = node;
    v.visit_name_mut(name);
    if let Some(one) = predicate {
        v.visit_predicate_mut(one);
    }
}

/// Goes on to what a [`Predicate`] holds.
pub fn walk_predicate_mut<V: VisitMut + ?Sized>(v: &mut V, node: &mut Predicate) {
    match node {
        Predicate::And(members) => {
            for one in members {
                v.visit_predicate_mut(one);
            }
        }
        Predicate::Or(members) => {
            for one in members {
                v.visit_predicate_mut(one);
            }
        }
        Predicate::Parameter(one) => v.visit_parameter_mut(one),
        Predicate::Node { id, name } => {
            v.visit_node_id_mut(id);
            if let Some(one) = name {
                v.visit_node_name_mut(one);
            }
        }
        Predicate::Comparison(one) => v.visit_predicate_comparison_mut(one),
        Predicate::Matches { path, regex } => {
            v.visit_object_path_mut(path);
            v.visit_text_mut(regex);
        }
    }
}

/// Goes on to what a [`NodeId`] holds.
pub fn walk_node_id_mut<V: VisitMut + ?Sized>(_v: &mut V, node: &mut NodeId) {
    let NodeId { kind: _, text: _, span: _ } = node;
}

/// Goes on to what a [`NodeName`] holds.
pub fn walk_node_name_mut<V: VisitMut + ?Sized>(v: &mut V, node: &mut NodeName) {
    match node {
        NodeName::Text(one) => v.visit_literal_mut(one),
        NodeName::Parameter(one) => v.visit_parameter_mut(one),
        NodeName::Term(one) => v.visit_text_mut(one),
        NodeName::Code(one) => v.visit_node_id_mut(one),
    }
}

/// Goes on to what a [`PredicateComparison`] holds.
pub fn walk_predicate_comparison_mut<V: VisitMut + ?Sized>(v: &mut V, node: &mut PredicateComparison) {
    let PredicateComparison { path, operator: _, value, span: _ } = node;
    v.visit_object_path_mut(path);
    v.visit_predicate_value_mut(value);
}

/// Goes on to what a [`PredicateValue`] holds.
pub fn walk_predicate_value_mut<V: VisitMut + ?Sized>(v: &mut V, node: &mut PredicateValue) {
    match node {
        PredicateValue::Literal(one) => v.visit_literal_mut(one),
        PredicateValue::Path(one) => v.visit_object_path_mut(one),
        PredicateValue::Parameter(one) => v.visit_parameter_mut(one),
        PredicateValue::Code(one) => v.visit_node_id_mut(one),
    }
}
