//! Directive and header say whom to ask; both together must say the same (§8, N35, CP-28).

use std::fmt;

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
    Err(IntakeError::ConflictingTargets { directive: directed, header })
}

/// Are all targets in the registry?
///
/// # Errors
/// How many are not.
pub fn check_targets(targeting: &Targeting, registry: &Registry) -> Result<(), IntakeError> {
    let (what, named, unknown) = match targeting {
        Targeting::Undirected => return Ok(()),
        Targeting::Endpoints(ids) => (ENDPOINTS, ids.len(), ids.iter().filter(|id| registry.endpoint(id).is_none()).count()),
        Targeting::Organisations(ids) => {
            (ORGANISATIONS, ids.len(), ids.iter().filter(|id| registry.organisation(id).is_none()).count())
        }
    };
    if unknown == 0 { Ok(()) } else { Err(IntakeError::UnknownTarget { what, unknown, named }) }
}

const ENDPOINTS: (&str, &str) = ("endpoints is", "endpoints are");
const ORGANISATIONS: (&str, &str) = ("organisations is", "organisations are");

/// The error as a client may see it. Targets that contradict each other are named (N35), but only ids of the registry are: another
/// is the client's own text, in which a patient may be named, so it is the unknown target that is told of.
#[must_use]
pub fn for_client(error: IntakeError, registry: &Registry) -> IntakeError {
    let named = match &error {
        IntakeError::ConflictingTargets { directive: one, header: other }
        | IntakeError::TwoTargetHeaders { endpoints: one, organisations: other } => [one, other],
        _ => return error,
    };
    let unknown = named.into_iter().find_map(|targeting| check_targets(targeting, registry).err());
    unknown.unwrap_or(error)
}

impl fmt::Display for Targeting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Targeting::Undirected => f.write_str("nobody"),
            Targeting::Endpoints(ids) => write!(f, "endpoints {}", shown(ids.iter().map(EndpointId::as_str))),
            Targeting::Organisations(ids) => write!(f, "organisations {}", shown(ids.iter().map(OrganisationId::as_str))),
        }
    }
}

/// Ids as a message shows them: ten at most.
fn shown<'a>(ids: impl ExactSizeIterator<Item = &'a str>) -> String {
    let more = if ids.len() > 10 { ", …" } else { "" };
    let ids: Vec<String> = ids.take(10).map(|id| format!("`{id}`")).collect();
    ids.join(", ") + more
}
