//! How many requests may be under way: per endpoint and in all.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::ids::EndpointId;

/// The bounds `limits.max_inflight` and `limits.max_inflight_per_endpoint`. Who waits longest goes first.
#[derive(Debug)]
pub struct Permits {
    overall: Arc<Semaphore>,
    per_endpoint: Mutex<HashMap<EndpointId, Arc<Semaphore>>>,
    most_per_endpoint: usize,
}

/// Leave to have one request under way at one endpoint; given back when dropped.
#[derive(Debug)]
pub struct Permit {
    _endpoint: OwnedSemaphorePermit,
    _overall: OwnedSemaphorePermit,
}

/// A permit with an end: given back when dropped, and after its time in any case. For bodies, which end only when whoever reads
/// them wants: readers who stand still must not keep an endpoint busy for everyone.
#[derive(Debug)]
pub struct Lease(tokio::task::AbortHandle);

impl Permit {
    /// The same for `limit` at most.
    #[must_use]
    pub fn lease(self, limit: Duration) -> Lease {
        let keeping = async move {
            tokio::time::sleep(limit).await;
            drop(self);
        };
        Lease(tokio::spawn(keeping).abort_handle()) // ends with the lease
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Permits {
    /// At most `most` in all and `most_per_endpoint` at any one endpoint.
    #[must_use]
    pub fn new(most: usize, most_per_endpoint: usize) -> Self {
        Permits {
            overall: Arc::new(Semaphore::new(most.min(Semaphore::MAX_PERMITS))),
            per_endpoint: Mutex::default(),
            most_per_endpoint: most_per_endpoint.min(Semaphore::MAX_PERMITS),
        }
    }

    /// Waits for leave; the caller bounds the wait. The endpoint's comes first, so that those who queue for a slow endpoint
    /// hold nothing that others need. `None` never happens while the gateway runs: the semaphores are not closed.
    pub async fn acquire(&self, endpoint: &EndpointId) -> Option<Permit> {
        let endpoint = self.of(endpoint).acquire_owned().await.ok()?;
        let overall = Arc::clone(&self.overall).acquire_owned().await.ok()?;
        Some(Permit { _endpoint: endpoint, _overall: overall })
    }

    #[cfg(test)]
    pub(crate) fn none_left_for(&self, endpoint: &EndpointId) -> bool {
        self.of(endpoint).available_permits() == 0
    }

    fn of(&self, endpoint: &EndpointId) -> Arc<Semaphore> {
        let mut known = self.per_endpoint.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(semaphore) = known.get(endpoint) {
            return Arc::clone(semaphore);
        }
        known.retain(|_, semaphore| Arc::strong_count(semaphore) > 1); // endpoints that a reload removed
        let semaphore = Arc::new(Semaphore::new(self.most_per_endpoint));
        known.insert(endpoint.clone(), Arc::clone(&semaphore));
        semaphore
    }
}
