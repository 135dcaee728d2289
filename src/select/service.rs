//! One exchange with a service that is told a patient identifier: bounded in time and in bytes, no redirect followed, and
//! whatever goes wrong is one of a few [`SeamError`]s that repeat nothing of the question or the answer.

use bytes::{Bytes, BytesMut};
use reqwest::{Client, RequestBuilder, Response, StatusCode};
use secrecy::ExposeSecret;
use tokio::time::{Instant, timeout_at};

use super::seam::SeamError;
use crate::config::ServiceSettings;
use crate::node::Credentials;

/// A service and the client to reach it with. The client follows no redirects, retries nothing and takes no proxy from the
/// environment: a redirect would carry the identifier to a host nobody configured.
#[derive(Clone, Debug)]
pub(crate) struct Service {
    pub(crate) client: Client,
    pub(crate) settings: ServiceSettings,
}

impl Service {
    /// Sends the request and reads the whole answer, before the service's own time-out and before `deadline`.
    pub(crate) async fn exchange(&self, request: RequestBuilder, deadline: Instant) -> Result<(StatusCode, Bytes), SeamError> {
        let started = Instant::now();
        let until = deadline.min(started + self.settings.timeout);
        let exchange = async {
            let response = self.authorised(request).send().await.map_err(|_| SeamError::Unreachable)?;
            let status = response.status();
            Ok((status, self.body(response).await?))
        };
        timeout_at(until, exchange).await.unwrap_or_else(|_| Err(SeamError::TimedOut(until.saturating_duration_since(started))))
    }

    fn authorised(&self, request: RequestBuilder) -> RequestBuilder {
        match &self.settings.credentials {
            Credentials::None => request,
            Credentials::Basic { username, password } => request.basic_auth(username, Some(password.expose_secret())),
            Credentials::Bearer { token } => request.bearer_auth(token.expose_secret()),
        }
    }

    async fn body(&self, mut response: Response) -> Result<Bytes, SeamError> {
        let most = self.settings.max_answer_bytes;
        let mut body = BytesMut::new();
        while let Some(chunk) = response.chunk().await.map_err(|_| SeamError::Unreachable)? {
            if body.len() + chunk.len() > most {
                return Err(SeamError::TooLarge(most));
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body.freeze())
    }
}
