//! The few FHIR R4 resources a PIX manager speaks.

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};

use super::Identifier;
use crate::value::Json;

/// An answer in FHIR's JSON.
pub(super) fn fhir(status: StatusCode, resource: &Json) -> Response {
    let kind = HeaderValue::from_static("application/fhir+json; charset=utf-8");
    (status, [(header::CONTENT_TYPE, kind)], resource.to_bytes()).into_response()
}

/// An `OperationOutcome` of one error.
pub(super) fn outcome(status: StatusCode, code: &str, diagnostics: &str) -> Response {
    let issue =
        Json::object([("severity", Json::text("error")), ("code", Json::text(code)), ("diagnostics", Json::text(diagnostics))]);
    fhir(status, &Json::object([("resourceType", Json::text("OperationOutcome")), ("issue", Json::Array(vec![issue]))]))
}

/// A `Parameters` of target identifiers.
pub(super) fn targets(found: &[Identifier]) -> Json {
    let parameter = |identifier: &Identifier| {
        let value =
            Json::object([("system", Json::text(identifier.system.as_str())), ("value", Json::text(identifier.value.as_str()))]);
        Json::object([("name", Json::text("targetIdentifier")), ("valueIdentifier", value)])
    };
    let mut parameters = Json::object([("resourceType", Json::text("Parameters"))]);
    if !found.is_empty() {
        parameters.set("parameter", Json::Array(found.iter().map(parameter).collect()));
    }
    parameters
}

/// An `Identifier` of FHIR.
pub(super) fn identifier(value: &Json) -> Option<Identifier> {
    Some(Identifier::new(value.text_at(&["system"])?, value.text_at(&["value"])?))
}

/// What a `Parameters` resource asks: the source, and the target domains.
pub(super) fn question(parameters: &Json) -> Option<(Option<Identifier>, Vec<String>)> {
    (parameters.text_at(&["resourceType"]) == Some("Parameters")).then_some(())?;
    let mut source = None;
    let mut domains = Vec::new();
    for parameter in parameters.get("parameter").and_then(Json::as_array).unwrap_or_default() {
        match parameter.text_at(&["name"]) {
            Some("sourceIdentifier") => source = source_identifier(parameter),
            Some("targetSystem") => {
                let value = ["valueUri", "valueString", "valueUrl"].into_iter().find_map(|name| parameter.text_at(&[name]));
                domains.extend(value.map(str::to_owned));
            }
            _ => {}
        }
    }
    Some((source, domains))
}

/// The source: a token `system|value`, as the profile defines the parameter; some clients send an `Identifier`.
fn source_identifier(parameter: &Json) -> Option<Identifier> {
    parameter
        .text_at(&["valueString"])
        .and_then(Identifier::parse)
        .or_else(|| parameter.get("valueIdentifier").and_then(identifier))
}
