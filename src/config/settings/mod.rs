//! What the program uses: values that cannot be wrong. Every bound and default is here, with its reason.
//!
//! `Settings::default()` is a gateway on loopback with an empty registry, so tests and the demonstration write only what
//! differs: `Settings { registry, ..Settings::default() }`.

mod identity;

use std::collections::BTreeSet;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use ipnet::IpNet;
use openehr_aql::ast::AggregateFunction;
use url::Url;

use crate::intake::DedupMode;
use crate::node::egress::{EgressPolicy, PrivateAddresses};
use crate::registry::Registry;

pub use identity::{
    ConsentMode, ConsentSettings, IdentitySettings, LocalizationFailure, LocalizationMode, LocalizationSettings, PatientNodes,
    PixmForm, PixmManager, PixmSettings, ServiceSettings, StaticIdentity,
};

/// The whole configuration.
#[derive(Clone, Debug)]
pub struct Settings {
    /// `[server]`
    pub server: ServerSettings,
    /// `[admin]`; none without a listener of its own.
    pub admin: Option<AdminSettings>,
    /// `[federation]`
    pub federation: FederationSettings,
    /// `[timeouts]`
    pub timeouts: TimeoutSettings,
    /// `completeness.best_effort`: is `partial` offered?
    pub best_effort: bool,
    /// `[paging]`
    pub paging: PagingSettings,
    /// `[aggregates]`
    pub aggregates: AggregateSettings,
    /// `routing.pass_query_parameters`: vendor parameters let through on routed requests. Never a patient identifier's.
    pub pass_query_parameters: BTreeSet<String>,
    /// `dedup.modes`: what is offered. [`DedupMode::None`] always is.
    pub dedup_modes: BTreeSet<DedupMode>,
    /// `[limits]`
    pub limits: LimitSettings,
    /// `[egress]`
    pub egress: EgressSettings,
    /// The membership.
    pub registry: Arc<Registry>,
    /// `registry.capability_max_age_ms`: how long what a node said of itself counts.
    pub capability_max_age: Duration,
    /// `[identity]`
    pub identity: IdentitySettings,
    /// `[localization]`
    pub localization: LocalizationSettings,
    /// `[consent]`
    pub consent: ConsentSettings,
    /// `auth.allow_anonymous`: may the gateway serve callers it does not know, off loopback?
    pub allow_anonymous: bool,
    /// `[store]`
    pub store: StoreSettings,
    /// `telemetry.log_format`
    pub log_format: LogFormat,
}

/// The main listener and what it takes in.
#[derive(Clone, Debug)]
pub struct ServerSettings {
    /// `server.listen`
    pub listen: SocketAddr,
    /// `server.base_path`: `{base}`. Starts and ends with `/`.
    pub base_path: String,
    /// `server.public_url`: what clients call us, without `base_path`; ends with `/`. None: the address listened on, see
    /// [`ServerSettings::public_url_at`].
    pub public_url: Option<Url>,
    /// `server.max_body_bytes`: of a request's body.
    pub max_body_bytes: usize,
}

/// The listener for operators.
#[derive(Clone, Copy, Debug)]
pub struct AdminSettings {
    /// `admin.listen`; loopback unless `admin.allow_remote`.
    pub listen: SocketAddr,
}

/// Who this federation is.
#[derive(Clone, Debug)]
pub struct FederationSettings {
    /// `federation.id`
    pub id: String,
    /// `federation.alias`: our name in `Via`. A token of HTTP.
    pub alias: String,
    /// `federation.default_namespace`: issuing namespace of a patient identifier without one.
    pub default_namespace: Option<String>,
    /// `federation.fan_out_template_upload`
    pub fan_out_template_upload: bool,
    /// `federation.stored_queries`: does the gateway hold stored queries?
    pub stored_queries: bool,
}

