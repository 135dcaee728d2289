//! What stands between brackets, judged on one object.

use openehr_aql::ast::{NodeName, ObjectPath, Predicate, PredicateComparison, PredicateValue, Step};

use super::compare::holds;
use super::error::EvalError;
use super::literal;
use crate::value::Json;

/// Does the object satisfy the predicate?
pub(super) fn satisfies(object: &Json, predicate: &Predicate) -> Result<bool, EvalError> {
    match predicate {
        Predicate::And(all) => {
            for one in all {
                if !satisfies(object, one)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        Predicate::Or(any) => {
            for one in any {
                if satisfies(object, one)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        Predicate::Parameter(_) => Err(EvalError::UnboundParameter),
        Predicate::Node { id, name } => {
            let coded = object.text_at(&["archetype_node_id"]) == Some(id.text.as_str());
            Ok(coded && name.as_ref().map_or(Ok(true), |name| named(object, name))?)
        }
        Predicate::Comparison(comparison) => compares(object, comparison),
        Predicate::Matches { .. } => Err(EvalError::Regex),
    }
}

/// Does the object's name answer to the shorthand behind a node id?
fn named(object: &Json, name: &NodeName) -> Result<bool, EvalError> {
    let code_is = |terminology: &str, code: &str| {
        let defining = object.at(&["name", "defining_code"]);
        let text = |path: &[&str]| defining.and_then(|defining| defining.text_at(path));
        text(&["code_string"]) == Some(code) && text(&["terminology_id", "value"]) == Some(terminology)
    };
    match name {
        NodeName::Text(text) => Ok(object.text_at(&["name", "value"]) == Some(&*text.decoded())),
        NodeName::Code(code) => Ok(code_is("local", &code.text)),
        NodeName::Term(term) => {
            let plain = term.text.split('|').next().unwrap_or_default();
            Ok(plain.split_once("::").is_some_and(|(terminology, code)| code_is(terminology, code)))
        }
        NodeName::Parameter(_) => Err(EvalError::UnboundParameter),
    }
}

/// Does any value the path reaches compare so with any value on the right?
pub(super) fn compares(object: &Json, comparison: &PredicateComparison) -> Result<bool, EvalError> {
    let right = match &comparison.value {
        PredicateValue::Literal(value) => vec![literal::constant(value)],
        PredicateValue::Code(code) => vec![Json::text(code.text.as_str())],
        PredicateValue::Parameter(_) => return Err(EvalError::UnboundParameter),
        PredicateValue::Path(path) => reached(object, path)?.into_iter().cloned().collect(),
    };
    if matches!(&comparison.value, PredicateValue::Literal(_)) && right.iter().any(Json::is_null) {
        return Err(EvalError::NullComparison);
    }
    let left = reached(object, &comparison.path)?;
    Ok(left.into_iter().any(|left| right.iter().any(|right| holds(left, comparison.operator, right))))
}

fn reached<'a>(object: &'a Json, path: &ObjectPath) -> Result<Vec<&'a Json>, EvalError> {
    let steps: Vec<&Step> = path.steps.iter().collect();
    reach(object, &steps)
}

/// Everything the steps lead to, arrays opened, missing values left out.
pub(super) fn reach<'a>(object: &'a Json, steps: &[&Step]) -> Result<Vec<&'a Json>, EvalError> {
    let mut found = vec![object];
    for step in steps {
        let mut next = Vec::new();
        for value in found {
            each_child(value, &step.name.text, step.predicate.as_ref(), &mut |child| {
                next.push(child);
                Ok(())
            })?;
        }
        found = next;
    }
    Ok(found)
}

/// Calls for each value of an attribute that satisfies the predicate; a missing or null one is none.
pub(super) fn each_child<'a>(
    value: &'a Json,
    attribute: &str,
    predicate: Option<&Predicate>,
    call: &mut dyn FnMut(&'a Json) -> Result<(), EvalError>,
) -> Result<(), EvalError> {
    let Some(child) = value.get(attribute) else { return Ok(()) };
    let single = std::slice::from_ref(child);
    for child in child.as_array().unwrap_or(single) {
        let taken = !child.is_null() && predicate.map_or(Ok(true), |predicate| satisfies(child, predicate))?;
        if taken {
            call(child)?;
        }
    }
    Ok(())
}
