//! Definitions and template uploads.

use super::*;

fn created(_: &str) -> String {
    answer("201 Created", "etag: \"t\"\r\nlocation: http://cdr/t\r\n", "")
}

fn existing(_: &str) -> String {
    answer("409 Conflict", "", "{}")
}

fn upload(target: &str) -> RoutedRequest {
    let request = RoutedRequest { body: Body::from("<template/>"), ..request("POST", "/definition/template/adl1.4") };
    if target.is_empty() { request } else { at(target, request) }
}

#[tokio::test(start_paused = true)]
async fn cp34_an_upload_to_several_is_no_success_while_one_failed() {
    let cases: [(&str, [Scripted; 3], &str, &str); 8] = [
        ("all", [("a", Some(created)), ("b", Some(created)), ("c", Some(created))], "*", "201 a, b, c"),
        ("some", [("a", Some(created)), ("b", Some(created)), ("c", Some(existing))], "a, b", "201 a, b"),
        ("one has it", [("a", Some(created)), ("b", Some(existing)), ("c", Some(created))], "*", "207 a, c"),
        ("one is down", [("a", Some(created)), ("b", None), ("c", Some(created))], "*", "207 a, c"),
        ("all have it", [("a", Some(existing)), ("b", Some(existing)), ("c", Some(existing))], "*", "424 -"),
        ("none answers", [("a", None), ("b", Some(mute)), ("c", Some(existing))], "*", "504 -"),
        ("one alone", [("a", Some(created)), ("b", Some(created)), ("c", Some(created))], "b", "201 b"),
        ("nobody named", [("a", Some(created)), ("b", Some(created)), ("c", Some(created))], "", "target-required "),
    ];
    for (name, nodes, target, expected) in cases {
        assert_eq!(told(&House::of(&nodes).serve(upload(target)).await), expected, "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_outcome_at_every_endpoint_is_told() {
    let house = House::of(&[("a", Some(created)), ("b", Some(existing)), ("c", None)]);
    let response = house.serve(upload("*")).await.unwrap();
    let expected = concat!(
        r#"{"message":"Some of the endpoints took the template and some did not; each is in `outcomes`. Upload again to those that did not.","#,
        r#""code":"mixed-outcome","validationErrors":[],"outcomes":["#,
        r#"{"id":"a","status":"active","http_status":201,"etag":"\"t\"","location":"http://cdr/t"},"#,
        r#"{"id":"b","status":"node-error","http_status":409,"error":"HTTP 409"},"#,
        r#"{"id":"c","status":"offline","error":"connection refused"}]}"#,
    );
    assert_eq!(text(response).await, expected);
    assert_eq!(house.everything().matches("<template/>").count(), 2, "each was sent it once");
}

#[tokio::test(start_paused = true)]
async fn reading_definitions_needs_one_target() {
    let house = House::of(&[("a", Some(parrot)), ("b", Some(parrot))]);
    let list = || request("GET", "/definition/template/adl1.4");
    assert_eq!(told(&house.serve(list()).await), "target-required ");
    assert_eq!(told(&house.serve(at("a, b", list())).await), "target-required ");
    assert_eq!(told(&house.serve(at("b", list())).await), "200 b");
}

fn registry() -> House {
    let house = House::of(&[("a", Some(parrot))]);
    let queries = StoredQueries {
        store: crate::queries::QueryStore::in_memory(),
        public_base: "https://gateway/base/".to_owned(),
        now: || chrono::DateTime::from_timestamp(0, 0).unwrap(),
    };
    House { routing: house.routing.with_queries(queries), journal: house.journal }
}

fn put(path: &str, body: &'static str) -> RoutedRequest {
    RoutedRequest { body: Body::from(body), ..request("PUT", &format!("/definition/query/{path}")) }
}

const DEFINITION: &str = "SELECT e FROM ENDPOINT p [\"a\"] CONTAINS EHR e WHERE e/ehr_id/value = $id";

#[tokio::test(start_paused = true)]
async fn cp40_definitions_are_held_by_the_gateway_and_no_node_hears_of_them() {
    let house = registry();
    let json = |request| having(request, "content-type", "application/json");
    let large: &'static str = Box::leak("x".repeat(1001).into_boxed_str());
    let cases = [
        ("stored", put("x::q/1.0.0", DEFINITION), "200 -"),
        ("immutable", put("x::q/1.0.0", DEFINITION), "query-exists "),
        ("the next version", json(put("x::q", r#"{"q":"SELECT e FROM EHR e"}"#)), "200 -"),
        ("encoded name", put("x%3A%3Ar?query_type=AQL", DEFINITION), "200 -"),
        ("no whole version", put("x::q/1", DEFINITION), "invalid-query-name "),
        ("reserved", put("aql", DEFINITION), "invalid-query-name "),
        ("not AQL", put("x::s", "SELECT"), "invalid-aql "),
        (
            "a patient",
            put("x::s", "SELECT e FROM EHR e WHERE e/ehr_status/subject/external_ref/id/value = 'p'"),
            "identifier-leak ",
        ),
        ("another formalism", put("x::s?query_type=sql", DEFINITION), "invalid-request "),
        ("another body", json(put("x::s", "[]")), "invalid-request "),
        ("another media type", having(put("x::s", DEFINITION), "content-type", "text/xml"), "unsupported-media-type "),
        ("too large", put("x::s", large), "body-too-large "),
        ("a target", at("a", put("x::s", DEFINITION)), "invalid-request "),
        ("not there", request("GET", "/definition/query/x::s/1.0.0"), "not-found "),
        ("no version", request("GET", "/definition/query/x::q/latest"), "invalid-query-name "),
        ("by prefix", request("GET", "/definition/query/x::q/1"), "200 -"),
    ];
    for (name, request, expected) in cases {
        assert_eq!(told(&house.serve(request).await), expected, "{name}");
    }
    assert!(house.lines().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_definition_is_shown_as_it_was_stored() {
    let house = registry();
    let stored = house.serve(put("x::q/1.0.0", DEFINITION)).await.unwrap();
    assert_eq!(stored.headers()["location"], "https://gateway/base/v1/definition/query/x::q/1.0.0");
    assert_eq!(text(stored).await, "");
    let shown = r#"{"name":"x::q","type":"AQL","version":"1.0.0","saved":"1970-01-01T00:00:00.000Z","q":"SELECT e FROM ENDPOINT p [\"a\"] CONTAINS EHR e WHERE e/ehr_id/value = $id"}"#;
    let one = house.serve(request("GET", "/definition/query/x::q/1.0.0")).await.unwrap();
    assert_eq!(text(one).await, shown);
    let list = house.serve(request("GET", "/definition/query/x::")).await.unwrap();
    assert_eq!(text(list).await, format!("[{shown}]"));
}
