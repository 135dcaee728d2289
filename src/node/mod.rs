//! Talking HTTP to one endpoint: client, credentials, egress policy.

use secrecy::SecretString;

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
