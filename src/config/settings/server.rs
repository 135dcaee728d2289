//! The listeners, the federation's name, kept state, logs.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use url::Url;

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
    /// `federation.stored_query_fan_out`: are their definitions sent to the nodes as well?
    pub stored_query_fan_out: bool,
    /// `federation.explain`: is `{base}/federation/explain` served?
    pub explain: bool,
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

    /// `{base}` as clients call it: `public_url` (or the address listened on) with `base_path`; ends with `/`.
    #[must_use]
    pub fn public_base(&self) -> String {
        format!("{}{}", self.public_url_at(self.listen), self.base_path.trim_start_matches('/'))
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
            stored_query_fan_out: false,
            // It shows callers the nodes' queries, which most of them need not see.
            explain: false,
        }
    }
}
