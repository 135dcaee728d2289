//! WHERE, judged on one row. NOT is pushed inwards before anything is judged, so that a missing value fails a comparison
//! and its negation alike (`NOT x = 1` is `x != 1`).

use openehr_aql::ast::{Comparison, Condition, LikePattern, Literal, MatchItem, MatchSet, Operand, Path, Step, Value};

use super::compare::{holds, like, negated};
use super::error::EvalError;
use super::expression::{Expression, Row};
use super::literal::constant;
use super::predicate::reach;
use super::scope::{Place, Scope};
use crate::value::Json;

/// A condition with its paths resolved.
#[derive(Debug)]
pub(super) enum Test<'q> {
    All(Vec<Test<'q>>),
    Any(Vec<Test<'q>>),
    Exists { from: Place, rest: Vec<&'q Step>, wanted: bool },
    Compare { left: Expression, operator: Comparison, right: Expression },
    Like { place: Place, pattern: String, wanted: bool },
    OneOf { place: Place, values: Vec<Json>, wanted: bool },
}

/// Gives every path of the condition its place, but for those of EXISTS, which make no rows.
pub(super) fn register<'q>(condition: &'q Condition, scope: &mut Scope<'q>) -> Result<(), EvalError> {
    match condition {
        Condition::And(all) | Condition::Or(all) => all.iter().try_for_each(|one| register(one, scope)),
        Condition::Not(inner) => register(inner, scope),
        Condition::Exists { .. } => Ok(()),
        Condition::Compare { left, right, .. } => {
            match left {
                Operand::Path(path) => scope.place(path).map(|_| ())?,
                Operand::Call(call) => call.arguments.iter().try_for_each(|value| register_value(value, scope))?,
            }
            register_value(right, scope)
        }
        Condition::Like { path, .. } | Condition::Matches { path, .. } => scope.place(path).map(|_| ()),
    }
}

fn register_value<'q>(value: &'q Value, scope: &mut Scope<'q>) -> Result<(), EvalError> {
    match value {
        Value::Path(path) => scope.place(path).map(|_| ()),
        Value::Call(call) => call.arguments.iter().try_for_each(|value| register_value(value, scope)),
        Value::Literal(_) | Value::Parameter(_) => Ok(()),
    }
}

/// Resolves a condition; `wanted` is false below an odd number of NOTs.
pub(super) fn resolve<'q>(
    condition: &'q Condition,
    wanted: bool,
    scope: &mut Scope<'q>,
    now: &str,
) -> Result<Test<'q>, EvalError> {
    match condition {
        Condition::Not(inner) => resolve(inner, !wanted, scope, now),
        Condition::And(all) | Condition::Or(all) => {
            let tests = all.iter().map(|one| resolve(one, wanted, scope, now)).collect::<Result<Vec<_>, _>>()?;
            let every = matches!(condition, Condition::And(_)) == wanted;
            Ok(if every { Test::All(tests) } else { Test::Any(tests) })
        }
        Condition::Exists { path, .. } => {
            let (from, rest) = scope.beginning(path)?;
            Ok(Test::Exists { from, rest, wanted })
        }
        Condition::Compare { left, operator, right, .. } => {
            let left = match left {
                Operand::Path(path) => Expression::Place(scope.place(path)?),
                Operand::Call(call) => Expression::call(call, scope, now)?,
            };
            let right = Expression::of(right, scope, now)?;
            if matches!(right, Expression::Constant(Json::Null)) {
                return Err(EvalError::NullComparison);
            }
            Ok(Test::Compare { left, operator: if wanted { *operator } else { negated(*operator) }, right })
        }
        Condition::Like { path, pattern, .. } => {
            let LikePattern::Text(pattern) = pattern else { return Err(EvalError::UnboundParameter) };
            Ok(Test::Like { place: scope.place(path)?, pattern: pattern_of(pattern), wanted })
        }
        Condition::Matches { path, set, .. } => one_of(path, set, wanted, scope),
    }
}

/// The pattern of a literal. `\*` and `\?` are escapes of LIKE, not of the text: decoding must not take them.
fn pattern_of(literal: &Literal) -> String {
    let mut kept = String::with_capacity(literal.text.len());
    let mut chars = literal.text.chars();
    while let Some(c) = chars.next() {
        kept.push(c);
        if c == '\\'
            && let Some(next) = chars.next()
        {
            if matches!(next, '*' | '?') {
                kept.push('\\');
            }
            kept.push(next);
        }
    }
    Literal { text: kept, ..literal.clone() }.decoded().into_owned()
}

fn one_of<'q>(path: &'q Path, set: &MatchSet, wanted: bool, scope: &mut Scope<'q>) -> Result<Test<'q>, EvalError> {
    let MatchSet::Values(items) = set else { return Err(EvalError::Terminology) };
    let value = |item: &MatchItem| match item {
        MatchItem::Literal(literal) => Ok(constant(literal)),
        MatchItem::Parameter(_) => Err(EvalError::UnboundParameter),
        MatchItem::Terminology(_) => Err(EvalError::Terminology),
    };
    let values = items.iter().map(value).collect::<Result<Vec<_>, _>>()?;
    if values.iter().any(Json::is_null) {
        return Err(EvalError::NullComparison);
    }
    Ok(Test::OneOf { place: scope.place(path)?, values, wanted })
}

impl Test<'_> {
    /// Does the row pass?
    pub(super) fn passes(&self, row: &Row<'_>) -> Result<bool, EvalError> {
        match self {
            Test::All(tests) => {
                for test in tests {
                    if !test.passes(row)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Test::Any(tests) => {
                for test in tests {
                    if test.passes(row)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Test::Exists { from, rest, wanted } => {
                let found = match row.at(*from) {
                    Some(value) => !reach(value, rest)?.is_empty(),
                    None => false,
                };
                Ok(found == *wanted)
            }
            Test::Compare { left, operator, right: Expression::Constant(right) } => {
                Ok(holds(&*left.value(row)?, *operator, right))
            }
            Test::Compare { left, operator, right } => Ok(holds(&*left.value(row)?, *operator, &*right.value(row)?)),
            Test::Like { place, pattern, wanted } => {
                let text = row.at(*place).and_then(|value| value.as_text().or_else(|| value.text_at(&["value"])));
                Ok(text.is_some_and(|text| like(text, pattern) == *wanted))
            }
            Test::OneOf { place, values, wanted } => {
                Ok(row.at(*place).is_some_and(|value| values.iter().any(|one| holds(value, Comparison::Equal, one)) == *wanted))
            }
        }
    }
}
