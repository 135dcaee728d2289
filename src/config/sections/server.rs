//! `[server]`, `[admin]`, `[federation]`, `[egress]`, `[auth]`, `[store]`, `[telemetry]`.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use ipnet::IpNet;
use rustls_pki_types::CertificateDer;
use rustls_pki_types::pem::{self, PemObject};

use super::super::fault::FaultKind;
use super::super::reader::{Reader, shown};
use super::super::settings::{
    AdminSettings, EgressSettings, FederationSettings, LogFormat, ServerSettings, StoreSettings, TlsRule,
};
use crate::node::egress::PrivateAddresses;

/// The largest request body that may be configured; it is held in memory.
const MOST_BODY_BYTES: u32 = 1024 * 1024 * 1024;

pub(super) fn server(root: Reader<'_>) -> ServerSettings {
    let found = root.table("server");
    let section = found.reader();
    let default = ServerSettings::default();
    tls(section);
    ServerSettings {
        listen: address(section, "listen").unwrap_or(default.listen),
        base_path: base_path(section).unwrap_or(default.base_path),
        public_url: section.has("public_url").then(|| section.base_url("public_url")).flatten(),
        max_body_bytes: section.count("max_body_bytes", MOST_BODY_BYTES).unwrap_or(default.max_body_bytes),
    }
}

fn tls(section: Reader<'_>) {
    let found = section.table("tls");
    let tls = found.reader();
    // Read all three, so that each is judged.
    let written = ["cert_file", "key_file", "client_ca_file"].map(|key| tls.filled(key).is_some());
    if written.contains(&true) {
        section.not_yet_served("tls", "TLS at the listener", "Leave it out, and put a proxy with TLS in front");
    }
}

fn address(section: Reader<'_>, name: &str) -> Option<SocketAddr> {
    let address = section.text(name)?.parse();
    if address.is_err() {
        section.invalid(name, "this is no IP address with a port", "Write one like 127.0.0.1:8080 or [::1]:8080");
    }
    address.ok()
}

fn base_path(section: Reader<'_>) -> Option<String> {
    let path = section.text("base_path")?;
    let inner = path.trim_matches('/');
    let plain = |segment: &str| {
        !segment.is_empty()
            && !matches!(segment, "." | "..")
            && segment.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte))
    };
    if path.is_empty() || (!inner.is_empty() && !inner.split('/').all(plain)) {
        section.invalid("base_path", "this is no plain path", "Write / or one like /openehr/federation");
        return None;
    }
    Some(if inner.is_empty() { "/".to_owned() } else { format!("/{inner}/") })
}

pub(super) fn admin(root: Reader<'_>, main: SocketAddr) -> Option<AdminSettings> {
    let found = root.table("admin");
    let section = found.reader();
    let allow_remote = section.boolean("allow_remote").unwrap_or(false);
    if section.text("listen") == Some("") {
        return None;
    }
    let listen = address(section, "listen")?;
    if !listen.ip().is_loopback() && !allow_remote {
        let reason = "the operators' listener is off loopback, and `admin.allow_remote` is not true";
        section.conflict("listen", reason, "Listen on 127.0.0.1, or write `allow_remote = true`");
    }
    if listen == main && main.port() != 0 {
        section.conflict("listen", "`admin.listen` and `server.listen` are the same address", "Give each a port of its own");
    }
    Some(AdminSettings { listen })
}

pub(super) fn federation(root: Reader<'_>) -> FederationSettings {
    let found = root.table("federation");
    let section = found.reader();
    let default = FederationSettings::default();
    let stored_queries = section.boolean("stored_queries").unwrap_or(default.stored_queries);
    let stored_query_fan_out = section.boolean("stored_query_fan_out").unwrap_or(default.stored_query_fan_out);
    if stored_query_fan_out && !stored_queries {
        let reason = "definitions are to be sent to the nodes, and `federation.stored_queries` is off, so none are held";
        section.conflict("stored_query_fan_out", reason, "Turn both on, or this off");
    }
    FederationSettings {
        id: written(section, "id").unwrap_or(default.id),
        alias: alias(section).unwrap_or(default.alias),
        default_namespace: section.filled("default_namespace").map(str::to_owned),
        fan_out_template_upload: section.boolean("fan_out_template_upload").unwrap_or(default.fan_out_template_upload),
        stored_queries,
        stored_query_fan_out,
        explain: section.boolean("explain").unwrap_or(default.explain),
    }
}

fn written(section: Reader<'_>, name: &str) -> Option<String> {
    section.has(name).then(|| section.required(name)).flatten().map(str::to_owned)
}

fn alias(section: Reader<'_>) -> Option<String> {
    let alias = written(section, "alias")?;
    let token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    if !alias.bytes().all(token) {
        let reason = "our name in `Via` must be a token of HTTP";
        section.invalid("alias", reason, "Use letters, digits, hyphens, dots and underscores");
        return None;
    }
    Some(alias)
}

