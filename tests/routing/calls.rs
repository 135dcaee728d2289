//! What an app sends, and what comes back.

use std::net::TcpListener;

use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use tributary::config;
use tributary::server::{self, Gateway};
use tributary_sandbox::federation::Federation;
use tributary_sandbox::synthetic::Dataset;

pub(crate) const UUID: &str = "7d44b88c-4199-4bad-97dc-d78268e01398";
pub(crate) const COMPOSITION: &str = r#" {"_type":"COMPOSITION", "name":{"_type":"DV_TEXT","value":"Example"},"archetype_node_id":"openEHR-EHR-COMPOSITION.encounter.v1","x":1.10}"#;

pub(crate) async fn federation(count: usize) -> Federation {
    Federation::start(Dataset::of_members(count)).await.unwrap()
}

/// A gateway in front of the federation; gives its address.
pub(crate) fn gateway(federation: &Federation) -> String {
    gateway_with(federation, "").0
}

/// The same with more lines under `[federation]`; gives the gateway as well.
pub(crate) fn gateway_with(federation: &Federation, more: &str) -> (String, Gateway) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let text = federation.gateway_config(&address).replacen("[federation]\n", &format!("[federation]\n{more}\n"), 1);
    let gateway = Gateway::new(config::parse("test", &text).unwrap()).unwrap();
    tokio::spawn(server::serve(listener, server::router(&gateway), axum_server::Handle::new()));
    (format!("http://{address}"), gateway)
}

/// One call of an app.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) method: &'static str,
    pub(crate) path: String,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: String,
}

pub(crate) fn call(method: &'static str, path: impl Into<String>) -> Call {
    Call { method, path: path.into(), headers: Vec::new(), body: String::new() }
}

impl Call {
    pub(crate) fn having(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    pub(crate) fn sending(self, body: impl Into<String>) -> Self {
        Call { body: body.into(), ..self }.having("content-type", "application/json")
    }

    fn header_map(&self) -> HeaderMap {
        let line =
            |(name, value): &(&'static str, String)| (HeaderName::from_static(name), HeaderValue::try_from(value).unwrap());
        self.headers.iter().map(line).collect()
    }
}

/// What came back.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: Vec<String>,
    pub(crate) body: String,
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

    pub(crate) fn etag(&self) -> String {
        let line = self.headers.iter().find_map(|line| line.strip_prefix("etag: "));
        line.unwrap_or_default().to_owned()
    }
}

thread_local! {
    /// One for each test, which has a thread and a runtime of its own.
    static CLIENT: reqwest::Client = reqwest::Client::new();
}

pub(crate) async fn ask(base: &str, call: &Call) -> (Answer, HeaderMap) {
    let method = Method::from_bytes(call.method.as_bytes()).unwrap();
    let request = CLIENT.with(Clone::clone).request(method, format!("{base}/v1{}", call.path)).headers(call.header_map());
    let response = request.body(call.body.clone()).send().await.unwrap();
    let (status, headers) = (response.status(), response.headers().clone());
    (Answer::of(status, &headers, &response.bytes().await.unwrap()), headers)
}

/// The answer of a node through the gateway, which says which.
pub(crate) async fn routed(gateway: &str, call: &Call) -> Answer {
    let (answer, headers) = ask(gateway, call).await;
    assert!(headers.contains_key("openehr-federation-endpoint"), "{call:?}: {answer:?}");
    answer
}

/// Makes the EHR at an endpoint, by the gateway.
pub(crate) async fn made_at(gateway: &str, endpoint: &str) {
    let made = call("PUT", format!("/ehr/{UUID}")).having("openehr-federation-endpoint", endpoint);
    assert_eq!(routed(gateway, &made).await.status, StatusCode::CREATED);
}
