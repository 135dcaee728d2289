//! Directive and header say whom to ask; both together must say the same (§8, N35, CP-28).

use openehr_aql::ast::{Directive, DirectiveKind};

use super::{IntakeError, Targeting};
use crate::ids::{EndpointId, OrganisationId};
use crate::registry::Registry;

/// The targeting of a request from its two places.
///
/// # Errors
/// Both are there and differ.
pub(super) fn settled(directive: Option<&Directive>, header: Targeting) -> Result<Targeting, IntakeError> {
    let Some(directive) = directive else { return Ok(header) };
    let ids = directive.ids.iter().map(|id| id.id.as_str());
    let directed = match directive.kind {
        DirectiveKind::Endpoint => Targeting::Endpoints(ids.map(EndpointId::new).collect()),
        DirectiveKind::Organisation => Targeting::Organisations(ids.map(OrganisationId::new).collect()),
    };
    if header == Targeting::Undirected || header == directed {
        return Ok(directed);
    }
    Err(IntakeError::ConflictingTargets { directive: named(&directed), header: named(&header) })
}

/// Are all targets in the registry?
///
/// # Errors
/// The ids that are not.
pub fn check_targets(targeting: &Targeting, registry: &Registry) -> Result<(), IntakeError> {
    let (what, ids) = match targeting {
        Targeting::Undirected => return Ok(()),
        Targeting::Endpoints(ids) => {
            ("endpoint", shown(ids.iter().filter(|id| registry.endpoint(id).is_none()).map(EndpointId::as_str)))
        }
        Targeting::Organisations(ids) => {
            ("organisation", shown(ids.iter().filter(|id| registry.organisation(id).is_none()).map(OrganisationId::as_str)))
        }
    };
    if ids.is_empty() { Ok(()) } else { Err(IntakeError::UnknownTarget { what, ids }) }
}

fn named(targeting: &Targeting) -> String {
    match targeting {
        Targeting::Undirected => "nobody".to_owned(),
        Targeting::Endpoints(ids) => format!("endpoints {}", shown(ids.iter().map(EndpointId::as_str))),
        Targeting::Organisations(ids) => format!("organisations {}", shown(ids.iter().map(OrganisationId::as_str))),
    }
}

/// Ids as a message shows them: ten at most, each cut and without control characters, for a client may send anything.
pub(super) fn shown<'a>(ids: impl IntoIterator<Item = &'a str>) -> String {
    let mut text = String::new();
    for (index, id) in ids.into_iter().enumerate() {
        if index == 10 {
            text.push_str(", …");
            break;
        }
        if index > 0 {
            text.push_str(", ");
        }
        text.push('`');
        text.extend(id.chars().filter(|char| !char.is_control()).take(64));
        text.push('`');
    }
    text
}
