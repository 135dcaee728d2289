//! One record, one node: where a request about one EHR goes, and the byte-transparent proxy (§12).
//!
//! [`table`] says what becomes of every operation of ITS-REST, `holder` which node holds an EHR, `version` who controls a
//! version, `forward` sends the bytes. Nothing is guessed: what no step settles is refused with what would settle it.

mod commit;
mod definition;
mod distribute;
mod drift;
mod error;
mod forward;
mod headers;
mod holder;
mod learn;
mod memory;
mod outcome;
mod path;
mod relay;
mod serve;
mod stored;
mod subject;
mod system;
pub mod table;
mod target;
#[cfg(test)]
mod tests;
mod upload;
mod version;
mod write;

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::body::Body;
use http::{HeaderMap, Method};

use crate::budget::Budget;
use crate::node::{NodeClient, Permits};
use crate::registry::Registry;
use crate::select::{Bindings, Caller, Selector};

pub use drift::Drift;
pub use error::RouteError;
pub use headers::add_acting;
pub use holder::Asker;
pub use memory::Memory;
pub use path::Segments;
pub use stored::StoredQueries;
pub use target::Target;

/// Settings of routing.
#[derive(Clone, Debug, Default)]
pub struct RoutingSettings {
    /// `routing.pass_query_parameters`
    pub pass_query_parameters: BTreeSet<String>,
    /// `federation.default_namespace`
    pub default_namespace: Option<String>,
    /// `federation.fan_out_template_upload`
    pub fan_out_template_upload: bool,
    /// `federation.stored_query_fan_out`
    pub stored_query_fan_out: bool,
    /// `server.max_body_bytes`: of bodies that must be looked into.
    pub max_body_bytes: usize,
}

/// Routes requests about one record. One for the life of the process.
pub struct Routing {
    registry: Arc<Registry>,
    client: NodeClient,
    permits: Arc<Permits>,
    selector: Arc<Selector>,
    bindings: Bindings,
    memory: Memory,
    queries: Option<StoredQueries>,
    settings: RoutingSettings,
}

/// A request as the server received it.
#[derive(Debug)]
pub struct RoutedRequest {
    /// The method.
    pub method: Method,
    /// The raw path below `{base}`, beginning with `v1`; never decoded.
    pub path: String,
    /// The raw query string; never decoded.
    pub query: Option<String>,
    /// All headers.
    pub headers: HeaderMap,
    /// The body, unread.
    pub body: Body,
    /// Whose session it is.
    pub caller: Caller,
    /// The time allowed.
    pub budget: Budget,
}

impl Routing {
    /// Routing over these members and services; `bindings` are shared with whoever resolves patients.
    #[must_use]
    pub fn new(
        registry: Arc<Registry>,
        client: NodeClient,
        permits: Arc<Permits>,
        selector: Arc<Selector>,
        bindings: Bindings,
        settings: RoutingSettings,
    ) -> Self {
        Routing { registry, client, permits, selector, bindings, memory: Memory::default(), queries: None, settings }
    }

    /// The same, holding the registry of stored queries.
    #[must_use]
    pub fn with_queries(self, queries: StoredQueries) -> Self {
        Routing { queries: Some(queries), ..self }
    }

    /// What has been learnt, for those who learn elsewhere, and for metrics.
    #[must_use]
    pub fn memory(&self) -> &Memory {
        &self.memory
    }
}
