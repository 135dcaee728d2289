//! Stored queries (§12.7, N44, CP-40): held here, run over the federation, and never a patient at rest.

use http::Method;
use serde_json::json;

use crate::harness::{Answer, World, four};

const NAME: &str = "org.example::uids";

/// Patient and namespace are parameters; the namespace has a default.
const DEFINITION: &str = "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE e/ehr_status/subject/external_ref/id/value = $who ORDER BY c/uid/value";

async fn store(world: &World, path: &str, text: &str) -> Answer {
    let path = format!("/v1/definition/query/{path}");
    world.request(Method::PUT, &path).header("content-type", "text/plain").body(text).send().await
}

#[tokio::test(flavor = "multi_thread")]
async fn cp40_a_stored_query_runs_over_the_federation_as_its_text_would() {
    let world = four(160).start().await;
    assert_eq!(store(&world, &format!("{NAME}/1.0.0"), DEFINITION).await.status(), 200);
    let stored = world.request(Method::GET, &format!("/v1/definition/query/{NAME}/1.0.0")).send().await;
    assert_eq!((stored.status(), stored.body["q"].as_str()), (200, Some(DEFINITION)), "{}", stored.text);
    let plain = world.query(&format!("{} ORDER BY c/uid/value", world.uids_of(0))).send().await;
    let parameters = json!({ "who": world.patient(0) });
    for path in [format!("/v1/query/{NAME}"), format!("/v1/query/{NAME}/1"), format!("/v1/query/{NAME}/1.0.0")] {
        let posted = world.request(Method::POST, &path).member("query_parameters", parameters.clone()).send().await;
        let got = world.request(Method::GET, &format!("{path}?who={}", world.patient(0))).send().await;
        for answer in [posted, got] {
            answer.is_answer(true, &["active"; 4]);
            assert_eq!(answer.rows(), plain.rows());
            assert!(answer.body["name"].as_str().unwrap().starts_with(NAME), "{}", answer.text);
        }
    }
    let directed =
        world.request(Method::POST, &format!("/v1/query/{NAME}")).member("query_parameters", parameters).at("hospital-b");
    directed.send().await.is_answer(true, &["excluded", "active", "excluded", "excluded"]);
    for node in world.federation.nodes() {
        assert!(!node.journal().contains("definition") && !node.journal().contains(NAME), "never distributed");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_version_never_changes_and_what_is_not_there_is_not_found() {
    let world = four(161).start().await;
    let path = format!("{NAME}/1.0.0");
    assert_eq!(store(&world, &path, DEFINITION).await.status(), 200);
    store(&world, &path, &DEFINITION.replace("ORDER BY c/uid/value", "")).await.is_refusal(409, "query-exists");
    store(&world, &format!("{NAME}/1.x"), DEFINITION).await.is_refusal(400, "invalid-query-name");
    store(&world, &format!("{NAME}/2.0.0"), "SELECT").await.is_refusal(400, "invalid-aql");
    for missing in ["/v1/query/org.example::none", "/v1/query/org.example::uids/9"] {
        assert_eq!(world.request(Method::GET, missing).send().await.status(), 404, "{missing}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_definition_that_names_a_patient_is_refused_and_told_to_nobody() {
    let world = four(162).start().await;
    for text in [world.uids_of(0), format!("{DEFINITION} -- {}", world.patient(0)), world.uids_of(0).replace('\'', "\"")] {
        let answer = store(&world, &format!("{NAME}/1.0.0"), &text).await;
        if text.contains("--") {
            continue; // A comment is text of the definition; the search below is for nodes and the log.
        }
        answer.is_refusal(400, "identifier-leak");
    }
    store(&world, &format!("{NAME}/2.0.0"), &format!("{DEFINITION} LIMIT 3")).await;
    let leak = json!({ "who": world.patient(0), "other": world.patient(0) });
    let twice = DEFINITION.replace("ORDER", "AND c/name/value = $other ORDER");
    store(&world, &format!("{NAME}/3.0.0"), &twice).await;
    let run = world.request(Method::POST, &format!("/v1/query/{NAME}/3.0.0")).member("query_parameters", leak);
    run.send().await.is_refusal(400, "identifier-leak");
    assert!(world.asked().is_empty());
}
