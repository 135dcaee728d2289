//! The FHIR R4 resources of ITI-83, as far as they are read or written. Read leniently (unknown members are let be), written
//! strictly.

use serde::{Deserialize, Serialize};

/// `Parameters` as asked: `sourceIdentifier`, and a `targetSystem` per domain.
#[derive(Serialize)]
pub(super) struct Question<'a> {
    #[serde(rename = "resourceType")]
    resource_type: &'static str,
    parameter: Vec<AskedParameter<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AskedParameter<'a> {
    name: &'static str,
    value_string: &'a str,
}

impl<'a> Question<'a> {
    pub(super) fn new(source_identifier: &'a str, target_systems: impl Iterator<Item = &'a str>) -> Self {
        let source = AskedParameter { name: "sourceIdentifier", value_string: source_identifier };
        let targets = target_systems.map(|system| AskedParameter { name: "targetSystem", value_string: system });
        Question { resource_type: "Parameters", parameter: std::iter::once(source).chain(targets).collect() }
    }
}

/// What resource is this?
#[derive(Deserialize)]
pub(super) struct Resource {
    #[serde(rename = "resourceType")]
    pub(super) resource_type: String,
}

/// `Parameters` as answered.
#[derive(Deserialize)]
pub(super) struct Answer {
    #[serde(default)]
    pub(super) parameter: Vec<AnsweredParameter>,
}

/// `targetIdentifier` (or `targetId`, which is let be).
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct AnsweredParameter {
    pub(super) name: String,
    pub(super) value_identifier: Option<Identifier>,
}

/// An identifier with its domain.
#[derive(Deserialize)]
pub(super) struct Identifier {
    pub(super) system: Option<String>,
    pub(super) value: Option<String>,
}

/// `OperationOutcome`, for its issues' codes.
#[derive(Deserialize)]
pub(super) struct Outcome {
    #[serde(default)]
    pub(super) issue: Vec<Issue>,
}

/// One issue.
#[derive(Deserialize)]
pub(super) struct Issue {
    #[serde(default)]
    pub(super) code: String,
}
