//! Why a query cannot be planned.

use thiserror::Error;

use super::Place;
use crate::error::ErrorCode;

/// The two ways out of an aggregate that several nodes cannot answer exactly (§11.6.3).
const ALTERNATIVES: &str = "Direct the query at one endpoint, or select the underlying rows and aggregate them yourself.";

/// What a plan refuses, in words fit for the client: clauses, places and settings, never a value.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlanError {
    /// The patient predicate settles no single patient (§7.1).
    #[error(
        "The patient is not settled at {place}: {problem}. Compare the identifier with `=` to one text, in WHERE outside OR and NOT."
    )]
    Irreducible {
        /// Where the offending path stands.
        place: Place,
        /// What is wrong, as the middle of a sentence.
        problem: &'static str,
    },
    /// The identifier stands where it would reach a node (§5.4).
    #[error(
        "The patient identifier, or a form of it, stands at {place} ({what}), where it would reach a node. Name the patient in its predicate only."
    )]
    Leak {
        /// Where it stands.
        place: Place,
        /// In what.
        what: &'static str,
    },
    /// No issuing namespace (§5.2).
    #[error(
        "The patient identifier has no issuing namespace. Add a predicate on `external_ref/namespace` or `identifiers/issuer`; no default is declared here."
    )]
    MissingNamespace,
    /// The query breaks a rule of the text, or of the federation's own attributes.
    #[error("{problem} ({place}).")]
    Query {
        /// Where.
        place: Place,
        /// What is wrong.
        problem: &'static str,
    },
    /// The query, its parameter and its header name different EHRs.
    #[error("The query, the `ehr_id` parameter and the header `openehr-ehr-id` name different EHRs. Name one.")]
    ConflictingEhrIds,
    /// Both a patient and an EHR are named.
    #[error("The query names a patient and an `ehr_id`. An `ehr_id` is local to one node: name one of them.")]
    PatientAndEhr,
    /// A paging member and a clause disagree.
    #[error("`{member}` and the query's own {clause} disagree. Use one of them, or both alike.")]
    ConflictingPaging {
        /// `fetch` or `offset`.
        member: &'static str,
        /// `LIMIT`, `TOP` or `OFFSET`.
        clause: &'static str,
    },
    /// No patient, no direction, and a localizer that needs one.
    #[error(
        "The query names no patient, so the federation cannot tell whom to ask. Name a patient, or direct the query at endpoints."
    )]
    PatientRequired,
    /// OFFSET is not served over several nodes.
    #[error("OFFSET over several nodes is not served here (strategy `{strategy}`): {remedy}.")]
    Offset {
        /// The declared strategy.
        strategy: &'static str,
        /// What to do.
        remedy: &'static str,
    },
    /// OFFSET and LIMIT together ask for more rows than a setting allows.
    #[error(
        "OFFSET and LIMIT together ask each node for more than the {most} rows that `{setting}` allows. Ask for a nearer page."
    )]
    Window {
        /// The setting.
        setting: &'static str,
        /// Its value.
        most: u64,
    },
    /// The aggregate has no exact answer over several nodes.
    #[error("The aggregate at {place} cannot be computed exactly over several nodes: {reason}. {ALTERNATIVES}")]
    Aggregate {
        /// Where it stands.
        place: Place,
        /// Why.
        reason: &'static str,
    },
    /// The clauses together have no exact answer.
    #[error("{reason} ({place}).")]
    Combination {
        /// Where.
        place: Place,
        /// What, why, and what to do.
        reason: &'static str,
    },
    /// `partial` is not offered.
    #[error("`openEHR-federation-completeness: partial` is not offered here (`completeness.best_effort`).")]
    PartialNotOffered,
    /// `partial` beside an aggregate.
    #[error(
        "An aggregate over some of the nodes is no answer: `openEHR-federation-completeness: partial` is not offered for it. {ALTERNATIVES}"
    )]
    PartialAggregate,
    /// The de-duplication mode is not offered.
    #[error("This mode of `openEHR-federation-dedup` is not offered here (`dedup.modes`).")]
    DedupNotOffered,
    /// De-duplication without a composition.
    #[error(
        "De-duplication needs the version uid of a COMPOSITION, and FROM has none that every row comes from. Add a COMPOSITION to FROM, or ask without `version-identity`."
    )]
    DedupWithoutComposition,
}

impl PlanError {
    /// The code in the error body.
    #[must_use]
    pub fn code(&self) -> ErrorCode {
        match self {
            PlanError::Irreducible { .. } => ErrorCode::IrreducibleSubject,
            PlanError::Leak { .. } => ErrorCode::IdentifierLeak,
            PlanError::MissingNamespace => ErrorCode::MissingNamespace,
            PlanError::Query { .. } | PlanError::ConflictingEhrIds | PlanError::PatientAndEhr => ErrorCode::InvalidQuery,
            PlanError::ConflictingPaging { .. } => ErrorCode::ConflictingPaging,
            PlanError::PatientRequired => ErrorCode::PatientRequired,
            PlanError::Offset { .. } => ErrorCode::OffsetUnsupported,
            PlanError::Window { .. } => ErrorCode::LimitExceeded,
            PlanError::Aggregate { .. } => ErrorCode::AggregateUnsupported,
            PlanError::Combination { .. } | PlanError::DedupWithoutComposition => ErrorCode::CombinationUnsupported,
            PlanError::PartialNotOffered | PlanError::PartialAggregate => ErrorCode::PartialNotOffered,
            PlanError::DedupNotOffered => ErrorCode::DedupNotOffered,
        }
    }
}
