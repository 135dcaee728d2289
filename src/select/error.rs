//! Why nobody can be asked.

use super::Selection;
use crate::error::ErrorCode;

/// What ends a request at selection. What was decided until then comes along where the answer reports it.
#[derive(Debug, thiserror::Error)]
pub enum SelectError {
    /// The registry is empty, or no targeted endpoint is in service (§11.2).
    #[error("There is no endpoint to send the request to: {reason}.")]
    NoDestination {
        /// Why.
        reason: &'static str,
        /// The members, when there are any.
        selection: Box<Selection>,
    },
    /// Named endpoints that are not in the registry (N35). What was named is not repeated: it is the client's text.
    #[error("{unknown} of the {named} targeted endpoints {are} not in the registry. `OPTIONS` on the base path lists the ids.", are = be(*unknown))]
    UnknownEndpoints {
        /// How many are unknown.
        unknown: usize,
        /// How many were named.
        named: usize,
    },
    /// Named organisations that are not in the registry (N35).
    #[error("{unknown} of the {named} targeted organisations {are} not in the registry. `OPTIONS` on the base path lists the ids.", are = be(*unknown))]
    UnknownOrganisations {
        /// How many are unknown.
        unknown: usize,
        /// How many were named.
        named: usize,
    },
    /// No patient, no direction, and a localizer that would have to be told whom to look for.
    #[error(
        "A query without a patient has no defined set of nodes here, because a localizer decides whom to ask. Name the patient, \
         or target endpoints."
    )]
    PatientRequired,
    /// An `ehr_id` alone, with several nodes that could hold it and none known to (N36).
    #[error("No node is known to hold this ehr_id. Target the endpoint that does.")]
    EhrUnsettled,
    /// The localizer failed, and `localization.on_failure` is `fail`.
    #[error("The localizer failed ({reason}), and `localization.on_failure` is `fail`, so nobody was asked. Ask again later.")]
    LocalizationFailed {
        /// What went wrong.
        reason: String,
        /// The members, each `not-localized`.
        selection: Box<Selection>,
    },
}

fn be(count: usize) -> &'static str {
    if count == 1 { "is" } else { "are" }
}

impl SelectError {
    /// The code of the catalogue.
    #[must_use]
    pub fn code(&self) -> ErrorCode {
        match self {
            SelectError::NoDestination { .. } => ErrorCode::NoDestination,
            SelectError::UnknownEndpoints { .. } | SelectError::UnknownOrganisations { .. } => ErrorCode::UnknownTarget,
            SelectError::PatientRequired => ErrorCode::PatientRequired,
            SelectError::EhrUnsettled => ErrorCode::UnroutableEhrId,
            SelectError::LocalizationFailed { .. } => ErrorCode::LocalizationFailed,
        }
    }

    /// What was decided about the members, where the answer should report it.
    #[must_use]
    pub fn into_selection(self) -> Option<Selection> {
        match self {
            SelectError::NoDestination { selection, .. } | SelectError::LocalizationFailed { selection, .. } => Some(*selection),
            SelectError::UnknownEndpoints { .. }
            | SelectError::UnknownOrganisations { .. }
            | SelectError::PatientRequired
            | SelectError::EhrUnsettled => None,
        }
    }
}
