//! What a check comes to.

/// Passed, or why not.
pub type Verdict = Result<(), Finding>;

/// Why a check did not pass.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Finding {
    /// The gateway deviates; the text is the evidence.
    #[error("{0}")]
    Failed(String),
    /// The check says nothing about this gateway; the text is the reason.
    #[error("{0}")]
    NotApplicable(String),
}

impl Finding {
    /// A deviation with its evidence.
    pub fn failed(evidence: impl Into<String>) -> Self {
        Finding::Failed(evidence.into())
    }

    /// A check that says nothing here, and why.
    pub fn not_applicable(reason: impl Into<String>) -> Self {
        Finding::NotApplicable(reason.into())
    }
}

/// Ends the check with this evidence unless the condition holds.
macro_rules! ensure {
    ($condition:expr, $($evidence:tt)+) => {
        if !$condition {
            return Err($crate::verdict::Finding::failed(format!($($evidence)+)));
        }
    };
}

/// Ends the check as not applicable unless the condition holds.
macro_rules! applies {
    ($condition:expr, $($reason:tt)+) => {
        if !$condition {
            return Err($crate::verdict::Finding::not_applicable(format!($($reason)+)));
        }
    };
}

pub(crate) use {applies, ensure};
