//! Cells, aliases and keys.

use super::*;

const FROM: &str =
    "FROM EHR e CONTAINS COMPOSITION c CONTAINS OBSERVATION o WHERE e/ehr_status/subject/external_ref/id/value = 'MRN-700123'";
const NODE: &str = "FROM EHR e CONTAINS COMPOSITION c CONTAINS OBSERVATION o WHERE {}";

fn described(plan: &Plan) -> Vec<(&str, Option<&str>)> {
    plan.columns.iter().map(|column| (column.name.as_str(), column.path.as_deref())).collect()
}

#[test]
fn cp35_columns_are_the_facades() {
    let plan = planned(&format!(
        "SELECT c/uid/value, c / name/value AS Title, 'x' AS k, e/ehr_status/subject/external_ref/id/value, LENGTH(c/name/value) {FROM}"
    ));
    assert_eq!(
        described(&plan),
        [
            ("#0", Some("c/uid/value")),
            ("Title", Some("c / name/value")),
            ("k", None),
            ("#3", Some("e/ehr_status/subject/external_ref/id/value")),
            ("#4", None)
        ]
    );
    assert_eq!(cells(&plan), r#"n0 n1 ="x" ="MRN-700123" n2"#);
}

#[test]
fn constants_stay_here() {
    let plan = planned(&format!("SELECT 1.50 AS a, true, NULL, '2020-01-01', NOW(), c/name/value {FROM}"));
    assert_eq!(cells(&plan), r#"=1.50 =true =null ="2020-01-01" ="2026-05-28T20:26:40.123Z" n0"#);
    sends(&plan, &format!("SELECT c/name/value {NODE}"));
}

#[test]
fn n12_attributes_of_endpoints_come_from_the_registry() {
    let plan = planned(&format!(
        "SELECT p/id, p/endpoint_id, p/organisation, p/organization_id, p/system_id, p/node_id, p/url, c/name/value {}",
        FROM.replace("FROM EHR", "FROM ENDPOINT p[\"north\"] CONTAINS EHR")
    ));
    assert_eq!(cells(&plan), "@EndpointId @EndpointId @Organisation @Organisation @SystemId @NodeId @Url n0");
    assert_eq!(plan.columns[0].path.as_deref(), Some("p/id"));
}

#[test]
fn an_endpoint_as_key_is_compared_here_only() {
    let from = FROM.replace("FROM EHR", "FROM ENDPOINT p[\"north\", \"south\"] CONTAINS EHR");
    for key in ["p/id", "place"] {
        let plan = planned(&format!("SELECT p/id AS place, c/name/value {from} ORDER BY {key} DESC, c/name/value LIMIT 3"));
        assert_eq!(plan.combine.keys[0], SortKey { by: KeySource::Endpoint(EndpointAttribute::EndpointId), descending: true });
        sends(&plan, &format!("SELECT c/name/value, c/uid/value AS key {NODE} ORDER BY c/name/value, c/uid/value LIMIT 3"));
    }
}

#[test]
fn when_nothing_is_left_to_select_the_row_itself_is() {
    let plan = planned(&format!("SELECT 'x', e/ehr_status/subject/external_ref/id/value {FROM}"));
    sends(&plan, &format!("SELECT c/uid/value AS key {NODE}"));
    assert_eq!((plan.combine.node_width, plan.combine.uid), (1, None));
    let plan = planned("SELECT 'x' FROM EHR WHERE EXISTS e_1/x".replace(" WHERE EXISTS e_1/x", "").as_str());
    sends(&plan, "SELECT e/ehr_id/value AS key FROM EHR e");
}

#[test]
fn names_of_ours_collide_with_none_of_the_clients() {
    let plan = planned(&format!("SELECT c/name/value AS KEY {FROM} AND c/name/value != 'key_1' ORDER BY o/name/value"));
    sends(
        &plan,
        &format!(
            "SELECT c/name/value AS KEY, o/name/value AS key_2, c/uid/value AS key_3 {NODE} AND c/name/value != 'key_1' ORDER BY o/name/value"
        ),
    );
    let plan = planned("SELECT e/name/value FROM COMPOSITION e");
    sends(&plan, "SELECT e/name/value FROM EHR e_1 CONTAINS COMPOSITION e");
}

#[test]
fn n18_equal_aliases_are_told_apart_at_the_node() {
    let plan = planned(&format!("SELECT c/name/value AS a, o/name/value AS A, c/uid/value AS o {FROM}"));
    sends(&plan, &format!("SELECT c/name/value AS a, o/name/value AS col, c/uid/value AS col_1 {NODE}"));
    assert_eq!(plan.columns.iter().map(|column| column.name.as_str()).collect::<Vec<_>>(), ["a", "A", "o"]);
    let error = refused(&format!("SELECT c/name/value AS a, o/name/value AS a {FROM} ORDER BY a"));
    assert_eq!(error.code(), ErrorCode::InvalidQuery);
}

#[test]
fn keys_by_alias_are_sent_as_paths_and_calls_as_aliases() {
    let plan = planned(&format!(
        "SELECT c/name/value AS title, LENGTH(c/name/value) AS size, 'x' AS same {FROM} ORDER BY size DESC, TITLE, same"
    ));
    sends(
        &plan,
        &format!(
            "SELECT c/name/value AS title, LENGTH(c/name/value) AS size, c/uid/value AS key {NODE} ORDER BY size DESC, c/name/value"
        ),
    );
    assert_eq!(
        plan.combine.keys,
        [SortKey { by: KeySource::Node(1), descending: true }, SortKey { by: KeySource::Node(0), descending: false }]
    );
    assert_eq!(plan.combine.uid, Some(2));
}

#[test]
fn a_composition_without_a_variable_gets_one_where_its_uid_is_needed() {
    let aql = "SELECT o/name/value FROM EHR e CONTAINS COMPOSITION[openEHR-EHR-COMPOSITION.report.v1] CONTAINS OBSERVATION o";
    sends(&planned(aql), aql);
    sends(
        &planned(&format!("{aql} LIMIT 2")),
        "SELECT o/name/value, c/uid/value AS key FROM EHR e CONTAINS COMPOSITION c[openEHR-EHR-COMPOSITION.report.v1] CONTAINS OBSERVATION o ORDER BY c/uid/value LIMIT 2",
    );
}

#[test]
fn a_composition_that_not_every_row_has_breaks_no_ties() {
    let aql = "SELECT o/name/value FROM EHR e CONTAINS (COMPOSITION c OR OBSERVATION o) ORDER BY o/name/value LIMIT 2";
    sends(&planned(aql), aql);
}
