//! What a query's answers teach about where an EHR is: for this session's follow-up requests, and for all (§12, N36).

use openehr_aql::ast::{ColumnValue, Query};

use crate::fanout::Outcome;
use crate::ids::{EhrId, EndpointId};
use crate::select::{Decision, Member};
use crate::server::state::Gateway;
use crate::status::EndpointStatus;

/// The endpoints asked, each with the `ehr_id` it was asked under.
pub(super) fn asked(members: &[Member]) -> Vec<(EndpointId, EhrId)> {
    let asked = members.iter().filter_map(|member| match &member.decision {
        Decision::Ask(Some(ehr_id)) => Some((member.endpoint.id.clone(), ehr_id.clone())),
        Decision::Ask(None) | Decision::Settled { .. } | Decision::Unknown { .. } => None,
    });
    asked.collect()
}

/// Notes who answered for which EHR, and forgets what a node refused on consent grounds. An empty answer teaches nothing: it
/// does not say that the node has the EHR. Nor does an aggregate, whose one row every node has: `COUNT` is 0 at a stranger.
pub(super) fn learn(gateway: &Gateway, query: &Query, asked: Vec<(EndpointId, EhrId)>, outcomes: &[Outcome]) {
    let rows_tell = !query.select.columns.iter().any(|column| matches!(column.value, ColumnValue::Aggregate(_)));
    let caller = gateway.caller();
    for (endpoint_id, ehr_id) in asked {
        let Some(outcome) = outcomes.iter().find(|outcome| outcome.endpoint.id == endpoint_id) else { continue };
        let node = &outcome.endpoint.node.id;
        if outcome.status == EndpointStatus::ConsentDenied {
            gateway.bindings().forget(&caller, node, &ehr_id);
        } else if rows_tell && outcome.rows.as_ref().is_some_and(|rows| !rows.is_empty()) {
            gateway.bindings().learn(&caller, node, &ehr_id);
        }
    }
}
