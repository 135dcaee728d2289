//! Why answers cannot be combined.

use crate::error::ErrorCode;
use crate::ids::EndpointId;

/// What is wrong with one endpoint's rows: they were read, but cannot take part. Its status is then `node-error`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unusable {
    /// The rows were read with another number of cells than the plan asks for.
    #[error("its rows have another number of cells than the query asks for")]
    Width,
    /// An aggregate query has one row.
    #[error("it answered {rows} rows to a query for aggregates, which has one")]
    NotOneRow {
        /// How many it answered.
        rows: usize,
    },
    /// A count that is none.
    #[error("a COUNT it answered is not a whole number of at least 0")]
    Count,
    /// A value that cannot be added.
    #[error("a value it answered for {function} is not a number of at most 1000 digits and an exponent of at most 400")]
    NotAddable {
        /// `SUM` or `AVG`.
        function: &'static str,
    },
    /// A sum without values, or values without a sum.
    #[error("the sum and the count it answered for AVG do not belong together")]
    SumWithoutCount,
}

/// Why answers cannot be made one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CombineError {
    /// One endpoint's rows cannot take part.
    #[error("endpoint {endpoint} answered what cannot be used: {reason}")]
    Endpoint {
        /// Whose rows.
        endpoint: EndpointId,
        /// What is wrong with them.
        reason: Unusable,
    },
    /// MIN or MAX over values that the nodes may order differently among themselves (§11.6.3).
    #[error(
        "{function} cannot be computed exactly over these endpoints: the values are {values}, and their systems may order such \
         values differently. Direct the query at one endpoint, or select the underlying values and aggregate them in the application"
    )]
    Incomparable {
        /// `MIN` or `MAX`.
        function: &'static str,
        /// What the values are.
        values: &'static str,
    },
    /// The plan names cells that it does not ask for: a fault of the gateway.
    #[error("the plan of this query is inconsistent: {0}")]
    Plan(&'static str),
}

impl CombineError {
    /// The code a client sees.
    #[must_use]
    pub fn code(&self) -> ErrorCode {
        match self {
            CombineError::Endpoint { .. } => ErrorCode::EndpointFailed,
            CombineError::Incomparable { .. } => ErrorCode::AggregateUnsupported,
            CombineError::Plan(_) => ErrorCode::Internal,
        }
    }
}
