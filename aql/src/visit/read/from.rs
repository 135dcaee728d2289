//! FROM.

use std::ops::ControlFlow;

use super::Visit;
use crate::ast::{ClassContainment, ClassExpression, Containment, Contains, VersionPredicate};

/// Goes on to what a [`Containment`] holds.
pub fn walk_containment<'ast, V: Visit<'ast> + ?Sized>(v: &mut V, node: &'ast Containment) -> ControlFlow<V::Break> {
    match node {
        Containment::Class(one) => v.visit_class_containment(one)?,
        Containment::And(members) => {
            for one in members {
                v.visit_containment(one)?;
            }
        }
        Containment::Or(members) => {
            for one in members {
                v.visit_containment(one)?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// Goes on to what a [`ClassContainment`] holds.
pub fn walk_class_containment<'ast, V: Visit<'ast> + ?Sized>(v: &mut V, node: &'ast ClassContainment) -> ControlFlow<V::Break> {
    let ClassContainment { class, contains, span: _ } = node;
    v.visit_class_expression(class)?;
    if let Some(one) = contains {
        v.visit_contains(one)?;
    }
    ControlFlow::Continue(())
}

/// Goes on to what a [`Contains`] holds.
pub fn walk_contains<'ast, V: Visit<'ast> + ?Sized>(v: &mut V, node: &'ast Contains) -> ControlFlow<V::Break> {
    let Contains { negated: _, inner } = node;
    v.visit_containment(inner)?;
    ControlFlow::Continue(())
}

/// Goes on to what a [`ClassExpression`] holds.
pub fn walk_class_expression<'ast, V: Visit<'ast> + ?Sized>(v: &mut V, node: &'ast ClassExpression) -> ControlFlow<V::Break> {
    match node {
        ClassExpression::Class { name, variable, predicate } => {
            v.visit_name(name)?;
            if let Some(one) = variable {
                v.visit_name(one)?;
            }
            if let Some(one) = predicate {
                v.visit_predicate(one)?;
            }
        }
        ClassExpression::Version { variable, predicate } => {
            if let Some(one) = variable {
                v.visit_name(one)?;
            }
            if let Some(one) = predicate {
                v.visit_version_predicate(one)?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// Goes on to what a [`VersionPredicate`] holds.
pub fn walk_version_predicate<'ast, V: Visit<'ast> + ?Sized>(v: &mut V, node: &'ast VersionPredicate) -> ControlFlow<V::Break> {
    match node {
        VersionPredicate::Latest => {}
        VersionPredicate::All => {}
        VersionPredicate::Comparison(one) => v.visit_predicate_comparison(one)?,
    }
    ControlFlow::Continue(())
}
