//! Changing a tree in place.

use crate::ast::{
    Aggregate, Call, ClassContainment, ClassExpression, Column, ColumnValue, Condition, Containment, Contains, Count, Directive,
    DirectiveId, LikePattern, Limit, Literal, MatchItem, MatchSet, Name, NodeId, NodeName, ObjectPath, Operand, OrderKey,
    Parameter, Path, Predicate, PredicateComparison, PredicateValue, Query, Select, Step, Text, Top, Value, VersionPredicate,
};

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

/// Goes on to what a [`Call`] holds.
pub fn walk_call_mut<V: VisitMut + ?Sized>(v: &mut V, node: &mut Call) {
    let Call { name, arguments, span: _ } = node;
    v.visit_name_mut(name);
    for one in arguments {
        v.visit_value_mut(one);
    }
}

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

/// Goes on to what a [`Value`] holds.
pub fn walk_value_mut<V: VisitMut + ?Sized>(v: &mut V, node: &mut Value) {
    match node {
        Value::Literal(one) => v.visit_literal_mut(one),
        Value::Parameter(one) => v.visit_parameter_mut(one),
        Value::Path(one) => v.visit_path_mut(one),
        Value::Call(one) => v.visit_call_mut(one),
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

/// Goes on to what a [`Literal`] holds.
pub fn walk_literal_mut<V: VisitMut + ?Sized>(_v: &mut V, node: &mut Literal) {
    let Literal { kind: _, text: _, span: _ } = node;
}

/// Goes on to what a [`Parameter`] holds.
pub fn walk_parameter_mut<V: VisitMut + ?Sized>(_v: &mut V, node: &mut Parameter) {
    let Parameter { name: _, span: _ } = node;
}

/// Goes on to what a [`Name`] holds.
pub fn walk_name_mut<V: VisitMut + ?Sized>(_v: &mut V, node: &mut Name) {
    let Name { text: _, span: _ } = node;
}

/// Goes on to what a [`Text`] holds.
pub fn walk_text_mut<V: VisitMut + ?Sized>(_v: &mut V, node: &mut Text) {
    let Text { text: _, span: _ } = node;
}
