//! WHERE.

use std::ops::ControlFlow;

use super::Visit;
use crate::ast::{Condition, LikePattern, MatchItem, MatchSet, Operand};

/// Goes on to what a [`Condition`] holds.
pub fn walk_condition<'ast, V: Visit<'ast> + ?Sized>(v: &mut V, node: &'ast Condition) -> ControlFlow<V::Break> {
    match node {
        Condition::And(members) => {
            for one in members {
                v.visit_condition(one)?;
            }
        }
        Condition::Or(members) => {
            for one in members {
                v.visit_condition(one)?;
            }
        }
        Condition::Not(one) => v.visit_condition(one)?,
        Condition::Exists { path, span: _ } => {
            v.visit_path(path)?;
        }
        Condition::Compare { left, operator: _, right, span: _ } => {
            v.visit_operand(left)?;
            v.visit_value(right)?;
        }
        Condition::Like { path, pattern, span: _ } => {
            v.visit_path(path)?;
            v.visit_like_pattern(pattern)?;
        }
        Condition::Matches { path, set, span: _ } => {
            v.visit_path(path)?;
            v.visit_match_set(set)?;
        }
    }
    ControlFlow::Continue(())
}

/// Goes on to what a [`Operand`] holds.
pub fn walk_operand<'ast, V: Visit<'ast> + ?Sized>(v: &mut V, node: &'ast Operand) -> ControlFlow<V::Break> {
    match node {
        Operand::Path(one) => v.visit_path(one)?,
        Operand::Call(one) => v.visit_call(one)?,
    }
    ControlFlow::Continue(())
}

/// Goes on to what a [`LikePattern`] holds.
pub fn walk_like_pattern<'ast, V: Visit<'ast> + ?Sized>(v: &mut V, node: &'ast LikePattern) -> ControlFlow<V::Break> {
    match node {
        LikePattern::Text(one) => v.visit_literal(one)?,
        LikePattern::Parameter(one) => v.visit_parameter(one)?,
    }
    ControlFlow::Continue(())
}

/// Goes on to what a [`MatchSet`] holds.
pub fn walk_match_set<'ast, V: Visit<'ast> + ?Sized>(v: &mut V, node: &'ast MatchSet) -> ControlFlow<V::Break> {
    match node {
        MatchSet::Values(members) => {
            for one in members {
                v.visit_match_item(one)?;
            }
        }
        MatchSet::Terminology(one) => v.visit_call(one)?,
        MatchSet::Uri(one) => v.visit_text(one)?,
    }
    ControlFlow::Continue(())
}

/// Goes on to what a [`MatchItem`] holds.
pub fn walk_match_item<'ast, V: Visit<'ast> + ?Sized>(v: &mut V, node: &'ast MatchItem) -> ControlFlow<V::Break> {
    match node {
        MatchItem::Literal(one) => v.visit_literal(one)?,
        MatchItem::Parameter(one) => v.visit_parameter(one)?,
        MatchItem::Terminology(one) => v.visit_call(one)?,
    }
    ControlFlow::Continue(())
}
