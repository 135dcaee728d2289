//! Byte for byte, both ways.

use super::*;

fn storing(_: &str) -> String {
    let headers = "etag: \"x::a.example.org::2\"\r\netag: W/\"x::a.example.org::2\"\r\nlocation: http://cdr/rest/v1/x\r\n\
                   content-encoding: gzip\r\nserver: CDR\r\nset-cookie: a=b\r\nvia: 1.1 inner\r\nconnection: close, x-own\r\n";
    answer("201 Created", headers, "\u{1f}not gzip at all")
}

#[tokio::test(start_paused = true)]
async fn cp26_path_query_headers_and_body_arrive_as_they_were_sent() {
    let house = House::of(&[("a", Some(storing))]);
    let mut put = request("PUT", &format!("/ehr/{UUID}/composition/x%3a%3Aa.example.org::1?format='F%20L%2bA'&version=a+b&type"));
    put.body = Body::from(" {\"a\" :1.10}\r\n");
    for (name, value) in [
        ("openehr-federation-endpoint", "a"),
        ("if-match", "\"x::a.example.org::1\""),
        ("openehr-audit-details", "description=\"a, b\""),
        ("openehr-audit-details", ""),
        ("content-type", "application/json"),
        ("content-length", "14"),
        ("authorization", "Bearer secret"),
        ("cookie", "secret"),
        ("via", "1.1 outer"),
        ("host", "gateway"),
        ("x-forwarded-host", "gateway"),
    ] {
        put = having(put, name, value);
    }
    let response = house.serve(put).await.unwrap();
    let expected = "PUT /base/v1/ehr/7d44b88c-4199-4bad-97dc-d78268e01398/composition/x%3a%3Aa.example.org::1?format='F%20L%2bA'&version=a+b&type HTTP/1.1\r\n\
                    if-match: \"x::a.example.org::1\"\r\nopenehr-audit-details: description=\"a, b\"\r\nopenehr-audit-details: \r\n\
                    content-type: application/json\r\ncontent-length: 14\r\nvia: 1.1 outer\r\nvia: 1.1 here\r\nhost: a\r\n\r\n {\"a\" :1.10}\r\n";
    assert_eq!(house.everything(), expected);
    let shown: Vec<_> = response.headers().iter().map(|(name, value)| format!("{name}: {}", value.to_str().unwrap())).collect();
    let expected = [
        "etag: \"x::a.example.org::2\"",
        "etag: W/\"x::a.example.org::2\"",
        "location: http://cdr/rest/v1/x",
        "content-encoding: gzip",
        "content-length: 16",
        "via: 1.1 inner",
        "via: 1.1 here",
        "openehr-federation-endpoint: a",
        "openehr-federation-system-id: a.example.org",
    ];
    assert_eq!(shown, expected);
    assert_eq!(response.status(), 201);
    assert_eq!(text(response).await, "\u{1f}not gzip at all");
}

fn failing(_: &str) -> String {
    answer("422 Unprocessable Entity", "content-type: application/json\r\n", "{\"message\":\"no such template\"}")
}

#[tokio::test(start_paused = true)]
async fn a_nodes_own_refusal_passes_through_unchanged() {
    let house = House::of(&[("a", Some(failing))]);
    let response = house.serve(at("a", request("POST", &format!("/ehr/{UUID}/composition")))).await.unwrap();
    assert_eq!(response.status(), 422);
    assert_eq!(text(response).await, "{\"message\":\"no such template\"}");
}

#[tokio::test(start_paused = true)]
async fn a_node_that_does_not_answer_is_named() {
    let house = House::of(&[("a", Some(mute)), ("b", None)]);
    let status = || request("GET", &format!("/ehr/{UUID}/ehr_status"));
    let late = house.serve(at("a", status())).await;
    assert_eq!(told(&late), "endpoint-unavailable a");
    assert_eq!(late.unwrap_err().to_string(), "Endpoint `a`: no full answer within 5000 ms.");
    assert_eq!(told(&house.serve(at("b", status())).await), "endpoint-unavailable b");
    let short = RoutedRequest { budget: Budget::start(SECOND * 2, SECOND * 5), ..at("a", status()) };
    assert_eq!(house.serve(short).await.unwrap_err().to_string(), "Endpoint `a`: no full answer within 2000 ms.");
}
