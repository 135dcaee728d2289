//! A black-box harness for federation gateways: it asks over HTTP what a client may ask, and judges the answers by the
//! federation specification's conformance points. It knows a gateway by its address and nothing of its code.
//!
//! A check passes, fails with its evidence, or does not apply and says why. What cannot be seen from a client's side is said
//! to be so; it never counts as passed. Evidence goes through [`identifier::Redactor`] on its only way out, so a report
//! can be shown to anyone.

pub mod arguments;
pub mod identifier;
pub mod report;
pub mod run;

mod answer;
mod catalogue;
mod checks;
mod client;
#[cfg(test)]
mod fake;
mod federation;
mod hooks;
mod journal;
mod query;
mod rows;
mod session;
#[cfg(test)]
mod tests;
mod verdict;

pub use catalogue::{Check, Run, all};
pub use session::Session;
pub use verdict::{Finding, Verdict};
