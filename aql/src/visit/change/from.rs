//! FROM.

use super::VisitMut;
use crate::ast::{ClassContainment, ClassExpression, Containment, Contains, VersionPredicate};

/// Goes on to what a [`Containment`] holds.
pub fn walk_containment_mut<V: VisitMut + ?Sized>(v: &mut V, node: &mut Containment) {
    match node {
        Containment::Class(one) => v.visit_class_containment_mut(one),
        Containment::And(members) => {
            for one in members {
                v.visit_containment_mut(one);
            }
        }
        Containment::Or(members) => {
            for one in members {
                v.visit_containment_mut(one);
            }
        }
    }
}

/// Goes on to what a [`ClassContainment`] holds.
pub fn walk_class_containment_mut<V: VisitMut + ?Sized>(v: &mut V, node: &mut ClassContainment) {
    let ClassContainment { class, contains, span: _ } = node;
    v.visit_class_expression_mut(class);
    if let Some(one) = contains {
        v.visit_contains_mut(one);
    }
}

/// Goes on to what a [`Contains`] holds.
pub fn walk_contains_mut<V: VisitMut + ?Sized>(v: &mut V, node: &mut Contains) {
    let Contains { negated: _, inner } = node;
    v.visit_containment_mut(inner);
}

/// Goes on to what a [`ClassExpression`] holds.
pub fn walk_class_expression_mut<V: VisitMut + ?Sized>(v: &mut V, node: &mut ClassExpression) {
    match node {
        ClassExpression::Class { name, variable, predicate } => {
            v.visit_name_mut(name);
            if let Some(one) = variable {
                v.visit_name_mut(one);
            }
            if let Some(one) = predicate {
                v.visit_predicate_mut(one);
            }
        }
        ClassExpression::Version { variable, predicate } => {
            if let Some(one) = variable {
                v.visit_name_mut(one);
            }
            if let Some(one) = predicate {
                v.visit_version_predicate_mut(one);
            }
        }
    }
}

/// Goes on to what a [`VersionPredicate`] holds.
pub fn walk_version_predicate_mut<V: VisitMut + ?Sized>(v: &mut V, node: &mut VersionPredicate) {
    match node {
        VersionPredicate::Latest => {}
        VersionPredicate::All => {}
        VersionPredicate::Comparison(one) => v.visit_predicate_comparison_mut(one),
    }
}
