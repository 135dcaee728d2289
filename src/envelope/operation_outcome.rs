//! The FHIR R4 `OperationOutcome` that goes with every incomplete answer (CP-12).

use serde::Serialize;

use super::report::EndpointReport;
use crate::status::EndpointStatus;

/// Says, for FHIR-facing consumers, which endpoints fell short and why.
#[derive(Clone, Debug, Serialize)]
pub struct OperationOutcome {
    #[serde(rename = "resourceType")]
    resource_type: &'static str,
    issue: Vec<Issue>,
}

#[derive(Clone, Debug, Serialize)]
struct Issue {
    severity: &'static str,
    code: &'static str,
    diagnostics: String,
}

impl OperationOutcome {
    /// One issue per in-scope endpoint short of `active`, and one for a localizer that failed; `None` when there is
    /// nothing to say.
    #[must_use]
    pub fn of(endpoints: &[EndpointReport], localization_error: Option<&str>) -> Option<Self> {
        let localization = localization_error.map(|error| Issue {
            severity: "error",
            code: "transient",
            diagnostics: format!("localization failed, so nobody was asked: {error}"),
        });
        let issue: Vec<Issue> = localization.into_iter().chain(endpoints.iter().filter_map(Issue::of)).collect();
        (!issue.is_empty()).then_some(OperationOutcome { resource_type: "OperationOutcome", issue })
    }
}

impl Issue {
    fn of(report: &EndpointReport) -> Option<Issue> {
        let (severity, code) = match report.status {
            EndpointStatus::Active | EndpointStatus::Excluded | EndpointStatus::NotLocalized => return None,
            EndpointStatus::Offline => ("error", "transient"),
            EndpointStatus::TimeOut => ("error", "timeout"),
            EndpointStatus::NodeError => ("error", "incomplete"),
            EndpointStatus::NotResolved if report.unknown => ("error", "transient"),
            EndpointStatus::NotResolved => ("warning", "not-found"),
            EndpointStatus::ConsentDenied => ("warning", "forbidden"),
        };
        let diagnostics = match &report.error {
            Some(error) => format!("endpoint {}: {}: {error}", report.id, report.status),
            None => format!("endpoint {}: {}", report.id, report.status),
        };
        Some(Issue { severity, code, diagnostics })
    }
}
