//! Which node holds an EHR: target, session binding, memory, and for reads a probe, in this order and never skipping a step that
//! answers (§12, N36, CP-33).

use std::collections::BTreeSet;
use std::sync::Arc;

use futures_util::future::join_all;
use http::StatusCode;

use super::Routing;
use super::error::RouteError;
use super::memory::is_uuid;
use super::target::Target;
use crate::budget::Budget;
use crate::ids::{EhrId, NodeId, SystemId};
use crate::node::NodeFailure;
use crate::registry::{Endpoint, Membership};
use crate::select::Caller;
use crate::status::EndpointStatus;

/// Who asks, and what they said about where.
#[derive(Clone, Debug)]
pub struct Asker {
    /// Whose session it is.
    pub caller: Caller,
    /// The targeting headers.
    pub target: Target,
    /// The time allowed.
    pub budget: Budget,
}

/// What a node says of an EHR.
enum Claim {
    Holds,
    NotHere,
    Unknown(EndpointStatus),
}

impl Routing {
    /// The node that holds the EHR, for a read: the whole order, and the probe at its end.
    ///
    /// # Errors
    /// Nobody holds it, it is not known, or two claim it.
    pub async fn holder(&self, ehr_id: &EhrId, asker: &Asker) -> Result<Arc<Endpoint>, RouteError> {
        match self.settled(ehr_id, asker)? {
            Some(endpoint) => Ok(endpoint),
            None => self.probed(ehr_id, &asker.budget).await,
        }
    }

    /// The node that holds the EHR as far as it is known without asking anyone: what a write may rely on.
    ///
    /// # Errors
    /// The target is no single endpoint in service, or two nodes claim the EHR.
    pub fn settled(&self, ehr_id: &EhrId, asker: &Asker) -> Result<Option<Arc<Endpoint>>, RouteError> {
        if let Some(target) = asker.target.one()? {
            return Ok(Some(target));
        }
        for known in [self.bindings.nodes(&asker.caller, ehr_id), self.memory.ehr_nodes(ehr_id)] {
            if let Some(endpoint) = self.single(&known)? {
                return Ok(Some(endpoint));
            }
        }
        Ok(None)
    }

    /// The endpoint of the one node of a set; a node that left the federation does not count.
    fn single(&self, nodes: &BTreeSet<NodeId>) -> Result<Option<Arc<Endpoint>>, RouteError> {
        let mut endpoints = nodes.iter().filter_map(|node| self.endpoint_of(node));
        match (endpoints.next(), endpoints.next()) {
            (None, _) => Ok(None),
            (Some(endpoint), None) if endpoint.membership == Membership::Active => Ok(Some(endpoint)),
            (Some(endpoint), None) => Err(RouteError::OutOfService(endpoint)),
            (Some(first), Some(second)) => Err(self.collision([first, second].into_iter().chain(endpoints).collect())),
        }
    }

    fn collision(&self, claimants: Vec<Arc<Endpoint>>) -> RouteError {
        self.memory.incident(&claimants);
        RouteError::Collision(claimants)
    }

    /// An endpoint of a node: one in service where there is one.
    pub(super) fn endpoint_of(&self, node: &NodeId) -> Option<Arc<Endpoint>> {
        let of_node = || self.registry.endpoints().filter(|endpoint| endpoint.node.id == *node);
        of_node().find(|endpoint| endpoint.membership == Membership::Active).or_else(|| of_node().next()).cloned()
    }

    /// One endpoint in service of every node that has any.
    pub(super) fn one_of_every_node(&self) -> Vec<Arc<Endpoint>> {
        let mut nodes = BTreeSet::new();
        let in_service = self.registry.endpoints().filter(|endpoint| endpoint.membership == Membership::Active);
        in_service.filter(|endpoint| nodes.insert(&endpoint.node.id)).cloned().collect()
    }

    /// Asks every node whether it holds the EHR. All are waited for, so that a quick claimant cannot hide a second one, and a
    /// slow node hides no claimant. What is not certain is not remembered.
    async fn probed(&self, ehr_id: &EhrId, budget: &Budget) -> Result<Arc<Endpoint>, RouteError> {
        let mut probe = self.probe(ehr_id, self.one_of_every_node(), budget).await;
        for claimant in &probe.claimants {
            if probe.unknown.is_empty() || probe.claimants.len() > 1 {
                self.memory.learn_ehr(ehr_id, &claimant.node.id);
            }
        }
        match (probe.claimants.pop(), probe.claimants.is_empty()) {
            (Some(claimant), true) => Ok(claimant),
            (Some(claimant), false) => {
                probe.claimants.push(claimant);
                Err(self.collision(probe.claimants))
            }
            (None, _) if probe.unknown.is_empty() => Err(RouteError::NobodyHolds),
            (None, _) => Err(holder_unknown(probe.unknown)),
        }
    }

