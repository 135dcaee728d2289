//! A server on a loopback port of its own: it can be taken down and brought back at the same address, and stops when dropped.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::task::{Context, Poll};

use axum::Router;
use axum::extract::connect_info::Connected;
use axum::serve::IncomingStream;
use futures_util::task::AtomicWaker;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use super::apply;
use super::{Faults, Journal};

/// A running server.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    router: Router,
    parts: Parts,
    task: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Clone, Debug, Default)]
struct Parts {
    journal: Arc<Journal>,
    faults: Arc<Faults>,
    connections: Arc<Mutex<Vec<Weak<Connection>>>>,
}

impl Server {
    /// Serves the router on a free port of `127.0.0.1`. Needs a tokio runtime.
    ///
    /// # Errors
    /// No port can be had.
    pub async fn start(router: Router) -> io::Result<Server> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let address = listener.local_addr()?;
        let parts = Parts::default();
        let router = router.layer(axum::middleware::from_fn_with_state(Arc::clone(&parts.faults), apply::strike));
        let server = Server { address, router, parts, task: Mutex::new(None) };
        server.serve(listener);
        Ok(server)
    }

    fn serve(&self, inner: TcpListener) {
        let listener = Listener { inner, parts: self.parts.clone() };
        let service = self.router.clone().into_make_service_with_connect_info::<Peer>();
        let task = tokio::spawn(async move {
            // Serving ends only with the task.
            let _ = axum::serve(listener, service).await;
        });
        *self.task.lock().unwrap_or_else(PoisonError::into_inner) = Some(task);
    }

    /// `http://127.0.0.1:port`, without a path.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The address it listens on.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What it received.
    #[must_use]
    pub fn journal(&self) -> &Journal {
        &self.parts.journal
    }

    /// What goes wrong with it.
    #[must_use]
    pub fn faults(&self) -> &Faults {
        &self.parts.faults
    }

    /// How many connections are open.
    #[must_use]
    pub fn open_connections(&self) -> usize {
        let mut connections = self.parts.connections.lock().unwrap_or_else(PoisonError::into_inner);
        connections.retain(|connection| connection.strong_count() > 0);
        connections.len()
    }

    /// Stops listening and resets every connection: connections are refused until [`Server::come_back`].
    pub async fn go_down(&self) {
        let task = self.task.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(task) = task {
            task.abort();
            // The listener is closed once the task has ended.
            let _ = task.await;
        }
        self.cut_connections();
    }

    /// Listens again at the same address.
    ///
    /// # Errors
    /// Somebody took the port meanwhile.
    pub async fn come_back(&self) -> io::Result<()> {
        let listener = TcpListener::bind(self.address).await?;
        self.serve(listener);
        Ok(())
    }

    /// Resets every open connection.
    pub fn cut_connections(&self) {
        let mut connections = self.parts.connections.lock().unwrap_or_else(PoisonError::into_inner);
        connections.drain(..).filter_map(|connection| connection.upgrade()).for_each(|connection| connection.reset());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(task) = self.task.get_mut().unwrap_or_else(PoisonError::into_inner).take() {
            task.abort();
        }
        self.cut_connections();
    }
}

/// A handle on one connection, by which it can be reset from outside.
#[derive(Debug, Default)]
pub(super) struct Connection {
    dead: AtomicBool,
    reader: AtomicWaker,
    writer: AtomicWaker,
}

impl Connection {
    /// Resets the connection at its next move.
    pub(super) fn reset(&self) {
        self.dead.store(true, Ordering::SeqCst);
        self.reader.wake();
        self.writer.wake();
    }

    fn check(&self, waker: &AtomicWaker, context: &Context<'_>) -> io::Result<()> {
        waker.register(context.waker());
        if self.dead.load(Ordering::SeqCst) { Err(io::ErrorKind::ConnectionReset.into()) } else { Ok(()) }
    }
}

/// The connection a request came by.
#[derive(Clone, Debug)]
pub(super) struct Peer(pub(super) Arc<Connection>);

impl Connected<IncomingStream<'_, Listener>> for Peer {
    fn connect_info(stream: IncomingStream<'_, Listener>) -> Self {
        Peer(Arc::clone(stream.remote_addr()))
    }
}

/// Accepts, and wraps what it accepts.
pub(super) struct Listener {
    inner: TcpListener,
    parts: Parts,
}

impl axum::serve::Listener for Listener {
    type Io = Recorded;
    type Addr = Arc<Connection>;

    async fn accept(&mut self) -> (Recorded, Arc<Connection>) {
        loop {
            let Ok((stream, _)) = self.inner.accept().await else {
                tokio::task::yield_now().await;
                continue;
            };
            if self.parts.faults.closes_connection() {
                drop(stream);
                continue;
            }
            // Small answers must not wait for acknowledgements.
            let _ = stream.set_nodelay(true);
            let connection = Arc::new(Connection::default());
            let mut open = self.parts.connections.lock().unwrap_or_else(PoisonError::into_inner);
            open.retain(|connection| connection.strong_count() > 0);
            open.push(Arc::downgrade(&connection));
            drop(open);
            let journal = Arc::clone(&self.parts.journal);
            let record = journal.open();
            return (Recorded { stream, journal, record, connection: Arc::clone(&connection) }, connection);
        }
    }

    fn local_addr(&self) -> io::Result<Arc<Connection>> {
        Ok(Arc::default())
    }
}

/// A stream whose every byte read goes to the journal.
pub(super) struct Recorded {
    stream: TcpStream,
    journal: Arc<Journal>,
    record: usize,
    connection: Arc<Connection>,
}

impl Drop for Recorded {
    fn drop(&mut self) {
        if self.connection.dead.load(Ordering::SeqCst) {
            // Closing with nothing to linger for sends RST instead of FIN.
            let _ = self.stream.set_zero_linger();
        }
    }
}

impl AsyncRead for Recorded {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        this.connection.check(&this.connection.reader, context)?;
        let before = buffer.filled().len();
        let read = Pin::new(&mut this.stream).poll_read(context, buffer);
        this.journal.record(this.record, buffer.filled().get(before..).unwrap_or_default());
        read
    }
}

impl AsyncWrite for Recorded {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        this.connection.check(&this.connection.writer, context)?;
        Pin::new(&mut this.stream).poll_write(context, bytes)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        this.connection.check(&this.connection.writer, context)?;
        Pin::new(&mut this.stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }
}
