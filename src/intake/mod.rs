//! An ITS-REST query request, read into types: body, parameters, federation headers, `Prefer` (§3, §7, §8).
//!
//! Pure. [`read_post`] and [`read_get`] read what was sent, [`read_headers`] the headers, and [`assemble`] makes of both and of
//! the query's text (the request's own, or a stored query's) one [`QueryRequest`]. Whether the targets named exist is asked
//! with [`check_targets`], since only that needs the registry.

mod assemble;
mod body;
mod error;
mod headers;
mod parameter;
mod prefer;
mod query_string;
mod targeting;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::fmt;
use std::time::Duration;

use openehr_aql::ast::Query;

pub use assemble::assemble;
pub use body::read_post;
pub use error::IntakeError;
pub use headers::{FederationHeaders, read_headers};
pub use parameter::Parameters;
pub use query_string::read_get;
pub use targeting::{check_targets, for_client};

pub use crate::config::DedupMode;
use crate::ids::{EhrId, EndpointId, OrganisationId};

/// What a query request carries outside its headers, before the query's text is read.
#[derive(Debug, Default)]
pub struct RawQuery {
    /// `q`; none when a stored query is asked for.
    pub text: Option<QueryText>,
    /// The values for the query's `$names`.
    pub parameters: Parameters,
    /// ITS-REST `offset` and `fetch`.
    pub page: Page,
    /// The `ehr_id` parameter, also as a member of the body.
    pub ehr_id: Option<EhrId>,
}

/// The text of a query: kept out of logs, for it may name a patient.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct QueryText(pub String);

impl fmt::Debug for QueryText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[query]")
    }
}

/// A query as it was asked, with its parameters bound and its headers understood.
pub struct QueryRequest {
    /// The client's own text: echoed as `q`, sent nowhere.
    pub text: String,
    /// The same as a tree, parameters bound. Its directive, if any, agrees with `targeting`.
    pub query: Query,
    /// ITS-REST `offset` and `fetch`.
    pub page: Page,
    /// Whom the client wants asked.
    pub targeting: Targeting,
    /// May a part be answered?
    pub completeness: Completeness,
    /// Which copies are suppressed.
    pub dedup: DedupMode,
    /// `Prefer: wait=<seconds>`.
    pub wait: Option<Duration>,
    /// `Prefer: respond-async`.
    pub respond_async: bool,
    /// The `openehr-ehr-id` header or the `ehr_id` parameter: one EHR's scope.
    pub ehr_id: Option<EhrId>,
}

impl fmt::Debug for QueryRequest {
    // The text and the tree hold the patient identifier; neither is shown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("QueryRequest")
            .field("page", &self.page)
            .field("targeting", &self.targeting)
            .field("completeness", &self.completeness)
            .field("dedup", &self.dedup)
            .field("wait", &self.wait)
            .field("respond_async", &self.respond_async)
            .finish_non_exhaustive()
    }
}

/// ITS-REST paging members.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// Rows skipped.
    pub offset: Option<u64>,
    /// Rows wanted.
    pub fetch: Option<u64>,
}

/// Whom the client wants asked (§8, N35).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Targeting {
    /// The federation decides.
    Undirected,
    /// These endpoints.
    Endpoints(BTreeSet<EndpointId>),
    /// The endpoints of these organisations.
    Organisations(BTreeSet<OrganisationId>),
}

/// Which answers the client can use (§11.4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Completeness {
    /// All or nothing.
    #[default]
    All,
    /// What came, with the rest reported.
    Partial,
}
