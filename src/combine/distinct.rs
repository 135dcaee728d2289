//! DISTINCT over whole answered rows, in the order they come.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use super::Contribution;
use super::endpoint_cells::attribute_cell;
use super::order::identity;
use super::pick::Pick;
use super::same::RowIdentity;
use crate::plan::{CellSource, CombineSpec};

/// The rows seen so far. Only hashes and places are kept; rows whose hashes agree are compared by their bytes.
pub(super) struct Distinct<'a> {
    contributions: &'a [Contribution],
    identity: RowIdentity,
    /// Of each contribution: what its endpoint's attributes add to a row's identity.
    attributes: Vec<Vec<u8>>,
    /// The latest row of each hash, as an index into `rows`.
    latest: HashMap<u64, u32>,
    /// Each row with the one of its hash before it.
    rows: Vec<(Pick, Option<u32>)>,
    hasher: RandomState,
    bytes: Vec<u8>,
}

impl<'a> Distinct<'a> {
    pub(super) fn new(spec: &CombineSpec, contributions: &'a [Contribution]) -> Self {
        Distinct {
            contributions,
            identity: RowIdentity::of(spec),
            attributes: contributions.iter().map(|contribution| attributes(spec, contribution)).collect(),
            latest: HashMap::new(),
            rows: Vec::new(),
            hasher: RandomState::new(),
            bytes: Vec::new(),
        }
    }

    /// Is it the first of its kind? Then it is remembered.
    pub(super) fn is_new(&mut self, pick: Pick) -> bool {
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.clear();
        self.write(pick, &mut bytes);
        let hash = self.hasher.hash_one(&bytes);
        let new = !self.seen(hash, &bytes);
        self.bytes = bytes;
        if new {
            let place = u32::try_from(self.rows.len()).unwrap_or(u32::MAX);
            self.rows.push((pick, self.latest.insert(hash, place)));
        }
        new
    }

    fn seen(&self, hash: u64, bytes: &[u8]) -> bool {
        let mut next = self.latest.get(&hash).copied();
        let mut other = Vec::new();
        while let Some((pick, before)) = next.and_then(|place| self.rows.get(place as usize)) {
            other.clear();
            self.write(*pick, &mut other);
            if other == bytes {
                return true;
            }
            next = *before;
        }
        false
    }

    fn write(&self, pick: Pick, out: &mut Vec<u8>) {
        if let (Some(contribution), Some(attributes)) =
            (self.contributions.get(pick.part as usize), self.attributes.get(pick.part as usize))
        {
            out.extend_from_slice(attributes);
            self.identity.write(&contribution.rows, pick.row as usize, out);
        }
    }
}

fn attributes(spec: &CombineSpec, contribution: &Contribution) -> Vec<u8> {
    let mut out = Vec::new();
    for cell in &spec.cells {
        if let CellSource::Endpoint(attribute) = cell {
            identity(&attribute_cell(&contribution.endpoint, *attribute), &mut out);
        }
    }
    out
}
