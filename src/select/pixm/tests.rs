//! ITI-83 against managers on loopback: what is asked, what is understood, and every way not to answer.

use std::time::Duration;

use serde_json::json;
use url::Url;

use super::*;
use crate::config::ServiceSettings;
use crate::node::Credentials;
use crate::select::testing::{Script, Stub, client, in_good_time, patient};

fn manager(url: &Url, domains: &[(&str, &str)]) -> PixmManager {
    PixmManager {
        service: ServiceSettings::at(url.clone()),
        form: PixmForm::Get,
        domains: domains.iter().map(|(node, domain)| (NodeId::new(*node), (*domain).to_owned())).collect(),
        namespaces: BTreeMap::from([("https://ids.example/person".to_owned(), "urn:oid:2.999.1".to_owned())]),
    }
}

/// The manager of nodes `a` and `b`.
fn of_a_and_b(url: &Url) -> PixmManager {
    manager(url, &[("a", "urn:oid:2.999.9.1"), ("b", "urn:oid:2.999.9.2")])
}

async fn resolved(managers: Vec<PixmManager>) -> Vec<Resolution> {
    let nodes = ["a", "b"].map(NodeId::new).into();
    let pixm = Pixm::new(&PixmSettings { managers }, &client());
    pixm.resolve(&patient("https://ids.example/person", "p 1"), &nodes, in_good_time()).await.into_values().collect()
}

async fn answered(status: u16, body: serde_json::Value) -> Vec<Resolution> {
    let stub = Stub::answering(status, body.to_string()).await;
    resolved(vec![of_a_and_b(&stub.url)]).await
}

fn identifier(system: &str, value: &str) -> serde_json::Value {
    json!({"name": "targetIdentifier", "valueIdentifier": {"use": "official", "system": system, "value": value, "new": 1}})
}

fn parameters(parameters: &[serde_json::Value]) -> serde_json::Value {
    json!({"resourceType": "Parameters", "meta": {"lastUpdated": "2026-01-01"}, "parameter": parameters})
}

fn outcome(code: &str) -> serde_json::Value {
    let issue = json!({"severity": "error", "code": code, "diagnostics": "p 1 not found", "extension": []});
    json!({"resourceType": "OperationOutcome", "issue": [issue], "text": {}})
}

fn known(ehr_id: &str) -> Resolution {
    Resolution::Known(EhrId::new(ehr_id))
}

fn failed(error: SeamError) -> Resolution {
    Resolution::Unanswered(error)
}

#[tokio::test]
async fn the_get_form_asks_once_for_all_domains_with_the_mapped_authority() {
    let target_id = json!({"name": "targetId", "valueReference": {"reference": "Patient/7"}});
    let body = parameters(&[identifier("urn:oid:2.999.9.1", "ehr-a"), target_id, identifier("urn:elsewhere", "x")]);
    let stub = Stub::answering(200, body.to_string()).await;
    assert_eq!(resolved(vec![of_a_and_b(&stub.url)]).await, [known("ehr-a"), Resolution::NotKnown]);
    let asked = stub.asked();
    assert_eq!(asked.len(), 1);
    let query =
        "sourceIdentifier=urn%3Aoid%3A2.999.1%7Cp+1&targetSystem=urn%3Aoid%3A2.999.9.1&targetSystem=urn%3Aoid%3A2.999.9.2";
    assert_eq!(asked[0].line, format!("GET /fhir/Patient/$ihe-pix?{query}"));
    assert_eq!(asked[0].authorization, None);
}

#[tokio::test]
async fn the_post_form_keeps_the_identifier_in_the_body() {
    let body = parameters(&[identifier("urn:oid:2.999.9.1", "ehr-a"), identifier("urn:oid:2.999.9.2", "ehr-b")]);
    let stub = Stub::answering(200, body.to_string()).await;
    let mut manager = of_a_and_b(&stub.url);
    manager.form = PixmForm::Post;
    manager.service.credentials = Credentials::Bearer { token: "t0ken".into() };
    assert_eq!(resolved(vec![manager]).await, [known("ehr-a"), known("ehr-b")]);
    let asked = &stub.asked()[0];
    assert_eq!(asked.line, "POST /fhir/Patient/$ihe-pix");
    assert_eq!(asked.authorization.as_deref(), Some("Bearer t0ken"));
    let wanted = json!({"resourceType": "Parameters", "parameter": [
        {"name": "sourceIdentifier", "valueString": "urn:oid:2.999.1|p 1"},
        {"name": "targetSystem", "valueString": "urn:oid:2.999.9.1"},
        {"name": "targetSystem", "valueString": "urn:oid:2.999.9.2"},
    ]});
    assert_eq!(serde_json::from_str::<serde_json::Value>(&asked.body).unwrap(), wanted);
}

