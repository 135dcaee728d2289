//! FROM: one EHR at the root, and which variable names what.

use openehr_aql::ast::{ClassContainment, ClassExpression, Containment, Contains, Name, Query, Span};

use super::PlanError;
use super::columns::Names;
use super::place::Source;

/// A class that FROM declares.
#[derive(Clone, Debug)]
pub(super) struct Declared {
    /// The class, in capitals; `VERSION` for a version.
    pub(super) class: String,
    /// Its variable.
    pub(super) variable: Option<Name>,
    /// Does every row come from one? Not under OR, nor under NOT CONTAINS.
    pub(super) certain: bool,
}

/// The root of FROM after rooting: a class that is the EHR.
pub(super) fn root_mut(query: &mut Query) -> Option<&mut ClassContainment> {
    match &mut query.from {
        Containment::Class(class) => Some(class),
        Containment::And(_) | Containment::Or(_) => None,
    }
}

/// Puts the query into one EHR: at the root already, or wrapped around (SPEC §2.2).
///
/// # Errors
/// An EHR stands elsewhere, or twice.
pub(super) fn rooted(query: &mut Query, source: Source<'_>) -> Result<(), PlanError> {
    let mut ehrs = Vec::new();
    walk(&query.from, true, &mut |class, _| {
        if class_name(&class.class) == "EHR" {
            ehrs.push(class.span);
        }
    });
    let at_root = matches!(&query.from, Containment::Class(class) if class_name(&class.class) == "EHR");
    match ehrs.as_slice() {
        [] => {
            let inner = std::mem::replace(&mut query.from, Containment::And(Vec::new()));
            let class = ClassExpression::Class { name: Name::new("EHR"), variable: None, predicate: None };
            let contains = Some(Contains { negated: false, inner });
            query.from = Containment::Class(Box::new(ClassContainment { class, contains, span: Span::NONE }));
            Ok(())
        }
        [_] if at_root => Ok(()),
        [.., last] => {
            Err(PlanError::Query { place: source.place(*last), problem: "A federated query has one EHR, at the root of FROM" })
        }
    }
}

/// The variable of the EHR at the root, made when it has none.
pub(super) fn ehr_variable(query: &mut Query, names: &mut Names<'_>) -> Option<Name> {
    match &mut root_mut(query)?.class {
        ClassExpression::Class { variable, .. } | ClassExpression::Version { variable, .. } => {
            Some(variable.get_or_insert_with(|| names.fresh("e")).clone())
        }
    }
}

/// The variable of the first COMPOSITION that every row comes from, made when it has none.
pub(super) fn composition_variable(query: &mut Query, names: &mut Names<'_>) -> Option<Name> {
    fn first(containment: &mut Containment) -> Option<&mut Option<Name>> {
        match containment {
            Containment::Class(class) => {
                let ClassContainment { class, contains, .. } = class.as_mut();
                if let ClassExpression::Class { name, variable, .. } = class
                    && name.is("COMPOSITION")
                {
                    return Some(variable);
                }
                contains.as_mut().filter(|contains| !contains.negated).and_then(|contains| first(&mut contains.inner))
            }
            Containment::And(members) => members.iter_mut().find_map(first),
            Containment::Or(_) => None,
        }
    }
    first(&mut query.from).map(|variable| variable.get_or_insert_with(|| names.fresh("c")).clone())
}

/// What of FROM makes its rows tell of more than one version of one COMPOSITION: a class beside it, or between it and its EHR.
/// Copies of such rows cannot be told by one version uid. The EHR's own status is part of the EHR.
pub(super) fn beside_composition(from: &Containment) -> Option<Span> {
    match from {
        Containment::Class(class) => match class_name(&class.class).as_str() {
            "COMPOSITION" => None,
            "EHR" | "VERSION" | "VERSIONED_OBJECT" | "VERSIONED_COMPOSITION" => class
                .contains
                .as_ref()
                .filter(|contains| !contains.negated)
                .and_then(|contains| beside_composition(&contains.inner)),
            _ => Some(class.span),
        },
        Containment::And(members) => {
            let mut telling = members.iter().filter(|member| !is_plain_status(member));
            match (telling.next(), telling.next()) {
                (_, Some(second)) => Some(span_of(second)),
                (Some(one), None) => beside_composition(one),
                (None, None) => None,
            }
        }
        Containment::Or(members) => members.first().map(span_of),
    }
}

fn is_plain_status(containment: &Containment) -> bool {
    matches!(containment, Containment::Class(class) if class_name(&class.class) == "EHR_STATUS" && class.contains.is_none())
}

fn span_of(containment: &Containment) -> Span {
    match containment {
        Containment::Class(class) => class.span,
        Containment::And(members) | Containment::Or(members) => members.first().map_or(Span::NONE, span_of),
    }
}

/// Every class that FROM declares, in the order of the text.
pub(super) fn declared(from: &Containment) -> Vec<Declared> {
    let mut found = Vec::new();
    walk(from, true, &mut |class, certain| {
        let variable = match &class.class {
            ClassExpression::Class { variable, .. } | ClassExpression::Version { variable, .. } => variable.clone(),
        };
        found.push(Declared { class: class_name(&class.class), variable, certain });
    });
    found
}

/// The class in capitals.
pub(super) fn class_name(class: &ClassExpression) -> String {
    match class {
        ClassExpression::Class { name, .. } => name.text.to_ascii_uppercase(),
        ClassExpression::Version { .. } => "VERSION".to_owned(),
    }
}

/// Calls `see` for every class, saying whether every row comes from one.
fn walk(containment: &Containment, certain: bool, see: &mut impl FnMut(&ClassContainment, bool)) {
    match containment {
        Containment::Class(class) => {
            see(class, certain);
            if let Some(contains) = &class.contains {
                walk(&contains.inner, certain && !contains.negated, see);
            }
        }
        Containment::And(members) => members.iter().for_each(|member| walk(member, certain, see)),
        Containment::Or(members) => members.iter().for_each(|member| walk(member, false, see)),
    }
}
