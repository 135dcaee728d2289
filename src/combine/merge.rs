//! A k-way merge: the least of the heads of k ordered sequences, again and again, with log₂ k comparisons each.

use std::cmp::Ordering;

/// A tree of losers over `k` sources. The comparison is handed in with each step, since it looks at the heads, which move.
///
/// `nodes[0]` is the winner; `nodes[n]` for n ≥ 1 is who lost the match played there. Leaves stand at `k..2k`.
pub(super) struct LoserTree {
    nodes: Vec<usize>,
    sources: usize,
}

impl LoserTree {
    /// Plays all matches. `order` compares the heads of two sources and must be total; an exhausted source loses.
    pub(super) fn new(sources: usize, order: impl Fn(usize, usize) -> Ordering) -> Self {
        let mut winners = vec![0; sources];
        winners.extend(0..sources);
        let mut nodes = vec![0; sources.max(1)];
        for node in (1..sources).rev() {
            let (left, right) = (winner(&winners, 2 * node), winner(&winners, 2 * node + 1));
            let (won, lost) = if order(left, right).is_le() { (left, right) } else { (right, left) };
            set(&mut winners, node, won);
            set(&mut nodes, node, lost);
        }
        let champion = if sources > 1 { winner(&winners, 1) } else { 0 };
        set(&mut nodes, 0, champion);
        LoserTree { nodes, sources }
    }

    /// The source with the least head.
    #[inline]
    pub(super) fn least(&self) -> usize {
        winner(&self.nodes, 0)
    }

    /// Plays again after the head of the least source has moved on.
    #[inline]
    pub(super) fn replay(&mut self, order: impl Fn(usize, usize) -> Ordering) {
        let mut champion = self.least();
        let mut node = (self.sources + champion) / 2;
        while node >= 1 {
            let Some(rival) = self.nodes.get_mut(node) else { break };
            if order(*rival, champion).is_lt() {
                std::mem::swap(rival, &mut champion);
            }
            node /= 2;
        }
        set(&mut self.nodes, 0, champion);
    }
}

#[inline]
fn winner(nodes: &[usize], at: usize) -> usize {
    nodes.get(at).copied().unwrap_or(0)
}

#[inline]
fn set(nodes: &mut [usize], at: usize, source: usize) {
    if let Some(node) = nodes.get_mut(at) {
        *node = source;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn merge(sources: &[Vec<u8>]) -> Vec<(u8, usize)> {
        let mut at = vec![0; sources.len()];
        let order = |at: &[usize], left: usize, right: usize| {
            let head =
                |source: usize| (sources[source].get(at[source]).is_none(), sources[source].get(at[source]).copied(), source);
            head(left).cmp(&head(right))
        };
        let mut tree = LoserTree::new(sources.len(), |left, right| order(&at, left, right));
        let mut merged = Vec::new();
        while let Some(value) = sources.get(tree.least()).and_then(|source| source.get(at[tree.least()])) {
            merged.push((*value, tree.least()));
            at[tree.least()] += 1;
            tree.replay(|left, right| order(&at, left, right));
        }
        merged
    }

    proptest! {
        #[test]
        fn merging_is_sorting_with_ties_by_source(mut sources in prop::collection::vec(prop::collection::vec(0u8..20, 0..12), 0..9)) {
            sources.iter_mut().for_each(|source| source.sort_unstable());
            let mut model: Vec<(u8, usize)> =
                sources.iter().enumerate().flat_map(|(source, values)| values.iter().map(move |value| (*value, source))).collect();
            model.sort_unstable();
            prop_assert_eq!(merge(&sources), model);
        }
    }
}
