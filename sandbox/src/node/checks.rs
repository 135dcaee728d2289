//! What EHRbase and gopenehr refuse although it is valid AQL.

use openehr_aql::ast::{
    ClassExpression, ColumnValue, Comparison, Condition, Containment, Literal, LiteralKind, Operand, Path, Query, Value,
    VersionPredicate,
};

use super::error::Refusal;
use crate::model::VersionUid;

/// Refuses what EHRbase's engine refuses.
pub(super) fn ehrbase(query: &Query, system: &str) -> Result<(), Refusal> {
    let refuse = |what: &str| Err(Refusal::bad(format!("Not implemented: {what}")));
    if query.select.top.is_some() {
        return refuse("TOP");
    }
    if !matches!(query.from, Containment::Class(_)) {
        return refuse("AND and OR at the top of FROM");
    }
    from(&query.from)?;
    for column in &query.select.columns {
        match &column.value {
            ColumnValue::Call(_) => return refuse("functions in SELECT"),
            ColumnValue::Path(path) if path.steps.is_empty() && is_record(&query.from, path) => {
                return refuse("selecting a whole EHR or VERSION");
            }
            ColumnValue::Path(path) if path.steps.last().is_some_and(|step| step.name.text == "ehr_id") => {
                return refuse("selecting ehr_id without value");
            }
            ColumnValue::Path(_) | ColumnValue::Literal(_) | ColumnValue::Aggregate(_) => {}
        }
    }
    for key in &query.order_by {
        let below = |selected: &Path| {
            selected.variable.text == key.path.variable.text
                && selected.predicate == key.path.predicate
                && key.path.steps.starts_with(&selected.steps)
        };
        let selected = query.select.columns.iter().any(|column| matches!(&column.value, ColumnValue::Path(path) if below(path)));
        if !selected {
            return refuse("ORDER BY a path that is not selected");
        }
    }
    query.condition.as_ref().map_or(Ok(()), |where_clause| condition(where_clause, system))
}

fn is_record(containment: &Containment, path: &Path) -> bool {
    match containment {
        Containment::And(all) | Containment::Or(all) => all.iter().any(|one| is_record(one, path)),
        Containment::Class(class) => {
            let here = match &class.class {
                ClassExpression::Class { name, variable: Some(variable), .. } => {
                    name.is("EHR") && variable.text == path.variable.text
                }
                ClassExpression::Version { variable: Some(variable), .. } => variable.text == path.variable.text,
                ClassExpression::Class { .. } | ClassExpression::Version { .. } => false,
            };
            here || class.contains.as_ref().is_some_and(|contains| is_record(&contains.inner, path))
        }
    }
}

fn from(containment: &Containment) -> Result<(), Refusal> {
    match containment {
        Containment::And(all) | Containment::Or(all) => all.iter().try_for_each(from),
        Containment::Class(class) => {
            if let ClassExpression::Version { predicate: Some(VersionPredicate::All | VersionPredicate::Comparison(_)), .. } =
                &class.class
            {
                return Err(Refusal::bad("Not implemented: VERSION other than LATEST_VERSION"));
            }
            match &class.contains {
                Some(contains) if contains.negated => Err(Refusal::bad("Not implemented: NOT CONTAINS")),
                Some(contains) => from(&contains.inner),
                None => Ok(()),
            }
        }
    }
}

fn condition(where_clause: &Condition, system: &str) -> Result<(), Refusal> {
    match where_clause {
        Condition::And(all) | Condition::Or(all) => all.iter().try_for_each(|one| condition(one, system)),
        Condition::Not(inner) => condition(inner, system),
        Condition::Exists { .. } => Err(Refusal::bad("Not implemented: EXISTS")),
        Condition::Compare { left: Operand::Call(_), .. } => Err(Refusal::bad("Not implemented: functions in WHERE")),
        Condition::Compare { left: Operand::Path(path), operator, right, .. } => match right {
            Value::Literal(literal) if literal.kind == LiteralKind::Null => Err(Refusal::bad("NULL is not supported")),
            Value::Literal(literal) => own_version(path, *operator, literal, system),
            Value::Path(_) | Value::Call(_) | Value::Parameter(_) => {
                Err(Refusal::bad("Only primitive operands are supported in WHERE"))
            }
        },
        Condition::Like { .. } | Condition::Matches { .. } => Ok(()),
    }
}

/// A version uid of another system is an error there, not an empty answer.
fn own_version(path: &Path, operator: Comparison, literal: &Literal, system: &str) -> Result<(), Refusal> {
    let steps: Vec<&str> = path.steps.iter().map(|step| step.name.text.as_str()).collect();
    let foreign = VersionUid::parse(&literal.decoded()).is_some_and(|uid| uid.system != system);
    let equality = matches!(operator, Comparison::Equal | Comparison::NotEqual);
    if steps == ["uid", "value"] && equality && foreign {
        let uid = literal.decoded();
        return Err(Refusal::bad(format!("CREATING_SYSTEM_ID of {uid} does not match this server ({system})")));
    }
    Ok(())
}

/// Refuses what breaks gopenehr's SQL.
pub(super) fn gopenehr(query: &Query) -> Result<(), Refusal> {
    let aliases: Vec<String> =
        query.select.columns.iter().filter_map(|column| column.alias.as_ref()).map(|name| name.text.to_lowercase()).collect();
    let repeated = aliases.iter().enumerate().any(|(index, alias)| aliases.iter().take(index).any(|earlier| earlier == alias));
    let quoted = |column: &ColumnValue| matches!(column, ColumnValue::Literal(literal) if literal.kind.is_quoted());
    let text = query.select.columns.iter().any(|column| quoted(&column.value));
    if repeated || text || query.select.top.is_some() || query.condition.as_ref().is_some_and(negates) {
        return Err(Refusal::bad("an SQL error"));
    }
    Ok(())
}

fn negates(condition: &Condition) -> bool {
    match condition {
        Condition::Not(_) => true,
        Condition::And(all) | Condition::Or(all) => all.iter().any(negates),
        Condition::Exists { .. } | Condition::Compare { .. } | Condition::Like { .. } | Condition::Matches { .. } => false,
    }
}
