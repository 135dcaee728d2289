//! Talking HTTP to one endpoint: client, credentials, egress policy.

use secrecy::SecretString;

pub mod body;
pub mod client;
mod dns;
pub mod egress;
mod failure;
#[cfg(test)]
pub(crate) mod memory;
mod permits;
mod query;
mod said;
#[cfg(test)]
mod tests;
mod transport;

pub use failure::NodeFailure;
pub use permits::{Lease, Permit, Permits};
pub use query::{ComposeFailure, ComposedQuery, NodeAnswer, NodeClient, Withheld};
pub use said::quoted;
pub use transport::{ConnectFailure, Exchange, Transport, TransportFailure};

/// Who the gateway is to an endpoint.
#[derive(Clone, Debug, Default)]
pub enum Credentials {
    /// No credentials.
    #[default]
    None,
    /// HTTP Basic.
    Basic {
        /// The user name.
        username: String,
        /// The password.
        password: SecretString,
    },
    /// A fixed bearer token.
    Bearer {
        /// The token.
        token: SecretString,
    },
}

/// The last look at what leaves for a node, and the first at what comes back (§5.4, N33). It knows the patient identifier of
/// one request; nothing else here does.
pub trait Gate: Send + Sync {
    /// May this request leave? It is as it will be sent.
    fn permits(&self, head: &http::request::Parts, body: &[u8]) -> bool;

    /// Does the text repeat the identifier, in any form?
    fn hears(&self, text: &str) -> bool;
}

/// The gate of requests that are about no patient known by an identifier.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoIdentifier;

impl Gate for NoIdentifier {
    fn permits(&self, _: &http::request::Parts, _: &[u8]) -> bool {
        true
    }

    fn hears(&self, _: &str) -> bool {
        false
    }
}

impl<G: Gate> Gate for Option<G> {
    fn permits(&self, head: &http::request::Parts, body: &[u8]) -> bool {
        self.as_ref().is_none_or(|gate| gate.permits(head, body))
    }

    fn hears(&self, text: &str) -> bool {
        self.as_ref().is_some_and(|gate| gate.hears(text))
    }
}
