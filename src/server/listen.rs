//! The listener: accepts, bounds the time for a request's head, and stops gracefully.

use std::io;
use std::net::TcpListener;
use std::time::Duration;

use axum::Router;
use axum_server::Handle;
use axum_server::accept::NoDelayAcceptor;
use hyper_util::rt::TokioTimer;

/// A client that has not sent its request's head by then is not going to.
const HEADER_TIME: Duration = Duration::from_secs(10);
/// The most a request's head may take in memory.
const HEADER_BYTES: usize = 64 * 1024;
/// How long answers under way may take once the gateway is told to stop.
pub const DRAIN_TIME: Duration = Duration::from_secs(20);

/// Serves until the handle is told to stop, then until the answers under way are out or [`DRAIN_TIME`] is over.
///
/// # Errors
/// When the listener cannot be used.
pub async fn serve(listener: TcpListener, router: Router, handle: Handle<std::net::SocketAddr>) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    // An answer goes out in several writes: without this the last would wait for the client's delayed acknowledgement.
    let mut server = axum_server::from_tcp(listener)?.acceptor(NoDelayAcceptor::new()).handle(handle);
    server
        .http_builder()
        .http1()
        .timer(TokioTimer::new()) // the header time-out needs one
        .header_read_timeout(HEADER_TIME)
        .max_buf_size(HEADER_BYTES);
    server.http_builder().http2().timer(TokioTimer::new()).max_header_list_size(HEADER_BYTES as u32);
    server.serve(router.into_make_service()).await
}
