//! Whose data a query asks for, from everything that says so.

use openehr_aql::ast::Containment;

use super::from::{self, Declared};
use super::place::Source;
use super::subject::Consumed;
use super::{PlanContext, PlanError, Scope};
use crate::intake::{QueryRequest, Targeting};

/// Patient, EHR or population; never two of them.
///
/// # Errors
/// The query, the parameter and the header disagree; nobody is named where somebody must be (SPEC §2.3).
pub(super) fn settled(
    consumed: &Consumed,
    request: &QueryRequest,
    context: &PlanContext<'_>,
    source: Source<'_>,
) -> Result<Scope, PlanError> {
    let patient = consumed.subject.patient(context.default_namespace, source)?;
    let ehr_id = match (&consumed.ehr_id, &request.ehr_id) {
        (Some(query), Some(asked)) if !query.as_str().eq_ignore_ascii_case(asked.as_str()) => {
            return Err(PlanError::ConflictingEhrIds);
        }
        (query, asked) => query.as_ref().or(asked.as_ref()),
    };
    match (patient, ehr_id) {
        (Some(_), Some(_)) => Err(PlanError::PatientAndEhr),
        (Some(patient), None) => Ok(Scope::Patient(patient)),
        (None, Some(ehr_id)) => Ok(Scope::Ehr(ehr_id.clone())),
        (None, None) if request.targeting == Targeting::Undirected && context.localizer_configured => {
            Err(PlanError::PatientRequired)
        }
        (None, None) => Ok(Scope::Population),
    }
}

/// A query over populations whose FROM pairs things of different EHRs asks for pairs that lie at two nodes.
///
/// # Errors
/// FROM is a set without an EHR around it, and several nodes are asked.
pub(super) fn refuse_pairs(
    from: &Containment,
    scope: &Scope,
    context: &PlanContext<'_>,
    source: Source<'_>,
) -> Result<(), PlanError> {
    let (Containment::And(_), Scope::Population, false) = (from, scope, context.single_destination) else { return Ok(()) };
    let span = from::declared(from).first().and_then(|first: &Declared| first.variable.as_ref()).map(|name| name.span);
    let reason = "A set at the top of FROM without an EHR pairs data of different EHRs, which may lie at different nodes: put EHR e CONTAINS in front";
    Err(PlanError::Combination { place: source.place(span.unwrap_or_default()), reason })
}
