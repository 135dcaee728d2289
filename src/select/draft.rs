//! A selection being made: members are open until a step settles them, and a settled one is never decided about again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::error::SelectError;
use super::seam::{Resolution, Resolutions, SeamError};
use super::{Decision, Member, Selection, StepReport};
use crate::ids::NodeId;
use crate::intake::Targeting;
use crate::registry::{Endpoint, Membership, Registry};
use crate::status::EndpointStatus;

/// The members, by endpoint id.
pub(super) struct Draft {
    members: Vec<(Arc<Endpoint>, Option<Decision>)>,
    pub(super) localization: Option<StepReport>,
    pub(super) consent: Option<StepReport>,
}

impl Draft {
    pub(super) fn new(endpoints: impl Iterator<Item = Arc<Endpoint>>) -> Self {
        Draft { members: endpoints.map(|endpoint| (endpoint, None)).collect(), localization: None, consent: None }
    }

    /// Settles every open member of which `decide` has something to say.
    pub(super) fn settle(&mut self, decide: impl Fn(&Endpoint) -> Option<Decision>) {
        for (endpoint, decision) in self.members.iter_mut().filter(|(_, decision)| decision.is_none()) {
            *decision = decide(endpoint);
        }
    }

    /// The nodes of open members.
    pub(super) fn open_nodes(&self) -> BTreeSet<NodeId> {
        self.open().map(|endpoint| endpoint.node.id.clone()).collect()
    }

    fn open(&self) -> impl Iterator<Item = &Arc<Endpoint>> {
        self.members.iter().filter(|(_, decision)| decision.is_none()).map(|(endpoint, _)| endpoint)
    }

    /// Leaves open what the client directed at (§8, N35).
    pub(super) fn target(&mut self, targeting: &Targeting, registry: &Registry) -> Result<(), SelectError> {
        match targeting {
            Targeting::Undirected => {}
            Targeting::Endpoints(ids) => {
                let unknown = ids.iter().filter(|id| registry.endpoint(id).is_none()).count();
                if unknown > 0 {
                    return Err(SelectError::UnknownEndpoints { unknown, named: ids.len() });
                }
                self.settle(|endpoint| (!ids.contains(&endpoint.id)).then(not_directed_at));
            }
            Targeting::Organisations(ids) => {
                let unknown = ids.iter().filter(|id| registry.organisation(id).is_none()).count();
                if unknown > 0 {
                    return Err(SelectError::UnknownOrganisations { unknown, named: ids.len() });
                }
                self.settle(|endpoint| (!ids.contains(&endpoint.organisation)).then(not_directed_at));
            }
        }
        Ok(())
    }

    /// Excludes what the operator took out of service. Nobody left is no destination.
    pub(super) fn in_service(&mut self) -> Result<(), SelectError> {
        if self.members.is_empty() {
            return Err(self.no_destination("the federation has no members"));
        }
        self.settle(|endpoint| match &endpoint.membership {
            Membership::Active => None,
            Membership::Suspended(status) => Some(excluded(format!("the operator took it out of service: {status}"))),
        });
        if self.open().next().is_none() {
            return Err(self.no_destination("no endpoint that could be asked is in service"));
        }
        Ok(())
    }

    fn no_destination(&mut self, reason: &'static str) -> SelectError {
        SelectError::NoDestination { reason, selection: Box::new(self.take()) }
    }

    /// Of several open endpoints of one node leaves one open, a different one each `turn`: asking both would count the
    /// node's rows twice.
    pub(super) fn one_per_node(&mut self, turn: usize) {
        let mut by_node: BTreeMap<NodeId, Vec<Arc<Endpoint>>> = BTreeMap::new();
        for endpoint in self.open() {
            by_node.entry(endpoint.node.id.clone()).or_default().push(endpoint.clone());
        }
        self.settle(|endpoint| {
            let siblings = by_node.get(&endpoint.node.id)?;
            let chosen = siblings.get(turn % siblings.len().max(1))?;
            (chosen.id != endpoint.id).then(|| excluded(format!("endpoint `{}` of the same node is asked", chosen.id)))
        });
    }

    /// Settles every open member as the cross-reference answered for its node.
    pub(super) fn resolve(&mut self, resolutions: &Resolutions) {
        self.settle(|endpoint| {
            let node = &endpoint.node.id;
            Some(match resolutions.get(node) {
                Some(Resolution::Known(ehr_id)) => Decision::Ask(Some(ehr_id.clone())),
                Some(Resolution::NotKnown) => Decision::Settled {
                    status: EndpointStatus::NotResolved,
                    reason: Some(format!("the cross-reference knows no ehr_id of this patient at node `{node}`")),
                },
                Some(Resolution::Unanswered(error)) => unanswered(error),
                None => unanswered(&SeamError::LeftOut(node.clone())),
            })
        });
    }

    /// The selection so far.
    pub(super) fn take(&mut self) -> Selection {
        let member = |(endpoint, decision): (Arc<Endpoint>, Option<Decision>)| {
            // Every step settles what it leaves behind; were one open still, it would not be asked, and the query would fail.
            let undecided = || Decision::Unknown { reason: "nothing was decided about it".to_owned() };
            Member { endpoint, decision: decision.unwrap_or_else(undecided) }
        };
        Selection {
            members: std::mem::take(&mut self.members).into_iter().map(member).collect(),
            localization: self.localization.take(),
            consent: self.consent.take(),
        }
    }
}

pub(super) fn excluded(reason: String) -> Decision {
    Decision::Settled { status: EndpointStatus::Excluded, reason: Some(reason) }
}

fn not_directed_at() -> Decision {
    excluded("the query is directed at other endpoints".to_owned())
}

fn unanswered(error: &SeamError) -> Decision {
    Decision::Unknown { reason: format!("the cross-reference could not answer: {error}") }
}
