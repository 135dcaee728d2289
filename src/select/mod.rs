//! Who is asked, under which `ehr_id`, and why the rest is not (§4, §5, §14).
//!
//! Order: registry, targeting, localizer, consent pre-filter, cross-reference. Only endpoints with a resolved `ehr_id` are asked.
//! [`Selector`] walks it; the three questions it puts to others are the traits of [`seam`].

mod bindings;
mod draft;
mod error;
mod http;
mod pixm;
pub mod seam;
mod selector;
mod service;
mod table;
#[cfg(test)]
mod testing;

use std::sync::Arc;

use crate::ids::EhrId;
use crate::registry::Endpoint;
use crate::status::EndpointStatus;

pub use bindings::{Bindings, Caller};
pub use error::SelectError;
pub use pixm::Pixm;
pub use selector::Selector;
pub use table::{IdentityTable, NodeTable};

/// What selection decided: every member of the registry once, by endpoint id.
#[derive(Debug)]
pub struct Selection {
    /// The members.
    pub members: Vec<Member>,
    /// What the localizer did, when one is configured and was asked.
    pub localization: Option<StepReport>,
    /// What the consent pre-filter did, when one is configured and was asked.
    pub consent: Option<StepReport>,
}

/// One member and what was decided about it.
#[derive(Debug)]
pub struct Member {
    /// The endpoint.
    pub endpoint: Arc<Endpoint>,
    /// The decision.
    pub decision: Decision,
}

/// What was decided about one member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It is asked, under this `ehr_id`; without one for a query over populations.
    Ask(Option<EhrId>),
    /// It is not asked.
    Settled {
        /// What the report says.
        status: EndpointStatus,
        /// Why, in words fit for the client.
        reason: Option<String>,
    },
    /// The cross-reference could not answer for it: reported `not-resolved`, and fails the query under `all` (an outage
    /// must not look like an empty record).
    Unknown {
        /// Why, in words fit for the client.
        reason: String,
    },
}

/// How an optional step of selection went, for the report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepReport {
    /// The configured mode.
    pub mode: &'static str,
    /// What went wrong, if anything, in words fit for the client.
    pub error: Option<String>,
    /// What went well but should be known, in words fit for the client.
    pub warning: Option<String>,
}

impl StepReport {
    /// The report of a step of which there is nothing to say yet.
    #[must_use]
    pub fn new(mode: &'static str) -> Self {
        StepReport { mode, error: None, warning: None }
    }
}

#[cfg(test)]
mod tests;
