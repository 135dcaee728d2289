//! How much work one query may do.

use std::cell::Cell;

use super::error::EvalError;

/// Counts steps down.
#[derive(Debug)]
pub(super) struct Meter {
    limit: u64,
    left: Cell<u64>,
}

impl Meter {
    /// A meter of this many steps.
    pub(super) fn new(limit: u64) -> Meter {
        Meter { limit, left: Cell::new(limit) }
    }

    /// Takes steps.
    pub(super) fn tick(&self, steps: usize) -> Result<(), EvalError> {
        let left = self.left.get().checked_sub(steps as u64).ok_or(EvalError::Steps(self.limit))?;
        self.left.set(left);
        Ok(())
    }
}
