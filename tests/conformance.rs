//! The conformance harness against the gateway in front of sandbox nodes, with the nodes' side of the wire open to it and
//! faults on demand. What fails here breaks a promise of the federation specification.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::extract::{Path, State};
use axum::routing::get;
use clap::Parser as _;
use tributary::config;
use tributary::server::{Gateway, router, serve};
use tributary_conformance::arguments::Arguments;
use tributary_conformance::report::Report;
use tributary_conformance::run::run;
use tributary_conformance::{Finding, identifier};
use tributary_sandbox::federation::Federation;
use tributary_sandbox::model::Commit;
use tributary_sandbox::node::Dialect;
use tributary_sandbox::synthetic::Plan;
use tributary_sandbox::wire::Fault;

/// An `ehr_id` that two nodes hold, of two patients.
const COLLIDING: &str = "c0111de5-0000-4000-8000-000000000001";

/// Deviations that are known, and why they are there. One that is gone must leave this list.
const KNOWN: &[(&str, &str)] = &[];

/// What a journal's address has given so far: it only grows, although the nodes keep theirs by connection.
#[derive(Default)]
struct Given {
    bytes: Vec<u8>,
    of_connection: Vec<usize>,
}

struct Sandbox {
    federation: Federation,
    given: Mutex<BTreeMap<String, Given>>,
}

async fn journal(State(sandbox): State<Arc<Sandbox>>, Path(endpoint): Path<String>) -> Vec<u8> {
    let connections = sandbox.federation.node(&endpoint).unwrap().journal().connections();
    let mut all = sandbox.given.lock().unwrap();
    let given = all.entry(endpoint).or_default();
    given.of_connection.resize(connections.len(), 0);
    for (connection, already) in connections.iter().zip(&mut given.of_connection) {
        given.bytes.extend_from_slice(&connection[*already..]);
        *already = connection.len();
    }
    given.bytes.clone()
}

async fn sandbox(dialects: Vec<Dialect>) -> Arc<Sandbox> {
    let mut data = Plan { seed: 11, nodes: 4, patients: 4, dialects, ..Plan::default() }.generate();
    let commit =
        Commit { time: "2024-01-01T00:00:00.000Z".into(), committer: "Admission".into(), contribution: COLLIDING.into() };
    for (patient, member) in [("somebody", 0), ("somebody-else", 1)] {
        data.add_patient(patient, &[(member, COLLIDING.to_owned())], &commit);
    }
    Arc::new(Sandbox { federation: Federation::start(data).await.unwrap(), given: Mutex::default() })
}

fn listening() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    (listener, url)
}

/// A gateway in front of the nodes; `{base}` is not the root.
async fn gateway(sandbox: &Sandbox, more: &str) -> String {
    let (listener, url) = listening();
    let address = listener.local_addr().unwrap().to_string();
    let server = "base_path = \"/federated\"\n\n[timeouts]\nper_node_ms = 500\noverall_ms = 2000\n";
    let text = sandbox.federation.gateway_config(&address).replacen("[federation]", &format!("{server}{more}\n[federation]"), 1);
    let gateway = Gateway::new(config::parse("test", &text).unwrap()).unwrap();
    tokio::spawn(async move { serve(listener, router(&gateway), axum_server::Handle::new()).await.unwrap() });
    format!("{url}federated")
}

async fn journals(sandbox: &Arc<Sandbox>) -> String {
    let (listener, url) = listening();
    listener.set_nonblocking(true).unwrap();
    let listener = tokio::net::TcpListener::from_std(listener).unwrap();
    let journals = Router::new().route("/{endpoint}", get(journal)).with_state(Arc::clone(sandbox));
    tokio::spawn(async move { axum::serve(listener, journals).await.unwrap() });
    url
}

