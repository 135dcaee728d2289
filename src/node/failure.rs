//! What can go wrong between the gateway and one node, and what the report says of it (§11.1).

use std::time::Duration;

use tokio::time::Instant;

use super::transport::{ConnectFailure, Exchange, TransportFailure};
use crate::status::EndpointStatus;

/// Why a node's answer is not there. `Display` is fit for the client: our words, and the node's only as [`super::quoted`] lets
/// them through.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NodeFailure {
    /// No connection could be had.
    #[error("{0}")]
    Unreachable(ConnectFailure),
    /// The limit passed before a connection was had.
    #[error("no connection within {} ms", .0.as_millis())]
    NotConnectedInTime(Duration),
    /// Connected, but the connection ended before any answer began: an unanswered node, not one that failed.
    #[error("the connection ended without an answer")]
    NoAnswer,
    /// Connected, but no full answer within the limit.
    #[error("no full answer within {} ms", .0.as_millis())]
    TimedOut(Duration),
    /// An HTTP status that is no answer to a query.
    #[error("HTTP {status}{}", .said.as_deref().map(|said| format!(": {said}")).unwrap_or_default())]
    Status {
        /// The status.
        status: u16,
        /// The node's words, quoted.
        said: Option<String>,
    },
    /// A redirect, which is never followed.
    #[error("HTTP {0}: redirects are not followed")]
    Redirect(u16),
    /// A refusal on consent grounds, by a code configured for the endpoint (N27).
    #[error("HTTP 403: the node refuses on consent grounds")]
    ConsentRefused,
    /// Not HTTP.
    #[error("what came back is not HTTP")]
    NotHttp,
    /// The answer began and broke off.
    #[error("HTTP {status}: the answer broke off")]
    BrokenOff {
        /// The status it began with.
        status: u16,
    },
    /// The answer is larger than the setting allows.
    #[error("HTTP {status}: the answer is larger than {limit} bytes (`limits.max_node_bytes`)")]
    TooLarge {
        /// The status it began with.
        status: u16,
        /// The setting's value.
        limit: usize,
    },
    /// The gateway could not compose the request; nothing left it.
    #[error("the gateway could not compose a request for this endpoint")]
    NotComposed,
}

impl NodeFailure {
    /// What the report says (§11.1, SPEC 2.4).
    #[must_use]
    pub fn status(&self) -> EndpointStatus {
        match self {
            NodeFailure::Unreachable(_) | NodeFailure::NotConnectedInTime(_) | NodeFailure::NoAnswer => EndpointStatus::Offline,
            NodeFailure::TimedOut(_) => EndpointStatus::TimeOut,
            NodeFailure::Status { .. }
            | NodeFailure::Redirect(_)
            | NodeFailure::NotHttp
            | NodeFailure::BrokenOff { .. }
            | NodeFailure::TooLarge { .. }
            | NodeFailure::NotComposed => EndpointStatus::NodeError,
            NodeFailure::ConsentRefused => EndpointStatus::ConsentDenied,
        }
    }
}

impl Exchange {
    /// What it is that a limit passed, for a request sent at `started`.
    #[must_use]
    pub fn late(&self, started: Instant) -> NodeFailure {
        if self.connected() {
            NodeFailure::TimedOut(started.elapsed())
        } else {
            NodeFailure::NotConnectedInTime(started.elapsed())
        }
    }
}

impl From<TransportFailure> for NodeFailure {
    fn from(failure: TransportFailure) -> Self {
        match failure {
            TransportFailure::Connect(why) => NodeFailure::Unreachable(why),
            TransportFailure::NoAnswer | TransportFailure::RequestBody => NodeFailure::NoAnswer,
            TransportFailure::NotHttp => NodeFailure::NotHttp,
        }
    }
}
