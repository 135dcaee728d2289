//! What routing has learnt: which node holds an EHR, which node showed versions of which system. Bounded, in memory, never more
//! than a hint that an answer gave.

use std::collections::BTreeSet;
use std::hash::Hash;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use moka::sync::Cache;

use crate::ids::{EhrId, NodeId, SystemId};
use crate::registry::Endpoint;

/// EHRs remembered: about 20 MB.
const MAX_EHRS: u64 = 100_000;
/// Systems remembered. There are hardly more than nodes, but their names come from outside.
const MAX_SYSTEMS: u64 = 10_000;
/// Nodes remembered for one key: two are a collision already.
const MAX_NODES: usize = 8;

/// Learnt places.
#[derive(Debug)]
pub struct Memory {
    ehrs: Cache<EhrId, BTreeSet<NodeId>>,
    systems: Cache<SystemId, BTreeSet<NodeId>>,
    incidents: AtomicU64,
}

impl Default for Memory {
    fn default() -> Self {
        Memory { ehrs: Cache::new(MAX_EHRS), systems: Cache::new(MAX_SYSTEMS), incidents: AtomicU64::new(0) }
    }
}

impl Memory {
    /// Notes that a node answered for this EHR; true when it is the second, which is an integrity incident (§12, N36).
    pub fn learn_ehr(&self, ehr_id: &EhrId, node: &NodeId) -> bool {
        let known = self.ehrs.get(&key(ehr_id)).is_some_and(|nodes| nodes.contains(node));
        !known && learn(&self.ehrs, key(ehr_id), node) > 1
    }

    /// The nodes that answered for this EHR.
    #[must_use]
    pub fn ehr_nodes(&self, ehr_id: &EhrId) -> BTreeSet<NodeId> {
        self.ehrs.get(&key(ehr_id)).unwrap_or_default()
    }

    /// The node says that it does not hold this EHR, or the patient behind it changed.
    pub fn forget_ehr(&self, ehr_id: &EhrId, node: &NodeId) {
        let Some(mut nodes) = self.ehrs.get(&key(ehr_id)) else { return };
        if nodes.remove(node) {
            match nodes.is_empty() {
                true => self.ehrs.invalidate(&key(ehr_id)),
                false => self.ehrs.insert(key(ehr_id), nodes),
            }
        }
    }

    /// Notes that a node showed a version which this system created. Serves reads, never writes: it may be a copy.
    pub fn learn_system(&self, system: &SystemId, node: &NodeId) {
        let known = self.systems.get(system).is_some_and(|nodes| nodes.contains(node));
        if !known {
            learn(&self.systems, system.clone(), node);
        }
    }

    /// The nodes that showed versions which this system created.
    #[must_use]
    pub fn system_nodes(&self, system: &SystemId) -> BTreeSet<NodeId> {
        self.systems.get(system).unwrap_or_default()
    }

    /// Two nodes claim one EHR: someone must act.
    pub fn incident(&self, claimants: &[Arc<Endpoint>]) {
        self.incidents.fetch_add(1, Ordering::Relaxed);
        let ids: Vec<&str> = claimants.iter().map(|endpoint| endpoint.id.as_str()).collect();
        tracing::error!(event = "integrity-incident", endpoints = ?ids, "several nodes claim one ehr_id");
    }

    /// How often that happened.
    #[must_use]
    pub fn incidents(&self) -> u64 {
        self.incidents.load(Ordering::Relaxed)
    }
}

/// Adds a node and says how many there are now; 0 when nothing is new.
fn learn<K: Hash + Eq + Send + Sync + 'static>(cache: &Cache<K, BTreeSet<NodeId>>, key: K, node: &NodeId) -> usize {
    let mut added = 0;
    cache.entry(key).and_upsert_with(|known| {
        let mut nodes = known.map(moka::Entry::into_value).unwrap_or_default();
        if nodes.len() < MAX_NODES && nodes.insert(node.clone()) {
            added = nodes.len();
        }
        nodes
    });
    added
}

/// UUIDs are the same in either case.
fn key(ehr_id: &EhrId) -> EhrId {
    match ehr_id.as_str().bytes().any(|byte| byte.is_ascii_uppercase()) && is_uuid(ehr_id.as_str()) {
        true => EhrId::new(ehr_id.as_str().to_ascii_lowercase()),
        false => ehr_id.clone(),
    }
}

/// Is it a UUID as ITS-REST writes them? Nothing else is ever probed for.
#[must_use]
pub(super) fn is_uuid(text: &str) -> bool {
    text.len() == 36 && uuid::Uuid::try_parse(text).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const UUID: &str = "7d44b88c-4199-4bad-97dc-d78268e01398";

    #[test]
    fn a_second_claimant_is_noticed_once() {
        let memory = Memory::default();
        let (ehr_id, upper) = (EhrId::new(UUID), EhrId::new(UUID.to_uppercase()));
        let (a, b) = (NodeId::new("a"), NodeId::new("b"));
        let learnt = [(&ehr_id, &a), (&upper, &a), (&upper, &b), (&ehr_id, &b)].map(|(ehr, node)| memory.learn_ehr(ehr, node));
        assert_eq!(learnt, [false, false, true, false]);
        assert_eq!(memory.ehr_nodes(&ehr_id).len(), 2);
        memory.forget_ehr(&ehr_id, &a);
        memory.forget_ehr(&ehr_id, &b);
        assert!(memory.ehr_nodes(&ehr_id).is_empty());
    }

    #[test]
    fn only_hyphenated_uuids_are_uuids() {
        assert!(is_uuid(UUID));
        for text in ["", "1", "7d44b88c41994bad97dcd78268e01398", "{7d44b88c-4199-4bad-97dc-d78268e0139}", "%2e"] {
            assert!(!is_uuid(text), "{text}");
        }
    }
}
