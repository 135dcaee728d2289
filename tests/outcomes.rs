//! What becomes of one endpoint in a query, and what that does to the answer (§11.1 to §11.5): every way a node can fail, over
//! sockets, through the running gateway.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::net::TcpListener;
use std::time::Duration;

use serde_json::Value;
use tributary::config;
use tributary::server::{self, Gateway};
use tributary_sandbox::federation::Federation;
use tributary_sandbox::synthetic::{Patient, Plan};
use tributary_sandbox::wire::Fault;

/// The limit for one node, in milliseconds: ample for a healthy one on a busy machine.
const LIMIT_MS: u64 = 1000;

async fn federation() -> Federation {
    Federation::start(Plan { seed: 3, nodes: 3, patients: 1, ..Plan::default() }.generate()).await.unwrap()
}

/// A gateway in front of the federation that gives a node this long; gives its address.
fn gateway(federation: &Federation, limit_ms: u64) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let limits = format!("\n[timeouts]\nper_node_ms = {limit_ms}\noverall_ms = 60000\n\n[limits]\nmax_node_bytes = 1000000\n");
    let endpoint = "organisation = \"org-a\"\nurl";
    let config = federation.gateway_config(&address) + &limits;
    let config = config.replace(endpoint, "organisation = \"org-a\"\nconsent_refusal_codes = [\"no-consent\"]\nurl");
    let router = server::router(&Gateway::new(config::parse("test", &config).unwrap()).unwrap());
    tokio::spawn(server::serve(listener, router, axum_server::Handle::new()));
    format!("http://{address}")
}

/// Status and body of a query for a patient's compositions.
async fn ask(gateway: &str, patient: &Patient, completeness: &str) -> (u16, Value) {
    let aql = format!(
        "SELECT c/uid/value AS uid FROM EHR e CONTAINS COMPOSITION c WHERE e/ehr_status/subject/external_ref/id/value = '{}'",
        patient.value
    );
    let request = reqwest::Client::new().post(format!("{gateway}/v1/query/aql")).header("content-type", "application/json");
    let request = request.header("openEHR-federation-completeness", completeness);
    let response = request.body(serde_json::json!({ "q": aql }).to_string()).send().await.unwrap();
    let status = response.status().as_u16();
    (status, serde_json::from_slice(&response.bytes().await.unwrap()).unwrap())
}

fn endpoint<'a>(answer: &'a Value, id: &str) -> &'a Value {
    let endpoints = answer["meta"]["federation"]["endpoints"].as_array().unwrap();
    endpoints.iter().find(|endpoint| endpoint["id"] == id).unwrap()
}

#[tokio::test]
async fn cp30_every_way_to_fail_has_its_status_and_its_consequence() {
    let cases = [
        (Fault::CloseOnAccept, "offline", 504),
        (Fault::Reset, "offline", 504),
        (Fault::HangBeforeHeaders, "time-out", 504),
        (Fault::HangMidBody, "time-out", 504),
        (Fault::Delay(Duration::from_millis(4 * LIMIT_MS)), "time-out", 504),
        (Fault::Drip { bytes: 1, every: Duration::from_millis(100) }, "time-out", 504),
        (Fault::Status(500, r#"{"message":"broken"}"#.to_owned()), "node-error", 424),
        (Fault::Status(404, String::new()), "node-error", 424),
        (Fault::MalformedJson, "node-error", 424),
        (Fault::RowsNotArrays, "node-error", 424),
        (Fault::ShortRows, "node-error", 424),
        (Fault::EmptyObject, "node-error", 424),
        (Fault::Oversize(2_000_000), "node-error", 424),
        (Fault::ResetMidBody, "node-error", 424),
        (Fault::Redirect("http://127.0.0.1:1/".to_owned()), "node-error", 424),
        (Fault::ConsentRefusal("no-consent".to_owned()), "consent-denied", 200),
        (Fault::ConsentRefusal("another".to_owned()), "node-error", 424),
        (Fault::NoContent, "active", 200),
    ];
    let federation = federation().await;
    let (gateway, patient) = (gateway(&federation, LIMIT_MS), &federation.patients()[0]);
    let (_, whole) = ask(&gateway, patient, "all").await;
    let all = whole["rows"].as_array().unwrap().len();
    for (fault, status, http) in cases {
        let faults = federation.nodes()[0].faults();
        faults.clear();
        faults.always(fault.clone());
        if fault == Fault::CloseOnAccept {
            federation.nodes()[0].server().cut_connections(); // one is open, and its requests are served
        }
        let (got, answer) = ask(&gateway, patient, "all").await;
        let failing = endpoint(&answer, "hospital-a");
        assert_eq!((failing["status"].as_str(), got), (Some(status), http), "{fault:?}: {failing}");
        assert_eq!(answer["meta"]["federation"]["complete"], status == "active", "{fault:?}");
        assert!(failing["latency_ms"].is_u64(), "{fault:?}: a request was dispatched");
        assert_eq!(
            failing["error"].is_string(),
            !["active", "consent-denied"].contains(&status) || failing["error"].is_string(),
            "{fault:?}"
        );
        let rows = answer["rows"].as_array().unwrap().len();
        assert_eq!(rows == 0, http != 200, "{fault:?}: nothing is answered rather than a part");
        let (got, part) = ask(&gateway, patient, "partial").await;
        let rows = part["rows"].as_array().unwrap().len();
        assert!(got == 200 && 0 < rows && rows < all, "{fault:?}: the others answer ({got}, {rows} of {all})");
        assert_eq!(endpoint(&part, "hospital-b")["status"], "active", "{fault:?}");
    }
    assert_eq!(federation.leak(&patient.value), None);
}

#[tokio::test]
async fn cp31_one_slow_node_costs_its_limit_and_no_more() {
    let federation = federation().await;
    let (gateway, patient) = (gateway(&federation, LIMIT_MS), &federation.patients()[0]);
    ask(&gateway, patient, "all").await;
    federation.nodes()[1].faults().always(Fault::HangBeforeHeaders);
    let (status, answer) = ask(&gateway, patient, "partial").await;
    assert_eq!(status, 200);
    let latency = |id| endpoint(&answer, id)["latency_ms"].as_u64().unwrap();
    assert!(latency("hospital-b") >= LIMIT_MS, "{answer}");
    assert_eq!(endpoint(&answer, "hospital-b")["status"], "time-out");
    assert!(latency("hospital-b") < 4 * LIMIT_MS, "the budget of 60 s is not waited for: {answer}");
}

#[tokio::test]
async fn a_client_that_hangs_up_frees_the_connections_at_the_nodes() {
    let federation = federation().await;
    let (gateway, patient) = (gateway(&federation, 50_000), &federation.patients()[0]);
    let node = &federation.nodes()[0];
    node.faults().always(Fault::HangBeforeHeaders);
    let hanging_up = tokio::time::timeout(Duration::from_secs(2), ask(&gateway, patient, "all"));
    assert!(hanging_up.await.is_err(), "the node hangs, and the client gives up");
    assert!(!node.journal().is_empty(), "it was asked");
    let freed = async {
        while node.server().open_connections() > 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), freed).await.expect("long before the limit of 50 s");
}
