//! Many queries at once: none fails, and nothing is held when they have ended.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]
#![expect(dead_code, reason = "the harness serves other tests too")]

#[path = "federation/harness.rs"]
mod harness;
#[path = "federation/log.rs"]
mod log;

use std::time::Duration;

use futures_util::future::join_all;
use harness::{World, four};
use serde_json::json;

const CLIENTS: usize = 10;
const EACH: usize = 100;
/// What a second thousand of queries may leave behind: far more than an allocator's noise, far less than their answers.
const GROWTH: usize = 48 * 1024 * 1024;

/// A thousand queries under way at the same time, over a few connections.
async fn thousand(world: &World) {
    let aql = format!("{} ORDER BY c/uid/value LIMIT 20", world.uids_of(0));
    let body = json!({ "q": aql }).to_string();
    let clients: Vec<reqwest::Client> =
        (0..CLIENTS).map(|_| reqwest::Client::builder().http2_prior_knowledge().build().unwrap()).collect();
    let ask = |client: &reqwest::Client| {
        let request = client.post(world.url("/v1/query/aql")).header("content-type", "application/json").body(body.clone());
        let sending = request.timeout(Duration::from_secs(300)).send();
        async move {
            let response = sending.await.unwrap();
            (response.status().as_u16(), response.text().await.unwrap())
        }
    };
    let answers = join_all(clients.iter().flat_map(|client| (0..EACH).map(move |_| client)).map(ask)).await;
    assert_eq!(answers.len(), CLIENTS * EACH);
    let rows = |text: &str| text.split_once("\"rows\":").unwrap().1.to_owned();
    let first = rows(&answers[0].1);
    for (status, text) in &answers {
        assert_eq!(*status, 200, "{text}");
        assert_eq!(rows(text), first, "every answer is the same");
    }
}

/// Resident memory, in bytes.
fn resident() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().trim_end_matches("kB").trim().parse::<usize>().ok().map(|kilobytes| kilobytes * 1024)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_queries_at_once_end_well_and_leave_nothing_behind() {
    let patience = "[timeouts]\nper_node_ms = 280000\noverall_ms = 290000";
    let world = four(150).with(patience).start().await;
    thousand(&world).await;
    world.judge();
    let before = resident();
    thousand(&world).await;
    world.judge();
    if let (Some(before), Some(after)) = (before, resident()) {
        assert!(after < before + GROWTH, "{} MB became {} MB", before >> 20, after >> 20);
    }
    world.query(&world.uids_of(0)).send().await.is_answer(true, &["active"; 4]);
}
