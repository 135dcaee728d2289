//! The services around a federation, each failing in every way: what follows is documented in `docs/identity.md`, and no
//! failure lets a query wait beyond its budget, or an outage look like an empty record.

use std::time::{Duration, Instant};

use serde_json::json;
use tributary_sandbox::identity::{Identifier, ehr_domain};
use tributary_sandbox::wire::Fault;

use crate::harness::{Setup, World, four};

const PATIENCE: &str = "timeout_ms = 700";

/// Services with little patience, and an answer of theirs bounded.
fn impatient(seed: u64) -> Setup {
    four(seed)
        .with_services()
        .editing("form = \"post\"\n", &format!("form = \"post\"\n{PATIENCE}\nmax_answer_bytes = 20000\n"))
        .editing("mode = \"http\"\n", &format!("mode = \"http\"\n{PATIENCE}\nmax_answer_bytes = 20000\n"))
        .with("[timeouts]\nper_node_ms = 30000\noverall_ms = 60000")
}

/// Every way of a service to fail.
fn failures() -> Vec<Fault> {
    let mut all = vec![
        Fault::HangBeforeHeaders,
        Fault::HangMidBody,
        Fault::Drip { bytes: 1, every: Duration::from_millis(200) },
        Fault::MalformedJson,
        Fault::Body("null".into()),
        Fault::Body("[]".into()),
        Fault::Body("{\"nodes\":\"node-a\",\"denied\":3,\"resourceType\":\"Patient\"}".into()),
        Fault::Body(String::new()),
        Fault::EmptyObject,
        Fault::NoContent,
        Fault::Oversize(1 << 20),
        Fault::Reset,
        Fault::ResetMidBody,
        Fault::CloseOnAccept,
        Fault::Redirect("http://127.0.0.1:1/elsewhere".into()),
    ];
    all.extend([400, 401, 403, 429, 500, 502, 503].map(|status| Fault::Status(status, "{}".into())));
    all
}

