//! Definitions of stored queries at the nodes: sent, and compared.

use super::*;

const DEFINITION: &str = "SELECT e FROM EHR e WHERE e/ehr_id/value = $id";

/// Takes definitions, and has none.
fn taker(line: &str) -> String {
    if line.starts_with("PUT") { answer("200 OK", "location: http://cdr/q\r\n", "") } else { answer("404 Not Found", "", "{}") }
}

/// Has it, in other spaces and letters.
fn keeper(line: &str) -> String {
    held(line, r#"{"q":"select e\n from EHR e\n where e/ehr_id/value = $id","name":"x::q"}"#)
}

/// Has another under its name.
fn other(line: &str) -> String {
    held(line, r#"{"q":"SELECT e FROM EHR e"}"#)
}

/// Has something under its name.
fn silent(line: &str) -> String {
    held(line, r#"{"text":""}"#)
}

fn held(line: &str, body: &str) -> String {
    if line.starts_with("PUT") { answer("409 Conflict", "", "{}") } else { answer("200 OK", "", body) }
}

fn distributing(nodes: &[Scripted], on: bool) -> House {
    let mut house = House::with(nodes, &[], |endpoint| {
        if endpoint.id.as_str() == "out" {
            endpoint.membership = Membership::Suspended("maintenance".to_owned());
        }
    });
    house.routing.settings.stored_query_fan_out = on;
    let store = crate::queries::QueryStore::in_memory();
    let queries = StoredQueries { store, public_base: "https://gateway/".to_owned(), now: chrono::DateTime::default };
    House { routing: house.routing.with_queries(queries), journal: house.journal }
}

fn put(path: &str, body: &'static str) -> RoutedRequest {
    RoutedRequest { body: Body::from(body), ..request("PUT", &format!("/definition/query/{path}")) }
}

#[tokio::test(start_paused = true)]
async fn a_distributed_definition_is_no_success_while_an_endpoint_lacks_it() {
    let cases: [(&str, &[Scripted], bool, &str); 7] = [
        ("all take it", &[("a", Some(taker)), ("b", Some(taker))], true, "200 a, b"),
        ("one has it already", &[("a", Some(taker)), ("b", Some(keeper))], true, "200 a, b"),
        ("one has another", &[("a", Some(taker)), ("b", Some(other))], true, "207 a"),
        ("one is down", &[("a", Some(taker)), ("b", None)], true, "207 a"),
        ("none takes it", &[("a", Some(other)), ("b", Some(mute))], true, "207 -"),
        ("one is out of service", &[("a", Some(taker)), ("out", Some(taker))], true, "200 a"),
        ("off", &[("a", Some(taker)), ("b", Some(taker))], false, "200 -"),
    ];
    for (name, nodes, on, expected) in cases {
        let house = distributing(nodes, on);
        let result = house.serve(put("x::q/1.0.0", DEFINITION)).await;
        assert_eq!(told(&result), expected, "{name}");
        assert_eq!(result.unwrap().headers()["location"], "https://gateway/v1/definition/query/x::q/1.0.0", "{name}");
        let here = house.serve(request("GET", "/definition/query/x::q/1.0.0")).await;
        assert_eq!(told(&here), "200 -", "{name}: it is stored here whatever the nodes did");
        assert!(!house.counts().contains_key("out"), "{name}");
        assert!(on || house.lines().is_empty(), "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn every_endpoint_is_sent_the_text_once_and_its_outcome_is_told() {
    let house = distributing(&[("a", Some(taker)), ("b", Some(other)), ("c", None)], true);
    let commented: &'static str = Box::leak(format!("-- for marker-1\n{DEFINITION} -- marker-2").into_boxed_str());
    let response = house.serve(put("x::q/1.0.0", commented)).await.unwrap();
    let report: serde_json::Value = serde_json::from_str(&text(response).await).unwrap();
    assert_eq!(report["code"], "mixed-outcome");
    let outcomes = serde_json::json!([
        {"id": "a", "status": "active", "http_status": 200, "location": "http://cdr/q"},
        {"id": "b", "status": "node-error", "http_status": 409, "error": "HTTP 409"},
        {"id": "c", "status": "offline", "error": "connection refused"},
    ]);
    assert_eq!(report["outcomes"], outcomes);
    let sent = house.everything();
    assert_eq!(sent.matches("PUT /base/v1/definition/query/x::q/1.0.0 ").count(), 2);
    assert_eq!((sent.matches(DEFINITION).count(), sent.matches("marker").count()), (2, 0), "comments stay here");
}

#[tokio::test(start_paused = true)]
async fn n44_what_the_federation_alone_understands_and_what_is_refused_goes_to_no_node() {
    let house = distributing(&[("a", Some(taker))], true);
    let directed = put("x::d/1.0.0", "SELECT e FROM ENDPOINT p [\"a\"] CONTAINS EHR e");
    let patient = put("x::p/1.0.0", "SELECT e FROM EHR e WHERE e/ehr_status/subject/external_ref/id/value = 'p'");
    assert_eq!(told(&house.serve(directed).await), "200 -");
    assert_eq!(told(&house.serve(patient).await), "identifier-leak ");
    assert!(house.lines().is_empty());
    let report = serde_json::to_value(house.routing.drift("", &request("GET", "").budget).await.unwrap()).unwrap();
    assert_eq!(report["not_distributed"], serde_json::json!([{"name": "x::d", "version": "1.0.0"}]));
    assert_eq!((&report["compared"], house.lines().len()), (&serde_json::json!(0), 0));
}

#[tokio::test(start_paused = true)]
async fn the_drift_of_every_endpoint_is_told_and_what_it_did_not_say_is_not_called_in_step() {
    let nodes: &[Scripted] = &[
        ("down", None),
        ("has", Some(keeper)),
        ("lacks", Some(taker)),
        ("odd", Some(silent)),
        ("other", Some(other)),
        ("out", Some(keeper)),
        ("sick", Some(broken)),
    ];
    let house = distributing(nodes, false);
    for path in ["x::q/1.0.0", "y::q/1.0.0"] {
        house.serve(put(path, DEFINITION)).await.unwrap();
    }
    let report = house.routing.drift("x::", &request("GET", "").budget).await.unwrap();
    let named = serde_json::json!([{"name": "x::q", "version": "1.0.0"}]);
    let none = serde_json::json!([]);
    let expected = serde_json::json!({"compared": 1, "not_distributed": [], "endpoints": [
        {"id": "down", "status": "offline", "missing": none, "differing": none, "error": "connection refused"},
        {"id": "has", "status": "active", "in_step": true, "missing": none, "differing": none},
        {"id": "lacks", "status": "active", "in_step": false, "missing": named, "differing": none},
        {"id": "odd", "status": "node-error", "missing": none, "differing": none, "error": "no definition in the answer"},
        {"id": "other", "status": "active", "in_step": false, "missing": none, "differing": named},
        {"id": "out", "status": "excluded", "missing": none, "differing": none, "error": "not in service: maintenance"},
        {"id": "sick", "status": "node-error", "missing": none, "differing": none, "error": "HTTP 500"},
    ]});
    assert_eq!(serde_json::to_value(report).unwrap(), expected);
    assert!(!house.counts().contains_key("out") && house.lines().iter().all(|(_, line)| line.starts_with("GET")));
}

#[tokio::test(start_paused = true)]
async fn a_report_compares_a_bounded_number_of_definitions() {
    let house = distributing(&[("a", Some(keeper))], false);
    for number in 0..=500 {
        house.serve(put(&format!("x::q/1.{number}.0"), DEFINITION)).await.unwrap();
    }
    let budget = request("GET", "").budget;
    let error = house.routing.drift("", &budget).await.unwrap_err();
    assert_eq!(error.code(), crate::error::ErrorCode::LimitExceeded);
    assert!(house.lines().is_empty() && house.routing.drift("y::", &budget).await.is_ok());
}
