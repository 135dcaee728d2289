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
