//! Credentials, and services reached over HTTP.

use url::Url;

use super::super::reader::Reader;
use super::super::settings::{EgressSettings, ServiceSettings, TlsRule};
use crate::node::Credentials;

/// The largest answer a service may be configured to give; it is held in memory.
const MOST_ANSWER_BYTES: u32 = 64 * 1024 * 1024;

/// The ways to say who we are.
#[derive(Clone, Copy)]
enum CredentialsType {
    None,
    Basic,
    Bearer,
    ClientCredentials,
    TokenExchange,
}

/// `auth = {…}` of an endpoint or a service.
pub(super) fn credentials(owner: Reader<'_>) -> Credentials {
    let found = owner.table("auth");
    let auth = found.reader();
    if !auth.present() {
        return Credentials::None;
    }
    let _judged = ["token_url", "client_id", "scope", "audience"].map(|key| auth.text(key));
    let types = [
        ("none", CredentialsType::None),
        ("basic", CredentialsType::Basic),
        ("bearer", CredentialsType::Bearer),
        ("client_credentials", CredentialsType::ClientCredentials),
        ("token_exchange", CredentialsType::TokenExchange),
    ];
    if auth.required("type").is_none() {
        return Credentials::None;
    }
    match auth.choice("type", &types) {
        Some(CredentialsType::None) | None => Credentials::None,
        Some(CredentialsType::Basic) => basic(auth),
        Some(CredentialsType::Bearer) => bearer(auth),
        Some(CredentialsType::ClientCredentials) => {
            auth.not_yet_served("type", "the client credentials grant", "Write `none`, `basic` or `bearer`");
            Credentials::None
        }
        Some(CredentialsType::TokenExchange) => {
            auth.not_yet_served("type", "token exchange", "Write `none`, `basic` or `bearer`");
            Credentials::None
        }
    }
}

fn basic(auth: Reader<'_>) -> Credentials {
    let (username, password) = (auth.required("username"), auth.secret("password"));
    if username.is_some_and(|name| name.contains(':')) {
        auth.invalid("username", "a user name with a colon cannot be sent", "Use a user name without one");
    }
    match (username, password) {
        (Some(username), Some(password)) => Credentials::Basic { username: username.to_owned(), password },
        _ => Credentials::None,
    }
}

fn bearer(auth: Reader<'_>) -> Credentials {
    auth.secret("token").map_or(Credentials::None, |token| Credentials::Bearer { token })
}

/// The service of a table with `url`, `timeout_ms`, `max_answer_bytes` and `auth`.
pub(super) fn service(section: Reader<'_>, url: Option<Url>, egress: &EgressSettings) -> Option<ServiceSettings> {
    let timeout = section.duration("timeout_ms").unwrap_or(ServiceSettings::DEFAULT_TIMEOUT);
    let most = section.count("max_answer_bytes", MOST_ANSWER_BYTES).unwrap_or(ServiceSettings::DEFAULT_MAX_ANSWER_BYTES);
    let credentials = credentials(section);
    let url = url?;
    check_egress(section, &url, egress, "patient identifiers");
    Some(ServiceSettings { url, timeout, max_answer_bytes: most, credentials })
}

/// Refuses an address the egress policy does not permit: a plain URL where it wants TLS, a host written as an address it
/// refuses. Names are judged when they are resolved.
pub(super) fn check_egress(section: Reader<'_>, url: &Url, egress: &EgressSettings, what: &str) {
    if let Some(refusal) = url.host_str().and_then(|host| egress.policy().judge_literal(host).err()) {
        section.conflict("url", refusal.to_string(), "Change the address, or `[egress]`");
    }
    if egress.tls.permits(url) {
        return;
    }
    let why = match egress.tls {
        TlsRule::Always => "`egress.require_https` is true",
        TlsRule::OffLoopback | TlsRule::Never => "`egress.require_https` is not written, which wants TLS off loopback",
    };
    let reason = format!("{what} would travel without TLS, and {why}");
    section.conflict("url", reason, "Use https, or write `require_https = false` under [egress] for a network trusted otherwise");
}
