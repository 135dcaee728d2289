//! What a caller's session has learnt: under this `ehr_id`, that node (§12, N36). In memory only, bounded, expiring, and
//! dropped when consent is withdrawn or identities change.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use moka::sync::Cache;

use crate::ids::{EhrId, NodeId};

/// Who a binding belongs to. Made of the caller's identity, never of a patient's.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Caller(Arc<str>);

impl Caller {
    /// A caller known by this text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Caller(Arc::from(text))
    }
}

/// The bindings of all sessions.
#[derive(Clone, Debug)]
pub struct Bindings {
    cache: Cache<(Caller, EhrId), BTreeSet<NodeId>>,
}

impl Bindings {
    /// How many are kept by default: some thousand callers with some tens of patients each.
    pub const DEFAULT_CAPACITY: u64 = 100_000;
    /// How long one is kept after it was last learnt: a working session.
    pub const DEFAULT_TTL: Duration = Duration::from_mins(30);

    /// Bindings bounded in number and in time.
    #[must_use]
    pub fn new(capacity: u64, ttl: Duration) -> Self {
        Bindings { cache: Cache::builder().max_capacity(capacity).time_to_live(ttl).build() }
    }

    /// Notes that a resolution for this caller found the EHR at this node.
    pub fn learn(&self, caller: &Caller, node: &NodeId, ehr_id: &EhrId) {
        self.cache.entry((caller.clone(), ehr_id.clone())).and_upsert_with(|known| {
            let mut nodes = known.map(moka::Entry::into_value).unwrap_or_default();
            nodes.insert(node.clone());
            nodes
        });
    }

    /// The nodes this caller's resolutions found the EHR at: none when nothing was learnt, several when two claim the id.
    #[must_use]
    pub fn nodes(&self, caller: &Caller, ehr_id: &EhrId) -> BTreeSet<NodeId> {
        self.cache.get(&(caller.clone(), ehr_id.clone())).unwrap_or_default()
    }

    /// The node refused this caller on consent grounds, or has no such EHR.
    pub fn forget(&self, caller: &Caller, node: &NodeId, ehr_id: &EhrId) {
        let key = (caller.clone(), ehr_id.clone());
        if let Some(mut nodes) = self.cache.get(&key) {
            nodes.remove(node);
            if nodes.is_empty() {
                self.cache.invalidate(&key);
            } else {
                self.cache.insert(key, nodes);
            }
        }
    }

    /// The patient behind this EHR is no longer who it was (merge, split, move): whatever any session learnt of it goes.
    pub fn identity_changed(&self, ehr_id: &EhrId) {
        for (key, _) in self.cache.iter().filter(|(key, _)| key.1 == *ehr_id) {
            self.cache.invalidate(&*key);
        }
    }
}

impl Default for Bindings {
    fn default() -> Self {
        Bindings::new(Self::DEFAULT_CAPACITY, Self::DEFAULT_TTL)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caller(name: &str) -> Caller {
        Caller::new(name)
    }

    #[test]
    fn a_binding_belongs_to_its_caller() {
        let bindings = Bindings::default();
        let (node, ehr_id) = (NodeId::new("a"), EhrId::new("e"));
        bindings.learn(&caller("x"), &node, &ehr_id);
        assert_eq!(bindings.nodes(&caller("x"), &ehr_id), BTreeSet::from([node]));
        assert!(bindings.nodes(&caller("y"), &ehr_id).is_empty());
    }

    #[test]
    fn two_claimants_are_both_kept_and_a_refusal_drops_only_its_own() {
        let bindings = Bindings::default();
        let (a, b, ehr_id) = (NodeId::new("a"), NodeId::new("b"), EhrId::new("e"));
        bindings.learn(&caller("x"), &a, &ehr_id);
        bindings.learn(&caller("x"), &b, &ehr_id);
        assert_eq!(bindings.nodes(&caller("x"), &ehr_id).len(), 2);
        bindings.forget(&caller("x"), &a, &ehr_id);
        assert_eq!(bindings.nodes(&caller("x"), &ehr_id), BTreeSet::from([b.clone()]));
        bindings.forget(&caller("x"), &b, &ehr_id);
        assert!(bindings.nodes(&caller("x"), &ehr_id).is_empty());
    }

    #[test]
    fn a_change_of_identity_is_forgotten_by_every_session() {
        let bindings = Bindings::default();
        let (node, ehr_id, other) = (NodeId::new("a"), EhrId::new("e"), EhrId::new("f"));
        for name in ["x", "y"] {
            bindings.learn(&caller(name), &node, &ehr_id);
            bindings.learn(&caller(name), &node, &other);
        }
        bindings.identity_changed(&ehr_id);
        assert!(bindings.nodes(&caller("x"), &ehr_id).is_empty() && bindings.nodes(&caller("y"), &ehr_id).is_empty());
        assert_eq!(bindings.nodes(&caller("y"), &other).len(), 1);
    }

    #[test]
    fn their_number_is_bounded() {
        let bindings = Bindings::new(10, Bindings::DEFAULT_TTL);
        for number in 0..1000 {
            bindings.learn(&caller("x"), &NodeId::new("a"), &EhrId::new(number.to_string()));
        }
        bindings.cache.run_pending_tasks();
        assert!(bindings.cache.entry_count() <= 10);
    }
}
