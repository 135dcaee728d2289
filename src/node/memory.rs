//! Nodes inside the test: the real client over an in-process pipe, so that paused time is exact.

use std::collections::HashMap;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use http::Uri;
use hyper::rt::ReadBufCursor;
use hyper_util::client::legacy::connect::{Connected, Connection};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};

use super::client::{ClientSettings, over};
use super::{NodeClient, Transport};

/// What a node does with a connection, once the head of a request and its body have been read off it.
pub(crate) type Script = Arc<dyn Fn(Pipe) -> Pin<Box<dyn Future<Output = ()> + Send>> + Send + Sync>;

/// The node's end of a connection.
pub(crate) struct Pipe(DuplexStream);

impl Pipe {
    /// Reads one request whole: head and body, as text.
    pub(crate) async fn request(&mut self) -> Option<String> {
        let mut text = Vec::new();
        loop {
            if let Some(end) = find(&text, b"\r\n\r\n") {
                let head = String::from_utf8_lossy(&text[..end]).to_lowercase();
                let length =
                    head.lines().find_map(|line| line.strip_prefix("content-length: ")?.trim().parse().ok()).unwrap_or(0);
                if text.len() >= end + 4 + length {
                    return Some(String::from_utf8_lossy(&text).into_owned());
                }
            }
            if self.0.read_buf(&mut text).await.ok()? == 0 {
                return None;
            }
        }
    }

    pub(crate) async fn write(&mut self, text: &str) {
        let _gone = self.0.write_all(text.as_bytes()).await;
    }

    /// Reads until this text has come.
    pub(crate) async fn until(&mut self, what: &str) {
        let mut text = Vec::new();
        while find(&text, what.as_bytes()).is_none() {
            if self.0.read_buf(&mut text).await.is_ok_and(|read| read == 0) {
                return;
            }
        }
    }

    /// Waits until the gateway hangs up.
    pub(crate) async fn hung_up(&mut self) {
        let mut rest = Vec::new();
        while self.0.read_buf(&mut rest).await.is_ok_and(|read| read > 0) {}
    }
}

fn find(text: &[u8], what: &[u8]) -> Option<usize> {
    text.windows(what.len()).position(|window| window == what)
}

/// Answers each request on a connection after `delay` with this status line and body.
pub(crate) fn answering(delay: Duration, status: &'static str, body: impl Into<String>) -> Script {
    let body = body.into();
    Arc::new(move |mut pipe| {
        let answer = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\n\r\n{body}", body.len());
        Box::pin(async move {
            while pipe.request().await.is_some() {
                tokio::time::sleep(delay).await;
                pipe.write(&answer).await;
            }
        })
    })
}

/// Whatever a closure does with the connection.
pub(crate) fn doing<F: Future<Output = ()> + Send + 'static>(act: impl Fn(Pipe) -> F + Send + Sync + 'static) -> Script {
    Arc::new(move |pipe| Box::pin(act(pipe)))
}

/// A network of such nodes by host name. A host that is not there refuses.
#[derive(Clone, Default)]
pub(crate) struct Network {
    nodes: Arc<HashMap<String, Script>>,
    connecting: Duration,
}

impl Network {
    pub(crate) fn new<const N: usize>(nodes: [(&str, Script); N]) -> Self {
        Network {
            nodes: Arc::new(nodes.into_iter().map(|(name, script)| (name.to_owned(), script)).collect()),
            connecting: Duration::ZERO,
        }
    }

    pub(crate) fn from_scripts(nodes: impl Iterator<Item = (String, Script)>) -> Self {
        Network { nodes: Arc::new(nodes.collect()), connecting: Duration::ZERO }
    }

    /// The same, but a connection takes this long.
    pub(crate) fn slow_to_connect(self, connecting: Duration) -> Self {
        Network { connecting, ..self }
    }

    pub(crate) fn transport(self) -> Arc<dyn Transport> {
        Arc::new(over(self, &ClientSettings::default()))
    }

    pub(crate) fn client(self) -> NodeClient {
        NodeClient::new(self.transport(), "here", 1024).unwrap()
    }
}

impl tower::Service<Uri> for Network {
    type Response = GatewayEnd;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<GatewayEnd>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        let script = uri.host().and_then(|host| self.nodes.get(host)).cloned();
        let connecting = self.connecting;
        Box::pin(async move {
            tokio::time::sleep(connecting).await;
            let script = script.ok_or(io::ErrorKind::ConnectionRefused)?;
            let (near, far) = tokio::io::duplex(64 * 1024);
            tokio::spawn(script(Pipe(far)));
            Ok(GatewayEnd(TokioIo::new(near)))
        })
    }
}

/// The gateway's end of a connection.
pub(crate) struct GatewayEnd(TokioIo<DuplexStream>);

impl Connection for GatewayEnd {
    fn connected(&self) -> Connected {
        Connected::new()
    }
}

impl hyper::rt::Read for GatewayEnd {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: ReadBufCursor<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(cx, buf)
    }
}

impl hyper::rt::Write for GatewayEnd {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(cx)
    }
}

/// An endpoint of the network: its id is its host.
pub(crate) fn endpoint(host: &str) -> crate::registry::Endpoint {
    use crate::ids::{EndpointId, NodeId, OrganisationId, SystemId};
    use crate::registry::{Endpoint, Membership, Node, NodeOrdering};
    Endpoint {
        id: EndpointId::new(host),
        node: Arc::new(Node {
            id: NodeId::new(format!("node-{host}")),
            system_id: SystemId::new(format!("{host}.example.org")),
            creating_system_ids: Vec::new(),
            product: None,
            version: None,
        }),
        organisation: OrganisationId::new("org"),
        url: format!("http://{host}/base/").parse().unwrap(),
        membership: Membership::Active,
        per_node: None,
        ordering: NodeOrdering::Trusted,
        consent_refusal_codes: vec!["no-consent".to_owned()],
        credentials: super::Credentials::None,
    }
}
