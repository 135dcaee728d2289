//! The time, told to nodes instead of asked of them: their clocks differ, and so would their answers.

use chrono::{DateTime, Utc};
use openehr_aql::ast::{Call, ColumnValue, Comparison, Condition, Literal, Operand, Query, Span, Value};
use openehr_aql::visit::{self, VisitMut};

use super::PlanError;
use super::place::Source;

/// Puts the instant in the place of `NOW()`, `CURRENT_DATE()` and their like, everywhere in the query.
///
/// # Errors
/// One of them is compared with a constant: AQL has no such condition.
pub(super) fn frozen(query: &mut Query, now: DateTime<Utc>, source: Source<'_>) -> Result<(), PlanError> {
    let mut clock = Clock { now, stuck: None };
    clock.visit_query_mut(query);
    match clock.stuck {
        Some(span) => Err(PlanError::Combination {
            place: source.place(span),
            reason: "The time is the same for all rows: compare a path with it, not a constant",
        }),
        None => Ok(()),
    }
}

struct Clock {
    now: DateTime<Utc>,
    stuck: Option<Span>,
}

impl Clock {
    fn told(&self, call: &Call) -> Option<Literal> {
        if !call.arguments.is_empty() {
            return None;
        }
        let format = match call.name.text.to_ascii_uppercase().as_str() {
            "NOW" | "CURRENT_DATE_TIME" => "%Y-%m-%dT%H:%M:%S%.3fZ",
            "CURRENT_DATE" => "%Y-%m-%d",
            "CURRENT_TIME" => "%H:%M:%S%.3fZ",
            "CURRENT_TIMEZONE" => "+00:00",
            _ => return None,
        };
        Some(Literal { span: call.span, ..Literal::string(&self.now.format(format).to_string()) })
    }
}

impl VisitMut for Clock {
    fn visit_value_mut(&mut self, node: &mut Value) {
        if let Value::Call(call) = node
            && let Some(told) = self.told(call)
        {
            *node = Value::Literal(told);
            return;
        }
        visit::walk_value_mut(self, node);
    }

    fn visit_column_value_mut(&mut self, node: &mut ColumnValue) {
        if let ColumnValue::Call(call) = node
            && let Some(told) = self.told(call)
        {
            *node = ColumnValue::Literal(told);
            return;
        }
        visit::walk_column_value_mut(self, node);
    }

    fn visit_condition_mut(&mut self, node: &mut Condition) {
        visit::walk_condition_mut(self, node);
        let Condition::Compare { left, operator, right, .. } = node else { return };
        let Operand::Call(call) = &*left else { return };
        let Some(told) = self.told(call) else { return };
        // A literal cannot stand on the left, so the sides change places.
        let span = call.span;
        let turned = match right {
            Value::Path(path) => Operand::Path(path.clone()),
            Value::Call(call) => Operand::Call(call.clone()),
            Value::Literal(_) | Value::Parameter(_) => {
                self.stuck.get_or_insert(span);
                return;
            }
        };
        *left = turned;
        *right = Value::Literal(told);
        *operator = mirrored(*operator);
    }
}

fn mirrored(operator: Comparison) -> Comparison {
    match operator {
        Comparison::Equal => Comparison::Equal,
        Comparison::NotEqual => Comparison::NotEqual,
        Comparison::Less => Comparison::Greater,
        Comparison::LessOrEqual => Comparison::GreaterOrEqual,
        Comparison::Greater => Comparison::Less,
        Comparison::GreaterOrEqual => Comparison::LessOrEqual,
    }
}
