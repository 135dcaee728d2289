//! What the patient predicates of a query say together.

use std::collections::BTreeMap;

use openehr_aql::ast::{Literal, Span};

use super::classify::{Carrier, Part};
use crate::plan::place::Source;
use crate::plan::{PatientReference, PlanError};
use crate::sensitive::Sensitive;

/// A value and where its path stands.
type Said = (Sensitive<String>, Span);

/// What each carrier says.
#[derive(Debug, Default)]
pub(in crate::plan) struct Subject {
    carriers: BTreeMap<Carrier, Saying>,
}

#[derive(Debug, Default)]
struct Saying {
    id: Option<Said>,
    namespace: Option<Said>,
    kind: Option<Said>,
}

impl Subject {
    /// Takes one consumed predicate in.
    pub(super) fn add(
        &mut self,
        carrier: Carrier,
        part: Part,
        value: &Literal,
        span: Span,
        source: Source<'_>,
    ) -> Result<(), PlanError> {
        let refused = |problem| PlanError::Irreducible { place: source.place(span), problem };
        if !value.kind.is_quoted() {
            return Err(refused("the value is not a text"));
        }
        let value = Sensitive::new(value.decoded().into_owned());
        if value.expose().is_empty() {
            return Err(refused("the value is empty"));
        }
        let saying = self.carriers.entry(carrier).or_default();
        let said = match part {
            Part::Id => &mut saying.id,
            Part::Namespace => &mut saying.namespace,
            Part::Type => &mut saying.kind,
        };
        match said {
            Some((earlier, _)) if *earlier != value => Err(refused("two different values are named")),
            Some(_) => Ok(()),
            None => {
                *said = Some((value, span));
                Ok(())
            }
        }
    }

    /// The one patient, if any is named.
    ///
    /// # Errors
    /// Two patients or two namespaces are named, a namespace without a patient, or no namespace at all.
    pub(in crate::plan) fn patient(
        &self,
        default: Option<&str>,
        source: Source<'_>,
    ) -> Result<Option<PatientReference>, PlanError> {
        let (mut id, mut namespace) = (None, None);
        for saying in self.carriers.values() {
            let issuer = saying.namespace.as_ref().or(saying.kind.as_ref());
            let Some(own) = &saying.id else {
                let at = issuer.map_or(Span::NONE, |(_, span)| *span);
                return Err(refused(at, "a namespace is named without an identifier on the same subject", source));
            };
            agree(&mut id, Some(own), source)?;
            agree(&mut namespace, issuer, source)?;
        }
        let Some(value) = id else { return Ok(None) };
        let namespace = match (namespace, default) {
            (Some(namespace), _) => namespace.clone(),
            (None, Some(default)) => Sensitive::new(default.to_owned()),
            (None, None) => return Err(PlanError::MissingNamespace),
        };
        Ok(Some(PatientReference { namespace, value: value.clone() }))
    }

    /// Did the query itself name the patient on this subject? The EHR's subject is the patient however named.
    pub(in crate::plan) fn names(&self, carrier: &Carrier) -> bool {
        *carrier == Carrier::Ehr || self.carriers.contains_key(carrier)
    }

    /// The `identifiers/type` the query named on this subject.
    pub(in crate::plan) fn kind(&self, carrier: &Carrier) -> Option<&Sensitive<String>> {
        self.carriers.get(carrier).and_then(|saying| saying.kind.as_ref()).map(|(kind, _)| kind)
    }
}

fn agree<'a>(settled: &mut Option<&'a Sensitive<String>>, said: Option<&'a Said>, source: Source<'_>) -> Result<(), PlanError> {
    match (*settled, said) {
        (Some(settled), Some((value, span))) if settled != value => Err(refused(*span, "two different values are named", source)),
        (None, Some((value, _))) => {
            *settled = Some(value);
            Ok(())
        }
        _ => Ok(()),
    }
}

fn refused(span: Span, problem: &'static str, source: Source<'_>) -> PlanError {
    PlanError::Irreducible { place: source.place(span), problem }
}
