//! Which paths name the patient.

use openehr_aql::ast::{Name, Path, Step};

use crate::plan::from::Declared;

/// What a subject path gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::plan) enum Part {
    /// The identifier.
    Id,
    /// Its issuing namespace: `external_ref/namespace`, `identifiers/issuer`.
    Namespace,
    /// `identifiers/type`: the namespace where no issuer is named.
    Type,
}

/// The classes whose `subject` is a PARTY_PROXY.
const ENTRIES: [&str; 8] =
    ["ENTRY", "CARE_ENTRY", "OBSERVATION", "EVALUATION", "INSTRUCTION", "ACTION", "ADMIN_ENTRY", "GENERIC_ENTRY"];

/// The variables that lead to a subject.
#[derive(Debug)]
pub(in crate::plan) struct Roots<'a>(&'a [Declared]);

/// Whose subject a path leads to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::plan) enum Carrier {
    /// The EHR's: the patient by definition.
    Ehr,
    /// An entry's, by its variable in small letters.
    Entry(String),
}

impl<'a> Roots<'a> {
    /// From what FROM declares.
    pub(in crate::plan) fn new(declared: &'a [Declared]) -> Self {
        Roots(declared)
    }

    /// Is the path one of the carriers', free of predicates, from a variable that every row has?
    pub(in crate::plan) fn part(&self, path: &Path) -> Option<(Carrier, Part)> {
        let declared =
            self.0.iter().find(|declared| declared.variable.as_ref().is_some_and(|name| name.is(&path.variable.text)))?;
        if path.predicate.is_some() || !declared.certain {
            return None;
        }
        Roots::part_of(&declared.class, declared.variable.as_ref(), &path.steps)
    }

    /// The same for steps relative to a class.
    pub(in crate::plan) fn part_of(class: &str, variable: Option<&Name>, steps: &[Step]) -> Option<(Carrier, Part)> {
        let (carrier, below) = match class {
            "EHR" => (Carrier::Ehr, after(steps, "ehr_status")?),
            "EHR_STATUS" => (Carrier::Ehr, steps),
            _ if ENTRIES.contains(&class) => {
                (Carrier::Entry(variable.map(|name| name.text.to_ascii_lowercase()).unwrap_or_default()), steps)
            }
            _ => return None,
        };
        let tail = after(below, "subject")?;
        let plain = tail.iter().all(|step| step.predicate.is_none());
        tail_part(tail).filter(|_| plain).map(|part| (carrier, part))
    }
}

/// Do the steps lead to a part of a subject that identifies, or to an object that holds one, or ask something of it in brackets?
pub(in crate::plan) fn touches(steps: &[Step]) -> bool {
    asks(steps)
        || subjects(steps).any(|tail| {
            let holds: [&[&str]; 5] = [&[], &["external_ref"], &["external_ref", "id"], &["identifiers"], &["identifiers", "id"]];
            tail_part(tail).is_some() || holds.iter().any(|names| named(tail, names) && tail.len() == names.len())
        })
}

/// Is there a predicate on a `subject` step or below?
pub(in crate::plan) fn asks(steps: &[Step]) -> bool {
    let from = steps.iter().position(|step| step.name.is("subject"));
    from.and_then(|from| steps.get(from..)).is_some_and(|steps| steps.iter().any(|step| step.predicate.is_some()))
}

/// What stands behind each `subject`.
fn subjects(steps: &[Step]) -> impl Iterator<Item = &[Step]> {
    steps.iter().enumerate().filter(|(_, step)| step.name.is("subject")).filter_map(|(at, _)| steps.get(at + 1..))
}

fn tail_part(tail: &[Step]) -> Option<Part> {
    if named(tail, &["external_ref", "id", "value"]) || named(tail, &["identifiers", "id"]) {
        Some(Part::Id)
    } else if named(tail, &["external_ref", "namespace"]) || named(tail, &["identifiers", "issuer"]) {
        Some(Part::Namespace)
    } else if named(tail, &["identifiers", "type"]) {
        Some(Part::Type)
    } else {
        None
    }
}

fn named(steps: &[Step], names: &[&str]) -> bool {
    steps.len() >= names.len() && steps.iter().zip(names).all(|(step, name)| step.name.is(name))
}

fn after<'a>(steps: &'a [Step], name: &str) -> Option<&'a [Step]> {
    steps.split_first().filter(|(first, _)| first.name.is(name) && first.predicate.is_none()).map(|(_, rest)| rest)
}
