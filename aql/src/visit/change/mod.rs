//! Changing a tree in place.

mod condition;
mod from;
mod path;
mod query;
mod value;

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

/// Changes a tree in place: a method per kind of node, each of which goes on to what the node holds unless it is overridden.
/// An overriding method that wants to go on calls the `walk_…_mut` function of the same name.
pub trait VisitMut {
    /// The whole query.
    fn visit_query_mut(&mut self, node: &mut Query) {
        walk_query_mut(self, node);
    }

    /// The targeting directive.
    fn visit_directive_mut(&mut self, node: &mut Directive) {
        walk_directive_mut(self, node);
    }

    /// An id of the directive.
    fn visit_directive_id_mut(&mut self, node: &mut DirectiveId) {
        walk_directive_id_mut(self, node);
    }

    /// The SELECT clause.
    fn visit_select_mut(&mut self, node: &mut Select) {
        walk_select_mut(self, node);
    }

    /// `TOP n`.
    fn visit_top_mut(&mut self, node: &mut Top) {
        walk_top_mut(self, node);
    }

    /// A selected column.
    fn visit_column_mut(&mut self, node: &mut Column) {
        walk_column_mut(self, node);
    }

    /// What a column gives.
    fn visit_column_value_mut(&mut self, node: &mut ColumnValue) {
        walk_column_value_mut(self, node);
    }

    /// An aggregate.
    fn visit_aggregate_mut(&mut self, node: &mut Aggregate) {
        walk_aggregate_mut(self, node);
    }

    /// A call of a function.
    fn visit_call_mut(&mut self, node: &mut Call) {
        walk_call_mut(self, node);
    }

    /// A part of FROM.
    fn visit_containment_mut(&mut self, node: &mut Containment) {
        walk_containment_mut(self, node);
    }

    /// A class and what it contains.
    fn visit_class_containment_mut(&mut self, node: &mut ClassContainment) {
        walk_class_containment_mut(self, node);
    }

    /// `[NOT] CONTAINS …`.
    fn visit_contains_mut(&mut self, node: &mut Contains) {
        walk_contains_mut(self, node);
    }

    /// A class with its variable and predicate.
    fn visit_class_expression_mut(&mut self, node: &mut ClassExpression) {
        walk_class_expression_mut(self, node);
    }

    /// The predicate of a VERSION.
    fn visit_version_predicate_mut(&mut self, node: &mut VersionPredicate) {
        walk_version_predicate_mut(self, node);
    }

    /// A path from a variable.
    fn visit_path_mut(&mut self, node: &mut Path) {
        walk_path_mut(self, node);
    }

    /// A path inside brackets.
    fn visit_object_path_mut(&mut self, node: &mut ObjectPath) {
        walk_object_path_mut(self, node);
    }

    /// A step of a path.
    fn visit_step_mut(&mut self, node: &mut Step) {
        walk_step_mut(self, node);
    }

    /// A predicate in brackets, or a member of one.
    fn visit_predicate_mut(&mut self, node: &mut Predicate) {
        walk_predicate_mut(self, node);
    }

    /// An archetype id or node code.
    fn visit_node_id_mut(&mut self, node: &mut NodeId) {
        walk_node_id_mut(self, node);
    }

    /// The name behind a node id.
    fn visit_node_name_mut(&mut self, node: &mut NodeName) {
        walk_node_name_mut(self, node);
    }

    /// A comparison in brackets.
    fn visit_predicate_comparison_mut(&mut self, node: &mut PredicateComparison) {
        walk_predicate_comparison_mut(self, node);
    }

    /// The right side of a comparison in brackets.
    fn visit_predicate_value_mut(&mut self, node: &mut PredicateValue) {
        walk_predicate_value_mut(self, node);
    }

    /// A condition of WHERE, or a part of one.
    fn visit_condition_mut(&mut self, node: &mut Condition) {
        walk_condition_mut(self, node);
    }

    /// The left side of a comparison.
    fn visit_operand_mut(&mut self, node: &mut Operand) {
        walk_operand_mut(self, node);
    }

    /// The right side of LIKE.
    fn visit_like_pattern_mut(&mut self, node: &mut LikePattern) {
        walk_like_pattern_mut(self, node);
    }

    /// The right side of MATCHES.
    fn visit_match_set_mut(&mut self, node: &mut MatchSet) {
        walk_match_set_mut(self, node);
    }

    /// A member of a MATCHES list.
    fn visit_match_item_mut(&mut self, node: &mut MatchItem) {
        walk_match_item_mut(self, node);
    }

    /// A value: right side or argument.
    fn visit_value_mut(&mut self, node: &mut Value) {
        walk_value_mut(self, node);
    }

    /// A sort key.
    fn visit_order_key_mut(&mut self, node: &mut OrderKey) {
        walk_order_key_mut(self, node);
    }

    /// `LIMIT n [OFFSET k]`.
    fn visit_limit_mut(&mut self, node: &mut Limit) {
        walk_limit_mut(self, node);
    }

    /// A count of rows.
    fn visit_count_mut(&mut self, node: &mut Count) {
        walk_count_mut(self, node);
    }

    /// A literal, wherever it stands.
    fn visit_literal_mut(&mut self, node: &mut Literal) {
        walk_literal_mut(self, node);
    }

    /// A parameter, wherever it stands.
    fn visit_parameter_mut(&mut self, node: &mut Parameter) {
        walk_parameter_mut(self, node);
    }

    /// A variable, class, attribute, alias or function name.
    fn visit_name_mut(&mut self, node: &mut Name) {
        walk_name_mut(self, node);
    }

    /// A term code, URI or regular expression, kept as written.
    fn visit_text_mut(&mut self, node: &mut Text) {
        walk_text_mut(self, node);
    }
}
