//! What the client is told: RESULT_SET, `meta.federation`, OperationOutcome and the OPTIONS body (§9, §11.1, §7a.2). Pure.

mod operation_outcome;
mod options;
mod report;
mod result_set;

#[cfg(test)]
mod tests;

pub use operation_outcome::OperationOutcome;
pub use options::{Declaration, EndpointDescription, SelfDescription};
pub(crate) use report::millis;
pub use report::{DedupReport, EndpointReport, Federation, StepNote, Timeout};
pub use result_set::{Failure, Head, ResultSet};
