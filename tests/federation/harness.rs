//! A sandbox federation and the gateway in front of it, over sockets. When a [`World`] is dropped it is searched: neither a
//! patient's identifier nor its namespace may stand in any encoding in what a node received or in what the gateway logged.
//! Answers are searched as they come in.

use std::net::{SocketAddr, TcpListener};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum_server::Handle;
use futures_util::FutureExt;
use http::{HeaderMap, Method, StatusCode};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tower::ServiceExt;
use tributary::config;
use tributary::server::{self, Gateway};
use tributary_sandbox::federation::Federation;
use tributary_sandbox::identity::Services;
use tributary_sandbox::node::Node;
use tributary_sandbox::synthetic::{Dataset, Plan};
use tributary_sandbox::wire;

use crate::log;

/// A run of so many characters of an identifier tells who it is: two thirds of those used here, as `docs/hygiene.md` has it.
const FRAGMENT: usize = 10;

/// What to start.
pub(crate) struct Setup {
    data: Dataset,
    services: bool,
    more: String,
    edits: Vec<(String, String)>,
}

/// A federation with its gateway.
pub(crate) struct World {
    pub(crate) federation: Federation,
    services: Option<Services>,
    gateway: Gateway,
    address: SocketAddr,
    handle: Handle<SocketAddr>,
    pub(crate) client: reqwest::Client,
    secrets: Vec<String>,
    log_from: AtomicUsize,
}

/// Four members and four patients: at all of them, at two, at one, at none.
pub(crate) fn four(seed: u64) -> Setup {
    Setup::of(Plan { seed, nodes: 4, patients: 4, ..Plan::default() }.generate())
}

/// `TEST_TIMES=20` looks twenty times as far as every day, where cases are random.
pub(crate) fn times() -> u32 {
    std::env::var("TEST_TIMES").ok().and_then(|times| times.parse().ok()).unwrap_or(1)
}

impl Setup {
    pub(crate) fn of(data: Dataset) -> Self {
        Setup { data, services: false, more: String::new(), edits: Vec::new() }
    }

    /// With a PIX manager, a localizer and a consent service.
    pub(crate) fn with_services(self) -> Self {
        Setup { services: true, ..self }
    }

    /// With more tables in the configuration; `{a}` … `{d}` stand for the nodes' ports.
    pub(crate) fn with(mut self, toml: &str) -> Self {
        self.more = format!("{}\n{toml}\n", self.more);
        self
    }

    /// With a text of the configuration in place of another.
    pub(crate) fn editing(mut self, from: &str, to: &str) -> Self {
        self.edits.push((from.to_owned(), to.to_owned()));
        self
    }

    /// With another line in an endpoint's table.
    pub(crate) fn at(self, endpoint: &str, line: &str) -> Self {
        let id = format!("[[endpoint]]\nid = \"{endpoint}\"\n");
        let with = format!("{id}{line}\n");
        self.editing(&id, &with)
    }

    pub(crate) async fn start(self) -> World {
        let log_from = AtomicUsize::new(log::start());
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let federation = Federation::start(self.data).await.unwrap();
        let services = if self.services { Some(Services::start(&federation).await.unwrap()) } else { None };
        let identities = match &services {
            Some(services) => services.gateway_config(&federation),
            None => federation.static_identities(),
        };
        let mut text = federation.gateway_settings(&address.to_string()) + &identities + &self.more;
        for (from, to) in &self.edits {
            assert!(text.contains(from), "nothing to edit: {from}");
            text = text.replace(from, to);
        }
        for (letter, node) in ('a'..='z').zip(federation.nodes()) {
            text = text.replace(&format!("{{{letter}}}"), &node.server().address().port().to_string());
        }
        let settings = config::parse("test", &text).unwrap_or_else(|faults| panic!("{faults}\n{text}"));
        let gateway = Gateway::new(settings).unwrap();
        let handle = Handle::new();
        tokio::spawn(server::serve(listener, server::router(&gateway), handle.clone()));
        handle.listening().await.unwrap();
        let secrets = secrets(&federation);
        World { federation, services, gateway, address, handle, client: reqwest::Client::new(), secrets, log_from }
    }
}

/// What no node, no log and no error may show.
fn secrets(federation: &Federation) -> Vec<String> {
    let values = federation.patients().iter().map(|patient| patient.value.clone());
    let namespace = federation.patients().first().map(|patient| patient.namespace.clone());
    values.chain(namespace).collect()
}

