//! Tracks 2 and 10: a patient's identifier in every position and every encoding. Whatever happens, no node receives it, the log
//! does not hold it, and no error tells it: each [`World`] is searched for that.

use http::Method;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::json;

use crate::harness::{Ask, World, four, times};

fn each(text: &str, form: impl Fn(char) -> String) -> String {
    text.chars().map(form).collect()
}

/// Spellings of an identifier.
fn forms(value: &str) -> Vec<String> {
    vec![
        value.to_owned(),
        value.to_lowercase(),
        each(value, |c| format!("\\u{:04x}", c as u32)),
        each(value, |c| format!("%{:02X}", c as u32)),
        each(value, |c| format!("%25{:02x}", c as u32)),
        each(value, |c| format!("&#{};", c as u32)),
        each(value, |c| format!("&#x{:X}", c as u32)),
        each(value, |c| format!("\\x{:02X}", c as u32)),
        each(value, |c| format!("\\{:03o}", c as u32)),
        each(value, |c| format!("{:02x}", c as u32)),
        base64::Engine::encode(&base64::engine::general_purpose::STANDARD, value),
        base64::Engine::encode(&base64::engine::general_purpose::STANDARD, format!("ab{value}c")),
        format!("see {value}!"),
        value.replace('-', ""),
        value.replace('-', " - "),
        value.chars().rev().collect(),
    ]
}

/// Places in a query beside the patient's own predicate.
fn places(text: &str) -> Vec<String> {
    let half = text.char_indices().nth(text.chars().count() / 2).map_or(0, |(at, _)| at);
    let (left, right) = text.split_at(half);
    let uids = "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c";
    let conditions = [
        format!("c/name/value = '{text}'"),
        format!("c/name/value != \"{text}\""),
        format!("c/name/value LIKE '*{text}*'"),
        format!("c/name/value MATCHES {{'x', '{text}'}}"),
        format!("NOT (c/name/value = '{text}' OR c/name/value = 'y')"),
        format!("c/name/value = CONCAT('{left}', '{right}')"),
        format!("c/name/value = CONCAT_WS('', '{left}', '{right}')"),
        format!("c/name/value = SUBSTRING('ab{text}cd', 3, 60)"),
        format!("c/content[name/value='{text}']/data/value = 3"),
        format!("c/content[at0001, '{text}']/data/value = 3"),
        format!("c/composer/identifiers/id = '{text}'"),
        format!("c/uid/value = '{text}::cdr-a.example.org::1'"),
        format!("c/name/value MATCHES TERMINOLOGY('expand', 'hl7.org/fhir/4.0', '{text}')"),
        format!("c/name/value = '{left}' AND c/composer/name = '{right}'"),
        format!("LENGTH('{text}') > 1"),
    ];
    let mut queries: Vec<String> = conditions.iter().map(|condition| format!("{uids} WHERE {{who}} AND {condition}")).collect();
    queries.extend([
        format!("SELECT c/uid/value, '{text}' AS constant FROM EHR e CONTAINS COMPOSITION c WHERE {{who}}"),
        format!("SELECT c/uid/value, CONCAT('{left}', '{right}') AS made FROM EHR e CONTAINS COMPOSITION c WHERE {{who}}"),
        format!("SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c[name/value='{text}'] WHERE {{who}}"),
        format!("{uids} WHERE {{who}} ORDER BY c/content[name/value='{text}']/name/value"),
        format!("SELECT c/content[name/value='{text}']/name/value FROM EHR e CONTAINS COMPOSITION c WHERE {{who}}"),
        format!("{uids} -- {text}\nWHERE {{who}}"),
        format!("{uids} WHERE {{who}} -- {text}"),
        format!("SELECT c/uid/value AS {} FROM EHR e CONTAINS COMPOSITION c WHERE {{who}}", text.replace('-', "_")),
        format!(
            "SELECT {}/uid/value FROM EHR e CONTAINS COMPOSITION {} WHERE {{who}}",
            text.replace('-', "_"),
            text.replace('-', "_")
        ),
        format!("{uids} WHERE {{who}} OR e/ehr_status/subject/external_ref/id/value = '{text}'"),
        format!("{uids} WHERE NOT e/ehr_status/subject/external_ref/id/value = '{text}'"),
        format!("{uids} WHERE e/ehr_status/subject/external_ref/id/value LIKE '{text}'"),
        format!("{uids} WHERE e/ehr_status/subject/external_ref/id/value MATCHES {{'{text}'}}"),
        format!("{uids} WHERE {{who}} AND EXISTS e/ehr_status/subject/external_ref/id[value='{text}']"),
        format!("{uids} WHERE {{who}} {text}"),
        text.to_owned(),
        format!("{uids} WHERE {{who}} AND c/name/value = '{text}"),
        format!("{uids} WHERE {{who}} LIMIT '{text}'"),
        format!("SELECT c/uid/value FROM ENDPOINT p [\"{text}\"] CONTAINS EHR e CONTAINS COMPOSITION c WHERE {{who}}"),
    ]);
    queries
}

