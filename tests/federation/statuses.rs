//! Which status a client gets for what: SPEC §2.5, and the surface of §1.

use http::{Method, header};
use serde_json::json;
use tributary_sandbox::synthetic::Dataset;
use tributary_sandbox::wire::Fault;

use crate::harness::{Setup, four};

#[tokio::test(flavor = "multi_thread")]
async fn s400_what_cannot_be_understood_or_answered_exactly() {
    let world = four(70)
        .with("[completeness]\nbest_effort = false\n\n[dedup]\nmodes = [\"none\"]\n\n[paging]\noffset_strategy = \"reject\"")
        .start()
        .await;
    let (uids, who) = (world.uids_of(0), world.who(0));
    let from = "FROM EHR e CONTAINS COMPOSITION c";
    let queries = [
        ("SELECT".to_owned(), "invalid-aql"),
        (format!("{uids} GROUP BY c/uid/value"), "invalid-aql"),
        (format!("SELECT x/uid/value {from} WHERE {who}"), "invalid-query"),
        (format!("SELECT TOP 3 c/uid/value {from} WHERE {who} LIMIT 3"), "invalid-query"),
        (format!("SELECT c/uid/value {from} WHERE {who} AND {}1 = 1{}", "(".repeat(3000), ")".repeat(3000)), "aql-too-complex"),
        (format!("SELECT c/uid/value {from} WHERE {who} OR c/name/value = 'x'"), "irreducible-subject"),
        (format!("SELECT c/uid/value {from} WHERE NOT {who}"), "irreducible-subject"),
        (uids.replace("= '", "!= '"), "irreducible-subject"),
        (uids.replace("= '", "LIKE '"), "irreducible-subject"),
        (format!("{uids} AND e/ehr_status/subject/external_ref/id/value = 'another'"), "irreducible-subject"),
        (format!("{uids} AND c/name/value = '{}'", world.patient(0)), "identifier-leak"),
        (format!("{uids} ORDER BY c/uid/value LIMIT 3 OFFSET 2"), "offset-unsupported"),
        (format!("SELECT COUNT(DISTINCT c/name/value) {from} WHERE {who}"), "aggregate-unsupported"),
        (format!("SELECT COUNT(*), c/name/value {from} WHERE {who}"), "aggregate-unsupported"),
        (format!("{uids} AND c/name/value = $missing"), "invalid-parameter"),
    ];
    for (aql, code) in queries {
        let answer = world.query(&aql).send().await;
        answer.is_refusal(400, code);
    }
    for (name, value, code) in [
        ("openEHR-federation-completeness", "some", "invalid-header"),
        ("openEHR-federation-completeness", "", "invalid-header"),
        ("openEHR-federation-completeness", "partial", "partial-not-offered"),
        ("openEHR-federation-dedup", "fuzzy", "invalid-header"),
        ("openEHR-federation-dedup", "version-identity", "dedup-not-offered"),
        ("openEHR-federation-endpoint", "a,,b", "invalid-header"),
        ("openEHR-federation-endpoint", "nowhere", "unknown-target"),
        ("openEHR-federation-organisation", "nowhere", "unknown-target"),
    ] {
        world.query(&uids).header(name, value).send().await.is_refusal(400, code);
    }
    for (name, value, code) in [
        ("fetch", json!("three"), "invalid-request"),
        ("fetch", json!(-1), "invalid-request"),
        ("offset", json!(1.5), "invalid-request"),
        ("query_parameters", json!([]), "invalid-request"),
        ("query_parameters", json!({ "name": null }), "invalid-parameter"),
        ("query_parameters", json!({ "name": [1] }), "invalid-parameter"),
        ("query_parameters", json!({ "name": { "a": 1 } }), "invalid-parameter"),
    ] {
        let named = format!("{uids} AND c/name/value = $name");
        let aql = if code == "invalid-parameter" { &named } else { &uids };
        world.query(aql).member(name, value).send().await.is_refusal(400, code);
    }
    world.query(&format!("{uids} LIMIT 3")).member("fetch", json!(4)).send().await.is_refusal(400, "conflicting-paging");
    world.query(&format!("{uids} LIMIT 3")).member("fetch", json!(3)).send().await.is_answer(true, &["active"; 4]);
    for (body, code) in [("", "invalid-request"), ("[]", "invalid-json"), ("{\"q\":", "invalid-json"), ("{}", "invalid-request")]
    {
        world.request(Method::POST, "/v1/query/aql").body(body).send().await.is_refusal(400, code);
    }
    world.request(Method::GET, "/v1/query/aql").send().await.is_refusal(400, "invalid-request");
    world.request(Method::GET, "/v1/query/%ff").send().await.is_refusal(400, "invalid-query-name");
    world.request(Method::POST, "/v1/query/a/%ff").send().await.is_refusal(400, "invalid-query-name");
    world.request(Method::GET, "/v1/query/aql?q=%ff").send().await.is_refusal(400, "invalid-request");
    assert_eq!(world.asked(), ["hospital-a", "hospital-b", "hospital-c", "hospital-d"], "by the one that was answered");
}

