//! Takes the patient predicates and the `ehr_id` predicates out of the tree.

use openehr_aql::ast::{
    ClassExpression, Comparison, Condition, Containment, Literal, Name, Operand, Predicate, PredicateComparison, PredicateValue,
    Query, Span, Step, Value,
};

use super::classify::Roots;
use super::found::Subject;
use crate::ids::EhrId;
use crate::plan::PlanError;
use crate::plan::from::{Declared, class_name};
use crate::plan::place::Source;

/// What was taken out.
#[derive(Debug, Default)]
pub(in crate::plan) struct Consumed {
    pub(in crate::plan) subject: Subject,
    pub(in crate::plan) ehr_id: Option<EhrId>,
}

/// Takes out what names the patient or the EHR in the AND chain of WHERE and in the predicates of classes.
///
/// # Errors
/// A value is no text, or two are named. What stands elsewhere stays in the tree, for [`super::refuse_rest`] to find.
pub(in crate::plan) fn consumed(query: &mut Query, declared: &[Declared], source: Source<'_>) -> Result<Consumed, PlanError> {
    let mut taker = Taker { roots: Roots::new(declared), declared, source, consumed: Consumed::default() };
    taker.from(&mut query.from, true)?;
    let members = match query.condition.take() {
        None => Vec::new(),
        Some(Condition::And(members)) => members,
        Some(one) => vec![one],
    };
    let mut kept = Vec::with_capacity(members.len());
    for member in members {
        if !taker.condition(&member)? {
            kept.push(member);
        }
    }
    query.condition = if kept.len() > 1 { Some(Condition::And(kept)) } else { kept.pop() };
    Ok(taker.consumed)
}

struct Taker<'a> {
    roots: Roots<'a>,
    declared: &'a [Declared],
    source: Source<'a>,
    consumed: Consumed,
}

impl Taker<'_> {
    /// Takes a member of WHERE's AND chain in, when it names the patient or the EHR.
    fn condition(&mut self, condition: &Condition) -> Result<bool, PlanError> {
        let Condition::Compare { left: Operand::Path(path), operator: Comparison::Equal, right: Value::Literal(value), .. } =
            condition
        else {
            return Ok(false);
        };
        if let Some((carrier, part)) = self.roots.part(path) {
            self.consumed.subject.add(carrier, part, value, path.span, self.source)?;
            return Ok(true);
        }
        let of_ehr =
            self.declared.first().and_then(|root| root.variable.as_ref()).is_some_and(|name| name.is(&path.variable.text));
        if of_ehr && path.predicate.is_none() && is_ehr_id(&path.steps) {
            self.ehr_id(value, path.span)?;
            return Ok(true);
        }
        Ok(false)
    }

    fn from(&mut self, containment: &mut Containment, certain: bool) -> Result<(), PlanError> {
        match containment {
            Containment::Class(class) => {
                if certain {
                    self.class(&mut class.class)?;
                }
                match &mut class.contains {
                    Some(contains) => self.from(&mut contains.inner, certain && !contains.negated),
                    None => Ok(()),
                }
            }
            Containment::And(members) => members.iter_mut().try_for_each(|member| self.from(member, certain)),
            Containment::Or(members) => members.iter_mut().try_for_each(|member| self.from(member, false)),
        }
    }

    fn class(&mut self, expression: &mut ClassExpression) -> Result<(), PlanError> {
        let class = class_name(expression);
        let ClassExpression::Class { variable, predicate, .. } = expression else { return Ok(()) };
        let members = match predicate.take() {
            None => return Ok(()),
            Some(Predicate::And(members)) => members,
            Some(one) => vec![one],
        };
        let mut kept = Vec::with_capacity(members.len());
        for member in members {
            if !self.predicate(&class, variable.as_ref(), &member)? {
                kept.push(member);
            }
        }
        *predicate = if kept.len() > 1 { Some(Predicate::And(kept)) } else { kept.pop() };
        Ok(())
    }

    fn predicate(&mut self, class: &str, variable: Option<&Name>, predicate: &Predicate) -> Result<bool, PlanError> {
        let Predicate::Comparison(PredicateComparison {
            path,
            operator: Comparison::Equal,
            value: PredicateValue::Literal(value),
            ..
        }) = predicate
        else {
            return Ok(false);
        };
        if let Some((carrier, part)) = Roots::part_of(class, variable, &path.steps) {
            self.consumed.subject.add(carrier, part, value, path.span, self.source)?;
            return Ok(true);
        }
        if class == "EHR" && is_ehr_id(&path.steps) {
            self.ehr_id(value, path.span)?;
            return Ok(true);
        }
        Ok(false)
    }

    fn ehr_id(&mut self, value: &Literal, span: Span) -> Result<(), PlanError> {
        let place = self.source.place(span);
        let text = value.decoded();
        if !value.kind.is_quoted() || text.is_empty() {
            return Err(PlanError::Query { place, problem: "An `ehr_id` is compared with a text that is not empty" });
        }
        match &self.consumed.ehr_id {
            Some(earlier) if !earlier.as_str().eq_ignore_ascii_case(&text) => {
                Err(PlanError::Query { place, problem: "The query names two different EHRs" })
            }
            Some(_) => Ok(()),
            None => {
                self.consumed.ehr_id = Some(EhrId::new(text));
                Ok(())
            }
        }
    }
}

/// `ehr_id/value`
fn is_ehr_id(steps: &[Step]) -> bool {
    matches!(steps, [id, value] if id.name.is("ehr_id") && value.name.is("value") && id.predicate.is_none() && value.predicate.is_none())
}
