//! `version-identity`: one copy of an `OBJECT_VERSION_ID` that several endpoints hold (§10).

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use super::Contribution;
use super::order::VersionUid;
use super::rows::NodeRows;
use crate::ids::EndpointId;

/// Which copies were left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Suppressed {
    /// Rows left out, wherever in the order they would have stood.
    pub rows: u64,
    /// The endpoints they came from, by id.
    pub endpoints: Vec<EndpointId>,
}

/// Whose copy of each version is kept.
pub(super) struct Keepers<'a> {
    kept: HashMap<Cow<'a, [u8]>, u32>,
    column: usize,
}

impl<'a> Keepers<'a> {
    /// Settles it over all contributions, which stand by endpoint id: the endpoint of the system that created the version,
    /// else the first that has it.
    pub(super) fn settle(contributions: &'a [Contribution], column: usize) -> Self {
        let mut kept: HashMap<Cow<'a, [u8]>, u32> = HashMap::new();
        for (part, contribution) in (0u32..).zip(contributions) {
            let own_system = contribution.endpoint.node.system_id.as_str().as_bytes();
            for row in 0..contribution.rows.len() {
                let uid = VersionUid::of(contribution.rows.cell(row, column));
                let own = uid.creating_system() == Some(own_system);
                let Some(uid) = uid.into_identity() else { continue };
                let keeper = kept.entry(uid).or_insert(part);
                let kept_is_own = || {
                    let keeper = contributions.get(*keeper as usize);
                    keeper.is_some_and(|keeper| keeper.endpoint.node.system_id.as_str().as_bytes() == own_system)
                };
                if own && *keeper != part && !kept_is_own() {
                    *keeper = part;
                }
            }
        }
        Keepers { kept, column }
    }

    /// Is another endpoint's copy kept instead of this row? Rows without a version uid are no copies of anything.
    pub(super) fn suppresses(&self, part: u32, rows: &NodeRows, row: usize) -> bool {
        match VersionUid::of(rows.cell(row, self.column)).into_identity() {
            Some(uid) => self.kept.get(&uid).is_some_and(|keeper| *keeper != part),
            None => false,
        }
    }

    /// What is left out in all.
    pub(super) fn report(&self, contributions: &[Contribution]) -> Suppressed {
        let (mut rows, mut endpoints) = (0, BTreeSet::new());
        for (part, contribution) in (0u32..).zip(contributions) {
            let suppressed = (0..contribution.rows.len()).filter(|row| self.suppresses(part, &contribution.rows, *row)).count();
            if suppressed > 0 {
                rows += suppressed as u64;
                endpoints.insert(contribution.endpoint.id.clone());
            }
        }
        Suppressed { rows, endpoints: endpoints.into_iter().collect() }
    }
}
