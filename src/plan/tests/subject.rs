//! Who the patient is, and whose scope a query has.

use super::*;
use crate::ids::EndpointId;
use crate::intake::Targeting;

const BOTH: &str = "FROM EHR e CONTAINS COMPOSITION c CONTAINS OBSERVATION o WHERE";

#[test]
fn the_namespace_is_the_querys_else_the_default() {
    for (predicate, namespace) in [
        ("e/ehr_status/subject/external_ref/id/value = 'P'", "urn:oid:2.999.1"),
        ("e/ehr_status/subject/external_ref/id/value = 'P' AND e/ehr_status/subject/external_ref/namespace = 'n'", "n"),
        ("o/subject/identifiers/id = 'P' AND o/subject/identifiers/type = 't' AND o/subject/identifiers/issuer = 'i'", "i"),
        ("o/subject/identifiers/id = 'P' AND o/subject/identifiers/type = 't'", "t"),
        ("o/subject/external_ref/id/value = 'P' AND o/subject/external_ref/namespace = 'n'", "n"),
        (
            "o/subject/identifiers/id = 'P' AND o/subject/identifiers/issuer = 'i' AND e/ehr_status/subject/external_ref/id/value = 'P'",
            "i",
        ),
    ] {
        let plan = planned(&format!("SELECT c/uid/value {BOTH} {predicate}"));
        assert_eq!(patient(&plan), (namespace, "P"), "{predicate}");
        assert!(plan.gate.is_some());
    }
}

#[test]
fn without_a_namespace_or_a_default_it_is_refused() {
    let context = PlanContext { default_namespace: None, ..context() };
    let error = refused_in(&format!("SELECT c/uid/value {BOTH} e/ehr_status/subject/external_ref/id/value = 'P'"), &context);
    assert_eq!(error, PlanError::MissingNamespace);
}

#[test]
fn identifiers_that_look_like_times_and_escaped_ones_are_texts() {
    for (written, value) in [("'123456'", "123456"), ("\"20200101\"", "20200101"), (r"'P\u0031'", "P1"), (r"'O\'Neil'", "O'Neil")]
    {
        let plan = planned(&format!("SELECT c/uid/value {BOTH} e/ehr_status/subject/external_ref/id/value = {written}"));
        assert_eq!(patient(&plan).1, value);
    }
}

#[test]
fn the_same_value_twice_is_consumed_once() {
    let one = "e/ehr_status/subject/external_ref/id/value = 'MRN-700123'";
    let plan = planned(&format!(
        "SELECT c/uid/value {BOTH} {one} AND {one} AND E/ehr_status/subject/external_ref/id/value = 'MRN-700123'"
    ));
    sends(&plan, &format!("SELECT c/uid/value {BOTH} {{}}"));
}

#[test]
fn cp7_the_input_comes_back_as_a_column_of_its_own_subject_only() {
    let select = "SELECT e/ehr_status/subject/external_ref/id/value AS id, e/ehr_status/subject/external_ref/namespace AS ns, o/subject/identifiers/id AS oid, c/uid/value";
    let plan = planned(&format!("{select} {BOTH} e/ehr_status/subject/external_ref/id/value = 'P\"1'"));
    assert_eq!(cells(&plan), r#"="P\"1" ="urn:oid:2.999.1" n0 n1"#);
    let plan = planned(&format!(
        "{select}, o/subject/identifiers/type {BOTH} o/subject/identifiers/id = 'P1' AND o/subject/identifiers/type = 't'"
    ));
    assert_eq!(cells(&plan), r#"="P1" ="t" ="P1" n0 ="t""#);
}

#[test]
fn a_whole_subject_is_the_nodes_own() {
    let plan = planned(&format!(
        "SELECT e/ehr_status/subject, o/subject {BOTH} e/ehr_status/subject/external_ref/id/value = 'MRN-700123'"
    ));
    assert_eq!(cells(&plan), "n0 n1");
    let plan = planned("SELECT e/ehr_status/subject/external_ref/id/value FROM EHR e");
    assert_eq!(cells(&plan), "n0");
}

#[test]
fn n4_nobody_named_needs_direction_or_no_localizer() {
    let context = PlanContext { localizer_configured: true, ..context() };
    let mut request = request("SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c");
    assert_eq!(plan(&request, &context).unwrap_err(), PlanError::PatientRequired);
    request.targeting = Targeting::Endpoints([EndpointId::new("north")].into());
    assert!(matches!(plan(&request, &context).unwrap().scope, Scope::Population));
}

#[test]
fn a_patient_that_is_not_settled_is_called_so_and_not_left_out() {
    let localized = PlanContext { localizer_configured: true, ..context() };
    for condition in ["{} = 'P' OR c/name/value = 'x'", "NOT {} = 'P'", "{} MATCHES {'P'}", "{} LIKE 'P*'", "{} != 'P'"] {
        let condition = condition.replace("{}", "e/ehr_status/subject/external_ref/id/value");
        let error = refused_in(&format!("SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE {condition}"), &localized);
        assert_eq!(error.code(), ErrorCode::IrreducibleSubject, "{condition}");
    }
}

#[test]
fn the_ehr_id_comes_from_either_place_and_never_two() {
    let mut request = request("SELECT c/uid/value FROM COMPOSITION c WHERE c/name/value = 'x'");
    request.ehr_id = Some(EhrId::new(EHR));
    let made = plan(&request, &context()).unwrap();
    assert!(matches!(&made.scope, Scope::Ehr(id) if id.as_str() == EHR) && made.gate.is_none());
    sends(&made, "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE {} AND c/name/value = 'x'");
    request.query = super::request("SELECT c/uid/value FROM EHR e[ehr_id/value='other'] CONTAINS COMPOSITION c").query;
    assert_eq!(plan(&request, &context()).unwrap_err(), PlanError::ConflictingEhrIds);
    request.query = super::request("SELECT e FROM EHR e WHERE e/ehr_status/subject/external_ref/id/value = 'P'").query;
    assert_eq!(plan(&request, &context()).unwrap_err(), PlanError::PatientAndEhr);
}

#[test]
fn no_ehr_id_breaks_out_of_its_quotes() {
    let plan = planned("SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE e/ehr_id/value = 'x' AND c/name/value = 'y'");
    let hostile = EhrId::new("x' OR c/name/value != '\\");
    let sent = openehr_aql::parse(&plan.node_query.for_ehr(Some(&hostile), Cut::Whole)).unwrap();
    assert_eq!(openehr_aql::analysis::conjuncts(sent.condition.as_ref().unwrap()).len(), 2);
    let values = openehr_aql::analysis::literals(&sent);
    assert_eq!(values[0].literal.decoded(), hostile.as_str());
    assert!(plan.node_query.for_explanation(true, Cut::Pushed).contains("'{ehr_id}'"));
}