/// Asked and answered; what becomes of it is not the point here.
async fn ask(ask: Ask<'_>) -> u16 {
    let answer = ask.send().await;
    assert!(answer.status() < 500 || answer.status() == 504, "{}", answer.text);
    answer.status()
}

async fn try_all(world: &World, secret: &str) -> (usize, usize) {
    let (mut refused, mut answered) = (0, 0);
    for form in forms(secret) {
        for query in places(&form) {
            let status = ask(world.query(&query.replace("{who}", &world.who(0)))).await;
            if status == 400 { refused += 1 } else { answered += 1 }
        }
    }
    (refused, answered)
}

#[tokio::test(flavor = "multi_thread")]
async fn track10_the_identifier_in_every_place_of_the_query() {
    let world = four(130).start().await;
    let (refused, answered) = try_all(&world, world.patient(0)).await;
    assert!(refused > 200 && answered > 20, "{refused} refused, {answered} answered");
}

#[tokio::test(flavor = "multi_thread")]
async fn track10_the_namespace_in_every_place_of_the_query() {
    let world = four(131).start().await;
    let who = format!("{} AND e/ehr_status/subject/external_ref/namespace = 'urn:oid:2.999.1'", world.who(0));
    for query in places("urn:oid:2.999.1") {
        ask(world.query(&query.replace("{who}", &who))).await;
    }
    for query in places(&each("urn:oid:2.999.1", |c| format!("%{:02X}", c as u32))) {
        ask(world.query(&query.replace("{who}", &who))).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn track10_the_identifier_in_parameters_headers_paths_and_query_strings() {
    let world = four(132).start().await;
    let value = world.patient(0).to_owned();
    let by_parameter = world.uids_of(0).replace(&format!("'{value}'"), "$who");
    ask(world.query(&by_parameter).member("query_parameters", json!({ "who": value }))).await;
    let uids = world.uids_of(0);
    for form in forms(&value) {
        let twice = format!("{by_parameter} AND c/name/value = $other");
        ask(world.query(&twice).member("query_parameters", json!({ "who": value, "other": form }))).await;
        ask(world.query(&uids).member("query_parameters", json!({ "unused": form }))).await;
        ask(world.query(&uids).member("query_parameters", json!({ form.clone(): 1 }))).await;
        ask(world.query(&uids).member(&form, json!(1))).await;
        ask(world.query(&uids).member("ehr_id", json!(form))).await;
        ask(world.query(&uids).member("offset", json!(form))).await;
        for header in [
            "openehr-ehr-id",
            "openehr-federation-endpoint",
            "openehr-federation-completeness",
            "openehr-federation-dedup",
            "x-request-id",
            "prefer",
            "accept",
            "user-agent",
            "traceparent",
            "via",
            "openehr-anything",
            "authorization",
            "cookie",
            "referer",
            "x-patient",
            "openehr-federation-cursor",
        ] {
            if form.is_ascii() {
                ask(world.query(&uids).header(header, &form)).await;
                ask(world.query(&uids).header(header, &format!("1.1 {form}"))).await;
            }
        }
        let encoded = each(&form, |c| format!("%{:02X}", c as u32));
        for path in [
            format!("/v1/query/aql?q={encoded}"),
            format!("/v1/query/{encoded}"),
            format!("/v1/nothing/{encoded}"),
            format!("/{encoded}"),
            format!("/federation/{encoded}"),
            format!("/v1/ehr?subject_id={encoded}"),
            format!("/v1/ehr?subject_id={encoded}&subject_namespace=urn:oid:2.999.1"),
            format!("/v1/query/aql?q=SELECT+1&{encoded}=1"),
        ] {
            world.request(Method::GET, &path).send().await;
        }
        assert!(world.federation.leak(&value).is_none(), "{form}: {:?}", world.federation.leak(&value));
        ask(world.request(Method::POST, "/v1/query/aql").body(form.clone())).await;
        ask(world.request(Method::POST, "/v1/query/aql").body(format!("{{\"{form}\""))).await;
        ask(world.query(&uids).header("content-type", &format!("text/{}", form.len()))).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn track2_resolution_lies_outside_aql_and_the_nodes_see_local_ids_only() {
    let world = four(133).with_services().start().await;
    world.query(&world.uids_of(0)).send().await.is_answer(true, &["active"; 4]);
    for held in &world.federation.patients()[0].holdings {
        let node = world.node(&held.node_id);
        assert!(node.journal().contains(&held.ehr_id), "its own ehr_id");
        for other in world.federation.patients()[0].holdings.iter().filter(|other| other.ehr_id != held.ehr_id) {
            assert!(!node.journal().contains(&other.ehr_id), "nobody else's");
        }
    }
    assert!(world.services().pix.server().journal().contains(world.patient(0)), "the manager is asked for the patient");
}

#[tokio::test(flavor = "multi_thread")]
async fn track10_a_clinician_or_a_facility_is_let_through_and_an_ehr_by_subject_is_resolved_here() {
    let world = four(134).start().await;
    for condition in [
        "c/composer/identifiers/id = 'DR-44'",
        "c/composer/name = 'Dr Ada Lark'",
        "c/context/health_care_facility/name = 'Example Hospital'",
    ] {
        world.query(&format!("{} AND {condition}", world.uids_of(0))).send().await.is_answer(true, &["active"; 4]);
    }
    let of_one = &world.federation.patients()[2];
    let path = format!("/v1/ehr?subject_id={}&subject_namespace={}", of_one.value, of_one.namespace);
    let found = world.request(Method::GET, &path).send().await;
    assert_eq!(
        (found.status(), found.body["ehr_id"]["value"].as_str()),
        (200, Some(of_one.holdings[0].ehr_id.as_str())),
        "{}",
        found.text
    );
    let several = world.request(Method::GET, &path.replace(&of_one.value, world.patient(0))).send().await;
    assert_eq!((several.status(), several.code()), (409, "ambiguous-patient"), "{}", several.text);
    let none = world.request(Method::GET, &path.replace(&of_one.value, world.patient(3))).send().await;
    assert_eq!(none.status(), 404, "{}", none.text);
}

/// Places and spellings one upon another, and the query cut short.
fn mutation() -> impl Strategy<Value = (usize, Vec<usize>, usize, usize, bool)> {
    (0usize..40, prop::collection::vec(0usize..16, 1..3), 0usize..60, 0usize..4, any::<bool>())
}

#[test]
fn track10_no_mutation_of_a_query_leaks_or_breaks() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let world = runtime.block_on(four(135).start());
    let config = Config { cases: 150 * times(), failure_persistence: None, ..Config::default() };
    let outcome = TestRunner::new(config).run(&mutation(), |(place, spellings, tail, lost, as_parameter)| {
        let whole = world.patient(0);
        let secret: String = whole.chars().skip(lost).collect();
        let spelled = spellings.iter().fold(secret, |text, how| forms(&text)[*how].clone());
        let all = places(&spelled.replace('\\', "\\\\").replace('\'', ""));
        let mut query = all[place % all.len()].replace("{who}", &world.who(0));
        let at = query.len() - if tail < 20 { tail.min(query.len()) } else { 0 };
        if query.is_char_boundary(at) {
            query.truncate(at);
        }
        if as_parameter {
            query = query.replacen(&format!("'{spelled}'"), "$other", 1);
        }
        runtime.block_on(ask(world.query(&query).member("query_parameters", json!({ "other": spelled }))));
        world.judge();
        Ok(())
    });
    outcome.unwrap_or_else(|failure| panic!("{failure}"));
    let _inside = runtime.enter();
    drop(world);
}
