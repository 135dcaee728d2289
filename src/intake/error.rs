//! Why a query request could not be read.

use thiserror::Error;

use super::Targeting;
use crate::error::ErrorCode;

/// What is wrong with a request, in words fit for the client: names and places, never a value.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum IntakeError {
    /// The body is no JSON text.
    #[error("The body is not JSON (line {line}, column {column}). Send an object with the member `q`.")]
    NotJson {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
    },
    /// The body is JSON, but no object.
    #[error("The body is not a JSON object. Send an object with the member `q`.")]
    NotAnObject,
    /// A member of the body occurs twice.
    #[error("A member occurs twice in {place}. Send each member once.")]
    DoubledMember {
        /// The object it occurs in.
        place: &'static str,
    },
    /// A query parameter occurs twice.
    #[error("The query parameter `{name}` occurs twice. Send it once.")]
    DoubledParameter {
        /// The parameter; `a query parameter` where its name is the client's own text.
        name: String,
    },
    /// A member or query parameter has a value of the wrong kind.
    #[error("`{name}` must be {wanted}.")]
    WrongKind {
        /// The member or parameter.
        name: &'static str,
        /// What it must be.
        wanted: &'static str,
    },
    /// `q` is missing.
    #[error("`q`, the AQL text, is missing.")]
    MissingQuery,
    /// More members or parameters than a request may have.
    #[error("There are more than {most} {what} in the request.")]
    TooMany {
        /// What is counted.
        what: &'static str,
        /// The bound.
        most: usize,
    },
    /// A percent-encoding is broken, or decodes to no UTF-8.
    #[error("The query string is not well formed: a percent-encoding is broken or does not decode to UTF-8.")]
    BadEncoding,
    /// A parameter's value has no form in AQL.
    #[error("The query parameter `{name}` must be a text, a number or a boolean; null, arrays and objects have no form in AQL.")]
    UnbindableParameter {
        /// Its name.
        name: String,
    },
    /// A parameter's name is none that AQL has.
    #[error("`query_parameters` has a member whose name is no AQL parameter name: a letter, then letters, digits and `_`.")]
    BadParameterName,
    /// A parameter of the query has no value, or cannot stand where the query has it.
    #[error("{message}")]
    Parameter {
        /// What binding said.
        message: String,
    },
    /// A header has a value that is not known.
    #[error("The header `{header}` {problem}.")]
    Header {
        /// The header.
        header: &'static str,
        /// What is wrong, as the end of a sentence.
        problem: &'static str,
    },
    /// The `ehr_id` parameter and the `openehr-ehr-id` header differ.
    #[error("The `ehr_id` parameter and the header `openehr-ehr-id` name different EHRs. Send one, or both alike.")]
    ConflictingEhrIds,
    /// The two targeting headers are both there.
    #[error(
        "The headers `openEHR-federation-endpoint` ({endpoints}) and `openEHR-federation-organisation` ({organisations}) are both set. Send one of them."
    )]
    TwoTargetHeaders {
        /// What the one names.
        endpoints: Targeting,
        /// What the other names.
        organisations: Targeting,
    },
    /// The directive and the header name different sets.
    #[error(
        "The query is directed at {directive}, the targeting header at {header}. Name the same set in both, or use one of them."
    )]
    ConflictingTargets {
        /// What the directive names.
        directive: Targeting,
        /// What the header names.
        header: Targeting,
    },
    /// Targeted ids that are not in the registry. They are not repeated: they are the client's text, and may be a patient's.
    #[error(
        "{unknown} of the {named} targeted {what} not in the registry. Target ids as `OPTIONS` on the base path lists them.",
        what = if *.unknown == 1 { .what.0 } else { .what.1 }
    )]
    UnknownTarget {
        /// What they should be, with its verb, for one and for several.
        what: (&'static str, &'static str),
        /// How many are unknown.
        unknown: usize,
        /// How many were named.
        named: usize,
    },
    /// The query could not be read, or breaks a rule of AQL.
    #[error("{message}")]
    Aql {
        /// `invalid-aql`, `aql-too-complex` or `invalid-query`.
        code: ErrorCode,
        /// What the parser said, with the place; no literal.
        message: String,
    },
}

impl IntakeError {
    /// The code in the error body.
    #[must_use]
    pub fn code(&self) -> ErrorCode {
        match self {
            IntakeError::NotJson { .. } | IntakeError::NotAnObject => ErrorCode::InvalidJson,
            IntakeError::DoubledMember { .. }
            | IntakeError::DoubledParameter { .. }
            | IntakeError::WrongKind { .. }
            | IntakeError::MissingQuery
            | IntakeError::TooMany { .. }
            | IntakeError::BadEncoding
            | IntakeError::ConflictingEhrIds => ErrorCode::InvalidRequest,
            IntakeError::UnbindableParameter { .. } | IntakeError::BadParameterName | IntakeError::Parameter { .. } => {
                ErrorCode::InvalidParameter
            }
            IntakeError::Header { .. } => ErrorCode::InvalidHeader,
            IntakeError::TwoTargetHeaders { .. } | IntakeError::ConflictingTargets { .. } => ErrorCode::ConflictingTargets,
            IntakeError::UnknownTarget { .. } => ErrorCode::UnknownTarget,
            IntakeError::Aql { code, .. } => *code,
        }
    }
}
