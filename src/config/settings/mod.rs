//! What the program uses: values that cannot be wrong. Every bound and default is here, with its reason.
//!
//! `Settings::default()` is a gateway on loopback with an empty registry, so tests and the demonstration write only what
//! differs: `Settings { registry, ..Settings::default() }`.

mod egress;
mod identity;
mod query;
mod server;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use crate::registry::Registry;

pub use egress::{EgressSettings, TlsRule};
pub use identity::{
    ConsentMode, ConsentSettings, IdentitySettings, LocalizationFailure, LocalizationMode, LocalizationSettings, PatientNodes,
    PixmForm, PixmManager, PixmSettings, ServiceSettings, StaticIdentity,
};
pub use query::{
    AggregateSettings, AggregateStrategy, DedupMode, LimitSettings, OffsetStrategy, PagingSettings, TimeoutSettings,
};
pub use server::{AdminSettings, FederationSettings, LogFormat, ServerSettings, StoreSettings};

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
