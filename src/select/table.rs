//! The tables of the configuration as localizer, consent pre-filter and cross-reference. For development and tests.

use std::collections::BTreeSet;

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, ready};
use tokio::time::Instant;

use super::seam::{Candidates, ConsentFilter, CrossReference, Localizer, Resolution, Resolutions, SeamError};
use crate::config::{PatientNodes, StaticIdentity};
use crate::ids::NodeId;
use crate::plan::PatientReference;

/// Patients and nodes: candidates, or refusals.
pub struct NodeTable(pub Vec<PatientNodes>);

impl NodeTable {
    fn nodes_of(&self, patient: &PatientReference, nodes: &BTreeSet<NodeId>) -> BTreeSet<NodeId> {
        let rows = self.0.iter().filter(|row| row.patient == *patient);
        rows.flat_map(|row| row.nodes.intersection(nodes)).cloned().collect()
    }
}

impl Localizer for NodeTable {
    fn mode(&self) -> &'static str {
        "static"
    }

    fn candidates<'a>(
        &'a self,
        patient: &'a PatientReference,
        nodes: &'a BTreeSet<NodeId>,
        _deadline: Instant,
    ) -> BoxFuture<'a, Result<Candidates, SeamError>> {
        ready(Ok(Candidates { nodes: self.nodes_of(patient, nodes), resolved: None })).boxed()
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
pub struct IdentityTable(pub Vec<StaticIdentity>);

impl CrossReference for IdentityTable {
    fn resolve<'a>(
        &'a self,
        patient: &'a PatientReference,
        nodes: &'a BTreeSet<NodeId>,
        _deadline: Instant,
    ) -> BoxFuture<'a, Resolutions> {
        let resolution = |node: &NodeId| {
            let row = self.0.iter().find(|row| row.node == *node && row.patient == *patient);
            row.map_or(Resolution::NotKnown, |row| Resolution::Known(row.ehr_id.clone()))
        };
        ready(nodes.iter().map(|node| (node.clone(), resolution(node))).collect()).boxed()
    }
}