/// Faults that files switch on: a hook makes or removes the file and waits until the node has heard of it.
async fn obey(sandbox: Arc<Sandbox>, folder: PathBuf, faults: Vec<Fault>) {
    let mut now: Option<usize> = None;
    loop {
        let wanted = (0..faults.len()).find(|index| folder.join(format!("fault-{index}")).exists());
        if wanted != now {
            let node = sandbox.federation.node("hospital-b").unwrap();
            match wanted.and_then(|index| faults.get(index)) {
                Some(fault) => {
                    node.faults().always(fault.clone());
                    node.server().cut_connections();
                }
                None => node.faults().clear(),
            }
            now = wanted;
        }
        let heard = folder.join("heard");
        match now {
            Some(_) => drop(std::fs::write(heard, "")),
            None => drop(std::fs::remove_file(heard)),
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

fn hooks(folder: &std::path::Path, count: usize) -> Vec<String> {
    let folder = folder.display();
    let pair = |index| {
        [
            format!("--hook-break=touch {folder}/fault-{index}; until [ -e {folder}/heard ]; do sleep 0.01; done"),
            format!("--hook-mend=rm {folder}/fault-{index}; while [ -e {folder}/heard ]; do sleep 0.01; done"),
        ]
    };
    (0..count).flat_map(pair).collect()
}

async fn look(sandbox: &Arc<Sandbox>, url: &str, more: Vec<String>) -> (String, Report) {
    let patient = sandbox.federation.patients()[0].clone();
    let journals = journals(sandbox).await;
    let mut line = vec!["harness".to_owned(), format!("--url={url}"), format!("--patient={}", patient.value)];
    line.extend([format!("--namespace={}", patient.namespace), "--second-namespace=urn:oid:2.999.77".to_owned()]);
    line.extend([format!("--colliding-ehr-id={COLLIDING}"), "--allow-writes".to_owned()]);
    let members = sandbox.federation.members().iter().map(|member| &member.endpoint_id);
    line.extend(members.map(|id| format!("--node-journal={id}={journals}{id}")));
    line.extend(more);
    (patient.value, run(Arguments::parse_from(line)).await.unwrap())
}

/// Runs every check with faults at one node, and ends the test when anything fails that is not known.
async fn kept(name: &str, dialects: Vec<Dialect>, settings: &str, silent_at_most: usize) -> Report {
    let sandbox = sandbox(dialects).await;
    let url = gateway(&sandbox, settings).await;
    let folder = tempfile::tempdir().unwrap();
    let faults = vec![Fault::Status(500, "{}".to_owned()), Fault::CloseOnAccept, Fault::HangBeforeHeaders, Fault::MalformedJson];
    let hooks = hooks(folder.path(), faults.len());
    let obeying = tokio::spawn(obey(Arc::clone(&sandbox), folder.path().to_owned(), faults));
    let (patient, report) = look(&sandbox, &url, hooks).await;
    obeying.abort();
    let known: Vec<&str> = KNOWN.iter().map(|(id, _)| *id).collect();
    assert_eq!(report.failed(), known, "{name}: {report}");
    assert!(!identifier::stands_in(&patient, report.to_string().as_bytes()), "{name}: the report shows the identifier");
    let silent = report.lines.iter().filter(|line| matches!(line.verdict, Err(Finding::NotApplicable(_)))).count();
    assert!(silent <= silent_at_most, "{name}: {silent} checks said nothing: {report}");
    report
}

#[tokio::test(flavor = "multi_thread")]
async fn the_gateway_keeps_every_promise_that_can_be_seen() {
    let report = kept("as it comes", Vec::new(), "", 13).await;
    for seen in
        ["CP-2.4", "CP-2.5", "CP-3.2", "CP-4.1", "CP-12.3", "CP-26.3", "CP-26.4", "CP-30.5", "CP-30.7", "CP-31.5", "CP-33.3"]
    {
        assert!(matches!(report.verdict(seen), Some(Ok(()))), "{seen} was not looked at: {report}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gateway_that_offers_only_what_it_must_keeps_its_promises() {
    let settings = "\n[completeness]\nbest_effort = false\n\n[paging]\noffset_strategy = \"reject\"\n\n[aggregates]\ndecomposable = []\n\n\
                    [dedup]\nmodes = [\"none\"]\n";
    kept("strict", Vec::new(), settings, 16).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn aggregates_over_fetched_rows_keep_every_promise() {
    kept("rows", Vec::new(), "\n[aggregates]\nstrategy = \"rows\"\n", 13).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nodes_of_unlike_products_keep_every_promise() {
    kept("dialects", vec![Dialect::Standard, Dialect::EhrbaseLike, Dialect::GopenehrLike, Dialect::BetterLike], "", 13).await;
}
