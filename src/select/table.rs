//! The tables of the configuration as localizer, consent pre-filter and cross-reference. For development and tests.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, ready};
use tokio::time::Instant;

use super::seam::{Candidates, ConsentFilter, CrossReference, Localizer, Resolution, Resolutions, SeamError};
use crate::config::{PatientNodes, StaticIdentity};
use crate::ids::{EhrId, NodeId};
use crate::plan::PatientReference;

/// Patients and nodes: candidates, or refusals.
pub struct NodeTable(HashMap<PatientReference, BTreeSet<NodeId>>);

impl NodeTable {
    /// The rows, those of one patient together.
    #[must_use]
    pub fn new(rows: &[PatientNodes]) -> Self {
        let mut nodes_by_patient: HashMap<_, BTreeSet<NodeId>> = HashMap::new();
        for row in rows {
            nodes_by_patient.entry(row.patient.clone()).or_default().extend(row.nodes.iter().cloned());
        }
        NodeTable(nodes_by_patient)
    }

    fn nodes_of(&self, patient: &PatientReference, nodes: &BTreeSet<NodeId>) -> BTreeSet<NodeId> {
        self.0.get(patient).map(|of_patient| of_patient.intersection(nodes).cloned().collect()).unwrap_or_default()
    }
}

impl Localizer for NodeTable {
    fn mode(&self) -> &'static str {
        "static"
    }

    fn candidates<'a>(
        &'a self,
        patient: &'a PatientReference,
        _nodes: &'a BTreeSet<NodeId>,
        _deadline: Instant,
    ) -> BoxFuture<'a, Result<Candidates, SeamError>> {
        let nodes = self.0.get(patient).cloned().unwrap_or_default();
        ready(Ok(Candidates { nodes, resolved: None })).boxed()
    }
}

impl ConsentFilter for NodeTable {
    fn mode(&self) -> &'static str {
        "static"
    }

    fn denied<'a>(
        &'a self,
        patient: &'a PatientReference,
        nodes: &'a BTreeSet<NodeId>,
        _deadline: Instant,
    ) -> BoxFuture<'a, Result<BTreeSet<NodeId>, SeamError>> {
        ready(Ok(self.nodes_of(patient, nodes))).boxed()
    }
}

/// The rows of `[[identity.static]]`.
pub struct IdentityTable(HashMap<PatientReference, BTreeMap<NodeId, EhrId>>);

impl IdentityTable {
    /// The rows; of two for one patient at one node, which the configuration refuses, the last.
    #[must_use]
    pub fn new(rows: &[StaticIdentity]) -> Self {
        let mut ehr_ids: HashMap<_, BTreeMap<NodeId, EhrId>> = HashMap::new();
        for row in rows {
            ehr_ids.entry(row.patient.clone()).or_default().insert(row.node.clone(), row.ehr_id.clone());
        }
        IdentityTable(ehr_ids)
    }
}

impl CrossReference for IdentityTable {
    fn resolve<'a>(
        &'a self,
        patient: &'a PatientReference,
        nodes: &'a BTreeSet<NodeId>,
        _deadline: Instant,
    ) -> BoxFuture<'a, Resolutions> {
        let of_patient = self.0.get(patient);
        let resolution = |node: &NodeId| {
            let ehr_id = of_patient.and_then(|ehr_ids| ehr_ids.get(node));
            ehr_id.map_or(Resolution::NotKnown, |ehr_id| Resolution::Known(ehr_id.clone()))
        };
        ready(nodes.iter().map(|node| (node.clone(), resolution(node))).collect()).boxed()
    }
}