/// How long anything may take. `per_node` never exceeds `overall`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeoutSettings {
    /// `timeouts.per_node_ms`: for any one endpoint.
    pub per_node: Duration,
    /// `timeouts.overall_ms`: for the whole request.
    pub overall: Duration,
    /// `timeouts.async_per_node_ms`: the same for queries answered later.
    pub async_per_node: Duration,
    /// `timeouts.async_overall_ms`
    pub async_overall: Duration,
}

/// How OFFSET over several nodes is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PagingSettings {
    /// `paging.offset_strategy`
    pub strategy: OffsetStrategy,
    /// `paging.max_window`: OFFSET plus LIMIT, in rows of one node, that `window` asks for at most.
    pub max_window: u64,
}

/// The strategies for OFFSET (§11.6.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OffsetStrategy {
    /// OFFSET over several nodes is refused.
    Reject,
    /// Every node is asked for OFFSET plus LIMIT rows; the gateway skips.
    Window,
}

/// How aggregates over several nodes are served (§11.6.3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AggregateSettings {
    /// `aggregates.decomposable`: those recombined from per-node aggregates; all others are refused.
    pub decomposable: Vec<AggregateFunction>,
    /// `aggregates.strategy`
    pub strategy: AggregateStrategy,
}

/// Where aggregates are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AggregateStrategy {
    /// At the nodes, recombined here.
    Decompose,
    /// Here, from the underlying rows.
    Rows,
}

/// Bounds; an error for exceeding one names its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitSettings {
    /// `limits.max_rows`: rows one query may hold.
    pub max_rows: usize,
    /// `limits.max_node_bytes`: bytes of one node's answer. Fits 32 bits: cells are found by 32-bit positions.
    pub max_node_bytes: usize,
    /// `limits.max_inflight_per_endpoint`: requests to one endpoint at a time.
    pub max_inflight_per_endpoint: usize,
    /// `limits.max_inflight`: requests served at a time.
    pub max_inflight: usize,
    /// `limits.max_jobs_per_caller`
    pub max_jobs_per_caller: usize,
    /// `limits.max_cursors_per_caller`
    pub max_cursors_per_caller: usize,
}

/// Where requests of ours may go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EgressSettings {
    /// `egress.require_https`
    pub tls: TlsRule,
    /// `egress.private_addresses`: may nodes live in private networks?
    pub private_addresses: PrivateAddresses,
    /// `egress.allowed_addresses`: exceptions when private addresses are refused.
    pub allowed_addresses: Vec<IpNet>,
    /// `egress.denied_addresses`: never reached; wins over all else.
    pub denied_addresses: Vec<IpNet>,
}

impl EgressSettings {
    /// What judges addresses when connections are made. That only loopback is reached without TLS was judged with the URLs.
    #[must_use]
    pub fn policy(&self) -> EgressPolicy {
        EgressPolicy {
            private_addresses: self.private_addresses,
            allowed_addresses: self.allowed_addresses.clone(),
            denied_addresses: self.denied_addresses.clone(),
            require_https: self.tls == TlsRule::Always,
        }
    }
}

/// When credentials, patient identifiers and clinical data need TLS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TlsRule {
    /// Always (`require_https = true`).
    Always,
    /// Towards any host that is not this machine's loopback (the key not written).
    OffLoopback,
    /// Never (`require_https = false`): the network is trusted otherwise.
    Never,
}

impl TlsRule {
    /// May data travel to this URL? A host counts as loopback when it is a loopback address or `localhost`.
    #[must_use]
    pub fn permits(self, url: &Url) -> bool {
        url.scheme() == "https"
            || match self {
                TlsRule::Always => false,
                TlsRule::Never => true,
                TlsRule::OffLoopback => match url.host() {
                    Some(url::Host::Ipv4(address)) => address.is_loopback(),
                    Some(url::Host::Ipv6(address)) => address.to_canonical().is_loopback(),
                    Some(url::Host::Domain(name)) => name == "localhost",
                    None => false,
                },
            }
    }
}

