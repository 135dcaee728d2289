//! Which records a query can be about: a query that names its `ehr_id` need not search the others.

use openehr_aql::ast::{
    ClassExpression, Comparison, Condition, Containment, Literal, Name, ObjectPath, Operand, Predicate, PredicateValue, Query,
    Step, Value,
};

use crate::model::{Ehr, Repository};
use crate::order::{Key, key};
use crate::value::Json;

/// The records to search; all of them unless the query names one by `ehr_id` where nothing else can hold.
pub(super) fn records<'a>(query: &Query, repository: &'a Repository) -> Vec<&'a Ehr> {
    match named(query) {
        Some(id) if !repository.is_laid_together() => repository.ehr(&id).into_iter().collect(),
        Some(id) => repository.ehrs().iter().filter(|ehr| ehr.id == id).collect(),
        None => repository.ehrs().iter().collect(),
    }
}

fn named(query: &Query) -> Option<String> {
    let Containment::Class(root) = &query.from else { return None };
    let ClassExpression::Class { name, variable, predicate } = &root.class else { return None };
    if !name.is("EHR") {
        return None;
    }
    let in_brackets = predicate.as_ref().and_then(from_predicate);
    let in_where = || variable.as_ref().and_then(|variable| from_condition(query.condition.as_ref()?, variable));
    in_brackets.or_else(in_where).and_then(plain_text)
}

fn is_ehr_id(steps: &[Step]) -> bool {
    let names: Vec<&str> = steps.iter().filter(|step| step.predicate.is_none()).map(|step| step.name.text.as_str()).collect();
    steps.len() == 2 && names == ["ehr_id", "value"]
}

fn from_predicate(predicate: &Predicate) -> Option<&Literal> {
    let here = |path: &ObjectPath| is_ehr_id(&path.steps);
    match predicate {
        Predicate::And(all) => all.iter().find_map(from_predicate),
        Predicate::Comparison(comparison) if comparison.operator == Comparison::Equal && here(&comparison.path) => {
            if let PredicateValue::Literal(literal) = &comparison.value {
                Some(literal)
            } else {
                None
            }
        }
        _ => None,
    }
}

fn from_condition<'q>(condition: &'q Condition, variable: &Name) -> Option<&'q Literal> {
    match condition {
        Condition::And(all) => all.iter().find_map(|one| from_condition(one, variable)),
        Condition::Compare { left: Operand::Path(path), operator: Comparison::Equal, right: Value::Literal(literal), .. } => {
            let here = path.variable.is(&variable.text) && path.predicate.is_none() && is_ehr_id(&path.steps);
            here.then_some(literal)
        }
        _ => None,
    }
}

/// A text that equals only itself: not one that is also a date or time.
fn plain_text(literal: &Literal) -> Option<String> {
    let value = super::literal::constant(literal);
    match (&value, key(&value)) {
        (Json::Text(text), Key::Text(_)) => Some(text.to_string()),
        _ => None,
    }
}
