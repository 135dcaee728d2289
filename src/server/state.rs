//! What every request shares.

use std::sync::Arc;

use chrono::Utc;
use thiserror::Error;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::metrics::Metrics;
use crate::budget::Budget;
use crate::config::{Settings, StoreSettings};
use crate::fanout::Fanout;
use crate::node::client::{self, ClientFault, ClientSettings};
use crate::node::{NodeClient, Permits, Transport};
use crate::queries::{QueryStore, StoreFault};
use crate::registry::Registry;
use crate::route::{Routing, RoutingSettings, StoredQueries};
use crate::select::{Bindings, Caller, Selector};

/// The gateway: settings, registry, and the parts that walk a request. Cheap to clone.
#[derive(Clone)]
pub struct Gateway(Arc<Parts>);

struct Parts {
    settings: Settings,
    selector: Arc<Selector>,
    fanout: Fanout,
    routing: Routing,
    bindings: Bindings,
    stored_queries: Option<QueryStore>,
    in_flight: Arc<Semaphore>,
    metrics: Metrics,
}

/// Why a gateway cannot be made of settings that are good in themselves.
#[derive(Debug, Error)]
pub enum StartError {
    /// The TLS or HTTP library refuses.
    #[error("the HTTP client cannot be made: {0}")]
    Client(#[from] ClientFault),
    /// The stored queries cannot be read.
    #[error("`store.path`: {0}")]
    Store(#[from] StoreFault),
    /// The alias does not fit into a header.
    #[error("`federation.alias` cannot stand in a Via header")]
    Alias(#[from] http::header::InvalidHeaderValue),
}

impl Gateway {
    /// Makes the gateway. Contacts nobody.
    ///
    /// # Errors
    /// When a library refuses what the settings ask for.
    pub fn new(settings: Settings) -> Result<Self, StartError> {
        let clients = ClientSettings { egress: Arc::new(settings.egress.policy()), ..ClientSettings::default() };
        let selector = Selector::new(&settings, &client::build(&clients)?);
        let transport = client::transport(&clients)?;
        Gateway::with_parts(settings, selector, transport)
    }

    /// The same with parts of the caller's making.
    ///
    /// # Errors
    /// When the alias does not fit into a header.
    pub fn with_parts(settings: Settings, selector: Selector, transport: Arc<dyn Transport>) -> Result<Self, StartError> {
        let limits = &settings.limits;
        let nodes = NodeClient::new(transport, &settings.federation.alias, limits.max_node_bytes)?;
        let permits = Arc::new(Permits::new(limits.max_inflight, limits.max_inflight_per_endpoint));
        let in_flight = Arc::new(Semaphore::new(limits.max_inflight));
        let (selector, bindings) = (Arc::new(selector), Bindings::default());
        let stored_queries = settings.federation.stored_queries.then(|| store(&settings.store)).transpose()?;
        let mut routing = Routing::new(
            Arc::clone(&settings.registry),
            nodes.clone(),
            Arc::clone(&permits),
            Arc::clone(&selector),
            bindings.clone(),
            routing_settings(&settings),
        );
        if let Some(store) = &stored_queries {
            routing = routing.with_queries(StoredQueries {
                store: store.clone(),
                public_base: settings.server.public_base(),
                now: Utc::now,
            });
        }
        let fanout = Fanout::new(nodes, permits, limits.max_rows);
        Ok(Gateway(Arc::new(Parts {
            selector,
            fanout,
            routing,
            bindings,
            stored_queries,
            in_flight,
            metrics: Metrics::new(),
            settings,
        })))
    }

    /// The configuration.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.0.settings
    }

    /// The membership.
    #[must_use]
    pub fn registry(&self) -> &Registry {
        &self.0.settings.registry
    }

    /// Our name in `Via`.
    #[must_use]
    pub fn alias(&self) -> &str {
        &self.0.settings.federation.alias
    }

    /// Who decides whom to ask.
    #[must_use]
    pub fn selector(&self) -> &Selector {
        &self.0.selector
    }

    /// Who asks.
    #[must_use]
    pub fn fanout(&self) -> &Fanout {
        &self.0.fanout
    }

    /// Who routes requests about one record.
    #[must_use]
    pub fn routing(&self) -> &Routing {
        &self.0.routing
    }

    /// What sessions have learnt of where an EHR is.
    #[must_use]
    pub fn bindings(&self) -> &Bindings {
        &self.0.bindings
    }

    /// The registry of stored queries, when it is held here (N44).
    #[must_use]
    pub fn stored_queries(&self) -> Option<&QueryStore> {
        self.0.stored_queries.as_ref()
    }

    /// What is counted.
    pub(super) fn metrics(&self) -> &Metrics {
        &self.0.metrics
    }

    /// Whose session a request belongs to. Callers are not told apart yet: all are one session.
    #[must_use]
    pub fn caller(&self) -> Caller {
        Caller::new("anonymous")
    }

    /// Starts the clock of a synchronous request (§11.5).
    #[must_use]
    pub fn budget(&self) -> Budget {
        let timeouts = &self.0.settings.timeouts;
        Budget::start(timeouts.overall, timeouts.per_node)
    }

    /// Leave to serve one more request; none when `limits.max_inflight` are being served.
    #[must_use]
    pub fn admit(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.0.in_flight).try_acquire_owned().ok()
    }
}

fn store(settings: &StoreSettings) -> Result<QueryStore, StoreFault> {
    match settings {
        StoreSettings::Memory => Ok(QueryStore::in_memory()),
        StoreSettings::Redb(file) => QueryStore::open(file),
    }
}

fn routing_settings(settings: &Settings) -> RoutingSettings {
    RoutingSettings {
        pass_query_parameters: settings.pass_query_parameters.clone(),
        default_namespace: settings.federation.default_namespace.clone(),
        fan_out_template_upload: settings.federation.fan_out_template_upload,
        stored_query_fan_out: settings.federation.stored_query_fan_out,
        max_body_bytes: settings.server.max_body_bytes,
    }
}
