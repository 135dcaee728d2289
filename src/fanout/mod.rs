//! Asking: every selected endpoint at once, each inside its own limit, all inside the budget (§11.5, N38).
//!
//! All requests of one fan-out live in one future: dropping it closes every connection, and nothing outlives the request but
//! the reading of a body already received. An endpoint's failure is data; only what makes any answer wrong ends the fan-out.

use std::sync::Arc;
use std::time::Duration;

use crate::combine::cut::AskWhole;
use crate::combine::rows::NodeRows;
use crate::registry::Endpoint;
use crate::status::EndpointStatus;

mod ask;
mod decide;
mod question;
#[cfg(test)]
mod tests;

pub use ask::{FanOutError, Fanout};
pub use decide::{Decision, decide, failure};
pub use question::Question;

/// What became of one member of the registry.
#[derive(Debug)]
pub struct Outcome {
    /// The endpoint.
    pub endpoint: Arc<Endpoint>,
    /// Its status (§11.1).
    pub status: EndpointStatus,
    /// Why, when the status wants a reason; fit for the client.
    pub error: Option<String>,
    /// From dispatch to the last byte or to abandonment; exactly when a request was dispatched, and zero when one should have
    /// been and was not (no permit in time).
    pub latency: Option<Duration>,
    /// Its rows, when `active`.
    pub rows: Option<NodeRows>,
    /// Why it was asked once more without LIMIT, when it was.
    pub asked_whole: Option<AskWhole>,
    /// The cross-reference could not answer: the query fails under `all`.
    pub unresolved_by_outage: bool,
}