pub(super) fn egress(root: Reader<'_>) -> EgressSettings {
    let found = root.table("egress");
    let section = found.reader();
    let tls = match section.boolean("require_https") {
        Some(true) => TlsRule::Always,
        Some(false) => TlsRule::Never,
        None => TlsRule::OffLoopback,
    };
    let private =
        section.choice("private_addresses", &[("allowed", PrivateAddresses::Allowed), ("refused", PrivateAddresses::Refused)]);
    EgressSettings {
        tls,
        private_addresses: private.unwrap_or_default(),
        allowed_addresses: networks(section, "allowed_addresses"),
        denied_addresses: networks(section, "denied_addresses"),
        authorities: authorities(section),
    }
}

/// The certificates of `ca_file`.
fn authorities(section: Reader<'_>) -> Vec<CertificateDer<'static>> {
    let Some(name) = section.filled("ca_file") else { return Vec::new() };
    let file = section.judge.beside(&section.place("ca_file"), name);
    let certificates = CertificateDer::pem_file_iter(&file).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    match certificates {
        Ok(certificates) if !certificates.is_empty() => certificates,
        Ok(_) => {
            section.invalid("ca_file", "the file holds no certificate", "Put PEM certificates into it");
            Vec::new()
        }
        Err(pem::Error::Io(error)) => {
            let reason = format!("the file cannot be read ({})", error.kind());
            section.fault(FaultKind::Unreadable, "ca_file", reason, "Check its name and its permissions");
            Vec::new()
        }
        Err(_) => {
            section.invalid("ca_file", "the file is not PEM", "Put PEM certificates into it");
            Vec::new()
        }
    }
}

/// IP addresses and subnets; an address is the subnet of itself.
fn networks(section: Reader<'_>, name: &str) -> Vec<IpNet> {
    let mut networks = Vec::new();
    for (text, place) in section.list(name).unwrap_or_default() {
        match text.parse().or_else(|_| text.parse::<IpAddr>().map(IpNet::from)) {
            Ok(network) => networks.push(network),
            Err(_) => {
                let reason = format!("`{}` is neither an IP address nor a subnet", shown(text));
                let remedy = "Write one like 10.1.2.3 or 10.0.0.0/8";
                section.judge.fault(FaultKind::Invalid, place, section.key(name), reason, remedy);
            }
        }
    }
    networks
}

/// How callers are known.
#[derive(Clone, Copy)]
enum AuthMode {
    None,
    Jwt,
    Proxy,
}

pub(super) fn allow_anonymous(root: Reader<'_>, listen: SocketAddr) -> bool {
    let found = root.table("auth");
    let section = found.reader();
    let allowed = section.boolean("allow_anonymous").unwrap_or(false);
    let modes = [("none", AuthMode::None), ("jwt", AuthMode::Jwt), ("proxy", AuthMode::Proxy)];
    let remedy = "Write `none`, and let a proxy in front admit callers";
    match section.choice("mode", &modes) {
        Some(AuthMode::Jwt) => section.not_yet_served("mode", "admission by bearer JWT", remedy),
        Some(AuthMode::Proxy) => section.not_yet_served("mode", "admission by a trusted proxy", remedy),
        Some(AuthMode::None) | None if !listen.ip().is_loopback() && !allowed => {
            let reason = "`server.listen` is off loopback, `auth.mode` is `none`, and `auth.allow_anonymous` is not true";
            let remedy = "Listen on 127.0.0.1, or write `allow_anonymous = true` if everyone who can connect may ask";
            section.conflict("mode", reason, remedy);
        }
        Some(AuthMode::None) | None => {}
    }
    allowed
}

/// Where state is kept.
#[derive(Clone, Copy)]
enum Backend {
    Memory,
    Redb,
    Redis,
}

pub(super) fn store(root: Reader<'_>) -> StoreSettings {
    let found = root.table("store");
    let section = found.reader();
    let path = section.filled("path").map(PathBuf::from);
    let _judged = section.text("url");
    match section.choice("backend", &[("memory", Backend::Memory), ("redb", Backend::Redb), ("redis", Backend::Redis)]) {
        Some(Backend::Redb) => StoreSettings::Redb(path.unwrap_or_else(|| PathBuf::from("tributary.redb"))),
        Some(Backend::Redis) => {
            section.not_yet_served("backend", "a shared store", "Write `memory` or `redb`, and run one gateway");
            StoreSettings::Memory
        }
        Some(Backend::Memory) | None => StoreSettings::Memory,
    }
}

pub(super) fn log_format(root: Reader<'_>) -> LogFormat {
    let found = root.table("telemetry");
    let section = found.reader();
    if section.filled("otlp_endpoint").is_some() {
        section.not_yet_served("otlp_endpoint", "the export of traces", "Leave it out; logs and metrics are there");
    }
    section.choice("log_format", &[("text", LogFormat::Text), ("json", LogFormat::Json)]).unwrap_or(LogFormat::Text)
}