#[tokio::test]
async fn a_patient_the_manager_does_not_know_is_an_answer() {
    let not_known = [Resolution::NotKnown, Resolution::NotKnown];
    assert_eq!(answered(404, outcome("not-found")).await, not_known);
    assert_eq!(answered(200, parameters(&[])).await, not_known);
    assert_eq!(answered(200, json!({"resourceType": "Parameters"})).await, not_known);
    let stub = Stub::answering(404, "").await;
    assert_eq!(resolved(vec![of_a_and_b(&stub.url)]).await, not_known);
}

#[tokio::test]
async fn a_404_of_something_else_than_the_manager_is_no_answer() {
    for body in
        ["<html>not found</html>".to_owned(), json!({"error": "not found"}).to_string(), outcome("not-supported").to_string()]
    {
        let stub = Stub::answering(404, body).await;
        assert_eq!(resolved(vec![of_a_and_b(&stub.url)]).await, [failed(SeamError::Status(404)), failed(SeamError::Status(404))]);
    }
}

#[tokio::test]
async fn a_refusal_or_a_failure_is_no_answer() {
    for status in [400, 401, 403, 500, 503, 204, 202] {
        let resolutions = answered(status, outcome("invalid")).await;
        assert_eq!(resolutions, [failed(SeamError::Status(status)), failed(SeamError::Status(status))], "{status}");
    }
}

#[tokio::test]
async fn two_identifiers_in_one_domain_are_no_answer_for_its_node_only() {
    let twice = [identifier("urn:oid:2.999.9.1", "ehr-a"), identifier("urn:oid:2.999.9.1", "ehr-x")];
    let body = parameters(&[&twice[..], &[identifier("urn:oid:2.999.9.2", "ehr-b")]].concat());
    assert_eq!(answered(200, body).await, [failed(SeamError::Ambiguous(NodeId::new("a"))), known("ehr-b")]);
    let same = parameters(&[identifier("urn:oid:2.999.9.1", "ehr-a"), identifier("urn:oid:2.999.9.1", "ehr-a")]);
    assert_eq!(answered(200, same).await, [known("ehr-a"), Resolution::NotKnown]);
}

#[tokio::test]
async fn what_cannot_be_understood_is_no_answer() {
    let bodies = [
        json!({"resourceType": "Bundle"}),
        json!({"parameter": []}),
        json!([]),
        outcome("not-found"),
        parameters(&[json!({"name": "targetIdentifier", "valueIdentifier": {"value": "ehr-a"}})]),
        parameters(&[json!({"name": "targetIdentifier", "valueIdentifier": {"system": "urn:oid:2.999.9.1"}})]),
        parameters(&[json!({"name": "targetIdentifier", "valueString": "ehr-a"})]),
        json!({"resourceType": "Parameters", "parameter": {"name": "targetIdentifier"}}),
    ];
    for body in bodies {
        let resolutions = answered(200, body.clone()).await;
        let malformed = |resolution: &Resolution| matches!(resolution, Resolution::Unanswered(SeamError::Malformed(_)));
        assert!(resolutions.iter().all(malformed), "{body}: {resolutions:?}");
    }
    let no_ehr_id = parameters(&[identifier("urn:oid:2.999.9.1", "'; DROP"), identifier("urn:oid:2.999.9.2", "ehr-b")]);
    let resolutions = answered(200, no_ehr_id).await;
    assert!(matches!(resolutions[0], Resolution::Unanswered(SeamError::Malformed(_))), "{resolutions:?}");
    assert_eq!(resolutions[1], known("ehr-b"));
    for truncated in ["", "{\"resourceType\": \"Parameters\", \"param", "\u{0}"] {
        let stub = Stub::answering(200, truncated).await;
        let resolutions = resolved(vec![of_a_and_b(&stub.url)]).await;
        assert!(matches!(resolutions[0], Resolution::Unanswered(SeamError::Malformed(_))), "{truncated}: {resolutions:?}");
    }
}

#[tokio::test]
async fn an_answer_larger_than_allowed_is_given_up() {
    let stub = Stub::answering(200, " ".repeat(2000)).await;
    let mut manager = of_a_and_b(&stub.url);
    manager.service.max_answer_bytes = 1000;
    let resolutions = resolved(vec![manager]).await;
    assert_eq!(resolutions[0], failed(SeamError::TooLarge(1000)));
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let elsewhere = Stub::answering(200, parameters(&[]).to_string()).await;
    let stub = Stub::start(Script::Redirect(elsewhere.url.clone())).await;
    assert_eq!(resolved(vec![of_a_and_b(&stub.url)]).await[0], failed(SeamError::Status(307)));
    assert!(elsewhere.asked().is_empty());
}

#[tokio::test]
async fn a_manager_that_cannot_be_reached_or_does_not_finish_is_no_answer() {
    let closed = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        Url::parse(&format!("http://{}/", listener.local_addr().unwrap())).unwrap()
    };
    assert_eq!(resolved(vec![of_a_and_b(&closed)]).await[0], failed(SeamError::Unreachable));
    for script in [Script::Mute, Script::Stall] {
        let stub = Stub::start(script).await;
        let mut manager = of_a_and_b(&stub.url);
        manager.service.timeout = Duration::from_millis(50);
        let resolutions = resolved(vec![manager]).await;
        assert!(matches!(resolutions[0], Resolution::Unanswered(SeamError::TimedOut(_))), "{resolutions:?}");
    }
}

