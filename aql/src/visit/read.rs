//! Reading a tree.

use std::ops::ControlFlow;

use crate::ast::{
    Aggregate, Call, ClassContainment, ClassExpression, Column, ColumnValue, Condition, Containment, Contains, Count, Directive,
    DirectiveId, LikePattern, Limit, Literal, MatchItem, MatchSet, Name, NodeId, NodeName, ObjectPath, Operand, OrderKey,
    Parameter, Path, Predicate, PredicateComparison, PredicateValue, Query, Select, Step, Text, Top, Value, VersionPredicate,
};

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

/// Goes on to what a [`Query`] holds.
pub fn walk_query<'ast, V: Visit<'ast> + ?Sized>(v: &mut V, node: &'ast Query) -> ControlFlow<V::Break> {
    let Query { directive, select, from, condition, order_by, limit } = node;
    if let Some(one) = directive {
        v.visit_directive(one)?;
    }
    v.visit_select(select)?;
    v.visit_containment(from)?;
    if let Some(one) = condition {
        v.visit_condition(one)?;
    }
    for one in order_by {
        v.visit_order_key(one)?;
    }
    if let Some(one) = limit {
        v.visit_limit(one)?;
    }
    ControlFlow::Continue(())
}

/// Goes on to what a [`Directive`] holds.
pub fn walk_directive<'ast, V: Visit<'ast> + ?Sized>(v: &mut V, node: &'ast Directive) -> ControlFlow<V::Break> {
    let Directive { kind: _, variable, ids, span: _ } = node;
    if let Some(one) = variable {
        v.visit_name(one)?;
    }
    for one in ids {
        v.visit_directive_id(one)?;
    }
    ControlFlow::Continue(())
}

/// Goes on to what a [`DirectiveId`] holds.
pub fn walk_directive_id<'ast, V: Visit<'ast> + ?Sized>(_v: &mut V, node: &'ast DirectiveId) -> ControlFlow<V::Break> {
    let DirectiveId { id: _, span: _ } = node;
    ControlFlow::Continue(())
}

/// Goes on to what a [`Select`] holds.
pub fn walk_select<'ast, V: Visit<'ast> + ?Sized>(v: &mut V, node: &'ast Select) -> ControlFlow<V::Break> {
    let Select { distinct: _, top, columns, span: _ } = node;
    if let Some(one) = top {
        v.visit_top(one)?;
    }
    for one in columns {
        v.visit_column(one)?;
    }
    ControlFlow::Continue(())
}

/// Goes on to what a [`Top`] holds.
pub fn walk_top<'ast, V: Visit<'ast> + ?Sized>(v: &mut V, node: &'ast Top) -> ControlFlow<V::Break> {
    let Top { count, direction: _ } = node;
    v.visit_count(count)?;
    ControlFlow::Continue(())
}

/// Goes on to what a [`Column`] holds.
pub fn walk_column<'ast, V: Visit<'ast> + ?Sized>(v: &mut V, node: &'ast Column) -> ControlFlow<V::Break> {
    let Column { value, alias, span: _ } = node;
    v.visit_column_value(value)?;
    if let Some(one) = alias {
        v.visit_name(one)?;
    }
    ControlFlow::Continue(())
}

/// Goes on to what a [`ColumnValue`] holds.
pub fn walk_column_value<'ast, V: Visit<'ast> + ?Sized>(v: &mut V, node: &'ast ColumnValue) -> ControlFlow<V::Break> {
    match node {
        ColumnValue::Path(one) => v.visit_path(one)?,
        ColumnValue::Literal(one) => v.visit_literal(one)?,
        ColumnValue::Aggregate(one) => v.visit_aggregate(one)?,
        ColumnValue::Call(one) => v.visit_call(one)?,
    }
    ControlFlow::Continue(())
}

/// Goes on to what a [`Aggregate`] holds.
pub fn walk_aggregate<'ast, V: Visit<'ast> + ?Sized>(v: &mut V, node: &'ast Aggregate) -> ControlFlow<V::Break> {
    let Aggregate { function: _, distinct: _, path, span: _ } = node;
    if let Some(one) = path {
        v.visit_path(one)?;
    }
    ControlFlow::Continue(())
}

/// Goes on to what a [`Call`] holds.
pub fn walk_call<'ast, V: Visit<'ast> + ?Sized>(v: &mut V, node: &'ast Call) -> ControlFlow<V::Break> {
    let Call { name, arguments, span: _ } = node;
    v.visit_name(name)?;
    for one in arguments {
        v.visit_value(one)?;
    }
    ControlFlow::Continue(())
}

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

/// Goes on to what a [`Value`] holds.
pub fn walk_value<'ast, V: Visit<'ast> + ?Sized>(v: &mut V, node: &'ast Value) -> ControlFlow<V::Break> {
    match node {
        Value::Literal(one) => v.visit_literal(one)?,
        Value::Parameter(one) => v.visit_parameter(one)?,
        Value::Path(one) => v.visit_path(one)?,
        Value::Call(one) => v.visit_call(one)?,
    }
    ControlFlow::Continue(())
}

/// Goes on to what a [`OrderKey`] holds.
pub fn walk_order_key<'ast, V: Visit<'ast> + ?Sized>(v: &mut V, node: &'ast OrderKey) -> ControlFlow<V::Break> {
    let OrderKey { path, descending: _, span: _ } = node;
    v.visit_path(path)?;
    ControlFlow::Continue(())
}

/// Goes on to what a [`Limit`] holds.
pub fn walk_limit<'ast, V: Visit<'ast> + ?Sized>(v: &mut V, node: &'ast Limit) -> ControlFlow<V::Break> {
    let Limit { count, offset, span: _ } = node;
    v.visit_count(count)?;
    if let Some(one) = offset {
        v.visit_count(one)?;
    }
    ControlFlow::Continue(())
}

/// Goes on to what a [`Count`] holds.
pub fn walk_count<'ast, V: Visit<'ast> + ?Sized>(_v: &mut V, node: &'ast Count) -> ControlFlow<V::Break> {
    let Count { digits: _, span: _ } = node;
    ControlFlow::Continue(())
}

/// Goes on to what a [`Literal`] holds.
pub fn walk_literal<'ast, V: Visit<'ast> + ?Sized>(_v: &mut V, node: &'ast Literal) -> ControlFlow<V::Break> {
    let Literal { kind: _, text: _, span: _ } = node;
    ControlFlow::Continue(())
}

/// Goes on to what a [`Parameter`] holds.
pub fn walk_parameter<'ast, V: Visit<'ast> + ?Sized>(_v: &mut V, node: &'ast Parameter) -> ControlFlow<V::Break> {
    let Parameter { name: _, span: _ } = node;
    ControlFlow::Continue(())
}

/// Goes on to what a [`Name`] holds.
pub fn walk_name<'ast, V: Visit<'ast> + ?Sized>(_v: &mut V, node: &'ast Name) -> ControlFlow<V::Break> {
    let Name { text: _, span: _ } = node;
    ControlFlow::Continue(())
}

/// Goes on to what a [`Text`] holds.
pub fn walk_text<'ast, V: Visit<'ast> + ?Sized>(_v: &mut V, node: &'ast Text) -> ControlFlow<V::Break> {
    let Text { text: _, span: _ } = node;
    ControlFlow::Continue(())
}
