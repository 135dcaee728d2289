//! Fan-outs over in-process nodes under paused time.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;

use super::*;
use crate::budget::Budget;
use crate::ids::EhrId;
use crate::intake::DedupMode;
use crate::node::memory::{Network, Script, answering, doing, endpoint};
use crate::node::{Gate, NoIdentifier, Permits};
use crate::plan::{CellSource, CombineSpec, Cut, KeySource, SortKey};
use crate::registry::NodeOrdering;
use crate::select::{Decision as Selected, Member};

const SECOND: Duration = Duration::from_secs(1);
const NOW: Duration = Duration::ZERO;

/// Asks for one column, ordered when there is a LIMIT.
struct Simple(CombineSpec, Box<dyn Gate>);

impl Simple {
    fn limited_to(limit: Option<u64>) -> Arc<Self> {
        let keys = limit.map(|_| SortKey { by: KeySource::Node(0), descending: false });
        Arc::new(Simple(
            CombineSpec {
                node_width: 1,
                cells: vec![CellSource::Node(0)],
                keys: keys.into_iter().collect(),
                uid: None,
                distinct: false,
                offset: 0,
                limit,
                pushed_limit: limit,
                dedup: DedupMode::None,
                aggregates: None,
                single: false,
            },
            Box::new(NoIdentifier),
        ))
    }
}

impl Question for Simple {
    fn text(&self, ehr_id: Option<&EhrId>, cut: Cut) -> String {
        let limit = self.0.pushed_limit.filter(|_| cut == Cut::Pushed).map(|limit| format!(" LIMIT {limit}"));
        let ehr_id = ehr_id.map_or("-", EhrId::as_str);
        format!("SELECT e FROM EHR e WHERE e/ehr_id/value = '{ehr_id}'{}", limit.unwrap_or_default())
    }

    fn spec(&self) -> &CombineSpec {
        &self.0
    }

    fn gate(&self) -> &dyn Gate {
        &*self.1
    }
}

fn any() -> Arc<Simple> {
    Simple::limited_to(None)
}

fn member(host: &str) -> Member {
    Member { endpoint: Arc::new(endpoint(host)), decision: Selected::Ask(Some(EhrId::new(format!("ehr-{host}")))) }
}

