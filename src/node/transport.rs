//! One request to one node and back. The seam of tests: they hand in another connector, and everything above it stays the same.

use std::error::Error as StdError;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use http::{Request, Response, Uri};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::{CaptureConnection, Connect, capture_connection};

use super::egress::{EgressPolicy, EgressRefusal};

/// A boxed error of the libraries below.
pub(super) type BoxError = Box<dyn StdError + Send + Sync>;

/// Sends requests to nodes.
pub trait Transport: Send + Sync {
    /// Starts one request. Nothing is sent before the future is polled; dropping it closes the connection.
    fn send(&self, request: Request<Body>) -> Exchange;
}

/// A request under way.
pub struct Exchange {
    /// The answer, its body still to be read.
    pub response: Pin<Box<dyn Future<Output = Result<Response<Body>, TransportFailure>> + Send>>,
    contact: CaptureConnection,
}

impl Exchange {
    /// Has a connection been had? Tells "did not answer in time" from "could not be reached in time".
    #[must_use]
    pub fn connected(&self) -> bool {
        self.contact.connection_metadata().is_some()
    }
}

/// Why there is no connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConnectFailure {
    /// The policy forbids it.
    #[error("not contacted: {0}")]
    Egress(#[from] EgressRefusal),
    /// No address for the name.
    #[error("its name does not resolve")]
    Unresolved,
    /// Refused at the port.
    #[error("connection refused")]
    Refused,
    /// Nothing in the time for connecting.
    #[error("no connection in time")]
    TimedOut,
    /// No TLS session: certificate, name or protocol.
    #[error("no TLS session: its certificate is not trusted, not valid or not for this name, or the protocol failed")]
    Tls,
    /// Any other reason.
    #[error("unreachable")]
    Unreachable,
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TransportFailure {
    /// No connection.
    #[error(transparent)]
    Connect(#[from] ConnectFailure),
    /// The connection ended before an answer began.
    #[error("the connection ended without an answer")]
    NoAnswer,
    /// What came is not HTTP.
    #[error("what came back is not HTTP")]
    NotHttp,
    /// Our own request's body could not be read to its end; only where it streams from a client.
    #[error("the request's body ended early")]
    RequestBody,
}

/// The transport of the real world, and of tests by another connector.
pub(super) struct HttpTransport<C>(pub(super) Client<JudgedConnector<C>, Body>);

impl<C> Transport for HttpTransport<C>
where
    JudgedConnector<C>: Connect + Clone + Send + Sync + 'static,
{
    fn send(&self, mut request: Request<Body>) -> Exchange {
        let contact = capture_connection(&mut request);
        let answer = self.0.request(request);
        let response = async { answer.await.map(|response| response.map(Body::new)).map_err(|error| classify(&error)) };
        Exchange { response: Box::pin(response), contact }
    }
}

/// A connector behind the egress policy and the connect time-out. Addresses in URLs are judged here, since they are never
/// resolved; the time-out covers resolution, TCP and TLS together.
#[derive(Clone)]
pub(super) struct JudgedConnector<C> {
    inner: C,
    policy: Arc<EgressPolicy>,
    limit: Duration,
}

impl<C> JudgedConnector<C> {
    pub(super) fn new(inner: C, policy: Arc<EgressPolicy>, limit: Duration) -> Self {
        JudgedConnector { inner, policy, limit }
    }
}

impl<C> tower::Service<Uri> for JudgedConnector<C>
where
    C: tower::Service<Uri>,
    C::Future: Send + 'static,
    C::Error: Into<BoxError>,
{
    type Response = C::Response;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<C::Response, BoxError>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        self.inner.poll_ready(cx).map_err(Into::into)
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        let judged = self
            .policy
            .judge_scheme(uri.scheme_str().unwrap_or_default())
            .and_then(|()| self.policy.judge_literal(uri.host().unwrap_or_default()));
        if let Err(refusal) = judged {
            return Box::pin(async move { Err(ConnectFailure::Egress(refusal).into()) });
        }
        let (connecting, limit) = (self.inner.call(uri), self.limit);
        Box::pin(async move {
            match tokio::time::timeout(limit, connecting).await {
                Ok(connected) => connected.map_err(Into::into),
                Err(_) => Err(ConnectFailure::TimedOut.into()),
            }
        })
    }
}

/// Reads a failure of the client by its causes. The texts of the causes are dropped: they may carry what a node sent.
fn classify(error: &hyper_util::client::legacy::Error) -> TransportFailure {
    if error.is_connect() {
        return TransportFailure::Connect(causes(error).find_map(connect_failure).unwrap_or(ConnectFailure::Unreachable));
    }
    causes(error).find_map(|cause| cause.downcast_ref::<hyper::Error>()).map_or(TransportFailure::NoAnswer, |hyper| {
        if hyper.is_user() {
            TransportFailure::RequestBody
        } else if hyper.is_parse() {
            TransportFailure::NotHttp
        } else {
            TransportFailure::NoAnswer
        }
    })
}

fn connect_failure(cause: &(dyn StdError + 'static)) -> Option<ConnectFailure> {
    if let Some(own) = cause.downcast_ref::<ConnectFailure>() {
        return Some(*own);
    }
    if cause.is::<rustls::Error>() {
        return Some(ConnectFailure::Tls);
    }
    match cause.downcast_ref::<io::Error>()?.kind() {
        io::ErrorKind::ConnectionRefused => Some(ConnectFailure::Refused),
        io::ErrorKind::TimedOut => Some(ConnectFailure::TimedOut),
        _ => None,
    }
}

/// The error and its causes; an I/O error's content counts as its cause, which `source` passes over.
fn causes<'a>(error: &'a (dyn StdError + 'static)) -> impl Iterator<Item = &'a (dyn StdError + 'static)> {
    std::iter::successors(Some(error), |&current| match current.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
        Some(inner) => Some(inner as &(dyn StdError + 'static)),
        None => current.source(),
    })
}