#[tokio::test(flavor = "multi_thread")]
async fn s400_an_identifier_without_a_namespace_where_no_default_is_declared() {
    let world = four(71).editing("default_namespace = \"urn:oid:2.999.1\"\n", "").start().await;
    world.query(&world.uids_of(0)).send().await.is_refusal(400, "missing-namespace");
    let with = format!("{} AND e/ehr_status/subject/external_ref/namespace = 'urn:oid:2.999.1'", world.uids_of(0));
    world.query(&with).send().await.is_answer(true, &["active"; 4]);
}

#[tokio::test(flavor = "multi_thread")]
async fn cp10_a_forbidden_aggregate_names_both_alternatives() {
    let world = four(72).with("[aggregates]\ndecomposable = []").start().await;
    let aql = world.uids_of(0).replace("c/uid/value", "COUNT(*)");
    let refused = world.query(&aql).send().await;
    refused.is_refusal(400, "aggregate-unsupported");
    let message = refused.body["message"].as_str().unwrap();
    assert!(message.contains("one endpoint") && message.contains("underlying rows"), "{message}");
    world.query(&aql).at("hospital-a").send().await.is_answer(true, &["active", "excluded", "excluded", "excluded"]);
    let offset = format!("{} ORDER BY c/uid/value LIMIT 1 OFFSET 1", world.uids_of(0));
    let one = world.query(&offset).at("hospital-a").send().await;
    assert_eq!((one.status(), one.rows().len()), (200, 1), "{}", one.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn s404_no_destination_and_no_such_resource() {
    let world = four(73).start().await;
    for path in ["/nothing", "/v2/query/aql", "/federation/nothing", "/v1/nothing"] {
        world.request(Method::GET, path).send().await.is_refusal(404, "not-found");
    }
    let empty = Setup::of(Dataset::of_members(0)).start().await;
    let answer = empty.query("SELECT e/ehr_id/value FROM EHR e").send().await;
    assert_eq!((answer.status(), answer.code()), (404, "no-destination"), "{}", answer.text);
    assert_eq!(empty.request(Method::GET, "/health/ready").send().await.status(), 503);
    assert_eq!(empty.request(Method::GET, "/health/live").send().await.status(), 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn s405_s415_s413_method_media_type_and_size() {
    let world = four(74).editing("[server]", "[server]\nmax_body_bytes = 2000").start().await;
    for method in [Method::PUT, Method::DELETE, Method::PATCH] {
        let refused = world.request(method, "/v1/query/aql").send().await;
        refused.is_refusal(405, "method-not-allowed");
        let allowed = refused.headers[header::ALLOW].to_str().unwrap();
        assert!(allowed.contains("GET") && allowed.contains("POST"), "{allowed}");
    }
    let options = world.request(Method::OPTIONS, "/v1/query/aql").send().await;
    assert_eq!(options.status(), 204);
    assert!(options.headers[header::ALLOW].to_str().unwrap().contains("POST"));
    let ask = || world.request(Method::POST, "/v1/query/aql").body(json!({ "q": world.uids_of(0) }).to_string());
    ask().header("content-type", "text/plain").send().await.is_refusal(415, "unsupported-media-type");
    ask().header("content-type", "application/xml").send().await.is_refusal(415, "unsupported-media-type");
    ask().header("content-type", "application/json; charset=utf-8").send().await.is_answer(true, &["active"; 4]);
    let large = json!({ "q": format!("{} -- {}", world.uids_of(0), "x".repeat(3000)) }).to_string();
    let refused = world.request(Method::POST, "/v1/query/aql").body(large).send().await;
    refused.is_refusal(413, "body-too-large");
    assert!(refused.text.contains("server.max_body_bytes"));
}

#[tokio::test(flavor = "multi_thread")]
async fn s422_a_bound_exceeded_names_its_setting() {
    let world = four(75).with("[limits]\nmax_rows = 5\n\n[paging]\noffset_strategy = \"window\"\nmax_window = 4").start().await;
    let rows = world.query(&world.uids_of(0)).send().await;
    rows.is_refusal(422, "limit-exceeded");
    assert!(rows.text.contains("limits.max_rows"), "{}", rows.text);
    let window = world.query(&format!("{} ORDER BY c/uid/value LIMIT 3 OFFSET 2", world.uids_of(0))).send().await;
    window.is_refusal(422, "limit-exceeded");
    assert!(window.text.contains("paging.max_window"), "{}", window.text);
    let huge = format!("{} ORDER BY c/uid/value LIMIT 18446744073709551615 OFFSET 18446744073709551615", world.uids_of(0));
    world.query(&huge).send().await.is_refusal(422, "limit-exceeded");
    let near = world.query(&format!("{} ORDER BY c/uid/value LIMIT 1", world.uids_of(0))).send().await;
    near.is_answer(true, &["active"; 4]);
}

#[tokio::test(flavor = "multi_thread")]
async fn s424_s504_a_failed_fan_out_has_the_shape_of_a_result_set() {
    let world = four(76).start().await;
    for (fault, status, code) in
        [(Fault::Status(500, "{}".into()), 424, "endpoint-failed"), (Fault::Reset, 504, "endpoint-unavailable")]
    {
        world.node("hospital-d").faults().always(fault);
        let answer = world.query(&world.uids_of(0)).send().await;
        answer.is_failure(status, code);
        assert!(answer.body["message"].as_str().unwrap().contains("hospital-d"), "{}", answer.text);
        assert_eq!(answer.body["columns"], json!([{ "name": "#0", "path": "c/uid/value" }]));
        assert_eq!(answer.statuses().len(), 4);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn s501_demographic_is_never_federated() {
    let world = four(77).start().await;
    for (method, path) in
        [(Method::GET, "/v1/demographic/person/1"), (Method::POST, "/v1/demographic/person"), (Method::GET, "/v1/demographic")]
    {
        world.request(method, path).send().await.is_refusal(501, "not-served");
    }
    assert!(world.federation.nodes().iter().all(|node| !node.journal().contains("demographic")));
}

#[tokio::test(flavor = "multi_thread")]
async fn s503_overload_says_when_to_come_back() {
    let world = four(78).with("[limits]\nmax_inflight = 1").start().await;
    world.node("hospital-a").faults().always(Fault::HangBeforeHeaders);
    let hanging = world.uids_of(0);
    let occupied = world.query(&hanging).header("prefer", "wait=2").send();
    let others = async {
        while world.node("hospital-a").journal().requests().is_empty() {
            tokio::task::yield_now().await;
        }
        let refused = world.query(&world.uids_of(0)).send().await;
        refused.is_refusal(503, "overloaded");
        assert!(refused.headers[header::RETRY_AFTER].to_str().unwrap().parse::<u64>().is_ok());
        assert_eq!(world.request(Method::GET, "/health/live").send().await.status(), 200);
    };
    let (first, ()) = tokio::join!(occupied, others);
    first.is_failure(504, "endpoint-unavailable");
    world.node("hospital-a").faults().clear();
    world.query(&world.uids_of(1)).at("hospital-a,hospital-b,hospital-c,hospital-d").send().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn s508_a_request_that_was_here_before() {
    let world = four(79).start().await;
    for via in ["1.1 tributary-sandbox", "1.1 elsewhere, 1.1 tributary-sandbox", "HTTP/1.1 Tributary-Sandbox (x)"] {
        world.query(&world.uids_of(0)).header("via", via).send().await.is_refusal(508, "loop-detected");
    }
    let long = vec!["1.1 hop"; 33].join(", ");
    world.query(&world.uids_of(0)).header("via", &long).send().await.is_refusal(508, "loop-detected");
    assert!(world.asked().is_empty());
    world.query(&world.uids_of(0)).header("via", "1.1 elsewhere").send().await.is_answer(true, &["active"; 4]);
}

#[tokio::test(flavor = "multi_thread")]
async fn n28_the_base_path_is_the_deployments_choice() {
    let world = four(80).editing("[server]", "[server]\nbase_path = \"/here/openehr\"").start().await;
    let aql = world.uids_of(0);
    world.query(&aql).to("/here/openehr/v1/query/aql").send().await.is_answer(true, &["active"; 4]);
    assert_eq!(world.query(&aql).send().await.status(), 404);
    for path in ["/here/openehr", "/here/openehr/"] {
        let described = world.request(Method::OPTIONS, path).send().await;
        assert_eq!(described.body["federation"]["id"], "sandbox", "{}", described.text);
    }
}
