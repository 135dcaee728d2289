//! Reading a tree.

mod condition;
mod from;
mod path;
mod query;
mod value;

use std::ops::ControlFlow;

use crate::ast::{
    Aggregate, Call, ClassContainment, ClassExpression, Column, ColumnValue, Condition, Containment, Contains, Count, Directive,
    DirectiveId, LikePattern, Limit, Literal, MatchItem, MatchSet, Name, NodeId, NodeName, ObjectPath, Operand, OrderKey,
    Parameter, Path, Predicate, PredicateComparison, PredicateValue, Query, Select, Step, Text, Top, Value, VersionPredicate,
};

pub use condition::*;
pub use from::*;
pub use path::*;
pub use query::*;
pub use value::*;

/// Reads a tree: a method per kind of node, each of which goes on to what the node holds unless it is overridden. An
/// overriding method that wants to go on calls the `walk_…` function of the same name. `Break` ends the whole visit.
pub trait Visit<'ast> {
    /// What ends a visit early; [`std::convert::Infallible`] when nothing does.
    type Break;

    /// The whole query.
    fn visit_query(&mut self, node: &'ast Query) -> ControlFlow<Self::Break> {
        walk_query(self, node)
    }

    /// The targeting directive.
    fn visit_directive(&mut self, node: &'ast Directive) -> ControlFlow<Self::Break> {
        walk_directive(self, node)
    }

    /// An id of the directive.
    fn visit_directive_id(&mut self, node: &'ast DirectiveId) -> ControlFlow<Self::Break> {
        walk_directive_id(self, node)
    }

    /// The SELECT clause.
    fn visit_select(&mut self, node: &'ast Select) -> ControlFlow<Self::Break> {
        walk_select(self, node)
    }

    /// `TOP n`.
    fn visit_top(&mut self, node: &'ast Top) -> ControlFlow<Self::Break> {
        walk_top(self, node)
    }

    /// A selected column.
    fn visit_column(&mut self, node: &'ast Column) -> ControlFlow<Self::Break> {
        walk_column(self, node)
    }

    /// What a column gives.
    fn visit_column_value(&mut self, node: &'ast ColumnValue) -> ControlFlow<Self::Break> {
        walk_column_value(self, node)
    }

    /// An aggregate.
    fn visit_aggregate(&mut self, node: &'ast Aggregate) -> ControlFlow<Self::Break> {
        walk_aggregate(self, node)
    }

    /// A call of a function.
    fn visit_call(&mut self, node: &'ast Call) -> ControlFlow<Self::Break> {
        walk_call(self, node)
    }

    /// A part of FROM.
    fn visit_containment(&mut self, node: &'ast Containment) -> ControlFlow<Self::Break> {
        walk_containment(self, node)
    }

    /// A class and what it contains.
    fn visit_class_containment(&mut self, node: &'ast ClassContainment) -> ControlFlow<Self::Break> {
        walk_class_containment(self, node)
    }

    /// `[NOT] CONTAINS …`.
    fn visit_contains(&mut self, node: &'ast Contains) -> ControlFlow<Self::Break> {
        walk_contains(self, node)
    }

    /// A class with its variable and predicate.
    fn visit_class_expression(&mut self, node: &'ast ClassExpression) -> ControlFlow<Self::Break> {
        walk_class_expression(self, node)
    }

    /// The predicate of a VERSION.
    fn visit_version_predicate(&mut self, node: &'ast VersionPredicate) -> ControlFlow<Self::Break> {
        walk_version_predicate(self, node)
    }

    /// A path from a variable.
    fn visit_path(&mut self, node: &'ast Path) -> ControlFlow<Self::Break> {
        walk_path(self, node)
    }

    /// A path inside brackets.
    fn visit_object_path(&mut self, node: &'ast ObjectPath) -> ControlFlow<Self::Break> {
        walk_object_path(self, node)
    }

    /// A step of a path.
    fn visit_step(&mut self, node: &'ast Step) -> ControlFlow<Self::Break> {
        walk_step(self, node)
    }

    /// A predicate in brackets, or a member of one.
    fn visit_predicate(&mut self, node: &'ast Predicate) -> ControlFlow<Self::Break> {
        walk_predicate(self, node)
    }

    /// An archetype id or node code.
    fn visit_node_id(&mut self, node: &'ast NodeId) -> ControlFlow<Self::Break> {
        walk_node_id(self, node)
    }

    /// The name behind a node id.
    fn visit_node_name(&mut self, node: &'ast NodeName) -> ControlFlow<Self::Break> {
        walk_node_name(self, node)
    }

    /// A comparison in brackets.
    fn visit_predicate_comparison(&mut self, node: &'ast PredicateComparison) -> ControlFlow<Self::Break> {
        walk_predicate_comparison(self, node)
    }

    /// The right side of a comparison in brackets.
    fn visit_predicate_value(&mut self, node: &'ast PredicateValue) -> ControlFlow<Self::Break> {
        walk_predicate_value(self, node)
    }

    /// A condition of WHERE, or a part of one.
    fn visit_condition(&mut self, node: &'ast Condition) -> ControlFlow<Self::Break> {
        walk_condition(self, node)
    }

    /// The left side of a comparison.
    fn visit_operand(&mut self, node: &'ast Operand) -> ControlFlow<Self::Break> {
        walk_operand(self, node)
    }

    /// The right side of LIKE.
    fn visit_like_pattern(&mut self, node: &'ast LikePattern) -> ControlFlow<Self::Break> {
        walk_like_pattern(self, node)
    }

    /// The right side of MATCHES.
    fn visit_match_set(&mut self, node: &'ast MatchSet) -> ControlFlow<Self::Break> {
        walk_match_set(self, node)
    }

    /// A member of a MATCHES list.
    fn visit_match_item(&mut self, node: &'ast MatchItem) -> ControlFlow<Self::Break> {
        walk_match_item(self, node)
    }

    /// A value: right side or argument.
    fn visit_value(&mut self, node: &'ast Value) -> ControlFlow<Self::Break> {
        walk_value(self, node)
    }

    /// A sort key.
    fn visit_order_key(&mut self, node: &'ast OrderKey) -> ControlFlow<Self::Break> {
        walk_order_key(self, node)
    }

    /// `LIMIT n [OFFSET k]`.
    fn visit_limit(&mut self, node: &'ast Limit) -> ControlFlow<Self::Break> {
        walk_limit(self, node)
    }

    /// A count of rows.
    fn visit_count(&mut self, node: &'ast Count) -> ControlFlow<Self::Break> {
        walk_count(self, node)
    }

    /// A literal, wherever it stands.
    fn visit_literal(&mut self, node: &'ast Literal) -> ControlFlow<Self::Break> {
        walk_literal(self, node)
    }

    /// A parameter, wherever it stands.
    fn visit_parameter(&mut self, node: &'ast Parameter) -> ControlFlow<Self::Break> {
        walk_parameter(self, node)
    }

    /// A variable, class, attribute, alias or function name.
    fn visit_name(&mut self, node: &'ast Name) -> ControlFlow<Self::Break> {
        walk_name(self, node)
    }

    /// A term code, URI or regular expression, kept as written.
    fn visit_text(&mut self, node: &'ast Text) -> ControlFlow<Self::Break> {
        walk_text(self, node)
    }
}
