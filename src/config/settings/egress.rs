//! Where requests of ours may go, and over what.

use std::sync::Arc;

use ipnet::IpNet;
use rustls_pki_types::CertificateDer;
use url::Url;

use crate::node::client::ClientSettings;
use crate::node::egress::{EgressPolicy, PrivateAddresses};

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
    /// `egress.ca_file`: certificate authorities trusted beside the machine's.
    pub authorities: Vec<CertificateDer<'static>>,
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

    /// How clients are made under these settings.
    #[must_use]
    pub fn client(&self) -> ClientSettings {
        ClientSettings { egress: Arc::new(self.policy()), authorities: self.authorities.clone(), ..ClientSettings::default() }
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

impl Default for EgressSettings {
    fn default() -> Self {
        // CDRs live in hospital networks, so private addresses are the rule; the registry is the operator's, not a client's.
        EgressSettings {
            tls: TlsRule::OffLoopback,
            private_addresses: PrivateAddresses::Allowed,
            allowed_addresses: Vec::new(),
            denied_addresses: Vec::new(),
            authorities: Vec::new(),
        }
    }
}
