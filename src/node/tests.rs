//! One endpoint, one query: every row of the outcome table, by in-process nodes under paused time.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::time::Instant;

use super::client::{ClientSettings, build, transport};
use super::egress::{EgressPolicy, EgressRefusal, PrivateAddresses};
use super::memory::{Network, Script, answering, doing, endpoint};
use super::*;
use crate::registry::Endpoint;
use crate::status::EndpointStatus;

/// A gate that knows one identifier.
struct Marker;

impl Gate for Marker {
    fn permits(&self, _: &http::request::Parts, body: &[u8]) -> bool {
        !String::from_utf8_lossy(body).contains("patient-1")
    }

    fn hears(&self, text: &str) -> bool {
        text.contains("patient-1")
    }
}

async fn ask(client: &NodeClient, endpoint: &Endpoint, limit: Duration) -> Result<NodeAnswer, NodeFailure> {
    let query = client.compose(endpoint, "SELECT e FROM EHR e", &Marker).unwrap();
    client.send(endpoint, query, Instant::now() + limit, &Marker).await
}

const SECOND: Duration = Duration::from_secs(1);
const NOW: Duration = Duration::ZERO;

/// Sends this much and then does what `then` says.
fn begins(text: &'static str, then_hangs: bool) -> Script {
    doing(move |mut pipe| async move {
        pipe.request().await;
        pipe.write(text).await;
        if then_hangs {
            pipe.hung_up().await;
        }
    })
}