fn rows(count: usize) -> String {
    format!(r#"{{"rows":[{}]}}"#, vec!["[1]"; count].join(","))
}

/// Requests in all, and at one endpoint.
type Most = (usize, usize);

fn fanout(network: Network, (inflight, per_endpoint): Most) -> Fanout {
    Fanout::new(network.client(), Arc::new(Permits::new(inflight, per_endpoint)), 100)
}

const ROOMY: Most = (100, 100);

/// id, status, whole seconds of latency, rows.
fn told(outcomes: &[Outcome]) -> Vec<(String, &'static str, Option<u64>, Option<usize>)> {
    let tell = |outcome: &Outcome| {
        let seconds = outcome.latency.map(|latency| latency.as_secs());
        (outcome.endpoint.id.to_string(), outcome.status.as_str(), seconds, outcome.rows.as_ref().map(NodeRows::len))
    };
    outcomes.iter().map(tell).collect()
}

fn mute() -> Script {
    doing(|mut pipe| async move { pipe.hung_up().await })
}

#[tokio::test(start_paused = true)]
async fn cp31_a_mute_node_is_time_out_and_the_others_answer() {
    let network = Network::new([
        ("a", answering(SECOND * 2, "200 OK", rows(2))),
        ("b", mute()),
        ("c", answering(NOW, "500 Internal Server Error", "")),
        ("d", answering(NOW, "200 OK", "[")),
    ]);
    let mut members: Vec<_> = ["a", "b", "c", "d", "gone"].map(member).into();
    let settled = Selected::Settled { status: EndpointStatus::NotLocalized, reason: None };
    members.push(Member { decision: settled, ..member("other") });
    members.push(Member { decision: Selected::Unknown { reason: "down".to_owned() }, ..member("unknown") });
    let started = Instant::now();
    let budget = Budget::start(SECOND * 60, SECOND * 5);
    let outcomes = fanout(network, ROOMY).ask(members, any(), budget).await.unwrap();
    let named = |id: &str, status, latency, rows| (id.to_owned(), status, latency, rows);
    let expected = [
        named("a", "active", Some(2), Some(2)),
        named("b", "time-out", Some(5), None),
        named("c", "node-error", Some(0), None),
        named("d", "node-error", Some(0), None),
        named("gone", "offline", Some(0), None),
        named("other", "not-localized", None, None),
        named("unknown", "not-resolved", None, None),
    ];
    assert_eq!(told(&outcomes), expected);
    assert_eq!(started.elapsed().as_secs(), 5, "no longer than the limit of the slowest");
    let outages: Vec<_> =
        outcomes.iter().filter(|outcome| outcome.unresolved_by_outage).map(|o| o.endpoint.id.as_str()).collect();
    assert_eq!(outages, ["unknown"]);
}

#[tokio::test(start_paused = true)]
async fn cp31_every_limit_only_ever_shortens() {
    let cases = [
        ("the per-node limit", Budget::start(SECOND * 60, SECOND * 5), None, 5),
        ("the endpoint's own limit", Budget::start(SECOND * 60, SECOND * 5), Some(SECOND * 3), 3),
        ("an own limit cannot lengthen", Budget::start(SECOND * 60, SECOND * 5), Some(SECOND * 9), 5),
        ("the overall budget", Budget::start(SECOND * 4, SECOND * 5), None, 4),
        ("a shorter wish", Budget::start(SECOND * 60, SECOND * 5).shortened(SECOND * 2), None, 2),
        ("a longer wish", Budget::start(SECOND * 4, SECOND * 5).shortened(SECOND * 20), None, 4),
    ];
    for (name, budget, own, expected) in cases {
        let budget = restarted(budget);
        let mut slow = endpoint("a");
        slow.per_node = own;
        let members = vec![Member { endpoint: Arc::new(slow), ..member("a") }];
        let fanout = fanout(Network::new([("a", mute())]), ROOMY);
        let outcomes = fanout.ask(members, any(), budget).await.unwrap();
        assert_eq!(told(&outcomes), [("a".to_owned(), "time-out", Some(expected), None)], "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn cp31_whoever_is_outstanding_at_the_end_of_the_budget_is_time_out() {
    let never = || Network::new([("a", mute())]).slow_to_connect(SECOND * 600);
    let cases = [
        ("its own limit ends the connecting", Budget::start(SECOND * 60, SECOND * 3), "offline", 3),
        ("the budget ends it", Budget::start(SECOND * 3, SECOND * 5), "time-out", 3),
    ];
    for (name, budget, status, seconds) in cases {
        let outcomes = fanout(never(), ROOMY).ask(vec![member("a")], any(), restarted(budget)).await.unwrap();
        assert_eq!(told(&outcomes), [("a".to_owned(), status, Some(seconds), None)], "{name}");
    }
    let fanout = fanout(never(), (1, 1));
    let short = Budget::start(SECOND * 2, SECOND * 5);
    let (_, second) = tokio::join!(fanout.ask(vec![member("a")], any(), short), fanout.ask(vec![member("a")], any(), short));
    assert_eq!(told(&second.unwrap()), [("a".to_owned(), "time-out", Some(0), None)], "not even contacted");
}

/// The cases are made together; each starts its clock when it runs.
fn restarted(budget: Budget) -> Budget {
    Budget::start(budget.overall(), budget.per_node())
}

#[tokio::test(start_paused = true)]
async fn dropping_the_request_frees_the_connections_at_the_nodes() {
    let freed = Arc::new(Notify::new());
    let node = doing({
        let freed = Arc::clone(&freed);
        move |mut pipe| {
            let freed = Arc::clone(&freed);
            async move {
                pipe.hung_up().await;
                freed.notify_one();
            }
        }
    });
    let fanout = fanout(Network::new([("a", node)]), (1, 100));
    let budget = Budget::start(SECOND * 60, SECOND * 60);
    let asked = fanout.ask(vec![member("a")], any(), budget);
    assert!(tokio::time::timeout(SECOND, asked).await.is_err(), "the client hangs up");
    tokio::time::timeout(SECOND, freed.notified()).await.expect("the node sees the connection end");
    let outcomes = fanout.ask(vec![member("gone")], any(), budget).await.unwrap();
    assert_eq!(outcomes[0].latency, Some(NOW), "and the permit is free");
}

#[tokio::test(start_paused = true)]
async fn waiting_for_leave_counts_against_the_time_and_is_reported() {
    let network = Network::new([("a", answering(SECOND * 3, "200 OK", rows(1))), ("b", answering(NOW, "200 OK", rows(1)))]);
    let fanout = fanout(network, (2, 1));
    let budget = Budget::start(SECOND * 60, SECOND * 5);
    let ask = |host: &str| fanout.ask(vec![member(host)], any(), budget);
    let (first, second, other) = tokio::join!(ask("a"), ask("a"), ask("b"));
    assert_eq!(told(&first.unwrap()), [("a".to_owned(), "active", Some(3), Some(1))]);
    assert_eq!(told(&other.unwrap()), [("b".to_owned(), "active", Some(0), Some(1))], "a queue at one endpoint blocks no other");
    assert_eq!(told(&second.unwrap()), [("a".to_owned(), "time-out", Some(2), None)], "3 s were spent waiting for leave");
    let short = Budget::start(SECOND * 60, SECOND * 2);
    let (_, third) = tokio::join!(ask("a"), fanout.ask(vec![member("a")], any(), short));
    let third = third.unwrap();
    assert_eq!(told(&third), [("a".to_owned(), "offline", Some(0), None)]);
    assert!(third[0].error.as_deref().unwrap().starts_with("not contacted: 2000 ms"), "{third:?}");
}

/// Answers `short` when asked with LIMIT and `long` when asked without, and counts the requests.
fn limited(short: usize, long: usize, asked: &Arc<AtomicUsize>) -> Script {
    let asked = Arc::clone(asked);
    doing(move |mut pipe| {
        let asked = Arc::clone(&asked);
        async move {
            while let Some(request) = pipe.request().await {
                asked.fetch_add(1, Ordering::Relaxed);
                let body = rows(if request.contains("LIMIT") { short } else { long });
                pipe.write(&format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}", body.len())).await;
            }
        }
    })
}

#[tokio::test(start_paused = true)]
async fn a_cut_that_cannot_be_relied_on_is_asked_for_whole_within_the_bound() {
    let cases = [
        ("a good cut", NodeOrdering::Trusted, 2, 9, 1, Ok(2)),
        ("LIMIT ignored", NodeOrdering::Trusted, 9, 9, 2, Ok(9)),
        ("all there is", NodeOrdering::Trusted, 1, 9, 1, Ok(1)),
        ("an untrusted node is asked whole at once", NodeOrdering::Untrusted, 2, 9, 1, Ok(9)),
        ("whole past the bound", NodeOrdering::Trusted, 9, 101, 2, Err("node-error")),
        ("untrusted past the bound", NodeOrdering::Untrusted, 2, 101, 1, Err("node-error")),
    ];
    for (name, ordering, short, long, requests, expected) in cases {
        let asked = Arc::default();
        let mut node = endpoint("a");
        node.ordering = ordering;
        let members = vec![Member { endpoint: Arc::new(node), ..member("a") }];
        let fanout = fanout(Network::new([("a", limited(short, long, &asked))]), ROOMY);
        let budget = Budget::start(SECOND * 60, SECOND * 5);
        let question = Simple::limited_to(Some(2));
        let outcomes = fanout.ask(members, question, budget).await.unwrap();
        let outcome = &outcomes[0];
        let got = outcome.rows.as_ref().map(NodeRows::len).ok_or(outcome.status.as_str());
        assert_eq!((got, asked.load(Ordering::Relaxed)), (expected, requests), "{name}: {:?}", outcome.error);
        assert_eq!(outcome.asked_whole.is_some(), requests == 2 && expected.is_ok(), "{name}: the report can say so");
        let named = outcome.error.as_deref().is_none_or(|error| error.contains("`limits.max_rows` (100)"));
        assert!(named, "{name}: {:?}", outcome.error);
    }
}

#[tokio::test(start_paused = true)]
async fn rows_of_all_nodes_together_past_the_bound_end_the_query() {
    let network = Network::new([("a", answering(NOW, "200 OK", rows(60))), ("b", answering(NOW, "200 OK", rows(60)))]);
    let budget = Budget::start(SECOND * 60, SECOND * 5);
    let asked = fanout(network, ROOMY).ask(["a", "b"].map(member).into(), any(), budget).await;
    let error = asked.unwrap_err();
    assert_eq!((error.code().as_str(), &error), ("limit-exceeded", &FanOutError::TooManyRows { most: 100 }));
}

/// Sees the identifier in what endpoint `b` would be sent.
struct Watchful;

impl Gate for Watchful {
    fn permits(&self, _: &http::request::Parts, body: &[u8]) -> bool {
        !String::from_utf8_lossy(body).contains("ehr-b")
    }

    fn hears(&self, _: &str) -> bool {
        false
    }
}

#[tokio::test(start_paused = true)]
async fn cp2_when_the_gate_refuses_one_request_none_leaves() {
    let asked = Arc::default();
    let network = Network::new([("a", limited(1, 1, &asked)), ("b", limited(1, 1, &asked))]);
    let budget = Budget::start(SECOND * 60, SECOND * 5);
    let watchful = Arc::new(Simple(any().0.clone(), Box::new(Watchful)));
    let outcome = fanout(network, ROOMY).ask(["a", "b"].map(member).into(), watchful, budget).await;
    assert_eq!(outcome.unwrap_err().code().as_str(), "identifier-leak");
    assert_eq!(asked.load(Ordering::Relaxed), 0);
}
