//! What an answer says: SPEC §2.6, §3, §5.

use http::Method;
use serde_json::{Value, json};
use tributary_sandbox::federation::Merge;
use tributary_sandbox::synthetic::Plan;

use crate::harness::{Setup, World, four};

fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02x}")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn cp01_get_and_post_answer_alike_whatever_carries_the_parameters() {
    let world = four(90).start().await;
    let aql = world.uids_of(0).replace(&format!("'{}'", world.patient(0)), "$who") + " AND c/name/value = $name";
    let aql = format!("{aql} ORDER BY c/uid/value");
    let parameters = json!({ "who": world.patient(0), "name": "Encounter" });
    let posted = world.query(&aql).member("query_parameters", parameters).member("fetch", json!(2)).send().await;
    posted.is_answer(true, &["active"; 4]);
    assert_eq!((posted.rows().len(), posted.body["q"].as_str()), (2, Some(aql.as_str())));
    let path = format!("/v1/query/aql?q={}&who={}&name=Encounter&fetch=2", encoded(&aql), encoded(world.patient(0)));
    let got = world.request(Method::GET, &path).send().await;
    got.is_answer(true, &["active"; 4]);
    assert_eq!((got.rows(), &got.body["columns"], &got.body["q"]), (posted.rows(), &posted.body["columns"], &posted.body["q"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn cp38_both_carriers_answer_the_same_rows() {
    let world = four(91).start().await;
    let pressure = "FROM EHR e CONTAINS COMPOSITION c CONTAINS OBSERVATION o[openEHR-EHR-OBSERVATION.blood_pressure.v2]";
    let (patient, namespace) = (world.patient(0), "urn:oid:2.999.1");
    let conditions = [
        format!("e/ehr_status/subject/external_ref/id/value = '{patient}'"),
        format!(
            "e/ehr_status/subject/external_ref/id/value = '{patient}' AND e/ehr_status/subject/external_ref/namespace = '{namespace}'"
        ),
        format!("o/subject/identifiers/id = '{patient}'"),
        format!("o/subject/identifiers/id = '{patient}' AND o/subject/identifiers/issuer = '{namespace}'"),
        format!("o/subject/identifiers/id = '{patient}' AND o/subject/identifiers/type = '{namespace}'"),
        format!("'{patient}' = o/subject/identifiers/id"),
    ];
    let mut rows: Vec<Vec<Value>> = Vec::new();
    for condition in &conditions {
        let answer = world.query(&format!("SELECT c/uid/value {pressure} WHERE {condition} ORDER BY c/uid/value")).send().await;
        if answer.status() == 400 {
            assert_eq!((answer.code(), condition.starts_with('\'')), ("invalid-aql", true), "{}", answer.text);
            continue;
        }
        answer.is_answer(true, &["active"; 4]);
        rows.push(answer.rows().clone());
    }
    let without = format!(
        "SELECT c/uid/value FROM COMPOSITION c CONTAINS OBSERVATION o[openEHR-EHR-OBSERVATION.blood_pressure.v2] WHERE {} ORDER BY c/uid/value",
        conditions[2]
    );
    rows.push(world.query(&without).send().await.rows().clone());
    assert!(!rows[0].is_empty() && rows.iter().all(|one| one == &rows[0]));
}

#[tokio::test(flavor = "multi_thread")]
async fn cp07_cp37_the_subject_and_the_endpoints_attributes_are_put_in_here() {
    let world = four(92).start().await;
    let select = "SELECT p/id, p/organisation AS org, p/system_id AS sys, e/ehr_status/subject/external_ref/id/value AS who, c/uid/value, 'x' AS constant";
    let from = "FROM ENDPOINT p [\"hospital-a\", \"hospital-c\"] CONTAINS EHR e CONTAINS COMPOSITION c";
    let answer = world.query(&format!("{select} {from} WHERE {} ORDER BY p/id", world.who(0))).send().await;
    answer.is_answer(true, &["active", "excluded", "active", "excluded"]);
    let names: Vec<_> =
        answer.body["columns"].as_array().unwrap().iter().map(|column| column["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["#0", "org", "sys", "who", "#4", "constant"]);
    assert_eq!(answer.body["columns"][4], json!({ "name": "#4", "path": "c/uid/value" }));
    for row in answer.rows() {
        let letter = row[0].as_str().unwrap().strip_prefix("hospital-").unwrap();
        assert_eq!(row[1], format!("org-{letter}"));
        assert_eq!(row[2], format!("cdr-{letter}.example.org"));
        assert_eq!((row[3].as_str(), row[5].as_str()), (Some(world.patient(0)), Some("x")));
    }
    let contributing: Vec<&str> = answer.rows().iter().map(|row| row[0].as_str().unwrap()).collect();
    assert!(contributing.is_sorted() && contributing.contains(&"hospital-c"));
    assert_eq!(answer.headers["openehr-federation-endpoint"], "hospital-a, hospital-c");
    assert_eq!(answer.headers["openehr-federation-system-id"], "cdr-a.example.org, cdr-c.example.org");
    let plain = world.query(&world.uids_of(0)).send().await;
    assert!(plain.rows().iter().all(|row| row.as_array().unwrap().len() == 1), "N17: nothing selected, no such column");
}

#[tokio::test(flavor = "multi_thread")]
async fn n40_the_envelope_has_one_federation_member_with_everything_and_nothing_else() {
    let world = four(93).start().await;
    let answer = world.query(&world.uids_of(2)).send().await;
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&answer.body), ["columns", "meta", "q", "rows"]);
    let flat: Vec<String> = keys(&answer.body["meta"]).into_iter().filter(|key| !key.starts_with('_')).collect();
    assert_eq!(flat, ["federation"]);
    let federation = answer.federation();
    assert_eq!(federation["dedup"], json!({ "mode": "none" }));
    assert_eq!(federation["timeout"]["policy"], "abandon-and-mark");
    let ids: Vec<_> = federation["endpoints"].as_array().unwrap().iter().map(|report| report["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["hospital-a", "hospital-b", "hospital-c", "hospital-d"]);
    for report in federation["endpoints"].as_array().unwrap() {
        let active = report["status"] == "active";
        assert_eq!(
            (report["latency_ms"].is_u64(), report["row_count"].is_u64(), report["error"].is_null()),
            (active, active, active),
            "{report}"
        );
        assert!(["node_id", "system_id", "organisation"].iter().all(|name| report[*name].is_string()), "{report}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn cells_leave_as_they_came() {
    let world = four(94).start().await;
    let magnitude = "o/data[at0001]/events[at0006]/data[at0003]/items[at0004]/value/magnitude";
    let aql = format!(
        "SELECT {magnitude} FROM EHR e CONTAINS COMPOSITION c CONTAINS OBSERVATION o[openEHR-EHR-OBSERVATION.blood_pressure.v2] WHERE {} ORDER BY {magnitude}",
        world.who(0)
    );
    let answer = world.query(&aql).send().await;
    let spelled = world.federation.oracle(Merge::OneRecord).lines(&aql).unwrap();
    assert!(spelled.iter().any(|row| row.contains(".50") || row.contains(".0")), "the data has such cells: {spelled:?}");
    let rows = answer.text.split_once("\"rows\":").unwrap().1;
    assert!(rows.starts_with(&format!("[{}]", spelled.join(","))), "{rows}");
}

#[tokio::test(flavor = "multi_thread")]
async fn whole_compositions_leave_as_they_came_however_many() {
    let data = Plan { seed: 88, nodes: 3, patients: 1, compositions: 150, ..Plan::default() }.generate();
    let world = Setup::of(data).start().await;
    let aql = format!("SELECT c FROM EHR e CONTAINS COMPOSITION c WHERE {} ORDER BY c/uid/value", world.who(0));
    let answer = world.query(&aql).send().await;
    answer.is_answer(true, &["active"; 3]);
    let lines = world.federation.oracle(Merge::OneRecord).lines(&aql).unwrap();
    let expected = lines.join(",");
    assert!(expected.len() > 600_000, "{} bytes", expected.len());
    assert!(answer.text.ends_with(&format!("\"rows\":[{expected}]}}")), "{} bytes", answer.text.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn cp09_dedup_keeps_one_copy_and_says_what_it_left_out() {
    let world = four(95).start().await;
    let aql = format!("{} ORDER BY c/uid/value", world.uids_of(0));
    let all = world.query(&aql).send().await;
    assert_eq!(all.federation()["dedup"], json!({ "mode": "none" }));
    let once = world.query(&aql).header("openEHR-federation-dedup", "version-identity").send().await;
    once.is_answer(true, &["active"; 4]);
    let mut expected = all.rows().clone();
    expected.dedup();
    assert!(expected.len() < all.rows().len(), "there are copies");
    assert_eq!(once.rows(), &expected);
    let dedup = &once.federation()["dedup"];
    assert_eq!(dedup["mode"], "version-identity");
    assert_eq!(dedup["suppressed_rows"], all.rows().len() - expected.len());
    assert!(!dedup["suppressed_endpoints"].as_array().unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn cp32_aggregates_are_exact_and_never_with_partial() {
    let world = four(96).start().await;
    let value = "o/data[at0001]/events[at0006]/data[at0003]/items[at0004]/value/magnitude";
    let aql = format!(
        "SELECT COUNT(*) AS n, SUM({value}), MIN({value}), MAX({value}), AVG({value}) AS mean FROM EHR e CONTAINS COMPOSITION c CONTAINS OBSERVATION o[openEHR-EHR-OBSERVATION.blood_pressure.v2] WHERE {}",
        world.who(0)
    );
    let answer = world.query(&aql).send().await;
    answer.is_answer(true, &["active"; 4]);
    let whole = world.federation.oracle(Merge::OneRecord).rows(&aql).unwrap();
    assert_eq!(answer.rows().len(), 1);
    for (index, (ours, theirs)) in answer.rows()[0].as_array().unwrap().iter().zip(&whole[0]).enumerate() {
        let (ours, theirs) = (ours.as_f64().unwrap(), theirs.to_string().parse::<f64>().unwrap());
        assert!((ours - theirs).abs() < 1e-9, "column {index}: {ours} {theirs}");
    }
    world.query(&aql).partial().send().await.is_refusal(400, "partial-not-offered");
    let nowhere = world.query(&aql.replace(world.patient(0), world.patient(3))).send().await;
    nowhere.is_answer(false, &["not-resolved"; 4]);
    assert!(nowhere.rows().is_empty(), "nobody counted");
}

#[tokio::test(flavor = "multi_thread")]
async fn cp23_options_describe_the_federation_as_it_is_configured() {
    let more = "[timeouts]\nper_node_ms = 4000\noverall_ms = 9000\n\n[completeness]\nbest_effort = false\n\n[paging]\noffset_strategy = \"window\"\nmax_window = 77\n\n[aggregates]\ndecomposable = [\"COUNT\"]\nstrategy = \"decompose\"";
    let world = four(97).with(more).start().await;
    let described = world.request(Method::OPTIONS, "/").send().await;
    assert_eq!(described.status(), 200, "{}", described.text);
    let federation = &described.body["federation"];
    assert_eq!((&federation["id"], &federation["spec_version"]), (&json!("sandbox"), &json!("0.9")));
    assert_eq!(federation["timeout"], json!({ "per_node_ms": 4000, "overall_ms": 9000, "policy": "abandon-and-mark" }));
    assert_eq!(federation["completeness"]["default"], "all-or-nothing");
    assert_eq!(federation["completeness"]["best_effort"], false);
    assert_eq!((&federation["paging"]["offset_strategy"], &federation["paging"]["max_window"]), (&json!("window"), &json!(77)));
    assert_eq!(federation["aggregates"]["decomposable"], json!(["COUNT"]));
    assert_eq!(federation["its_rest"]["demographic"], "unsupported");
    assert!(
        federation["auth"].is_null() && federation["endpoint_directive"].is_null() && federation["endpoint_header"].is_null()
    );
    let endpoints = described.body["endpoints"].as_array().unwrap();
    assert_eq!(endpoints.len(), 4);
    assert_eq!(
        (&endpoints[1]["id"], &endpoints[1]["node_id"], &endpoints[1]["status"]),
        (&json!("hospital-b"), &json!("node-b"), &json!("active"))
    );
    assert!(world.asked().is_empty());
}

/// What explaining says of each endpoint: decision and node AQL.
async fn explained(world: &World, aql: &str) -> Vec<(String, String)> {
    let answer = world.query(aql).to("/federation/explain").send().await;
    assert_eq!(answer.status(), 200, "{}", answer.text);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    answer.body["endpoints"].as_array().unwrap().iter().map(|one| (text(&one["decision"]), text(&one["aql"]))).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn explaining_asks_the_services_and_no_node() {
    let explain = |setup: Setup| setup.editing("[federation]\n", "[federation]\nexplain = true\n");
    let world = explain(four(98).with_services()).start().await;
    let told = explained(&world, &format!("{} ORDER BY c/context/start_time/value LIMIT 3", world.uids_of(0))).await;
    assert!(
        told.iter().all(|(decision, aql)| decision == "ask" && aql.contains("LIMIT 3") && aql.contains("ehr_id")),
        "{told:?}"
    );
    let local = world.federation.patients()[0].holdings[0].ehr_id.clone();
    assert!(told.iter().all(|(_, aql)| !aql.contains(world.patient(0)) && !aql.contains(&local)), "{told:?}");
    let nowhere = explained(&world, &world.uids_of(3)).await;
    assert!(nowhere.iter().all(|(decision, aql)| decision == "not-localized" && aql.is_empty()), "{nowhere:?}");
    let leak = format!("{} AND c/name/value = '{}'", world.uids_of(0), world.patient(0));
    world.query(&leak).to("/federation/explain").send().await.is_refusal(400, "identifier-leak");
    assert!(world.asked().is_empty());
    assert!(!world.services().localizer.server().journal().is_empty() && !world.services().pix.server().journal().is_empty());
    let without = four(99).start().await;
    let off = without.query(&without.uids_of(0)).to("/federation/explain").send().await;
    off.is_refusal(404, "not-found");
}

#[tokio::test(flavor = "multi_thread")]
async fn cp14_a_query_teaches_where_a_follow_up_read_goes() {
    let world = four(89).start().await;
    let uid = "SELECT e/ehr_id/value, c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE";
    let answer = world.query(&format!("{uid} {}", world.who(0))).at("hospital-c").send().await;
    let (ehr_id, version) = (answer.rows()[0][0].as_str().unwrap(), answer.rows()[0][1].as_str().unwrap());
    world.judge();
    let read = world.request(Method::GET, &format!("/v1/ehr/{ehr_id}/composition/{version}")).send().await;
    assert_eq!(read.status(), 200, "{}", read.text);
    assert_eq!(read.headers["openehr-federation-endpoint"], "hospital-c");
    assert_eq!(read.body["uid"]["value"], version);
    let strangers = ["hospital-a", "hospital-b", "hospital-d"];
    let asked = strangers.iter().filter(|id| world.node(id).journal().contains(ehr_id)).count();
    assert_eq!(asked, 0, "the session knew where to go");
    world.gateway().bindings().identity_changed(&tributary::ids::EhrId::new(ehr_id));
    let probed = world.request(Method::GET, &format!("/v1/ehr/{ehr_id}")).send().await;
    assert_eq!(probed.headers["openehr-federation-endpoint"], "hospital-c");
}

#[tokio::test(flavor = "multi_thread")]
async fn cp33_an_aggregate_of_a_stranger_teaches_nothing() {
    let world = four(89).start().await;
    let answer = world.query(&format!("SELECT e/ehr_id/value FROM EHR e WHERE {}", world.who(0))).at("hospital-c").send().await;
    let ehr_id = answer.rows()[0][0].as_str().unwrap().to_owned();
    let count = format!("SELECT COUNT(*) FROM EHR e CONTAINS COMPOSITION c WHERE e/ehr_id/value = '{ehr_id}'");
    for stranger in ["hospital-a", "hospital-a, hospital-b"] {
        assert_eq!(world.query(&count).at(stranger).send().await.rows()[0][0], 0);
        let read = world.request(Method::GET, &format!("/v1/ehr/{ehr_id}")).send().await;
        assert_eq!(
            (read.status(), &read.headers["openehr-federation-endpoint"]),
            (200, &"hospital-c".parse().unwrap()),
            "{stranger}"
        );
    }
}
