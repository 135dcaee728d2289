//! One record at one node, over sockets: a scenario of an app that knows a single CDR, run against the CDR alone and through
//! the gateway's routing. The answers differ only in what is documented.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use http_body_util::BodyExt;
use tributary::budget::Budget;
use tributary::ids::{EndpointId, NodeId, OrganisationId, SystemId};
use tributary::node::client::{ClientSettings, transport};
use tributary::node::{NodeClient, Permits};
use tributary::registry::{Endpoint, Node, Registry};
use tributary::route::{RouteError, RoutedRequest, Routing, RoutingSettings};
use tributary::select::{Bindings, Caller, IdentityTable, Selector};
use tributary_sandbox::federation::Federation;
use tributary_sandbox::synthetic::Dataset;
use tributary_sandbox::wire::Fault;

const UUID: &str = "7d44b88c-4199-4bad-97dc-d78268e01398";
const COMPOSITION: &str = r#" {"_type":"COMPOSITION", "name":{"_type":"DV_TEXT","value":"Example"},"archetype_node_id":"openEHR-EHR-COMPOSITION.encounter.v1","x":1.10}"#;

async fn federation(count: usize) -> Federation {
    Federation::start(Dataset::of_members(count)).await.unwrap()
}

fn routing(federation: &Federation) -> Routing {
    let endpoints = federation.members().iter().zip(federation.nodes()).map(|(member, node)| {
        let system = Arc::new(Node::new(NodeId::new(member.node_id.as_str()), SystemId::new(node.system_id())));
        let (id, organisation) = (EndpointId::new(member.endpoint_id.as_str()), OrganisationId::new("org"));
        Endpoint::new(id, system, organisation, format!("{}/", node.url()).parse().unwrap())
    });
    let registry = Arc::new(Registry::new(endpoints.collect(), Vec::new()));
    let client = NodeClient::new(transport(&ClientSettings::default()).unwrap(), "here", 1 << 20).unwrap();
    let selector = Selector::with(Arc::clone(&registry), Box::new(IdentityTable::new(&[])));
    let settings = RoutingSettings { max_body_bytes: 1 << 20, ..RoutingSettings::default() };
    let permits = Arc::new(Permits::new(64, 32));
    Routing::new(registry, client, permits, Arc::new(selector), Bindings::default(), settings)
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
        let shown =
            |name: &HeaderName| !["date", "via"].contains(&name.as_str()) && !name.as_str().starts_with("openehr-federation-");
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

async fn directly(federation: &Federation, call: &Call) -> Answer {
    let url = format!("{}/v1{}", federation.nodes()[0].url(), call.path);
    let method = Method::from_bytes(call.method.as_bytes()).unwrap();
    let response = reqwest::Client::new().request(method, url).headers(call.header_map()).body(call.body).send().await.unwrap();
    let (status, headers) = (response.status(), response.headers().clone());
    Answer::of(status, &headers, &response.bytes().await.unwrap())
}

async fn routed(routing: &Routing, call: &Call) -> Result<Answer, RouteError> {
    let (path, query) =
        call.path.split_once('?').map_or((call.path.as_str(), None), |(path, query)| (path, Some(query.to_owned())));
    let request = RoutedRequest {
        method: Method::from_bytes(call.method.as_bytes()).unwrap(),
        path: format!("v1{path}"),
        query,
        headers: call.header_map(),
        body: Body::from(call.body),
        caller: Caller::new("app"),
        budget: Budget::start(Duration::from_secs(15), Duration::from_secs(5)),
    };
    let (head, body) = routing.serve(request).await?.into_parts();
    assert!(head.headers.contains_key("openehr-federation-endpoint"), "{call:?}");
    Ok(Answer::of(head.status, &head.headers, &body.collect().await.unwrap().to_bytes()))
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
    let routing = routing(&behind);
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
        let direct = directly(&alone, &with(&uids.0)).await;
        let gateway = routed(&routing, &through).await.unwrap();
        if direct.status == StatusCode::CREATED && step.path.ends_with("composition") {
            let bare = |answer: &Answer| answer.etag().trim_matches('"').to_owned();
            uids = (bare(&direct), bare(&gateway));
        }
        let expected = normalised(&direct, &alone.nodes()[0].url());
        assert_eq!(normalised(&gateway, &behind.nodes()[0].url()), expected, "step {asked}: {step:?}");
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
async fn cp31_failing_nodes_are_told_apart_and_named() {
    let federation = federation(2).await;
    let routing = routing(&federation);
    let at_a = || call("GET", format!("/ehr/{UUID}")).having("openehr-federation-endpoint", "hospital-a");
    let cases = [
        (Fault::CloseOnAccept, "endpoint-unavailable"),
        (Fault::Reset, "endpoint-unavailable"),
        (Fault::Redirect("http://127.0.0.1:1/".to_owned()), "307 Temporary Redirect"),
        (Fault::Status(503, "{}".to_owned()), "503 Service Unavailable"),
    ];
    for (fault, expected) in cases {
        let faults = federation.nodes()[0].faults();
        faults.clear();
        faults.always(fault.clone());
        let told = match routed(&routing, &at_a()).await {
            Ok(answer) => answer.status.to_string(),
            Err(error) => {
                assert_eq!(error.about()[0].id.as_str(), "hospital-a", "{fault:?}");
                error.code().to_string()
            }
        };
        assert_eq!(told, expected, "{fault:?}");
    }
}

/// Following up on a copy: the version a client saw at one node was created at another (§10.3).
#[tokio::test]
async fn cp29_a_write_that_builds_on_a_copy_is_a_conflict_naming_the_controlling_system() {
    let federation = federation(2).await;
    let routing = routing(&federation);
    let made = call("PUT", format!("/ehr/{UUID}")).having("openehr-federation-endpoint", "hospital-b");
    assert_eq!(routed(&routing, &made).await.unwrap().status, StatusCode::CREATED);
    let update =
        call("PUT", format!("/ehr/{UUID}/composition/x")).sending(COMPOSITION).having("if-match", "\"x::cdr-a.example.org::1\"");
    let refused = routed(&routing, &update).await.unwrap_err();
    assert_eq!(refused.code().as_str(), "controlling-system");
    assert!(refused.to_string().contains("`cdr-a.example.org` at endpoint `hospital-a`"), "{refused}");
    let wrote = |node: &tributary_sandbox::node::Node| node.journal().contains("/composition/x");
    assert!(!federation.nodes().iter().any(wrote), "nobody was written to");
}
