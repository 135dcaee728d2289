//! An ITS-REST query request, read into types: body, parameters, federation headers, `Prefer` (§3, §7, §8).

use std::collections::BTreeSet;
use std::time::Duration;

use openehr_aql::ast::Query;

use crate::ids::{EhrId, EndpointId, OrganisationId};

/// A query as it was asked, with its parameters bound and its headers understood.
#[derive(Debug)]
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

/// Which copies of one version are suppressed (§10).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum DedupMode {
    /// None.
    #[default]
    None,
    /// One copy of each `OBJECT_VERSION_ID` stays.
    VersionIdentity,
}

impl DedupMode {
    /// The name on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            DedupMode::None => "none",
            DedupMode::VersionIdentity => "version-identity",
        }
    }
}
