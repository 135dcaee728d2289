//! A query about one EHR of which it is not known who holds it (§12): failed, and reported like any other (§11.4, N37).

use std::sync::Arc;

use super::journey::NotSelected;
use crate::registry::{Endpoint, Membership};
use crate::route::RouteError;
use crate::select::{Decision, Member, Selection};
use crate::server::state::Gateway;
use crate::status::EndpointStatus;

/// Why there is no holder to ask. Where nodes did not say whether they hold the EHR, with the report of every member.
pub(super) fn unsettled(gateway: &Gateway, error: &RouteError) -> NotSelected {
    let RouteError::HolderUnknown { endpoints, each, .. } = error else { return NotSelected::Refused(error.into()) };
    let silent: Vec<_> = endpoints.iter().zip(each.iter().copied()).collect();
    let members = gateway
        .registry()
        .endpoints()
        .map(|endpoint| Member { endpoint: Arc::clone(endpoint), decision: decision(endpoint, &silent) });
    let selection = Selection { members: members.collect(), localization: None, consent: None };
    NotSelected::Reported { code: error.code(), message: error.to_string(), selection }
}

fn decision(endpoint: &Endpoint, silent: &[(&Arc<Endpoint>, EndpointStatus)]) -> Decision {
    let (status, reason) = if let Some((_, status)) = silent.iter().find(|(one, _)| one.id == endpoint.id) {
        (*status, "it did not say whether it holds this EHR")
    } else if let Membership::Suspended(_) = endpoint.membership {
        (EndpointStatus::Excluded, "the operator took it out of service")
    } else if silent.iter().any(|(one, _)| one.node.id == endpoint.node.id) {
        (EndpointStatus::Excluded, "another endpoint of the same node was asked")
    } else {
        (EndpointStatus::NotResolved, "its node does not hold this EHR")
    };
    Decision::Settled { status, reason: Some(reason.to_owned()) }
}
