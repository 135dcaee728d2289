//! A federation as a whole: what the nodes answer one by one adds up to what one node holding everything answers.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::Arc;

use proptest::prelude::*;
use tributary_sandbox::eval::{Settings, evaluate};
use tributary_sandbox::federation::{Federation, Merge, Oracle};
use tributary_sandbox::identity::Services;
use tributary_sandbox::synthetic::{Dataset, Plan, Small};
use tributary_sandbox::value::Json;

const COLUMNS: [&str; 5] = [
    "o/data[at0001]/events[at0002]/data[at0003]/items[at0004]/value",
    "o/data[at0001]/events[at0002]/data[at0003]/items[at0005]/value/magnitude",
    "o/data[at0001]/events[at0002]/data[at0003]/items[at0006]/value/value",
    "o/data[at0001]/events[at0002]/data[at0003]/items[at0007]/value",
    "o/data[at0001]/events[at0002]/time/value",
];
const FROM: &str = "FROM EHR e CONTAINS COMPOSITION c CONTAINS OBSERVATION o[openEHR-EHR-OBSERVATION.small.v1]";

/// What each member answers about its own record of the one patient.
fn by_member(data: &Dataset, query: &str) -> Vec<Vec<String>> {
    let parsed = openehr_aql::parse(query).unwrap();
    data.members.iter().map(|member| evaluate(&parsed, &member.repository, &Settings::default()).unwrap().lines()).collect()
}

fn sorted(mut lines: Vec<String>) -> Vec<String> {
    lines.sort();
    lines
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn the_members_rows_are_the_whole_s_rows(seed in any::<u64>(), nodes in 1usize..5, first in 0usize..5, second in 0usize..5) {
        let data = Small { seed, nodes, compositions: 4 }.generate();
        let (x, y) = (COLUMNS[first], COLUMNS[second]);
        let query = format!("SELECT c/uid/value, {x}, {y} {FROM}");
        for merge in [Merge::OneRecord, Merge::Parts] {
            prop_assert_eq!(by_member(&data, &query).concat(), Oracle::of_dataset(&data, merge).lines(&query).unwrap());
        }
        let ordered = format!("{query} ORDER BY {y} DESC, {x}");
        prop_assert_eq!(sorted(by_member(&data, &ordered).concat()), sorted(Oracle::of_dataset(&data, Merge::OneRecord).lines(&ordered).unwrap()));
    }

    #[test]
    fn the_top_of_the_whole_is_among_the_tops_of_the_members(seed in any::<u64>(), key in 0usize..5, limit in 1usize..6, descending in any::<bool>()) {
        let data = Small { seed, nodes: 3, compositions: 4 }.generate();
        let direction = if descending { "DESC" } else { "ASC" };
        let x = COLUMNS[key];
        let query = format!("SELECT c/uid/value, {x} {FROM} ORDER BY {x} {direction} LIMIT {limit}");
        let whole = Oracle::of_dataset(&data, Merge::OneRecord).lines(&query).unwrap();
        let tops = by_member(&data, &query).concat();
        prop_assert!(whole.len() <= limit && whole.iter().all(|row| tops.contains(row)), "{:?} not in {:?}", whole, tops);
    }

    #[test]
    fn a_condition_and_its_negation_part_the_rows_that_have_a_value(seed in any::<u64>(), bound in -2i32..12) {
        let data = Small { seed, nodes: 2, compositions: 4 }.generate();
        let oracle = Oracle::of_dataset(&data, Merge::OneRecord);
        let x = COLUMNS[1];
        let count = |condition: String| oracle.rows(&format!("SELECT c/uid/value, {x} {FROM} WHERE {condition}")).unwrap().len();
        let present = count(format!("EXISTS {x}"));
        prop_assert_eq!(count(format!("{x} > {bound}")) + count(format!("NOT {x} > {bound}")), present);
        prop_assert_eq!(count(format!("{x} <= {bound}")), count(format!("NOT {x} > {bound}")));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_queries_at_once_are_all_answered() {
    let federation = Arc::new(Federation::start(Plan { patients: 4, ..Plan::default() }.generate()).await.unwrap());
    let client = reqwest::Client::new();
    let patient = federation.patients()[0].clone();
    let asked = (0..1000).map(|index| {
        let (federation, client) = (Arc::clone(&federation), client.clone());
        let ehr = patient.holdings[index % 4].ehr_id.clone();
        tokio::spawn(async move {
            let q = format!("SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE e/ehr_id/value = '{ehr}' LIMIT 1");
            let url = format!("{}/v1/query/aql", federation.nodes()[index % 4].url());
            let body = Json::object([("q", Json::text(q))]).to_bytes();
            let answer = client.post(url).body(body).send().await.unwrap().text().await.unwrap();
            answer.parse::<Json>().unwrap().get("rows").and_then(Json::as_array).map(<[Json]>::len)
        })
    });
    for answer in asked.collect::<Vec<_>>() {
        assert_eq!(answer.await.unwrap(), Some(1));
    }
    assert_eq!(federation.leak(&patient.value), None);
    assert!(federation.leak(&patient.holdings[0].ehr_id).is_some(), "the journal sees what is sent");
}

#[tokio::test]
async fn nodes_stop_with_the_federation() {
    let federation = Federation::start(Dataset::of_members(1)).await.unwrap();
    let url = format!("{}/v1/", federation.nodes()[0].url());
    let options = || reqwest::Client::new().request(reqwest::Method::OPTIONS, &url).send();
    assert!(options().await.is_ok());
    drop(federation);
    // The listener closes when its task is next looked at; wait for that, not for a time.
    for _ in 0..1000 {
        if options().await.is_err() {
            return;
        }
        tokio::task::yield_now().await;
    }
    panic!("the node still listens");
}

#[tokio::test]
async fn the_configuration_names_every_member_and_every_record() {
    let federation = Federation::start(Plan { nodes: 2, patients: 4, ..Plan::default() }.generate()).await.unwrap();
    let services = Services::start(&federation).await.unwrap();
    let fixed = federation.gateway_config("127.0.0.1:0");
    assert_eq!(fixed.matches("[[identity.static]]").count(), 4);
    assert_eq!(fixed.matches("[[endpoint]]").count(), 2);
    let seams = federation.gateway_settings("127.0.0.1:0") + &services.gateway_config(&federation);
    for expected in ["[identity.pixm.domains]", "node-b = ", "[localization]", "[consent]", "url = \"http://127.0.0.1:"] {
        assert!(seams.contains(expected), "{expected} in {seams}");
    }
    assert_eq!(seams.matches("[identity]").count(), 1);
}
