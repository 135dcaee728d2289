//! WHERE.

use super::VisitMut;
use crate::ast::{Condition, LikePattern, MatchItem, MatchSet, Operand};

/// Goes on to what a [`Condition`] holds.
pub fn walk_condition_mut<V: VisitMut + ?Sized>(v: &mut V, node: &mut Condition) {
    match node {
        Condition::And(members) => {
            for one in members {
                v.visit_condition_mut(one);
            }
        }
        Condition::Or(members) => {
            for one in members {
                v.visit_condition_mut(one);
            }
        }
        Condition::Not(one) => v.visit_condition_mut(one),
        Condition::Exists { path, span: _ } => {
            v.visit_path_mut(path);
        }
        Condition::Compare { left, operator: _, right, span: _ } => {
            v.visit_operand_mut(left);
            v.visit_value_mut(right);
        }
        Condition::Like { path, pattern, span: _ } => {
            v.visit_path_mut(path);
            v.visit_like_pattern_mut(pattern);
        }
        Condition::Matches { path, set, span: _ } => {
            v.visit_path_mut(path);
            v.visit_match_set_mut(set);
        }
    }
}

/// Goes on to what a [`Operand`] holds.
pub fn walk_operand_mut<V: VisitMut + ?Sized>(v: &mut V, node: &mut Operand) {
    match node {
        Operand::Path(one) => v.visit_path_mut(one),
        Operand::Call(one) => v.visit_call_mut(one),
    }
}

/// Goes on to what a [`LikePattern`] holds.
pub fn walk_like_pattern_mut<V: VisitMut + ?Sized>(v: &mut V, node: &mut LikePattern) {
    match node {
        LikePattern::Text(one) => v.visit_literal_mut(one),
        LikePattern::Parameter(one) => v.visit_parameter_mut(one),
    }
}

/// Goes on to what a [`MatchSet`] holds.
pub fn walk_match_set_mut<V: VisitMut + ?Sized>(v: &mut V, node: &mut MatchSet) {
    match node {
        MatchSet::Values(members) => {
            for one in members {
                v.visit_match_item_mut(one);
            }
        }
        MatchSet::Terminology(one) => v.visit_call_mut(one),
        MatchSet::Uri(one) => v.visit_text_mut(one),
    }
}

/// Goes on to what a [`MatchItem`] holds.
pub fn walk_match_item_mut<V: VisitMut + ?Sized>(v: &mut V, node: &mut MatchItem) {
    match node {
        MatchItem::Literal(one) => v.visit_literal_mut(one),
        MatchItem::Parameter(one) => v.visit_parameter_mut(one),
        MatchItem::Terminology(one) => v.visit_call_mut(one),
    }
}