    /// No other node than that of `endpoint` may hold the EHR, for one to be made there under this id.
    ///
    /// # Errors
    /// Another node holds it, or might.
    pub(super) async fn held_nowhere_else(&self, ehr_id: &EhrId, endpoint: &Endpoint, asker: &Asker) -> Result<(), RouteError> {
        let known = self.bindings.nodes(&asker.caller, ehr_id).into_iter().chain(self.memory.ehr_nodes(ehr_id));
        let others: BTreeSet<NodeId> = known.filter(|node| *node != endpoint.node.id).collect();
        let holders: Vec<_> = others.iter().filter_map(|node| self.endpoint_of(node)).collect();
        if !holders.is_empty() {
            return Err(RouteError::Held(holders));
        }
        let mut others = self.one_of_every_node();
        others.retain(|other| other.node.id != endpoint.node.id);
        let probe = self.probe(ehr_id, others, &asker.budget).await;
        match (probe.claimants.is_empty(), probe.unknown.is_empty()) {
            (false, _) => Err(RouteError::Held(probe.claimants)),
            (true, false) => Err(holder_unknown(probe.unknown)),
            (true, true) => Ok(()),
        }
    }

    /// Only a UUID is ever put to nodes that may know nothing of it: any other id could say who the patient is.
    async fn probe(&self, ehr_id: &EhrId, endpoints: Vec<Arc<Endpoint>>, budget: &Budget) -> Probe {
        let mut probe = Probe::default();
        if !is_uuid(ehr_id.as_str()) {
            return probe;
        }
        let claims = join_all(endpoints.iter().map(|endpoint| self.claim(ehr_id, endpoint, budget))).await;
        for (endpoint, claim) in endpoints.into_iter().zip(claims) {
            match claim {
                Claim::Holds => probe.claimants.push(endpoint),
                Claim::NotHere => {}
                Claim::Unknown(status) => probe.unknown.push((endpoint, status)),
            }
        }
        probe
    }

    async fn claim(&self, ehr_id: &EhrId, endpoint: &Endpoint, budget: &Budget) -> Claim {
        let deadline = budget.node_deadline(endpoint.per_node);
        let permit = tokio::time::timeout_at(deadline, self.permits.acquire(&endpoint.id)).await;
        let Ok(Some(_permit)) = permit else { return Claim::Unknown(EndpointStatus::Offline) };
        match self.client.get_small(endpoint, &format!("v1/ehr/{ehr_id}"), deadline).await {
            Ok((StatusCode::NOT_FOUND, _)) => Claim::NotHere,
            Ok((StatusCode::OK, body)) if is_ehr(&body, ehr_id) => Claim::Holds,
            Ok(_) => Claim::Unknown(EndpointStatus::NodeError),
            Err(failure) => Claim::Unknown(NodeFailure::status(&failure)),
        }
    }

    /// The one node that controls what this system created, by the registry.
    pub(super) fn controllers(&self, system: &SystemId) -> Vec<Arc<Endpoint>> {
        let controls =
            |endpoint: &&Arc<Endpoint>| endpoint.node.system_id == *system || endpoint.node.creating_system_ids.contains(system);
        let nodes: BTreeSet<&NodeId> = self.registry.endpoints().filter(controls).map(|endpoint| &endpoint.node.id).collect();
        nodes.into_iter().filter_map(|node| self.endpoint_of(node)).collect()
    }

    /// The node to read a version of this system from: its controller, else the one node that showed such a version.
    pub(super) fn reader(&self, system: &SystemId) -> Option<Arc<Endpoint>> {
        let controllers = self.controllers(system);
        let learnt = || self.memory.system_nodes(system).iter().filter_map(|node| self.endpoint_of(node)).collect();
        let candidates: Vec<_> = if controllers.is_empty() { learnt() } else { controllers };
        let [one] = candidates.as_slice() else { return None };
        (one.membership == Membership::Active).then(|| Arc::clone(one))
    }
}

/// What the nodes said.
#[derive(Default)]
struct Probe {
    claimants: Vec<Arc<Endpoint>>,
    unknown: Vec<(Arc<Endpoint>, EndpointStatus)>,
}

fn holder_unknown(unknown: Vec<(Arc<Endpoint>, EndpointStatus)>) -> RouteError {
    let failed = unknown.iter().all(|(_, status)| *status == EndpointStatus::NodeError);
    let status = if failed { EndpointStatus::NodeError } else { EndpointStatus::Offline };
    let (endpoints, each) = unknown.into_iter().unzip();
    RouteError::HolderUnknown { endpoints, each, status }
}

/// Is the body the EHR asked for? A node, or something before it, that answers `200` to anything claims nothing.
fn is_ehr(body: &[u8], ehr_id: &EhrId) -> bool {
    #[derive(serde::Deserialize)]
    struct Ehr {
        ehr_id: Id,
    }
    #[derive(serde::Deserialize)]
    struct Id {
        value: String,
    }
    serde_json::from_slice::<Ehr>(body).is_ok_and(|ehr| ehr.ehr_id.value.eq_ignore_ascii_case(ehr_id.as_str()))
}