#[tokio::test(flavor = "multi_thread")]
async fn a_manager_that_fails_in_any_way_fails_the_query_as_documented() {
    let world = impatient(140).start().await;
    let faults = world.services().pix.server().faults();
    for fault in failures() {
        faults.always(fault.clone());
        let started = Instant::now();
        let all = world.query(&world.uids_of(0)).send().await;
        assert_eq!((all.status(), all.code()), (424, "cross-reference-failed"), "{fault:?}: {}", all.text);
        all.is_failure(424, "cross-reference-failed");
        assert_eq!(all.statuses(), ["not-resolved"; 4], "{fault:?}");
        assert!(all.endpoint("hospital-a")["error"].is_string());
        assert!(started.elapsed() < Duration::from_secs(25), "{fault:?} took {:?}", started.elapsed());
    }
    assert!(world.asked().is_empty());
    faults.always(Fault::HangBeforeHeaders);
    let part = world.query(&world.uids_of(0)).partial().send().await;
    part.is_answer(false, &["not-resolved"; 4]);
    faults.clear();
    world.query(&world.uids_of(0)).send().await.is_answer(true, &["active"; 4]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_localizer_that_fails_in_any_way_fails_closed() {
    let world = impatient(141).start().await;
    let faults = world.services().localizer.server().faults();
    for fault in failures() {
        faults.always(fault.clone());
        let answer = world.query(&world.uids_of(0)).send().await;
        assert_eq!((answer.status(), answer.complete()), (200, true), "{fault:?}: {}", answer.text);
        assert_eq!(answer.statuses(), ["not-localized"; 4], "{fault:?}");
        assert!(
            answer.rows().is_empty() && answer.federation()["localization"]["error"].is_string(),
            "{fault:?}: {}",
            answer.text
        );
        assert_eq!(answer.issues(), ["transient"]);
    }
    assert!(world.asked().is_empty());
    let directed = world.query(&world.uids_of(0)).at("hospital-a").send().await;
    directed.is_answer(true, &["active", "excluded", "excluded", "excluded"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_consent_service_that_fails_in_any_way_leaves_the_decision_to_the_nodes_and_is_reported() {
    let world = impatient(142).start().await;
    let patient = &world.federation.patients()[0];
    world.services().consent.deny(&Identifier::new(&patient.namespace, &patient.value), vec!["node-a".into()]);
    for fault in failures() {
        world.services().consent.server().faults().always(fault.clone());
        let answer = world.query(&world.uids_of(0)).send().await;
        assert_eq!(answer.status(), 200, "{fault:?}: {}", answer.text);
        answer.is_answer(true, &["active"; 4]);
        assert!(answer.federation()["consent"]["error"].is_string(), "{fault:?}: {}", answer.text);
    }
    world.services().consent.server().faults().clear();
    let denied = world.query(&world.uids_of(0)).send().await;
    denied.is_answer(false, &["consent-denied", "active", "active", "active"]);
    assert!(denied.federation()["consent"]["error"].is_null());
}

async fn settled(world: &World, body: &serde_json::Value) -> (u16, Vec<String>) {
    world.services().pix.server().faults().always(Fault::Body(body.to_string()));
    let answer = world.query(&world.uids_of(0)).partial().send().await;
    (answer.status(), answer.statuses().into_iter().map(str::to_owned).collect())
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_manager_says_is_read_leniently_and_believed_strictly() {
    let world = impatient(143).start().await;
    let held: Vec<String> = world.federation.patients()[0].holdings.iter().map(|held| held.ehr_id.clone()).collect();
    let target = |member: usize, value: &str| json!({ "name": "targetIdentifier", "x": 1, "valueIdentifier": { "system": ehr_domain(member), "value": value, "use": "official" } });
    let parameters = |list: Vec<serde_json::Value>| json!({ "resourceType": "Parameters", "meta": {}, "parameter": list });
    let more = json!({ "name": "targetId", "valueReference": { "reference": "Patient/1" } });
    let known = parameters(vec![more, target(0, &held[0]), target(2, &held[2])]);
    assert_eq!(
        settled(&world, &known).await,
        (200, ["active", "not-resolved", "active", "not-resolved"].map(str::to_owned).into())
    );
    let nobody = parameters(Vec::new());
    assert_eq!(settled(&world, &nobody).await.1, ["not-resolved"; 4]);
    world.services().pix.server().faults().always(Fault::Body(nobody.to_string()));
    world.query(&world.uids_of(0)).send().await.is_answer(false, &["not-resolved"; 4]);
    for bad in [
        parameters(vec![target(0, &held[0]), target(0, "0a1f3c52-6d0f-4c6e-9a3d-2f6f6f9f6f01")]),
        parameters(vec![target(0, "no ehr id' OR 1=1")]),
        parameters(vec![json!({ "name": "targetIdentifier", "valueIdentifier": { "value": held[0] } })]),
        json!({ "resourceType": "Bundle" }),
    ] {
        world.services().pix.server().faults().always(Fault::Body(bad.to_string()));
        let all = world.query(&world.uids_of(0)).send().await;
        assert_eq!((all.status(), all.code()), (424, "cross-reference-failed"), "{bad}: {}", all.text);
    }
    let outcome = json!({ "resourceType": "OperationOutcome", "issue": [{ "severity": "error", "code": "not-found" }] });
    world.services().pix.server().faults().always(Fault::Status(404, outcome.to_string()));
    world.query(&world.uids_of(0)).send().await.is_answer(false, &["not-resolved"; 4]);
    assert!(world.federation.nodes().iter().all(|node| !node.journal().contains("OR 1=1")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_manager_can_be_asked_by_get_be_the_localizer_and_know_the_clients_namespaces() {
    let own = "[identity.pixm.namespaces]\n\"https://ids.example.org/person\" = \"urn:oid:2.999.1\"\n\n[localization]";
    let world = four(144)
        .with_services()
        .editing("form = \"post\"", "form = \"get\"")
        .editing("[localization]\nmode = \"http\"\nurl", &format!("{own}\nmode = \"pixm\"\nurl"))
        .start()
        .await;
    let with = |index| {
        format!("{} AND e/ehr_status/subject/external_ref/namespace = 'https://ids.example.org/person'", world.uids_of(index))
    };
    world.query(&with(0)).send().await.is_answer(true, &["active"; 4]);
    let requests = world.services().pix.server().journal().requests();
    assert_eq!((requests.len(), requests[0].method.as_str()), (1, "GET"), "one call serves both questions");
    let one = world.query(&with(2)).send().await;
    assert_eq!(one.statuses().iter().filter(|status| **status == "not-localized").count(), 3, "{}", one.text);
    assert!(one.complete());
    world.services().pix.server().faults().always(Fault::Status(500, "{}".into()));
    let closed = world.query(&with(0)).send().await;
    assert_eq!((closed.status(), closed.statuses()), (200, vec!["not-localized"; 4]), "{}", closed.text);
    assert!(closed.federation()["localization"]["error"].is_string());
}

#[tokio::test(flavor = "multi_thread")]
async fn services_see_no_more_than_they_are_asked() {
    let world = impatient(145).start().await;
    world.query(&world.uids_of(0)).at("hospital-b").send().await.is_answer(true, &["excluded", "active", "excluded", "excluded"]);
    let pix = world.services().pix.server().journal().requests();
    let question: serde_json::Value = serde_json::from_slice(&pix[0].body).unwrap();
    let systems =
        question["parameter"].as_array().unwrap().iter().filter(|parameter| parameter["name"] == "targetSystem").count();
    assert_eq!(systems, 1, "the one asked node's domain: {question}");
    let consent = world.services().consent.server().journal().requests();
    let asked: serde_json::Value = serde_json::from_slice(&consent[0].body).unwrap();
    assert_eq!(asked["nodes"], json!(["node-b"]));
}
