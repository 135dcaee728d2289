//! Bodies far larger than any buffer pass through the gateway both ways, and the process that holds gateway, repository and client
//! grows by a small part of one.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::convert::Infallible;
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::routing::{get, post};
use futures_util::{Stream, StreamExt as _, stream};
use http::StatusCode;
use tributary::config;
use tributary::server::{self, Gateway};

const UUID: &str = "7d44b88c-4199-4bad-97dc-d78268e01398";
const PIECE: usize = 64 * 1024;
const SIZE: usize = 200 * 1024 * 1024;
/// All three ends run here, and buffers of sockets and allocators count as well; one body held anywhere is three times this.
const GROWTH: usize = 64 * 1024 * 1024;

/// A body made while it is read. Each piece tells its place, so that a lost, doubled or moved one is seen.
fn body() -> impl Stream<Item = Result<Bytes, Infallible>> {
    stream::iter((0..SIZE / PIECE).map(|place| Ok(Bytes::from(vec![mark(place); PIECE]))))
}

fn mark(place: usize) -> u8 {
    (place % 251) as u8
}

/// How many bytes came, each in its place.
async fn count<E: std::fmt::Debug>(mut pieces: impl Stream<Item = Result<Bytes, E>> + Unpin) -> usize {
    let mut count = 0;
    while let Some(piece) = pieces.next().await {
        let mut rest = piece.unwrap();
        while !rest.is_empty() {
            let next = rest.split_to(rest.len().min(PIECE - count % PIECE));
            assert!(next == vec![mark(count / PIECE); next.len()], "between bytes {count} and {}", count + next.len());
            count += next.len();
        }
    }
    count
}

/// Counts what it is sent, and has one large answer.
async fn repository(received: Arc<AtomicUsize>) -> String {
    let take = async |State(received): State<Arc<AtomicUsize>>, body: Body| {
        received.store(count(body.into_data_stream()).await, Ordering::SeqCst);
        StatusCode::CREATED
    };
    let routes = Router::new()
        .route("/v1/ehr/{ehr_id}/composition", post(take))
        .route("/v1/ehr/{ehr_id}/composition/{uid}", get(async || Body::from_stream(body())))
        .with_state(received);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, routes).await.unwrap() });
    url
}

fn gateway(node: &str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let members = "[[organisation]]\nid = \"o\"\nname = \"o\"\n[[node]]\nid = \"n\"\nsystem_id = \"s\"\n[[endpoint]]\nid = \"e\"\nnode = \"n\"\norganisation = \"o\"\n";
    let settings = config::parse("test", &format!("[server]\nlisten = \"{address}\"\n{members}url = \"{node}\"\n")).unwrap();
    let router = server::router(&Gateway::new(settings).unwrap());
    tokio::spawn(server::serve(listener, router, axum_server::Handle::new()));
    format!("http://{address}/v1/ehr/{UUID}/composition")
}

/// A line of `/proc/self/status` in bytes; nothing where there is none.
fn memory(name: &str) -> Option<usize> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let kilobytes: usize = text.lines().find_map(|line| line.strip_prefix(name))?.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}

#[tokio::test(flavor = "multi_thread")]
async fn n24_200_mb_pass_both_ways_and_are_held_nowhere() {
    let received = Arc::new(AtomicUsize::new(0));
    let compositions = gateway(&repository(Arc::clone(&received)).await);
    let client = reqwest::Client::new();
    let at = |request: reqwest::RequestBuilder| request.header("openEHR-federation-endpoint", "e");
    // What is set up at the first use is not what a body takes.
    assert_eq!(at(client.post(&compositions)).send().await.unwrap().status(), 201);
    let before = memory("VmRSS:");

    let upload = at(client.post(&compositions)).body(reqwest::Body::wrap_stream(body())).send().await.unwrap();
    assert_eq!((upload.status(), received.load(Ordering::SeqCst)), (StatusCode::CREATED, SIZE));
    let download = at(client.get(format!("{compositions}/{UUID}"))).send().await.unwrap();
    assert_eq!((download.status(), count(download.bytes_stream()).await), (StatusCode::OK, SIZE));

    let (before, peak) = (before.unwrap_or_default(), memory("VmHWM:").unwrap_or_default());
    let growth = peak.saturating_sub(before);
    assert!(growth < GROWTH, "{} MB more than before", growth / (1024 * 1024));
}