impl World {
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub(crate) fn services(&self) -> &Services {
        self.services.as_ref().unwrap()
    }

    pub(crate) fn gateway(&self) -> &Gateway {
        &self.gateway
    }

    pub(crate) fn node(&self, endpoint: &str) -> &Node {
        self.federation.node(endpoint).unwrap()
    }

    /// The identifier of a patient: 0 is known at all members.
    pub(crate) fn patient(&self, index: usize) -> &str {
        &self.federation.patients()[index].value
    }

    /// A predicate that names this patient.
    pub(crate) fn who(&self, index: usize) -> String {
        format!("e/ehr_status/subject/external_ref/id/value = '{}'", self.patient(index))
    }

    /// The uids of a patient's compositions.
    pub(crate) fn uids_of(&self, index: usize) -> String {
        format!("SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE {}", self.who(index))
    }

    /// A query to be posted.
    pub(crate) fn query(&self, aql: &str) -> Ask<'_> {
        let ask = self.request(Method::POST, "/v1/query/aql");
        Ask { json: Some(json!({ "q": aql })), ..ask }
    }

    /// Any request.
    pub(crate) fn request(&self, method: Method, path: &str) -> Ask<'_> {
        Ask { world: self, method, path: path.to_owned(), headers: Vec::new(), json: None, body: Vec::new() }
    }

    /// Which nodes received a query, by endpoint id.
    pub(crate) fn asked(&self) -> Vec<&str> {
        let members = self.federation.members().iter().zip(self.federation.nodes());
        let asked =
            members.filter(|(_, node)| node.journal().requests().iter().any(|request| request.target.contains("/query/aql")));
        asked.map(|(member, _)| member.endpoint_id.as_str()).collect()
    }

    /// What operators are shown. Made without waiting for anything.
    fn metrics(&self) -> Vec<u8> {
        let request = http::Request::get("/metrics").body(axum::body::Body::empty()).unwrap();
        let response = server::admin_router(&self.gateway).oneshot(request).now_or_never().unwrap().unwrap();
        response.into_body().collect().now_or_never().unwrap().unwrap().to_bytes().to_vec()
    }

    /// Searches what the nodes received, what was logged and what was measured, then goes on from there.
    pub(crate) fn judge(&self) {
        let (log, metrics) = (log::since(self.log_from.load(Ordering::Relaxed)), self.metrics());
        for secret in &self.secrets {
            assert_eq!(self.federation.leak(secret), None, "`{secret}` reached a node");
            assert_eq!(wire::find(&log, secret), None, "`{secret}` was logged");
            assert_eq!(wire::find(&metrics, secret), None, "`{secret}` was measured");
        }
        let fragments = |value: &String| {
            value.as_bytes().windows(FRAGMENT).map(|run| String::from_utf8_lossy(run).into_owned()).collect::<Vec<_>>()
        };
        for node in self.federation.nodes() {
            let received = node.journal().connections().concat();
            let received = String::from_utf8_lossy(&received).to_lowercase();
            for fragment in self.secrets.iter().filter(|secret| !secret.starts_with("urn:")).flat_map(fragments) {
                assert!(!received.contains(&fragment.to_lowercase()), "`{fragment}` reached {}", node.id());
            }
            node.journal().clear();
        }
        self.log_from.fetch_add(log.len(), Ordering::Relaxed);
    }
}

impl Drop for World {
    fn drop(&mut self) {
        self.handle.shutdown();
        if !std::thread::panicking() {
            self.judge();
        }
    }
}

/// A request in the making.
pub(crate) struct Ask<'w> {
    world: &'w World,
    method: Method,
    path: String,
    headers: Vec<(String, String)>,
    json: Option<Value>,
    body: Vec<u8>,
}

