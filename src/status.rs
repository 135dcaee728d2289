//! What became of an endpoint in one query (§11.1).

use std::fmt;

/// The status of one endpoint in the report of one query (§11.1, N16).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EndpointStatus {
    /// Asked, and answered with a usable result set.
    Active,
    /// Not reachable: no connection, or cooling down after connections that failed.
    Offline,
    /// Reached, but no full answer in time.
    TimeOut,
    /// Answered with a failure, or with something that cannot be used.
    NodeError,
    /// The cross-reference gave no `ehr_id` for this patient at this node.
    NotResolved,
    /// Consent did not permit asking it, or it refused on consent grounds.
    ConsentDenied,
    /// A decision left it out: direction, or the operator.
    Excluded,
    /// Localization did not name it.
    NotLocalized,
}

impl EndpointStatus {
    /// The name on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            EndpointStatus::Active => "active",
            EndpointStatus::Offline => "offline",
            EndpointStatus::TimeOut => "time-out",
            EndpointStatus::NodeError => "node-error",
            EndpointStatus::NotResolved => "not-resolved",
            EndpointStatus::ConsentDenied => "consent-denied",
            EndpointStatus::Excluded => "excluded",
            EndpointStatus::NotLocalized => "not-localized",
        }
    }

    /// Did node selection put the endpoint in scope? Only such endpoints can clear `complete` (§11.1, N37).
    #[must_use]
    pub fn in_scope(self) -> bool {
        match self {
            EndpointStatus::Active
            | EndpointStatus::Offline
            | EndpointStatus::TimeOut
            | EndpointStatus::NodeError
            | EndpointStatus::NotResolved
            | EndpointStatus::ConsentDenied => true,
            EndpointStatus::Excluded | EndpointStatus::NotLocalized => false,
        }
    }
}

impl fmt::Display for EndpointStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
