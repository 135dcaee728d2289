//! The only place where HTTP clients are made.
//!
//! Two, under one set of rules (TLS, egress policy, no proxy, no redirects, no retries): the client for nodes is hyper's own,
//! because a routed path and query must leave byte for byte and the client above it parses and re-spells URLs; services beside
//! the nodes (cross-reference, localizer, consent) get the comfortable one.

use std::sync::Arc;
use std::time::Duration;

use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use rustls_pki_types::CertificateDer;

use super::dns::JudgedResolver;
use super::egress::EgressPolicy;
use super::transport::{HttpTransport, JudgedConnector, Transport};

/// Some servers close connections after 5 s without a request; a connection given up earlier is never caught in the act.
const POOL_IDLE: Duration = Duration::from_secs(4);
/// Idle connections kept for one host: what `limits.max_inflight_per_endpoint` is by default.
const POOL_MAX_IDLE: usize = 32;
/// A connection that takes longer than this will not come.
const CONNECT_LIMIT: Duration = Duration::from_secs(5);

/// How clients are made.
#[derive(Clone, Debug)]
pub struct ClientSettings {
    /// Whom they may talk to.
    pub egress: Arc<EgressPolicy>,
    /// The time for name, TCP and TLS together.
    pub connect_limit: Duration,
    /// Certificate authorities trusted beside the machine's.
    pub authorities: Vec<CertificateDer<'static>>,
}

impl Default for ClientSettings {
    fn default() -> Self {
        ClientSettings { egress: Arc::default(), connect_limit: CONNECT_LIMIT, authorities: Vec::new() }
    }
}

/// Why a client cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum ClientFault {
    /// The TLS library refuses its own defaults.
    #[error("no TLS set-up")]
    Tls(#[from] rustls::Error),
    /// The HTTP library refuses the settings.
    #[error("no HTTP client")]
    Http(#[from] reqwest::Error),
}

/// A client for services beside the nodes. Addresses in URLs are not seen by its resolver: judge them with
/// [`EgressPolicy::judge_scheme`] and [`EgressPolicy::judge_literal`] when the configuration is read.
///
/// # Errors
/// When the libraries refuse the settings.
pub fn build(settings: &ClientSettings) -> Result<reqwest::Client, ClientFault> {
    let mut tls = tls_config(settings)?;
    tls.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()]; // a handed-in configuration brings its own
    Ok(reqwest::Client::builder()
        .tls_backend_preconfigured(tls)
        .dns_resolver(Arc::new(JudgedResolver::new(Arc::clone(&settings.egress))))
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .no_proxy()
        .no_gzip()
        .referer(false)
        .tcp_nodelay(true)
        .connect_timeout(settings.connect_limit)
        .pool_idle_timeout(POOL_IDLE)
        .pool_max_idle_per_host(POOL_MAX_IDLE)
        .build()?)
}

/// The transport for nodes: HTTP/1.1, HTTP/2 where TLS agrees on it.
///
/// # Errors
/// When the TLS library refuses its defaults.
pub fn transport(settings: &ClientSettings) -> Result<Arc<dyn Transport>, ClientFault> {
    Ok(Arc::new(over(tls_connector(settings)?, settings)))
}

/// The same client over any connector.
pub(super) fn over<C: Clone>(connector: C, settings: &ClientSettings) -> HttpTransport<C>
where
    JudgedConnector<C>: hyper_util::client::legacy::connect::Connect + Clone,
{
    let judged = JudgedConnector::new(connector, Arc::clone(&settings.egress), settings.connect_limit);
    let client = Client::builder(TokioExecutor::new())
        .pool_idle_timeout(POOL_IDLE)
        .pool_max_idle_per_host(POOL_MAX_IDLE)
        .pool_timer(TokioTimer::new())
        .timer(TokioTimer::new())
        .retry_canceled_requests(true) // only what never left, on a connection found closed
        .build(judged);
    HttpTransport(client)
}

fn tls_connector(settings: &ClientSettings) -> Result<HttpsConnector<HttpConnector<JudgedResolver>>, ClientFault> {
    let mut tcp = HttpConnector::new_with_resolver(JudgedResolver::new(Arc::clone(&settings.egress)));
    tcp.enforce_http(false);
    tcp.set_nodelay(true);
    let builder = HttpsConnectorBuilder::new().with_tls_config(tls_config(settings)?).https_or_http();
    Ok(builder.enable_all_versions().wrap_connector(tcp))
}

/// TLS with the machine's authorities and ours. A machine without any is no fault: plain HTTP works, and TLS to an unknown
/// authority fails at the node it concerns.
fn tls_config(settings: &ClientSettings) -> Result<rustls::ClientConfig, ClientFault> {
    let mut roots = rustls::RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    roots.add_parsable_certificates(settings.authorities.iter().cloned());
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let versions = rustls::ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    Ok(versions.with_root_certificates(roots).with_no_client_auth())
}