/// Where kept state lives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreSettings {
    /// In memory: gone with the process.
    Memory,
    /// In an embedded database in this file.
    Redb(PathBuf),
}

/// How log lines are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            server: ServerSettings::default(),
            admin: None,
            federation: FederationSettings::default(),
            timeouts: TimeoutSettings::default(),
            best_effort: true,
            paging: PagingSettings::default(),
            aggregates: AggregateSettings::default(),
            pass_query_parameters: BTreeSet::new(),
            dedup_modes: BTreeSet::from([DedupMode::None, DedupMode::VersionIdentity]),
            limits: LimitSettings::default(),
            egress: EgressSettings::default(),
            registry: Arc::new(Registry::new(Vec::new(), Vec::new())),
            // Product and version change with a deployment, not with a request.
            capability_max_age: Duration::from_secs(30),
            identity: IdentitySettings::Static(Vec::new()),
            localization: LocalizationSettings::default(),
            consent: ConsentSettings::default(),
            allow_anonymous: false,
            store: StoreSettings::Memory,
            log_format: LogFormat::Text,
        }
    }
}

impl Default for ServerSettings {
    fn default() -> Self {
        ServerSettings {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 8080)),
            base_path: "/".to_owned(),
            public_url: None,
            // A long query with its parameters is some kilobytes, and compositions seldom pass a megabyte.
            max_body_bytes: 1024 * 1024,
        }
    }
}

impl ServerSettings {
    /// What clients call a gateway that is bound to this address; ends with `/`.
    #[must_use]
    #[expect(clippy::expect_used, reason = "an address and a port always make a URL")]
    pub fn public_url_at(&self, bound: SocketAddr) -> Url {
        let of_listener = || Url::parse(&format!("http://{bound}/")).expect("a socket address is a URL's host and port");
        self.public_url.clone().unwrap_or_else(of_listener)
    }
}

impl Default for FederationSettings {
    fn default() -> Self {
        FederationSettings {
            id: "federation".to_owned(),
            alias: "tributary".to_owned(),
            default_namespace: None,
            fan_out_template_upload: false,
            stored_queries: true,
        }
    }
}

impl Default for TimeoutSettings {
    fn default() -> Self {
        TimeoutSettings {
            // People wait for a synchronous answer: seconds. Nobody waits for the other kind: minutes.
            per_node: Duration::from_secs(5),
            overall: Duration::from_secs(15),
            async_per_node: Duration::from_mins(2),
            async_overall: Duration::from_mins(10),
        }
    }
}

impl Default for PagingSettings {
    fn default() -> Self {
        // Exact and bounded; a thousand rows of each node for one page is the most that is still cheaper than a cursor.
        PagingSettings { strategy: OffsetStrategy::Window, max_window: 1000 }
    }
}

impl Default for AggregateSettings {
    fn default() -> Self {
        use AggregateFunction::{Avg, Count, Max, Min, Sum};
        AggregateSettings { decomposable: vec![Count, Sum, Min, Max, Avg], strategy: AggregateStrategy::Decompose }
    }
}

impl Default for LimitSettings {
    fn default() -> Self {
        LimitSettings {
            max_rows: 100_000,
            max_node_bytes: 64 * 1024 * 1024,
            // A CDR's own worker pool is of this order; more only queues there.
            max_inflight_per_endpoint: 32,
            max_inflight: 1024,
            max_jobs_per_caller: 8,
            max_cursors_per_caller: 8,
        }
    }
}

impl Default for EgressSettings {
    fn default() -> Self {
        // CDRs live in hospital networks, so private addresses are the rule; the registry is the operator's, not a client's.
        EgressSettings {
            tls: TlsRule::OffLoopback,
            private_addresses: PrivateAddresses::Allowed,
            allowed_addresses: Vec::new(),
            denied_addresses: Vec::new(),
        }
    }
}
