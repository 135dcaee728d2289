//! Time: one slow node holds up nobody beyond its limit, a client may shorten, and whoever hangs up frees the nodes (§2.4, CP-31).

use std::time::{Duration, Instant};

use serde_json::json;
use tributary_sandbox::wire::Fault;

use crate::harness::{World, four};

const GENEROUS: &str = "[timeouts]\nper_node_ms = 40000\noverall_ms = 60000";
/// Longer than this nothing here may take, on however busy a machine, unless somebody waited for what never comes.
const FAR: Duration = Duration::from_secs(30);

#[tokio::test(flavor = "multi_thread")]
async fn one_slow_node_delays_no_answer_past_its_own_limit() {
    let world = four(110).at("hospital-a", "per_node_ms = 500").with(GENEROUS).start().await;
    for fault in [Fault::HangBeforeHeaders, Fault::HangMidBody, Fault::Drip { bytes: 1, every: Duration::from_millis(100) }] {
        world.node("hospital-a").faults().always(fault.clone());
        let started = Instant::now();
        let answer = world.query(&world.uids_of(0)).partial().send().await;
        assert!(started.elapsed() < FAR, "{fault:?} held the answer for {:?}", started.elapsed());
        answer.is_answer(false, &["time-out", "active", "active", "active"]);
        let latency = answer.endpoint("hospital-a")["latency_ms"].as_u64().unwrap();
        assert!((500..FAR.as_millis() as u64).contains(&latency), "{latency}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_node_is_waited_for_within_its_limit_and_aborts_nobody() {
    let world = four(111).with(GENEROUS).start().await;
    let fast = world.query(&world.uids_of(0)).send().await;
    world.node("hospital-b").faults().always(Fault::Delay(Duration::from_millis(900)));
    let slow = world.query(&world.uids_of(0)).send().await;
    slow.is_answer(true, &["active"; 4]);
    assert_eq!(slow.rows(), fast.rows());
    assert!(slow.endpoint("hospital-b")["latency_ms"].as_u64().unwrap() >= 900);
}

#[tokio::test(flavor = "multi_thread")]
async fn prefer_wait_shortens_and_never_lengthens() {
    let world = four(112).with(GENEROUS).start().await;
    world.node("hospital-c").faults().always(Fault::HangBeforeHeaders);
    let started = Instant::now();
    let answer = world.query(&world.uids_of(0)).header("prefer", "wait=2").send().await;
    assert!(started.elapsed() < FAR && started.elapsed() >= Duration::from_secs(2), "{:?}", started.elapsed());
    answer.is_failure(504, "endpoint-unavailable");
    assert_eq!(answer.endpoint("hospital-c")["status"], "time-out");
    let told = json!({ "per_node_ms": 2000, "overall_ms": 2000, "policy": "abandon-and-mark" });
    assert_eq!(answer.federation()["timeout"], told);
    world.node("hospital-c").faults().clear();
    for preference in ["wait=3600", "wait=100000000000000000000", "wait=soon", "respond-later"] {
        let answer = world.query(&world.uids_of(0)).header("prefer", preference).send().await;
        answer.is_answer(true, &["active"; 4]);
        assert_eq!(answer.federation()["timeout"]["overall_ms"], 60_000, "{preference}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_overall_budget_ends_everything() {
    let world = four(113).with("[timeouts]\nper_node_ms = 1500\noverall_ms = 1500").start().await;
    for node in world.federation.nodes() {
        node.faults().always(Fault::HangBeforeHeaders);
    }
    let started = Instant::now();
    let answer = world.query(&world.uids_of(0)).send().await;
    assert!(started.elapsed() < FAR);
    answer.is_failure(504, "endpoint-unavailable");
    assert_eq!(answer.statuses(), ["time-out"; 4]);
}

fn open(world: &World) -> usize {
    world.federation.nodes().iter().map(|node| node.server().open_connections()).sum()
}

/// Waits until so many connections to nodes are open.
async fn until_open(world: &World, wanted: impl Fn(usize) -> bool) {
    let started = Instant::now();
    while !wanted(open(world)) {
        assert!(started.elapsed() < FAR, "{} connections are open", open(world));
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_hangs_up_frees_the_nodes() {
    let world = four(114).with(GENEROUS).start().await;
    for fault in [Fault::HangBeforeHeaders, Fault::HangMidBody] {
        for node in world.federation.nodes() {
            node.faults().always(fault.clone());
        }
        let aql = world.uids_of(0);
        let url = world.url("/v1/query/aql");
        let client = reqwest::Client::new();
        let request = client.post(url).header("content-type", "application/json").body(json!({ "q": aql }).to_string());
        let waiting = tokio::spawn(request.send());
        until_open(&world, |count| count == 4).await;
        waiting.abort();
        drop(client);
        until_open(&world, |count| count == 0).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_abandoned_nodes_connection_is_closed() {
    let world = four(115).at("hospital-a", "per_node_ms = 500").with(GENEROUS).start().await;
    world.node("hospital-a").faults().always(Fault::HangBeforeHeaders);
    world.query(&world.uids_of(0)).partial().send().await;
    let started = Instant::now();
    while world.node("hospital-a").server().open_connections() > 0 {
        assert!(started.elapsed() < FAR);
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