impl Ask<'_> {
    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Directed at these endpoints.
    pub(crate) fn at(self, endpoints: &str) -> Self {
        self.header("openEHR-federation-endpoint", endpoints)
    }

    /// Content with a part of the answer.
    pub(crate) fn partial(self) -> Self {
        self.header("openEHR-federation-completeness", "partial")
    }

    /// With another member in the body.
    pub(crate) fn member(mut self, name: &str, value: Value) -> Self {
        self.json.get_or_insert_with(|| json!({}))[name] = value;
        self
    }

    pub(crate) fn body(self, body: impl Into<Vec<u8>>) -> Self {
        Ask { body: body.into(), ..self }
    }

    /// To another path.
    pub(crate) fn to(self, path: &str) -> Self {
        Ask { path: path.to_owned(), ..self }
    }

    pub(crate) async fn send(self) -> Answer {
        let mut request = self.world.client.request(self.method, self.world.url(&self.path)).timeout(Duration::from_secs(120));
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        let request = match &self.json {
            Some(json) => request.header("content-type", "application/json").body(json.to_string()),
            None => request.body(self.body),
        };
        let response = request.send().await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        let text = response.text().await.unwrap();
        let answer = Answer { status, headers, body: serde_json::from_str(&text).unwrap_or(Value::Null), text };
        answer.judge(&self.world.secrets);
        answer
    }
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Value,
    pub(crate) text: String,
}

impl Answer {
    /// Nothing but the client's own `q`, and the rows, may show who was asked for.
    fn judge(&self, secrets: &[String]) {
        let mut shown = self.body.clone();
        match shown.as_object_mut() {
            Some(members) => {
                members.remove("q");
                members.remove("rows");
            }
            None => shown = Value::String(self.text.clone()),
        }
        let shown = format!("{shown}{:?}", self.headers);
        for secret in secrets {
            assert_eq!(wire::find(shown.as_bytes(), secret), None, "`{secret}` is told in {shown}");
        }
    }

    pub(crate) fn status(&self) -> u16 {
        self.status.as_u16()
    }

    pub(crate) fn code(&self) -> &str {
        self.body["code"].as_str().unwrap_or_default()
    }

    pub(crate) fn rows(&self) -> &Vec<Value> {
        self.body["rows"].as_array().unwrap_or_else(|| panic!("no rows: {}", self.text))
    }

    pub(crate) fn federation(&self) -> &Value {
        &self.body["meta"]["federation"]
    }

    pub(crate) fn complete(&self) -> bool {
        self.federation()["complete"].as_bool().unwrap_or_else(|| panic!("no `complete`: {}", self.text))
    }

    /// The report of an endpoint.
    pub(crate) fn endpoint(&self, id: &str) -> &Value {
        let reports = self.federation()["endpoints"].as_array().unwrap_or_else(|| panic!("no report: {}", self.text));
        reports.iter().find(|report| report["id"] == id).unwrap_or_else(|| panic!("no report of {id}: {}", self.text))
    }

    /// Every member's status, by endpoint id.
    pub(crate) fn statuses(&self) -> Vec<&str> {
        let reports = self.federation()["endpoints"].as_array().unwrap_or_else(|| panic!("no report: {}", self.text));
        reports.iter().map(|report| report["status"].as_str().unwrap()).collect()
    }

    /// The codes of the issues of the OperationOutcome, and that it is one.
    pub(crate) fn issues(&self) -> Vec<&str> {
        let outcome = &self.federation()["operation_outcome"];
        assert_eq!(outcome["resourceType"], "OperationOutcome", "{}", self.text);
        outcome["issue"].as_array().unwrap().iter().map(|issue| issue["code"].as_str().unwrap()).collect()
    }

    /// This status and this code, with all the members of an error.
    #[track_caller]
    pub(crate) fn is_refusal(&self, status: u16, code: &str) {
        assert_eq!((self.status(), self.code()), (status, code), "{}", self.text);
        assert!(self.body["message"].as_str().is_some_and(|message| !message.is_empty()), "{}", self.text);
        assert!(self.body["validationErrors"].is_array() && self.body["request_id"].is_string(), "{}", self.text);
        assert_eq!(self.headers["x-request-id"], self.body["request_id"].as_str().unwrap());
    }

    /// A failed fan-out: a RESULT_SET without rows, with its report, and an error's members.
    #[track_caller]
    pub(crate) fn is_failure(&self, status: u16, code: &str) {
        self.is_refusal(status, code);
        assert!(self.rows().is_empty() && self.body["columns"].is_array() && self.body["q"].is_string(), "{}", self.text);
        assert!(!self.complete(), "{}", self.text);
    }

    /// `200`, with the endpoints' statuses.
    #[track_caller]
    pub(crate) fn is_answer(&self, complete: bool, statuses: &[&str]) {
        assert_eq!(self.status(), 200, "{}", self.text);
        assert_eq!(self.statuses(), statuses, "{}", self.text);
        assert_eq!(self.complete(), complete, "{}", self.text);
        assert_eq!(self.federation()["operation_outcome"].is_null(), complete, "{}", self.text);
    }
}
