//! `meta.federation`: what happened at every member (§9, §11.1, N16, N37, N40).

use std::time::Duration;

use serde::{Serialize, Serializer};

use super::operation_outcome::OperationOutcome;
use crate::budget::Budget;
use crate::combine::Suppressed;
use crate::ids::EndpointId;
use crate::intake::DedupMode;
use crate::registry::Endpoint;
use crate::select::StepReport;
use crate::status::EndpointStatus;

/// The single, unprefixed member `meta.federation`.
#[derive(Clone, Debug, Serialize)]
pub struct Federation {
    /// Did every endpoint in scope reach `active`? (N37)
    pub complete: bool,
    /// Every member of the registry once, by id (N16).
    pub endpoints: Vec<EndpointReport>,
    /// The time allowed (N38).
    pub timeout: Timeout,
    /// De-duplication, named on every answer (§10).
    pub dedup: DedupReport,
    /// The localizer, when one was asked (§14).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub localization: Option<StepNote>,
    /// The consent pre-filter, when one was asked (N27a).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub consent: Option<StepNote>,
    /// What a careful reader should know; never a value from a query or a node's raw words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The same for FHIR-facing consumers, whenever something is missing (CP-12).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operation_outcome: Option<OperationOutcome>,
}

/// One member in the report.
#[derive(Clone, Debug, Serialize)]
pub struct EndpointReport {
    /// The endpoint.
    pub id: EndpointId,
    /// What became of it.
    #[serde(serialize_with = "status")]
    pub status: EndpointStatus,
    /// Why it is short of `active`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Elapsed time on the gateway's clock, in milliseconds; exactly when a request was dispatched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latency_ms: Option<u64>,
    /// The CDR behind the endpoint.
    pub node_id: String,
    /// The openEHR id of its EHR system.
    pub system_id: String,
    /// Who manages the endpoint.
    pub organisation: String,
    /// The product, when known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub product: Option<String>,
    /// Its version, when known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Rows the endpoint contributed, before DISTINCT, de-duplication and LIMIT.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row_count: Option<u64>,
    /// `not-resolved` because the cross-reference could not answer, not because it knows of nothing.
    #[serde(skip)]
    pub unknown: bool,
}

impl EndpointReport {
    /// The report of a member with this status and nothing else to say yet.
    #[must_use]
    pub fn new(endpoint: &Endpoint, status: EndpointStatus) -> Self {
        EndpointReport {
            id: endpoint.id.clone(),
            status,
            error: None,
            latency_ms: None,
            node_id: endpoint.node.id.to_string(),
            system_id: endpoint.node.system_id.to_string(),
            organisation: endpoint.organisation.to_string(),
            product: endpoint.node.product.clone(),
            version: endpoint.node.version.clone(),
            row_count: None,
            unknown: false,
        }
    }
}

fn status<S: Serializer>(status: &EndpointStatus, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(status.as_str())
}

/// The time limits in force for this request, in milliseconds.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Timeout {
    /// For any one endpoint.
    pub per_node_ms: u64,
    /// For the whole request; shortened when the client asked so.
    pub overall_ms: u64,
    /// What happens at the limit.
    pub policy: &'static str,
}

impl Timeout {
    /// The only policy there is: the endpoint is abandoned and marked.
    pub const POLICY: &str = "abandon-and-mark";

    /// The limits of a budget.
    #[must_use]
    pub fn of(budget: &Budget) -> Self {
        Timeout { per_node_ms: millis(budget.per_node()), overall_ms: millis(budget.overall()), policy: Self::POLICY }
    }
}

/// Which copies were suppressed (§10).
#[derive(Clone, Debug, Default, Serialize)]
pub struct DedupReport {
    /// The mode in force.
    #[serde(serialize_with = "mode")]
    pub mode: DedupMode,
    /// How many rows were suppressed; absent when the mode suppresses none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suppressed_rows: Option<u64>,
    /// Where they came from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suppressed_endpoints: Option<Vec<EndpointId>>,
}

impl DedupReport {
    /// The report of an answer that has no rows to compare.
    #[must_use]
    pub fn unused(mode: DedupMode) -> Self {
        DedupReport { mode, suppressed_rows: None, suppressed_endpoints: None }
    }

    /// The report of an answer whose rows were compared under this mode.
    #[must_use]
    pub fn of(mode: DedupMode, suppressed: &Suppressed) -> Self {
        match mode {
            DedupMode::None => DedupReport::unused(mode),
            DedupMode::VersionIdentity => DedupReport {
                mode,
                suppressed_rows: Some(suppressed.rows),
                suppressed_endpoints: Some(suppressed.endpoints.clone()),
            },
        }
    }
}

fn mode<S: Serializer>(mode: &DedupMode, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(mode.as_str())
}

/// How an optional step of selection went.
#[derive(Clone, Debug, Serialize)]
pub struct StepNote {
    /// The configured mode.
    pub mode: &'static str,
    /// What went wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

impl From<&StepReport> for StepNote {
    fn from(step: &StepReport) -> Self {
        StepNote { mode: step.mode, error: step.error.clone() }
    }
}

/// Whole milliseconds, saturating.
#[must_use]
pub(crate) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
