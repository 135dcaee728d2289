//! How many rows one query may hold, over all nodes and at any moment (`limits.max_rows`).

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Counts the rows a query holds. Shared by the nodes' answers, which are read at the same time.
#[derive(Debug)]
pub struct RowBudget {
    most: usize,
    held: AtomicUsize,
}

impl RowBudget {
    /// A budget of `most` rows, none of them held.
    #[must_use]
    pub fn new(most: usize) -> Arc<Self> {
        Arc::new(RowBudget { most, held: AtomicUsize::new(0) })
    }

    /// How many rows may be held.
    #[must_use]
    pub fn most(&self) -> usize {
        self.most
    }

    /// How many rows are held now.
    #[must_use]
    pub fn held(&self) -> usize {
        self.held.load(Ordering::Relaxed)
    }
}

/// Rows read so far: counted in batches, since a shared counter touched per row would be felt. Given back when dropped.
#[derive(Debug)]
pub(super) struct HeldRows {
    budget: Arc<RowBudget>,
    counted: usize,
    uncounted: usize,
}

/// How far a reader may run ahead of the shared counter.
const BATCH: usize = 64;

impl HeldRows {
    pub(super) fn none(budget: &Arc<RowBudget>) -> Self {
        HeldRows { budget: Arc::clone(budget), counted: 0, uncounted: 0 }
    }

    /// One row more; false when there is certainly no room.
    pub(super) fn add(&mut self) -> bool {
        self.uncounted += 1;
        if self.uncounted < BATCH { self.counted + self.uncounted <= self.budget.most } else { self.settle() }
    }

    /// Brings the shared counter up to date; false when the budget is exceeded.
    pub(super) fn settle(&mut self) -> bool {
        let before = self.budget.held.fetch_add(self.uncounted, Ordering::Relaxed);
        self.counted += self.uncounted;
        let now = before.saturating_add(self.uncounted);
        self.uncounted = 0;
        now <= self.budget.most
    }

    /// The setting's value, for the error.
    pub(super) fn most(&self) -> usize {
        self.budget.most
    }
}

impl Drop for HeldRows {
    fn drop(&mut self) {
        self.budget.held.fetch_sub(self.counted, Ordering::Relaxed);
    }
}
