//! One record, one node, over in-process nodes under paused time: judged by the client's answer and by what each node received.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::Body;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Response};
use http_body_util::BodyExt;

use super::*;
use crate::budget::Budget;
use crate::config::StaticIdentity;
use crate::ids::{EhrId, NodeId, SystemId};
use crate::node::Permits;
use crate::node::memory::{Network, Script, doing, endpoint};
use crate::registry::{Endpoint, Membership, Registry};
use crate::select::{Bindings, Caller, IdentityTable, Selector};
use crate::sensitive::Sensitive;

mod bodies;
mod definitions;
mod distribution;
mod reads;
mod subjects;
mod transparency;
mod writes;

const SECOND: Duration = Duration::from_secs(1);
const UUID: &str = "7d44b88c-4199-4bad-97dc-d78268e01398";

/// The server runs requests on any thread.
#[tokio::test]
async fn requests_may_move_between_threads() {
    fn movable<T: Send>(future: T) -> T {
        future
    }
    let house = House::of(&[("a", Some(parrot))]);
    let options = movable(house.routing.serve(request("OPTIONS", "/ehr")));
    assert_eq!(told(&options.await), "204 -");
}

/// What every node received, head and body, in the order of arrival.
type Journal = Arc<Mutex<Vec<(String, String)>>>;

/// How a node answers a request, given its first line: status line, headers and body.
type Answer = fn(&str) -> String;

/// A node and how it answers; without, it refuses connections.
type Scripted = (&'static str, Option<Answer>);

fn answer(status: &str, headers: &str, body: &str) -> String {
    format!("HTTP/1.1 {status}\r\n{headers}content-length: {}\r\n\r\n{body}", body.len())
}

/// Holds the EHR.
fn holder(line: &str) -> String {
    match line.split(' ').nth(1) {
        Some(path) if path == format!("/base/v1/ehr/{UUID}") => {
            answer("200 OK", "", &format!("{{\"ehr_id\":{{\"value\":\"{UUID}\"}}}}"))
        }
        _ => answer("200 OK", "", "{}"),
    }
}

/// Holds nothing.
fn stranger(_: &str) -> String {
    answer("404 Not Found", "", "{\"message\":\"not here\"}")
}

/// Answers with failures.
fn broken(_: &str) -> String {
    answer("500 Internal Server Error", "", "")
}

/// Answers everything alike, as a misplaced proxy would.
fn parrot(_: &str) -> String {
    answer("200 OK", "", "{}")
}

/// Never answers.
fn mute(_: &str) -> String {
    String::new()
}

struct House {
    routing: Routing,
    journal: Journal,
}

impl House {
    /// A federation of these nodes; each is the system `<host>.example.org`. A host without a script refuses connections.
    fn of(nodes: &[Scripted]) -> Self {
        House::with(nodes, &[], |_| ())
    }

    fn with(nodes: &[Scripted], patients: &[(&str, &str, &str)], change: fn(&mut Endpoint)) -> Self {
        let journal = Journal::default();
        let scripts = nodes.iter().filter_map(|(host, answer)| Some(((*host).to_owned(), scripted(host, (*answer)?, &journal))));
        let endpoints = nodes.iter().map(|(host, _)| {
            let mut endpoint = endpoint(host);
            change(&mut endpoint);
            endpoint
        });
        let registry = Arc::new(Registry::new(endpoints.collect(), Vec::new()));
        let rows = patients.iter().map(|(value, node, ehr_id)| StaticIdentity {
            patient: crate::plan::PatientReference {
                namespace: Sensitive::new("ns".to_owned()),
                value: Sensitive::new((*value).to_owned()),
            },
            node: NodeId::new(*node),
            ehr_id: EhrId::new(*ehr_id),
        });
        let selector = Selector::with(Arc::clone(&registry), Box::new(IdentityTable::new(&rows.collect::<Vec<_>>())));
        let client = Network::from_scripts(scripts).client();
        let settings = RoutingSettings {
            pass_query_parameters: BTreeSet::from(["format".to_owned()]),
            max_body_bytes: 1000,
            fan_out_template_upload: true,
            stored_query_fan_out: false,
            default_namespace: None,
        };
        let permits = Arc::new(Permits::new(10, 10));
        let routing = Routing::new(registry, client, permits, Arc::new(selector), Bindings::default(), settings);
        House { routing, journal }
    }

    async fn serve(&self, request: RoutedRequest) -> Result<Response<Body>, RouteError> {
        self.routing.serve(request).await
    }

    /// The first line of each request a node received.
    fn lines(&self) -> Vec<(String, String)> {
        let journal = self.journal.lock().unwrap();
        journal.iter().map(|(host, text)| (host.clone(), text.lines().next().unwrap_or_default().to_owned())).collect()
    }

    /// Everything the nodes received.
    fn everything(&self) -> String {
        self.journal.lock().unwrap().iter().map(|(_, text)| text.as_str()).collect()
    }

    /// Who received how many requests.
    fn counts(&self) -> BTreeMap<String, usize> {
        let mut counts = BTreeMap::new();
        for (host, _) in self.lines() {
            *counts.entry(host).or_default() += 1;
        }
        counts
    }
}

fn scripted(host: &str, answer: Answer, journal: &Journal) -> Script {
    let (host, journal) = (host.to_owned(), Arc::clone(journal));
    doing(move |mut pipe| {
        let (host, journal) = (host.clone(), Arc::clone(&journal));
        async move {
            while let Some(request) = pipe.request().await {
                let line = request.lines().next().unwrap_or_default().to_owned();
                journal.lock().unwrap().push((host.clone(), request));
                pipe.write(&answer(&line)).await;
            }
        }
    })
}

fn request(method: &str, path: &str) -> RoutedRequest {
    let (path, query) = path.split_once('?').map_or((path, None), |(path, query)| (path, Some(query.to_owned())));
    RoutedRequest {
        method: Method::from_bytes(method.as_bytes()).unwrap(),
        path: format!("v1{path}"),
        query,
        headers: HeaderMap::new(),
        body: Body::empty(),
        caller: Caller::new("someone"),
        budget: Budget::start(SECOND * 15, SECOND * 5),
    }
}

/// The same with a header more.
fn having(mut request: RoutedRequest, name: &str, value: &str) -> RoutedRequest {
    request.headers.append(HeaderName::try_from(name).unwrap(), HeaderValue::try_from(value).unwrap());
    request
}

fn at(host: &str, request: RoutedRequest) -> RoutedRequest {
    having(request, "openEHR-federation-endpoint", host)
}

/// Status and acting endpoint of an answer, or code and endpoints of a refusal.
fn told(result: &Result<Response<Body>, RouteError>) -> String {
    match result {
        Ok(response) => {
            let acting = response.headers().get("openehr-federation-endpoint").map(|value| value.to_str().unwrap());
            format!("{} {}", response.status().as_u16(), acting.unwrap_or("-"))
        }
        Err(error) => {
            let about: Vec<&str> = error.about().iter().map(|endpoint| endpoint.id.as_str()).collect();
            format!("{} {}", error.code(), about.join(","))
        }
    }
}

async fn text(response: Response<Body>) -> String {
    String::from_utf8(response.into_body().collect().await.unwrap().to_bytes().to_vec()).unwrap()
}
