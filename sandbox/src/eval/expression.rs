//! Values of a row: paths, constants and functions of them.

use std::borrow::Cow;

use openehr_aql::ast::{Call, Value};

use super::error::EvalError;
use super::find::Item;
use super::functions::Function;
use super::literal::constant;
use super::scope::{Place, Scope};
use crate::value::Json;

/// What a row holds in its places.
pub(super) struct Row<'a> {
    pub(super) slots: Vec<Option<Item<'a>>>,
    pub(super) nodes: Vec<Option<&'a Json>>,
}

impl<'a> Row<'a> {
    /// The value in a place; `None` when it is missing.
    pub(super) fn at(&self, place: Place) -> Option<&'a Json> {
        match place {
            Place::Slot(slot) => self.slots.get(slot).copied().flatten().map(|item| item.json),
            Place::Node(node) => self.nodes.get(node).copied().flatten(),
        }
    }
}

/// An expression over a row.
#[derive(Debug)]
pub(super) enum Expression {
    Place(Place),
    Constant(Json),
    Call(Function, Vec<Expression>),
}

impl Expression {
    /// Resolves the right side of a comparison, or an argument.
    pub(super) fn of<'q>(value: &'q Value, scope: &mut Scope<'q>, now: &str) -> Result<Expression, EvalError> {
        match value {
            Value::Literal(literal) => Ok(Expression::Constant(constant(literal))),
            Value::Parameter(_) => Err(EvalError::UnboundParameter),
            Value::Path(path) => scope.place(path).map(Expression::Place),
            Value::Call(call) => Expression::call(call, scope, now),
        }
    }

    /// Resolves a call.
    pub(super) fn call<'q>(call: &'q Call, scope: &mut Scope<'q>, now: &str) -> Result<Expression, EvalError> {
        let function = Function::named(&call.name.text)?;
        let arguments = call.arguments.iter().map(|value| Expression::of(value, scope, now)).collect::<Result<Vec<_>, _>>()?;
        function.check(arguments.len())?;
        Ok(match function.clock(now) {
            Some(text) => Expression::Constant(Json::text(text)),
            None => Expression::Call(function, arguments),
        })
    }

    /// Its value in this row; what is missing is `null`.
    pub(super) fn value<'a>(&self, row: &Row<'a>) -> Result<Cow<'a, Json>, EvalError> {
        match self {
            Expression::Place(place) => Ok(row.at(*place).map_or(Cow::Owned(Json::Null), Cow::Borrowed)),
            Expression::Constant(value) => Ok(Cow::Owned(value.clone())),
            Expression::Call(function, arguments) => {
                let values = arguments.iter().map(|argument| argument.value(row)).collect::<Result<Vec<_>, _>>()?;
                function.apply(&values).map(Cow::Owned)
            }
        }
    }
}
