//! Values, names and texts.

use std::ops::ControlFlow;

use super::Visit;
use crate::ast::{Call, Literal, Name, Parameter, Text, Value};

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

/// Goes on to what a [`Call`] holds.
pub fn walk_call<'ast, V: Visit<'ast> + ?Sized>(v: &mut V, node: &'ast Call) -> ControlFlow<V::Break> {
    let Call { name, arguments, span: _ } = node;
    v.visit_name(name)?;
    for one in arguments {
        v.visit_value(one)?;
    }
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
