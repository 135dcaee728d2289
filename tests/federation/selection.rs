//! Whom a query is asked of: each row of SPEC §2.3.

use serde_json::json;
use tributary_sandbox::identity::Identifier;
use tributary_sandbox::model::Commit;
use tributary_sandbox::synthetic::Dataset;
use tributary_sandbox::wire::Fault;

use crate::harness::{Setup, World, four};

const ALL: [&str; 4] = ["hospital-a", "hospital-b", "hospital-c", "hospital-d"];

fn localized_on_failure(how: &str) -> Setup {
    four(31).with_services().editing("mode = \"http\"\nurl", &format!("mode = \"http\"\non_failure = \"{how}\"\nurl")).editing(
        // The same words begin the consent service's table, which has no such key.
        &format!("[consent]\nmode = \"http\"\non_failure = \"{how}\""),
        "[consent]\nmode = \"http\"",
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn directed_exactly_the_named_endpoints_are_asked_without_localization_but_cross_referenced() {
    let world = four(30).with_services().start().await;
    for header in ["hospital-b", "hospital-b,hospital-c", " hospital-c , hospital-b"] {
        let answer = world.query(&world.uids_of(0)).at(header).send().await;
        let expected = ALL.map(|id| if header.contains(id) { "active" } else { "excluded" });
        answer.is_answer(true, &expected);
        assert!(answer.federation()["localization"].is_null(), "{}", answer.text);
        assert_eq!(world.asked(), ALL.into_iter().filter(|id| header.contains(id)).collect::<Vec<_>>());
        world.judge();
    }
    assert!(world.services().localizer.server().journal().is_empty(), "nobody asked the localizer");
    assert_eq!(world.services().pix.server().journal().requests().len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn cp28_the_directive_the_header_and_the_organisation_direct_alike() {
    let world = four(32).start().await;
    let directed = |from: &str| format!("SELECT c/uid/value {from} CONTAINS EHR e CONTAINS COMPOSITION c WHERE {}", world.who(0));
    let by_directive = world.query(&directed("FROM ENDPOINT p [\"hospital-b\"]")).send().await;
    by_directive.is_answer(true, &["excluded", "active", "excluded", "excluded"]);
    assert_eq!(world.asked(), ["hospital-b"]);
    let plain = world.uids_of(0);
    let alike = [
        world.query(&directed("FROM ORGANISATION [\"org-b\"]")),
        world.query(&plain).header("openEHR-federation-organisation", "org-b"),
        world.query(&plain).at("hospital-b"),
        world.query(&directed("FROM ENDPOINT [\"hospital-b\"]")).at("hospital-b"),
    ];
    for ask in alike {
        let answer = ask.send().await;
        answer.is_answer(true, &["excluded", "active", "excluded", "excluded"]);
        assert_eq!(answer.rows(), by_directive.rows());
    }
    let conflict = world.query(&directed("FROM ENDPOINT [\"hospital-b\"]")).at("hospital-c").send().await;
    conflict.is_refusal(400, "conflicting-targets");
    assert!(conflict.text.contains("hospital-b") && conflict.text.contains("hospital-c"), "{}", conflict.text);
    world.query(&plain).at("hospital-x").send().await.is_refusal(400, "unknown-target");
    world.query(&plain).at(&world.node("hospital-a").url()).send().await.is_refusal(400, "unknown-target");
    let words = format!("{plain} AND c/name/value != 'FROM ENDPOINT p [\"hospital-b\"]'");
    world.query(&words).send().await.is_answer(true, &["active"; 4]);
    let parameter = world.query(&plain).to("/v1/query/aql?endpoint=hospital-b").send().await;
    parameter.is_answer(true, &["active"; 4]);
}

#[tokio::test(flavor = "multi_thread")]
async fn undirected_the_localizers_candidates_are_asked() {
    let world = four(33).with_services().start().await;
    let held: Vec<&str> = world.federation.patients()[1].holdings.iter().map(|held| ALL[held.member]).collect();
    let answer = world.query(&world.uids_of(1)).send().await;
    answer.is_answer(true, &ALL.map(|id| if held.contains(&id) { "active" } else { "not-localized" }));
    assert_eq!(answer.federation()["localization"]["mode"], "http");
    assert_eq!(world.asked(), held);
    // Nowhere at all is an answer too (CP-12).
    let nowhere = world.query(&world.uids_of(3)).send().await;
    nowhere.is_answer(true, &["not-localized"; 4]);
    assert!(nowhere.rows().is_empty());
}

async fn localizer_fails(how: &str) -> World {
    let world = localized_on_failure(how).start().await;
    world.services().localizer.server().faults().always(Fault::Status(500, "{}".to_owned()));
    world
}

#[tokio::test(flavor = "multi_thread")]
async fn cp05_a_localizer_that_fails_fails_closed() {
    let world = localizer_fails("closed").await;
    let answer = world.query(&world.uids_of(0)).send().await;
    assert_eq!((answer.status(), answer.complete(), answer.rows().len()), (200, true, 0), "{}", answer.text);
    assert_eq!(answer.statuses(), ["not-localized"; 4]);
    assert!(ALL.iter().all(|id| answer.endpoint(id)["error"].is_string()), "{}", answer.text);
    assert!(answer.federation()["localization"]["error"].as_str().unwrap().contains("500"), "{}", answer.text);
    assert_eq!(answer.issues(), ["transient"]);
    assert!(world.asked().is_empty());
    let count = world.query(&world.uids_of(0).replace("c/uid/value", "COUNT(*)")).send().await;
    assert!(count.rows().is_empty(), "nobody counted anything: {}", count.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_localizer_that_fails_widens_to_all_where_declared() {
    let world = localizer_fails("ask-all").await;
    let answer = world.query(&world.uids_of(0)).send().await;
    assert_eq!(answer.statuses(), ["active"; 4], "{}", answer.text);
    assert!(answer.federation()["localization"]["error"].is_string(), "{}", answer.text);
    assert_eq!(world.asked(), ALL);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_localizer_that_fails_fails_the_query_where_declared() {
    let world = localizer_fails("fail").await;
    let answer = world.query(&world.uids_of(0)).send().await;
    answer.is_failure(424, "localization-failed");
    assert_eq!(answer.statuses(), ["not-localized"; 4]);
    assert!(world.asked().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_localizer_all_are_asked_and_who_knows_no_ehr_id_is_not_resolved() {
    let world = four(34).start().await;
    let answer = world.query(&world.uids_of(0)).send().await;
    answer.is_answer(true, &["active"; 4]);
    assert!(answer.federation()["localization"].is_null());
    assert_eq!(world.asked(), ALL);
    world.judge();
    let held = ALL[world.federation.patients()[2].holdings[0].member];
    let one = world.query(&world.uids_of(2)).send().await;
    one.is_answer(false, &ALL.map(|id| if id == held { "active" } else { "not-resolved" }));
    let others: Vec<&str> = ALL.into_iter().filter(|id| *id != held).collect();
    assert!(others.iter().all(|id| one.endpoint(id)["error"].is_string() && one.endpoint(id)["latency_ms"].is_null()));
    assert_eq!(one.issues(), ["not-found"; 3]);
    assert_eq!(world.asked(), [held], "CP-36: dispatch only where resolved");
    let none = world.query(&world.uids_of(3)).send().await;
    none.is_answer(false, &["not-resolved"; 4]);
    assert!(none.rows().is_empty());
    let unknown = world.uids_of(0).replace(world.patient(0), "TRB-NOBODY-77");
    world.query(&unknown).send().await.is_answer(false, &["not-resolved"; 4]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cross_reference_that_cannot_answer_fails_the_query_and_not_a_part() {
    let world = four(35).with_services().start().await;
    world.services().pix.server().faults().always(Fault::Status(503, "{}".to_owned()));
    let all = world.query(&world.uids_of(0)).send().await;
    all.is_failure(424, "cross-reference-failed");
    assert_eq!(all.statuses(), ["not-resolved"; 4]);
    assert_eq!(all.issues(), ["transient"; 4]);
    assert!(all.endpoint("hospital-a")["error"].as_str().unwrap().contains("503"), "{}", all.text);
    let part = world.query(&world.uids_of(0)).partial().send().await;
    part.is_answer(false, &["not-resolved"; 4]);
    assert!(world.asked().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn n27a_whom_consent_denies_is_never_asked() {
    let world = four(36).with_services().start().await;
    let patient = &world.federation.patients()[0];
    let who = Identifier::new(&patient.namespace, &patient.value);
    world.services().consent.deny(&who, vec!["node-b".to_owned(), "node-d".to_owned()]);
    let answer = world.query(&world.uids_of(0)).send().await;
    answer.is_answer(false, &["active", "consent-denied", "active", "consent-denied"]);
    assert_eq!(answer.issues(), ["forbidden"; 2]);
    assert_eq!(answer.federation()["consent"]["mode"], "http");
    assert_eq!(world.asked(), ["hospital-a", "hospital-c"]);
    let directed = world.query(&world.uids_of(0)).at("hospital-b").send().await;
    directed.is_answer(false, &["excluded", "consent-denied", "excluded", "excluded"]);
    assert_eq!(world.asked(), ["hospital-a", "hospital-c"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_suspended_endpoint_is_reported_and_never_asked() {
    let world = four(37).at("hospital-c", "status = \"maintenance\"").start().await;
    let answer = world.query(&world.uids_of(0)).send().await;
    answer.is_answer(true, &["active", "active", "excluded", "active"]);
    assert!(answer.endpoint("hospital-c")["error"].as_str().unwrap().contains("maintenance"), "{}", answer.text);
    assert_eq!(world.asked(), ["hospital-a", "hospital-b", "hospital-d"]);
    let none = world.query(&world.uids_of(0)).at("hospital-c").send().await;
    none.is_failure(404, "no-destination");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_several_endpoints_of_a_node_one_is_asked_in_turn() {
    let replica = "[[endpoint]]\nid = \"replica-a\"\nnode = \"node-a\"\norganisation = \"org-a\"\nurl = \"http://localhost:{a}\"\nordering = \"exact\"";
    let world = four(38).with(replica).start().await;
    let mut chosen = Vec::new();
    let mut rows = Vec::new();
    for _ in 0..4 {
        let answer = world.query(&world.uids_of(0)).send().await;
        assert!(answer.complete(), "{}", answer.text);
        let of_node: Vec<_> =
            ["hospital-a", "replica-a"].map(|id| answer.endpoint(id)["status"].as_str().unwrap().to_owned()).into();
        assert!(of_node.contains(&"active".to_owned()) && of_node.contains(&"excluded".to_owned()), "{}", answer.text);
        let left_out = if of_node[0] == "active" { "replica-a" } else { "hospital-a" };
        assert!(answer.endpoint(left_out)["error"].is_string(), "{}", answer.text);
        chosen.push(left_out);
        rows.push(answer.rows().len());
    }
    assert!(chosen.contains(&"hospital-a") && chosen.contains(&"replica-a"), "{chosen:?}");
    assert!(rows.iter().all(|count| *count == rows[0]), "a row is not answered twice: {rows:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_query_without_a_patient_is_answered_where_its_node_set_is_defined() {
    let population = "SELECT COUNT(*) FROM EHR e CONTAINS COMPOSITION c";
    let open = four(39).start().await;
    open.query(population).send().await.is_answer(true, &["active"; 4]);
    let localized = four(40).with_services().start().await;
    localized.query(population).send().await.is_refusal(400, "patient-required");
    let directed = localized.query(population).at("hospital-d").send().await;
    directed.is_answer(true, &["excluded", "excluded", "excluded", "active"]);
    assert_eq!(localized.asked(), ["hospital-d"]);
}

fn under_one_ehr_id(members: &[usize]) -> (Dataset, String) {
    let mut data = Dataset::of_members(3);
    let id = "7d44b88c-4199-4bad-97dc-d78268e01398".to_owned();
    let commit = Commit { time: "2024-01-01T00:00:00Z".into(), committer: "x".into(), contribution: "y".into() };
    let records: Vec<_> = members.iter().map(|member| (*member, id.clone())).collect();
    data.add_patient("TRB-551188-001", &records, &commit);
    (data, id)
}

#[tokio::test(flavor = "multi_thread")]
async fn n29_n36_a_query_about_an_ehr_id_goes_where_the_ehr_is() {
    let (data, id) = under_one_ehr_id(&[1]);
    let world = Setup::of(data).start().await;
    let forms = [
        format!("SELECT e/ehr_id/value FROM EHR e[ehr_id/value='{id}']"),
        format!("SELECT e/ehr_id/value FROM EHR e WHERE e/ehr_id/value = '{id}'"),
    ];
    for form in &forms {
        let answer = world.query(form).send().await;
        answer.is_answer(true, &["excluded", "active", "excluded"]);
        assert_eq!(answer.rows(), &vec![json!([id])]);
    }
    let plain = "SELECT e/ehr_id/value FROM EHR e";
    for ask in [world.query(plain).header("openehr-ehr-id", &id), world.query(plain).member("ehr_id", json!(id))] {
        let answer = ask.send().await;
        answer.is_answer(true, &["excluded", "active", "excluded"]);
        assert_eq!(answer.rows(), &vec![json!([id])]);
    }
    world.query(&forms[1]).header("openehr-ehr-id", "another").send().await.is_refusal(400, "invalid-query");
    world.query(&world.uids_of(0)).member("ehr_id", json!(id)).send().await.is_refusal(400, "invalid-query");
    assert_eq!(world.asked(), ["hospital-b"]);
    let nobodys = forms[0].replace("7d44", "0000");
    let refused = world.query(&nobodys).send().await;
    assert_eq!(refused.status(), 404, "{}", refused.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn n37_a_query_about_an_ehr_id_that_nobody_vouches_for_fails_with_its_report() {
    let (data, id) = under_one_ehr_id(&[1]);
    let world = Setup::of(data).start().await;
    let aql = format!("SELECT e/ehr_id/value FROM EHR e WHERE e/ehr_id/value = '{id}'").replace("7d44", "0000");
    world.node("hospital-c").server().go_down().await;
    let failed = world.query(&aql).send().await;
    failed.is_failure(504, "endpoint-unavailable");
    assert_eq!(failed.statuses(), ["not-resolved", "not-resolved", "offline"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn cp33_an_ehr_id_that_two_nodes_claim_is_a_conflict_naming_them() {
    let (data, id) = under_one_ehr_id(&[0, 2]);
    let world = Setup::of(data).start().await;
    let aql = format!("SELECT e/ehr_id/value FROM EHR e WHERE e/ehr_id/value = '{id}'");
    let conflict = world.query(&aql).send().await;
    conflict.is_refusal(409, "ehr-id-collision");
    assert!(conflict.text.contains("hospital-a") && conflict.text.contains("hospital-c"), "{}", conflict.text);
    assert!(world.asked().is_empty());
    world.query(&aql).at("hospital-c").send().await.is_answer(true, &["excluded", "excluded", "active"]);
}