#[tokio::test]
async fn the_deadline_of_the_request_is_kept_where_the_manager_would_be_given_longer() {
    let stub = Stub::start(Script::Mute).await;
    let pixm = Pixm::new(&PixmSettings { managers: vec![of_a_and_b(&stub.url)] }, &client());
    let nodes = BTreeSet::from([NodeId::new("a")]);
    let deadline = Instant::now() + Duration::from_millis(50);
    let resolutions = pixm.resolve(&patient("n", "v"), &nodes, deadline).await;
    assert!(
        matches!(resolutions[&NodeId::new("a")], Resolution::Unanswered(SeamError::TimedOut(limit)) if limit.as_millis() <= 50)
    );
}

#[tokio::test]
async fn each_manager_speaks_for_its_own_nodes() {
    let healthy = Stub::answering(200, parameters(&[identifier("urn:oid:2.999.9.1", "ehr-a")]).to_string()).await;
    let failing = Stub::answering(500, "").await;
    let managers = vec![
        manager(&healthy.url, &[("a", "urn:oid:2.999.9.1")]),
        manager(&failing.url, &[("b", "urn:oid:2.999.9.2")]),
        manager(&failing.url, &[("c", "urn:oid:2.999.9.3")]),
    ];
    assert_eq!(resolved(managers).await, [known("ehr-a"), failed(SeamError::Status(500))]);
    assert_eq!(failing.asked().len(), 1, "the manager of `c` has nothing to say here");
    assert!(!healthy.asked()[0].line.contains("2.999.9.2"));
    let uncovered = resolved(vec![manager(&healthy.url, &[("a", "urn:oid:2.999.9.1")])]).await;
    assert_eq!(uncovered[1], failed(SeamError::NoDomain(NodeId::new("b"))));
}

#[tokio::test]
async fn an_identifier_with_token_syntax_is_not_asked() {
    let stub = Stub::answering(404, "").await;
    let pixm = Pixm::new(&PixmSettings { managers: vec![of_a_and_b(&stub.url)] }, &client());
    let nodes = BTreeSet::from([NodeId::new("a")]);
    for value in ["1,2", "a|b", "a$b", "a\\b", "a\nb", ""] {
        let resolutions = pixm.resolve(&patient("urn:oid:2.999.1", value), &nodes, in_good_time()).await;
        assert_eq!(resolutions[&NodeId::new("a")], failed(SeamError::Unaskable), "{value:?}");
    }
    assert!(stub.asked().is_empty());
}

#[tokio::test]
async fn as_a_localizer_the_candidates_are_the_nodes_that_know_the_patient() {
    let stub = Stub::answering(200, parameters(&[identifier("urn:oid:2.999.9.2", "ehr-b")]).to_string()).await;
    let pixm = Pixm::new(&PixmSettings { managers: vec![of_a_and_b(&stub.url)] }, &client());
    let nodes = ["a", "b"].map(NodeId::new).into();
    let candidates = pixm.candidates(&patient("n", "v"), &nodes, in_good_time()).await.unwrap();
    assert_eq!(candidates.nodes, BTreeSet::from([NodeId::new("b")]));
    assert_eq!(candidates.resolved.unwrap()[&NodeId::new("b")], known("ehr-b"));
}

#[tokio::test]
async fn as_a_localizer_one_manager_down_makes_the_whole_unknown() {
    let healthy = Stub::answering(200, parameters(&[identifier("urn:oid:2.999.9.1", "ehr-a")]).to_string()).await;
    let failing = Stub::answering(500, "").await;
    let managers =
        vec![manager(&healthy.url, &[("a", "urn:oid:2.999.9.1")]), manager(&failing.url, &[("b", "urn:oid:2.999.9.2")])];
    let pixm = Pixm::new(&PixmSettings { managers }, &client());
    let nodes = ["a", "b"].map(NodeId::new).into();
    let answer = pixm.candidates(&patient("n", "v"), &nodes, in_good_time()).await;
    assert_eq!(answer.unwrap_err(), SeamError::Status(500));
}

#[tokio::test]
async fn what_a_manager_says_of_the_patient_is_not_repeated() {
    let echo = json!({"resourceType": "OperationOutcome", "issue": [{"code": "invalid", "diagnostics": "no such patient: p 1"}]});
    for status in [200, 400, 403, 404, 500] {
        for resolution in answered(status, echo.clone()).await {
            let Resolution::Unanswered(error) = resolution else { panic!("{status} is no answer") };
            assert!(!format!("{error} {error:?}").contains("p 1"), "{error:?}");
        }
    }
}
