//! The members of the federation: organisations, nodes, endpoints (§4).

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use url::Url;

use crate::ids::{EndpointId, NodeId, OrganisationId, SystemId};
use crate::node::Credentials;

/// Who belongs to the federation. Immutable; a reload makes another one.
#[derive(Debug)]
pub struct Registry {
    endpoints: BTreeMap<EndpointId, Arc<Endpoint>>,
    organisations: BTreeMap<OrganisationId, Organisation>,
}

/// One base URL of a node.
#[derive(Debug)]
pub struct Endpoint {
    /// What clients target and the report names.
    pub id: EndpointId,
    /// The CDR behind it.
    pub node: Arc<Node>,
    /// Who manages it.
    pub organisation: OrganisationId,
    /// The node's `{base}`: `v1/query/aql` lies below it. Always ends with `/`.
    pub url: Url,
    /// In service, or why not.
    pub membership: Membership,
    /// Its own limit; only ever shortens the per-node time-out.
    pub per_node: Option<Duration>,
    /// Can its ORDER BY with LIMIT be relied on?
    pub ordering: NodeOrdering,
    /// A `403` whose body has one of these codes is a refusal on consent grounds (N27).
    pub consent_refusal_codes: Vec<String>,
    /// Who the gateway is to it.
    pub credentials: Credentials,
}

/// A member CDR.
#[derive(Debug)]
pub struct Node {
    /// The unit of membership.
    pub id: NodeId,
    /// The openEHR system id found in its data.
    pub system_id: SystemId,
    /// Other systems whose versions it controls.
    pub creating_system_ids: Vec<SystemId>,
    /// Product name, when declared.
    pub product: Option<String>,
    /// Product version, when declared.
    pub version: Option<String>,
}

/// An organisation of the registry.
#[derive(Debug)]
pub struct Organisation {
    /// Its id.
    pub id: OrganisationId,
    /// Its name for people.
    pub name: String,
}

/// Is an endpoint in service?
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Membership {
    /// It is asked.
    Active,
    /// The operator took it out; the text says how (`suspended`, `maintenance`, …) and is shown.
    Suspended(String),
}

/// What an endpoint's ORDER BY is worth. A cut that follows another order than ours cannot always be seen from the rows it
/// left, so the operator says what is known of the node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeOrdering {
    /// The node orders every kind as `docs/order.md` has it, text by code point included: LIMIT is pushed down.
    Exact,
    /// The node places nulls as we do and orders numbers and date/times by value. LIMIT is pushed down and the cut checked;
    /// a cut through text is asked for again whole, since collations differ.
    Trusted,
    /// LIMIT is never pushed down.
    Untrusted,
}

impl Node {
    /// A node of which nothing more is known.
    #[must_use]
    pub fn new(id: NodeId, system_id: SystemId) -> Self {
        Node { id, system_id, creating_system_ids: Vec::new(), product: None, version: None }
    }
}

impl Endpoint {
    /// An endpoint in service, with the defaults of the configuration.
    #[must_use]
    pub fn new(id: EndpointId, node: Arc<Node>, organisation: OrganisationId, url: Url) -> Self {
        Endpoint {
            id,
            node,
            organisation,
            url,
            membership: Membership::Active,
            per_node: None,
            ordering: NodeOrdering::Trusted,
            consent_refusal_codes: Vec::new(),
            credentials: Credentials::None,
        }
    }
}

impl Registry {
    /// Makes a registry of what the configuration has already judged to be consistent.
    #[must_use]
    pub fn new(endpoints: Vec<Endpoint>, organisations: Vec<Organisation>) -> Self {
        Registry {
            endpoints: endpoints.into_iter().map(|endpoint| (endpoint.id.clone(), Arc::new(endpoint))).collect(),
            organisations: organisations.into_iter().map(|organisation| (organisation.id.clone(), organisation)).collect(),
        }
    }

    /// Every endpoint, by id.
    pub fn endpoints(&self) -> impl ExactSizeIterator<Item = &Arc<Endpoint>> {
        self.endpoints.values()
    }

    /// One endpoint.
    #[must_use]
    pub fn endpoint(&self, id: &EndpointId) -> Option<&Arc<Endpoint>> {
        self.endpoints.get(id)
    }

    /// One organisation.
    #[must_use]
    pub fn organisation(&self, id: &OrganisationId) -> Option<&Organisation> {
        self.organisations.get(id)
    }

    /// Every organisation, by id.
    pub fn organisations(&self) -> impl ExactSizeIterator<Item = &Organisation> {
        self.organisations.values()
    }
}