#[tokio::test(start_paused = true)]
async fn cp31_each_way_to_answer_has_its_status() {
    let long = "x".repeat(1025);
    let consent = r#"{"message": "no", "code": "no-consent"}"#;
    let cases: [(&str, Script, EndpointStatus, &str); 16] = [
        ("slow", answering(SECOND * 2, "200 OK", "{}"), EndpointStatus::TimeOut, "no full answer within 1000 ms"),
        ("mute", begins("", true), EndpointStatus::TimeOut, "no full answer within 1000 ms"),
        ("stops in its head", begins("HTTP/1.1 200 OK\r\n", true), EndpointStatus::TimeOut, "no full answer within 1000 ms"),
        (
            "stops in its body",
            begins("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{", true),
            EndpointStatus::TimeOut,
            "no full answer within 1000 ms",
        ),
        ("hangs up at once", begins("", false), EndpointStatus::Offline, "the connection ended without an answer"),
        (
            "breaks off",
            begins("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{", false),
            EndpointStatus::NodeError,
            "HTTP 200: the answer broke off",
        ),
        ("not HTTP", begins("SSH-2.0-OpenSSH\r\n\r\n", true), EndpointStatus::NodeError, "what came back is not HTTP"),
        (
            "announces too much",
            begins("HTTP/1.1 200 OK\r\ncontent-length: 1025\r\n\r\n", true),
            EndpointStatus::NodeError,
            "HTTP 200: the answer is larger than 1024 bytes (`limits.max_node_bytes`)",
        ),
        (
            "sends too much",
            answering(NOW, "200 OK", long),
            EndpointStatus::NodeError,
            "HTTP 200: the answer is larger than 1024 bytes (`limits.max_node_bytes`)",
        ),
        (
            "redirects",
            begins("HTTP/1.1 307 Temporary Redirect\r\nlocation: http://other/\r\ncontent-length: 0\r\n\r\n", true),
            EndpointStatus::NodeError,
            "HTTP 307: redirects are not followed",
        ),
        (
            "refuses",
            answering(NOW, "400 Bad Request", r#"{"error":"Bad Request","message":"no EHR\nhere"}"#),
            EndpointStatus::NodeError,
            "HTTP 400: no EHR\\nhere",
        ),
        ("fails in HTML", answering(NOW, "500 Internal Server Error", "<html>"), EndpointStatus::NodeError, "HTTP 500"),
        ("odd success", answering(NOW, "206 Partial Content", "{}"), EndpointStatus::NodeError, "HTTP 206"),
        (
            "refuses on consent grounds",
            answering(NOW, "403 Forbidden", consent),
            EndpointStatus::ConsentDenied,
            "HTTP 403: the node refuses on consent grounds",
        ),
        ("forbids otherwise", answering(NOW, "403 Forbidden", r#"{"code": 7}"#), EndpointStatus::NodeError, "HTTP 403"),
        (
            "the consent code with another status",
            answering(NOW, "400 Bad Request", consent),
            EndpointStatus::NodeError,
            "HTTP 400: no",
        ),
    ];
    for (name, script, status, text) in cases {
        let client = Network::new([("cdr", script)]).client();
        let failure = ask(&client, &endpoint("cdr"), SECOND).await.unwrap_err();
        assert_eq!((failure.status(), failure.to_string().as_str()), (status, text), "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn usable_answers_and_no_content_are_told_apart() {
    let client = Network::new([
        ("full", answering(NOW, "200 OK", r#"{"rows":[]}"#)),
        ("none", begins("HTTP/1.1 204 No Content\r\n\r\n", true)),
    ])
    .client();
    let full = ask(&client, &endpoint("full"), SECOND).await;
    assert_eq!(full, Ok(NodeAnswer::ResultSet(bytes::Bytes::from_static(br#"{"rows":[]}"#))));
    assert_eq!(ask(&client, &endpoint("none"), SECOND).await, Ok(NodeAnswer::NoRows));
}

#[tokio::test(start_paused = true)]
async fn a_node_that_cannot_be_reached_is_offline_and_not_late() {
    let refused = Network::default().client();
    assert_eq!(ask(&refused, &endpoint("gone"), SECOND).await, Err(NodeFailure::Unreachable(ConnectFailure::Refused)));
    let slow = Network::new([("cdr", answering(NOW, "200 OK", "{}"))]).slow_to_connect(SECOND * 60).client();
    let failure = ask(&slow, &endpoint("cdr"), SECOND).await.unwrap_err();
    assert_eq!((failure.status(), failure.to_string().as_str()), (EndpointStatus::Offline, "no connection within 1000 ms"));
    let failure = ask(&slow, &endpoint("cdr"), SECOND * 30).await;
    assert_eq!(failure, Err(NodeFailure::Unreachable(ConnectFailure::TimedOut)), "the time for connecting is its own limit");
}

#[tokio::test(start_paused = true)]
async fn a_request_carries_the_query_and_nothing_else_of_the_client() {
    let seen = Arc::new(Mutex::new(String::new()));
    let node = doing({
        let seen = Arc::clone(&seen);
        move |mut pipe| {
            let seen = Arc::clone(&seen);
            async move {
                *seen.lock().unwrap() = pipe.request().await.unwrap();
                pipe.write("HTTP/1.1 204 No Content\r\n\r\n").await;
            }
        }
    });
    let client = Network::new([("cdr", node)]).client();
    let mut endpoint = endpoint("cdr");
    endpoint.credentials = Credentials::Basic { username: "me".to_owned(), password: "secret".into() };
    ask(&client, &endpoint, SECOND).await.unwrap();
    let expected = "POST /base/v1/query/aql HTTP/1.1\r\nauthorization: Basic bWU6c2VjcmV0\r\naccept: application/json\r\n\
                    content-type: application/json\r\nvia: 1.1 here\r\nhost: cdr\r\ncontent-length: 27\r\n\r\n\
                    {\"q\":\"SELECT e FROM EHR e\"}";
    assert_eq!(*seen.lock().unwrap(), expected);
}

#[test]
fn cp2_a_query_with_the_identifier_is_not_composed() {
    let client = Network::default().client();
    let refused = client.compose(&endpoint("cdr"), "SELECT 'patient-1' FROM EHR e", &Marker).unwrap_err();
    assert_eq!(refused, ComposeFailure::Withheld(Withheld));
}

#[tokio::test]
async fn addresses_in_urls_are_judged_on_the_way_out() {
    let egress = EgressPolicy { private_addresses: PrivateAddresses::Refused, ..EgressPolicy::default() };
    let settings = ClientSettings { egress: Arc::new(egress), ..ClientSettings::default() };
    let client = NodeClient::new(transport(&settings).unwrap(), "here", 1024).unwrap();
    for url in ["http://127.0.0.1:9/", "http://[::ffff:127.0.0.1]:9/", "http://localhost:9/", "https://127.0.0.1:9/"] {
        let mut endpoint = endpoint("cdr");
        endpoint.url = url.parse().unwrap();
        let failure = ask(&client, &endpoint, SECOND * 30).await;
        let expected = NodeFailure::Unreachable(ConnectFailure::Egress(EgressRefusal::Private));
        assert_eq!(failure, Err(expected), "{url}");
    }
    assert!(build(&settings).is_ok());
}

#[tokio::test]
async fn a_name_that_does_not_resolve_and_a_refused_port_are_offline() {
    let client = NodeClient::new(transport(&ClientSettings::default()).unwrap(), "here", 1024).unwrap();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let cases = [
        ("http://cdr.invalid/".to_owned(), ConnectFailure::Unresolved),
        (format!("http://127.0.0.1:{port}/"), ConnectFailure::Refused),
    ];
    for (url, expected) in cases {
        let mut endpoint = endpoint("cdr");
        endpoint.url = url.parse().unwrap();
        assert_eq!(ask(&client, &endpoint, SECOND * 30).await, Err(NodeFailure::Unreachable(expected)), "{url}");
    }
}
