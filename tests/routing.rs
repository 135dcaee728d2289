//! One record at one node, over sockets: a scenario of an app that knows a single CDR, run against the CDR alone and through
//! the gateway's routing. The answers differ only in what is documented.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;
use std::net::TcpListener;

use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use tributary::config;
use tributary::server::{self, Gateway};
use tributary_sandbox::federation::Federation;
use tributary_sandbox::node::Node;
use tributary_sandbox::synthetic::Dataset;
use tributary_sandbox::wire::Fault;

const UUID: &str = "7d44b88c-4199-4bad-97dc-d78268e01398";
const COMPOSITION: &str = r#" {"_type":"COMPOSITION", "name":{"_type":"DV_TEXT","value":"Example"},"archetype_node_id":"openEHR-EHR-COMPOSITION.encounter.v1","x":1.10}"#;

async fn federation(count: usize) -> Federation {
    Federation::start(Dataset::of_members(count)).await.unwrap()
}

/// A gateway in front of the federation; gives its address.
fn gateway(federation: &Federation) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let settings = config::parse("test", &federation.gateway_config(&address)).unwrap();
    let router = server::router(&Gateway::new(settings).unwrap());
    tokio::spawn(server::serve(listener, router, axum_server::Handle::new()));
    format!("http://{address}")
}

