//! Values, names and texts.

use super::VisitMut;
use crate::ast::{Call, Literal, Name, Parameter, Text, Value};

/// Goes on to what a [`Value`] holds.
pub fn walk_value_mut<V: VisitMut + ?Sized>(v: &mut V, node: &mut Value) {
    match node {
        Value::Literal(one) => v.visit_literal_mut(one),
        Value::Parameter(one) => v.visit_parameter_mut(one),
        Value::Path(one) => v.visit_path_mut(one),
        Value::Call(one) => v.visit_call_mut(one),
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
