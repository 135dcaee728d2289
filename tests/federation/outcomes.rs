//! What becomes of a node's answer: each row of SPEC §2.4, and what follows from it (§2.5).

use std::time::Duration;

use tributary_sandbox::wire::Fault;

use crate::harness::{Answer, World, four};

/// A member that answers badly has this long; the others have as long as a busy machine may want.
const PER_NODE: &str = "per_node_ms = 700";

async fn world(seed: u64) -> World {
    let timeouts = "[timeouts]\nper_node_ms = 30000\noverall_ms = 60000\n\n[limits]\nmax_node_bytes = 300000";
    let codes = "consent_refusal_codes = [\"consent-denied\"]";
    four(seed).at("hospital-b", PER_NODE).at("hospital-b", codes).with(timeouts).start().await
}

/// The query's answer, whole and in part, when hospital-b is struck by a fault. Both while the others are well.
async fn struck(world: &World, fault: &Fault) -> (Answer, Answer) {
    world.node("hospital-b").faults().always(fault.clone());
    let aql = world.uids_of(0);
    let both = tokio::join!(world.query(&aql).send(), world.query(&aql).partial().send());
    world.node("hospital-b").faults().clear();
    both
}

/// The fault leads to this status, and `all` and `partial` to what that means.
async fn leads_to(world: &World, fault: Fault, status: &str, says: &str) {
    let (all, part) = struck(world, &fault).await;
    let (http, code, issue) = match status {
        "node-error" => (424, "endpoint-failed", "incomplete"),
        "time-out" => (504, "endpoint-unavailable", "timeout"),
        _ => (504, "endpoint-unavailable", "transient"),
    };
    all.is_failure(http, code);
    part.is_answer(false, &["active", status, "active", "active"]);
    assert!(!part.rows().is_empty(), "the others' rows are answered: {}", part.text);
    for answer in [&all, &part] {
        let report = answer.endpoint("hospital-b");
        assert_eq!(report["status"], status, "{fault:?}: {}", answer.text);
        assert!(report["error"].as_str().unwrap().contains(says), "{fault:?}: {report}");
        assert!(report["latency_ms"].is_u64(), "{report}");
        assert_eq!(answer.issues(), [issue], "{fault:?}");
        assert_eq!(answer.statuses(), ["active", status, "active", "active"], "nobody else is touched by {fault:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_usable_result_set_is_active_and_so_is_one_without_rows() {
    let world = world(50).await;
    let whole = world.query(&world.uids_of(0)).send().await;
    whole.is_answer(true, &["active"; 4]);
    let of_b = whole.endpoint("hospital-b")["row_count"].as_u64().unwrap();
    for fault in [Fault::NoContent, Fault::Body("{\"q\":\"x\",\"columns\":[]}".into()), Fault::Body("{\"rows\":[]}".into())] {
        let (all, part) = struck(&world, &fault).await;
        for answer in [all, part] {
            answer.is_answer(true, &["active"; 4]);
            assert_eq!(answer.endpoint("hospital-b")["row_count"], 0, "{fault:?}");
            assert_eq!(answer.rows().len() as u64, whole.rows().len() as u64 - of_b, "{fault:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_endpoint_that_cannot_be_reached_is_offline() {
    let world = world(51).await;
    leads_to(&world, Fault::Reset, "offline", "connection").await;
    leads_to(&world, Fault::CloseOnAccept, "offline", "").await;
    world.node("hospital-b").server().go_down().await;
    let refused = world.query(&world.uids_of(0)).send().await;
    refused.is_failure(504, "endpoint-unavailable");
    assert_eq!(refused.statuses(), ["active", "offline", "active", "active"]);
    world.node("hospital-b").server().come_back().await.unwrap();
    world.query(&world.uids_of(0)).send().await.is_answer(true, &["active"; 4]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_does_not_resolve_and_a_peer_without_tls_are_offline() {
    let elsewhere = |url: &str| {
        format!(
            "[[organisation]]\nid = \"org-x\"\n\n[[node]]\nid = \"node-x\"\nsystem_id = \"x.example.org\"\n\n[[endpoint]]\nid = \"x\"\nnode = \"node-x\"\norganisation = \"org-x\"\nurl = \"{url}\""
        )
    };
    for (seed, url) in [(52, "http://no-such-host.invalid"), (53, "https://127.0.0.1:{a}")] {
        let world = four(seed).with("[egress]\nrequire_https = false").with(&elsewhere(url)).start().await;
        let answer = world.query("SELECT COUNT(*) FROM EHR e").at("x,hospital-a").send().await;
        answer.is_failure(504, "endpoint-unavailable");
        assert_eq!(answer.endpoint("x")["status"], "offline", "{}", answer.text);
        assert!(answer.endpoint("x")["error"].is_string());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_endpoint_without_a_full_answer_in_time_is_timed_out() {
    let world = world(54).await;
    leads_to(&world, Fault::HangBeforeHeaders, "time-out", "no full answer within").await;
    leads_to(&world, Fault::HangMidBody, "time-out", "").await;
    leads_to(&world, Fault::Drip { bytes: 1, every: Duration::from_millis(50) }, "time-out", "").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_http_error_or_an_unusable_body_is_a_node_error_with_the_status() {
    let world = world(55).await;
    for status in [400, 401, 403, 404, 408, 422, 429, 500, 502, 503, 504] {
        leads_to(&world, Fault::Status(status, "{\"message\":\"no\"}".into()), "node-error", &status.to_string()).await;
    }
    leads_to(&world, Fault::ConsentRefusal("some-other-code".into()), "node-error", "403").await;
    for fault in [
        Fault::MalformedJson,
        Fault::RowsNotArrays,
        Fault::ShortRows,
        Fault::Body("[]".into()),
        Fault::Body("null".into()),
        Fault::Body(String::new()),
        Fault::Body("<html>not found</html>".into()),
        Fault::Body("{\"rows\":{}}".into()),
        Fault::Body("{\"rows\":[[1,2]]}".into()),
        Fault::Body("{\"rows\":[[1]]} and more".into()),
        Fault::Body(format!("{{\"rows\":[[{}]]}}", "[".repeat(5000))),
    ] {
        leads_to(&world, fault, "node-error", "200").await;
    }
    leads_to(&world, Fault::Oversize(1 << 20), "node-error", "limits.max_node_bytes").await;
    leads_to(&world, Fault::ResetMidBody, "node-error", "").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_empty_object_is_no_result_set_that_anyone_could_mistake_for_rows() {
    let world = world(56).await;
    let (all, _) = struck(&world, &Fault::EmptyObject).await;
    // Either reading is allowed by what servers do; rows of others must never be lost or invented.
    match all.status() {
        200 => assert_eq!(all.endpoint("hospital-b")["row_count"], 0),
        _ => all.is_failure(424, "endpoint-failed"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn redirects_are_never_followed() {
    let world = world(57).await;
    let elsewhere = format!("{}/v1/query/aql", world.node("hospital-c").url());
    let before = world.node("hospital-c").journal().requests().len();
    leads_to(&world, Fault::Redirect(elsewhere), "node-error", "307").await;
    let requests = world.node("hospital-c").journal().requests().len();
    assert_eq!(requests, before + 2, "hospital-c was asked its own two times");
}

#[tokio::test(flavor = "multi_thread")]
async fn n27_a_refusal_by_a_configured_code_is_consent_denied() {
    let world = world(58).await;
    let (all, part) = struck(&world, &Fault::ConsentRefusal("consent-denied".into())).await;
    for answer in [all, part] {
        answer.is_answer(false, &["active", "consent-denied", "active", "active"]);
        assert_eq!(answer.issues(), ["forbidden"]);
        assert!(!answer.rows().is_empty());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn n37_who_did_not_answer_outweighs_who_failed() {
    let world = world(59).await;
    world.node("hospital-a").faults().always(Fault::Status(500, "{}".into()));
    world.node("hospital-b").faults().always(Fault::Reset);
    let all = world.query(&world.uids_of(0)).send().await;
    all.is_failure(504, "endpoint-unavailable");
    assert_eq!(all.statuses(), ["node-error", "offline", "active", "active"]);
    for endpoint in ["hospital-c", "hospital-d"] {
        world.node(endpoint).faults().always(Fault::Reset);
    }
    let none = world.query(&world.uids_of(0)).partial().send().await;
    none.is_answer(false, &["node-error", "offline", "offline", "offline"]);
    assert!(none.rows().is_empty(), "nothing came, and that is what is said");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_is_sent_a_post_with_the_whole_query_and_nothing_else() {
    let world = world(60).await;
    let aql = format!("{} ORDER BY c/uid/value", world.uids_of(0).replace("c/uid/value FROM", "c/uid/value AS uid FROM"));
    let aql = aql.replace("WHERE", "WHERE c/name/value != $name AND");
    let ask = world.query(&aql).member("query_parameters", serde_json::json!({ "name": "O'Neil" }));
    let ask = ask.member("fetch", 3.into()).header("authorization", "Bearer SECRETTOKEN").header("cookie", "a=SECRETTOKEN");
    ask.header("x-forwarded-for", "203.0.113.9").send().await.is_answer(true, &["active"; 4]);
    for node in world.federation.nodes() {
        for request in node.journal().requests().iter().filter(|request| request.method != "OPTIONS") {
            assert_eq!((request.method.as_str(), request.target.as_str()), ("POST", "/v1/query/aql"));
            let body: serde_json::Value = serde_json::from_slice(&request.body).unwrap();
            assert_eq!(body.as_object().unwrap().keys().collect::<Vec<_>>(), ["q"]);
            let q = body["q"].as_str().unwrap();
            assert!(q.contains("LIMIT 3") && q.contains("O\\'Neil") && q.contains("e/ehr_id/value = '"), "{q}");
            assert!(request.header("via").is_some_and(|via| via.contains("tributary-sandbox")), "{request:?}");
            assert!(request.header("authorization").is_none() && request.header("cookie").is_none());
        }
        assert!(!node.journal().contains("SECRETTOKEN") && !node.journal().contains("203.0.113.9"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_node_says_is_cut_escaped_and_never_the_patient() {
    let world = world(61).await;
    let said = format!("no such thing \u{7} as {} in {} {}", world.patient(0), "urn:oid:2.999.1", "x".repeat(5000));
    let body = serde_json::json!({ "message": said, "code": "e" }).to_string();
    leads_to(&world, Fault::Status(400, body), "node-error", "400").await;
    let encoded = format!("at http://user:pw@host/{}", world.patient(0).replace('-', "%2D"));
    leads_to(&world, Fault::Status(500, serde_json::json!({ "message": encoded }).to_string()), "node-error", "500").await;
    let (all, _) = struck(&world, &Fault::Status(500, serde_json::json!({ "message": "y".repeat(9000) }).to_string())).await;
    assert!(all.endpoint("hospital-b")["error"].as_str().unwrap().len() < 400, "{}", all.text);
    assert!(!all.text.contains("user:pw"));
}