/// One call of an app.
#[derive(Clone, Debug)]
struct Call {
    method: &'static str,
    path: String,
    headers: Vec<(&'static str, String)>,
    body: &'static str,
}

fn call(method: &'static str, path: impl Into<String>) -> Call {
    Call { method, path: path.into(), headers: Vec::new(), body: "" }
}

impl Call {
    fn having(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    fn sending(self, body: &'static str) -> Self {
        Call { body, ..self }.having("content-type", "application/json")
    }

    fn header_map(&self) -> HeaderMap {
        let line =
            |(name, value): &(&'static str, String)| (HeaderName::from_static(name), HeaderValue::try_from(value).unwrap());
        self.headers.iter().map(line).collect()
    }
}

/// What came back.
#[derive(Debug, PartialEq, Eq)]
struct Answer {
    status: StatusCode,
    headers: Vec<String>,
    body: String,
}

impl Answer {
    fn of(status: StatusCode, headers: &HeaderMap, body: &[u8]) -> Self {
        let shown = |name: &HeaderName| {
            !["date", "via", "x-request-id"].contains(&name.as_str()) && !name.as_str().starts_with("openehr-federation-")
        };
        let lines = headers.iter().filter(|(name, _)| shown(name));
        let mut headers: Vec<_> = lines.map(|(name, value)| format!("{name}: {}", value.to_str().unwrap())).collect();
        headers.sort();
        Answer { status, headers, body: String::from_utf8(body.to_vec()).unwrap() }
    }

    fn etag(&self) -> String {
        let line = self.headers.iter().find_map(|line| line.strip_prefix("etag: "));
        line.unwrap_or_default().to_owned()
    }
}

async fn ask(base: &str, call: &Call) -> (Answer, HeaderMap) {
    let method = Method::from_bytes(call.method.as_bytes()).unwrap();
    let request = reqwest::Client::new().request(method, format!("{base}/v1{}", call.path)).headers(call.header_map());
    let response = request.body(call.body).send().await.unwrap();
    let (status, headers) = (response.status(), response.headers().clone());
    (Answer::of(status, &headers, &response.bytes().await.unwrap()), headers)
}

/// The answer of a node through the gateway, which says which.
async fn routed(gateway: &str, call: &Call) -> Answer {
    let (answer, headers) = ask(gateway, call).await;
    assert!(headers.contains_key("openehr-federation-endpoint"), "{call:?}: {answer:?}");
    answer
}

/// The answer without what differs from run to run: the ids a node invents, its address, the time.
fn normalised(answer: &Answer, node_url: &str) -> String {
    let text = format!("{answer:?}").replace(node_url, "NODE");
    let (mut plain, mut rest) = (String::new(), text.as_str());
    while let Some(first) = rest.chars().next() {
        let invented = rest.get(..36).filter(|id| *id != UUID && uuid::Uuid::try_parse(id).is_ok());
        let time = rest.get(..24).filter(|time| time.ends_with('Z') && chrono::DateTime::parse_from_rfc3339(time).is_ok());
        let skipped = match (invented, time) {
            (Some(id), _) => id.len(),
            (None, Some(time)) => time.len(),
            (None, None) => {
                plain.push(first);
                rest = &rest[first.len_utf8()..];
                continue;
            }
        };
        plain.push_str("SOME");
        rest = &rest[skipped..];
    }
    plain
}

#[tokio::test]
async fn an_app_for_one_cdr_gets_the_same_answers_through_the_gateway() {
    let (alone, behind) = (federation(1).await, federation(3).await);
    let gateway = gateway(&behind);
    let system = alone.nodes()[0].system_id();
    let ehr = |rest: &str| format!("/ehr/{UUID}{rest}");
    let (mut uids, mut asked) = ((String::new(), String::new()), 0);
    let mut scenario = vec![
        call("PUT", ehr("")),
        call("PUT", ehr("")),
        call("GET", ehr("")),
        call("HEAD", ehr("")),
        call("POST", ehr("/composition")).sending("{}"),
        call("POST", ehr("/composition")).sending(COMPOSITION).having("prefer", "return=representation"),
        call("GET", ehr("/composition/{uid}")),
        call("GET", ehr("/composition/{object}")),
        call("PUT", ehr("/composition/{object}")).sending(COMPOSITION).having("if-match", "\"{object}::{system}::7\""),
        call("PUT", ehr("/composition/{object}")).sending(COMPOSITION).having("if-match", "\"{uid}\""),
        call("GET", ehr("/composition/{object}?version_at_time=2001-01-01T00:00:00Z")),
        call("DELETE", ehr("/composition/{uid}")),
        call("DELETE", ehr("/composition/{object}::{system}::2")),
        call("GET", ehr("/composition/{object}")),
        call("GET", ehr("/composition/none")),
    ];
    for step in &mut scenario {
        asked += 1;
        let filled = |text: &str, uid: &str| {
            let object = uid.split("::").next().unwrap();
            text.replace("{uid}", uid).replace("{object}", object).replace("{system}", &system)
        };
        let with = |uid: &str| Call {
            path: filled(&step.path, uid),
            headers: step.headers.iter().map(|(name, value)| (*name, filled(value, uid))).collect(),
            ..step.clone()
        };
        let mut through = with(&uids.1);
        if step.method == "PUT" && step.path == ehr("") {
            through = through.having("openehr-federation-endpoint", "hospital-a");
        }
        let (direct, _) = ask(&alone.nodes()[0].url(), &with(&uids.0)).await;
        let through = routed(&gateway, &through).await;
        if direct.status == StatusCode::CREATED && step.path.ends_with("composition") {
            let bare = |answer: &Answer| answer.etag().trim_matches('"').to_owned();
            uids = (bare(&direct), bare(&through));
        }
        let expected = normalised(&direct, &alone.nodes()[0].url());
        assert_eq!(normalised(&through, &behind.nodes()[0].url()), expected, "step {asked}: {step:?}");
    }
    assert!(!uids.1.is_empty() && behind.nodes()[0].journal().contains(COMPOSITION), "the body arrived as it was sent");
    let strangers: BTreeSet<String> = behind.nodes()[1..]
        .iter()
        .flat_map(|node| node.journal().requests())
        .map(|request| request.text())
        .map(first_line)
        .collect();
    assert_eq!(strangers.len(), 1, "the others were asked whether they hold the EHR and nothing else: {strangers:?}");
}

fn first_line(text: String) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn failing_nodes_are_told_apart_and_named() {
    let federation = federation(2).await;
    let gateway = gateway(&federation);
    let at_a = || call("GET", format!("/ehr/{UUID}")).having("openehr-federation-endpoint", "hospital-a");
    let cases = [
        (Fault::CloseOnAccept, StatusCode::GATEWAY_TIMEOUT, "\"code\":\"endpoint-unavailable\""),
        (Fault::Reset, StatusCode::GATEWAY_TIMEOUT, "\"code\":\"endpoint-unavailable\""),
        (Fault::Status(503, "{}".to_owned()), StatusCode::SERVICE_UNAVAILABLE, "{}"),
        (Fault::ConsentRefusal("no".to_owned()), StatusCode::FORBIDDEN, "no"),
    ];
    for (fault, status, part) in cases {
        let faults = federation.nodes()[0].faults();
        faults.clear();
        faults.always(fault.clone());
        let (answer, headers) = ask(&gateway, &at_a()).await;
        assert!(answer.status == status && answer.body.contains(part), "{fault:?}: {answer:?}");
        assert_eq!(headers["openehr-federation-endpoint"], "hospital-a", "{fault:?}");
        assert_eq!(headers["openehr-federation-system-id"], "cdr-a.example.org", "{fault:?}");
    }
}

/// Following up on a copy: the version a client saw at one node was created at another (§10.3).
#[tokio::test]
async fn cp29_a_write_that_builds_on_a_copy_is_a_conflict_naming_the_controlling_system() {
    let federation = federation(2).await;
    let gateway = gateway(&federation);
    let made = call("PUT", format!("/ehr/{UUID}")).having("openehr-federation-endpoint", "hospital-b");
    assert_eq!(routed(&gateway, &made).await.status, StatusCode::CREATED);
    let update =
        call("PUT", format!("/ehr/{UUID}/composition/x")).sending(COMPOSITION).having("if-match", "\"x::cdr-a.example.org::1\"");
    let refused = routed(&gateway, &update).await;
    assert_eq!(refused.status, StatusCode::CONFLICT);
    assert!(refused.body.contains("`cdr-a.example.org` at endpoint `hospital-a`"), "{refused:?}");
    let wrote = |node: &Node| node.journal().contains("/composition/x");
    assert!(!federation.nodes().iter().any(wrote), "nobody was written to");
}

#[tokio::test]
async fn every_refusal_of_routing_has_its_status() {
    let federation = federation(2).await;
    let gateway = gateway(&federation);
    let ehr = |rest: &str| format!("/ehr/{UUID}{rest}");
    let cases = [
        (call("GET", ehr("")), 404),
        (call("POST", "/ehr"), 400),
        (call("PUT", ehr("")), 400),
        (call("POST", ehr("/composition")).sending(COMPOSITION), 400),
        (call("GET", ehr("?subject_id=marker-100023")), 400),
        (call("GET", ehr("?unknown=1")), 400),
        (call("GET", ehr("")).having("openehr-federation-endpoint", "nobody"), 400),
        (call("PATCH", ehr("")), 405),
        (call("GET", "/demographic/person/1"), 501),
        (call("DELETE", "/admin/ehr/all"), 501),
        (call("GET", "/nothing"), 404),
        (call("OPTIONS", ehr("")), 204),
        (call("OPTIONS", "/"), 200),
        (call("GET", "/definition/template/adl1.4"), 400),
        (call("GET", "/ehr?subject_id=marker-100023&subject_namespace=ns"), 404),
        (call("PUT", ehr("/directory")).sending("{}").having("if-match", "\"x::elsewhere.example.org::1\""), 409),
    ];
    for (call, status) in cases {
        let (answer, headers) = ask(&gateway, &call).await;
        assert_eq!(answer.status.as_u16(), status, "{call:?}: {answer:?}");
        assert_eq!(headers.contains_key("allow"), [204, 405].contains(&status) || call.path == "/", "{call:?}");
        assert!(!answer.body.contains("marker"), "{call:?}");
    }
    assert_eq!(federation.leak("marker-100023"), None);
}

/// Two nodes hold the same id: nobody guesses, and whoever says which is served.
#[tokio::test]
async fn cp33_an_ehr_id_at_two_nodes_is_a_conflict_unless_one_is_named() {
    let federation = federation(3).await;
    for node in &federation.nodes()[..2] {
        let (made, _) = ask(&node.url(), &call("PUT", format!("/ehr/{UUID}"))).await;
        assert_eq!(made.status, StatusCode::CREATED);
    }
    let gateway = gateway(&federation);
    let read = || call("GET", format!("/ehr/{UUID}"));
    let (refused, headers) = ask(&gateway, &read()).await;
    assert_eq!(refused.status, StatusCode::CONFLICT);
    assert!(refused.body.contains("\"code\":\"ehr-id-collision\""), "{refused:?}");
    assert_eq!(headers["openehr-federation-endpoint"], "hospital-a, hospital-b");
    let named = routed(&gateway, &read().having("openehr-federation-endpoint", "hospital-b")).await;
    assert!(named.status == StatusCode::OK && named.body.contains("cdr-b.example.org"), "{named:?}");
}
