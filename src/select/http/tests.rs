//! The JSON contracts of localizer and consent service, and every way not to keep them.

use std::time::Duration;

use serde_json::json;

use super::*;
use crate::config::ServiceSettings;
use crate::node::Credentials;
use crate::select::testing::{Script, Stub, in_good_time, patient, service};

fn nodes() -> BTreeSet<NodeId> {
    ["a", "b"].map(NodeId::new).into()
}

async fn located(stub: &Stub) -> Result<BTreeSet<NodeId>, SeamError> {
    let localizer = HttpService(service(stub.url.clone()));
    localizer.candidates(&patient("urn:ns", "p"), &nodes(), in_good_time()).await.map(|candidates| candidates.nodes)
}

async fn denied(stub: &Stub) -> Result<BTreeSet<NodeId>, SeamError> {
    HttpService(service(stub.url.clone())).denied(&patient("urn:ns", "p"), &nodes(), in_good_time()).await
}

#[tokio::test]
async fn the_localizer_is_told_the_patient_and_answers_nodes() {
    let stub = Stub::answering(200, json!({"nodes": ["b", "unheard-of"], "more": true}).to_string()).await;
    assert_eq!(located(&stub).await.unwrap(), BTreeSet::from(["b", "unheard-of"].map(NodeId::new)));
    let asked = &stub.asked()[0];
    assert_eq!(asked.line, "POST /fhir/");
    let body: serde_json::Value = serde_json::from_str(&asked.body).unwrap();
    assert_eq!(body, json!({"patient": {"namespace": "urn:ns", "value": "p"}}));
}

#[tokio::test]
async fn the_consent_service_is_told_patient_and_nodes_and_answers_the_denied() {
    let stub = Stub::answering(200, json!({"denied": ["a"]}).to_string()).await;
    assert_eq!(denied(&stub).await.unwrap(), BTreeSet::from([NodeId::new("a")]));
    let body: serde_json::Value = serde_json::from_str(&stub.asked()[0].body).unwrap();
    assert_eq!(body, json!({"patient": {"namespace": "urn:ns", "value": "p"}, "nodes": ["a", "b"]}));
}

#[tokio::test]
async fn basic_credentials_are_sent() {
    let stub = Stub::answering(200, json!({"nodes": []}).to_string()).await;
    let mut service = service(stub.url.clone());
    service.settings.credentials = Credentials::Basic { username: "u".to_owned(), password: "p".into() };
    HttpService(service).candidates(&patient("n", "v"), &nodes(), in_good_time()).await.unwrap();
    assert_eq!(stub.asked()[0].authorization.as_deref(), Some("Basic dTpw"));
}

#[tokio::test]
async fn whatever_is_not_the_contract_is_no_answer() {
    for status in [204, 302, 400, 401, 403, 404, 500, 503] {
        let stub = Stub::answering(status, json!({"nodes": [], "denied": []}).to_string()).await;
        assert_eq!(located(&stub).await, Err(SeamError::Status(status)));
        assert_eq!(denied(&stub).await, Err(SeamError::Status(status)));
    }
    for body in ["", "[]", "{}", "{\"nodes\": \"a\", \"denied\": [1]}", "{\"nodes\": [null], \"denied\": null}", "{\"nodes\": ["]
    {
        let stub = Stub::answering(200, body).await;
        assert!(matches!(located(&stub).await, Err(SeamError::Malformed(_))), "{body}");
        assert!(matches!(denied(&stub).await, Err(SeamError::Malformed(_))), "{body}");
    }
}

#[tokio::test]
async fn a_service_that_is_slow_large_or_elsewhere_is_no_answer() {
    for script in [Script::Mute, Script::Stall] {
        let stub = Stub::start(script).await;
        let mut service = service(stub.url.clone());
        service.settings.timeout = Duration::from_millis(50);
        let answer = HttpService(service).denied(&patient("n", "v"), &nodes(), in_good_time()).await;
        assert!(matches!(answer, Err(SeamError::TimedOut(_))), "{answer:?}");
    }
    let stub = Stub::answering(200, " ".repeat(300_000)).await;
    assert_eq!(located(&stub).await, Err(SeamError::TooLarge(ServiceSettings::DEFAULT_MAX_ANSWER_BYTES)));
    let elsewhere = Stub::answering(200, json!({"nodes": ["a"]}).to_string()).await;
    let redirecting = Stub::start(Script::Redirect(elsewhere.url.clone())).await;
    assert_eq!(located(&redirecting).await, Err(SeamError::Status(307)));
    assert!(elsewhere.asked().is_empty());
}
