//! LIMIT, OFFSET, DISTINCT, de-duplication.

use super::*;
use crate::intake::Page;

const FROM: &str = "FROM EHR e CONTAINS COMPOSITION c WHERE e/ehr_status/subject/external_ref/id/value = 'MRN-700123'";
const NODE: &str = "FROM EHR e CONTAINS COMPOSITION c WHERE {}";

fn pages(aql: &str, offset: Option<u64>, fetch: Option<u64>) -> Result<Plan, PlanError> {
    let mut request = request(aql);
    request.page = Page { offset, fetch };
    plan(&request, &context())
}

fn window(plan: &Plan) -> (u64, Option<u64>, Option<u64>) {
    (plan.combine.offset, plan.combine.limit, plan.combine.pushed_limit)
}

#[test]
fn members_and_clauses_say_the_same_or_are_refused() {
    let ordered = format!("SELECT c/uid/value {FROM} ORDER BY c/uid/value");
    assert_eq!(window(&pages(&ordered, None, Some(7)).unwrap()), (0, Some(7), Some(7)));
    assert_eq!(window(&pages(&ordered, Some(3), Some(7)).unwrap()), (3, Some(7), Some(10)));
    assert_eq!(window(&pages(&format!("{ordered} LIMIT 7"), Some(3), Some(7)).unwrap()), (3, Some(7), Some(10)));
    assert_eq!(window(&pages(&format!("{ordered} LIMIT 7 OFFSET 3"), Some(3), None).unwrap()), (3, Some(7), Some(10)));
    for (clause, offset, fetch) in [("LIMIT 7", None, Some(8)), ("LIMIT 7 OFFSET 3", Some(0), None)] {
        let error = pages(&format!("{ordered} {clause}"), offset, fetch).unwrap_err();
        assert_eq!(error.code(), ErrorCode::ConflictingPaging);
    }
    let error = pages(&format!("SELECT TOP 3 c/uid/value {FROM}"), None, Some(4)).unwrap_err();
    assert_eq!(error.code(), ErrorCode::ConflictingPaging);
}

#[test]
fn offset_is_served_by_the_declared_strategy_only() {
    let aql = format!("SELECT c/uid/value {FROM} ORDER BY c/uid/value LIMIT 10 OFFSET 5");
    let reject = PlanContext { offset_strategy: OffsetStrategy::Reject, ..context() };
    assert_eq!(refused_in(&aql, &reject).code(), ErrorCode::OffsetUnsupported);
    assert_eq!(window(&planned_in(&aql.replace("OFFSET 5", "OFFSET 0"), &reject)), (0, Some(10), Some(10)));
    for missing in ["ORDER BY c/uid/value", "LIMIT 10 OFFSET 5"] {
        let error = pages(&aql.replace(missing, ""), Some(5), None).unwrap_err();
        assert_eq!(error.code(), ErrorCode::OffsetUnsupported, "{missing}");
    }
}

#[test]
fn a_window_past_its_bound_names_the_setting() {
    let aql = |offset: &str| format!("SELECT c/uid/value {FROM} ORDER BY c/uid/value LIMIT 10 OFFSET {offset}");
    assert_eq!(window(&planned(&aql("990"))), (990, Some(10), Some(1000)));
    for offset in ["991", "18446744073709551615"] {
        let error = refused(&aql(offset));
        assert_eq!((error.code(), error.to_string().contains("`paging.max_window`")), (ErrorCode::LimitExceeded, true));
    }
    let error = refused_in(&aql("991"), &PlanContext { max_window: 5000, max_rows: 1000, ..context() });
    assert!(error.to_string().contains("`limits.max_rows`"));
}

#[test]
fn without_limit_nothing_is_cut_and_the_whole_query_leaves_it_out() {
    let plan = planned(&format!("SELECT c/name/value {FROM} ORDER BY c/name/value LIMIT 4"));
    let whole = plan.node_query.for_ehr(Some(&EhrId::new(EHR)), Cut::Whole);
    assert_eq!(openehr_aql::parse(&whole).unwrap().limit, None);
    sends(&plan, &format!("SELECT c/name/value, c/uid/value AS key {NODE} ORDER BY c/name/value, c/uid/value LIMIT 4"));
}

#[test]
fn limit_alone_is_cut_by_uid_so_that_it_repeats() {
    let plan = planned(&format!("SELECT c/name/value {FROM} LIMIT 4"));
    sends(&plan, &format!("SELECT c/name/value, c/uid/value AS key {NODE} ORDER BY c/uid/value LIMIT 4"));
    assert!(plan.combine.keys.is_empty());
}

#[test]
fn distinct_rows_are_cut_at_the_node_only_where_its_cut_is_ours() {
    for (select, order, pushed) in [
        ("c/name/value AS n", "ORDER BY n", Some(5)),
        ("c/name/value AS n", "", Some(5)),
        ("c/name/value AS n, c/language AS l", "ORDER BY n, l DESC", Some(5)),
        // The other column leaves ties, which a node cuts through as it likes.
        ("c/name/value AS n, c/language AS l", "ORDER BY n", None),
        // A hidden key makes rows distinct that are the same in the answer.
        ("c/name/value AS n", "ORDER BY c/context/start_time/value", None),
    ] {
        let plan = planned(&format!("SELECT DISTINCT {select} {FROM} {order} LIMIT 5"));
        assert_eq!((plan.combine.pushed_limit, plan.combine.distinct), (pushed, true), "{select} {order}");
        assert_eq!(text(&plan).contains("LIMIT"), pushed.is_some());
        assert!(text(&plan).contains("DISTINCT"));
    }
}

#[test]
fn de_duplication_sees_every_copy() {
    let mut request = request(&format!("SELECT c/name/value {FROM} ORDER BY c/name/value LIMIT 4"));
    request.dedup = DedupMode::VersionIdentity;
    let made = plan(&request, &context()).unwrap();
    assert_eq!((made.combine.uid, window(&made)), (Some(1), (0, Some(4), None)));
    sends(&made, &format!("SELECT c/name/value, c/uid/value AS key {NODE} ORDER BY c/name/value"));
    request.query = super::request("SELECT o/name/value FROM EHR e CONTAINS OBSERVATION o").query;
    assert_eq!(plan(&request, &context()).unwrap_err().code(), ErrorCode::CombinationUnsupported);
    let none = PlanContext { dedup_offered: false, ..context() };
    assert_eq!(plan(&request, &none).unwrap_err().code(), ErrorCode::DedupNotOffered);
}

#[test]
fn de_duplication_tells_copies_only_where_a_row_is_about_one_version() {
    let exact = [
        "EHR e CONTAINS COMPOSITION c CONTAINS OBSERVATION o",
        "EHR e CONTAINS COMPOSITION c CONTAINS (OBSERVATION o AND (EVALUATION v OR ACTION a))",
        "EHR e CONTAINS VERSION v CONTAINS COMPOSITION c NOT CONTAINS OBSERVATION o",
        "EHR e CONTAINS (EHR_STATUS s AND COMPOSITION c)",
        "COMPOSITION c",
    ];
    let lossy = [
        "EHR e CONTAINS (COMPOSITION c AND COMPOSITION d)",
        "EHR e CONTAINS (COMPOSITION c AND OBSERVATION o)",
        "EHR e CONTAINS (COMPOSITION c AND (OBSERVATION o OR ACTION a))",
        "EHR e CONTAINS (VERSION v CONTAINS COMPOSITION c AND VERSION w CONTAINS EHR_STATUS s)",
        "EHR e CONTAINS FOLDER f CONTAINS COMPOSITION c",
        "EHR e CONTAINS (COMPOSITION c OR COMPOSITION d)",
    ];
    let cases =
        exact.map(|from| (from, None)).into_iter().chain(lossy.map(|from| (from, Some(ErrorCode::CombinationUnsupported))));
    let rows_fetched = PlanContext { aggregate_strategy: AggregateStrategy::Rows, ..context() };
    for (from, refused) in cases {
        for (select, context) in [("c/uid/value", &context()), ("COUNT(c/uid/value)", &rows_fetched)] {
            let mut request = request(
                &format!("SELECT {select} FROM {from} WHERE e/ehr_id/value = '{EHR}'")
                    .replace("FROM COMPOSITION c WHERE e/ehr_id/value", "FROM COMPOSITION c WHERE c/name/value"),
            );
            request.dedup = DedupMode::VersionIdentity;
            assert_eq!(plan(&request, context).err().map(|error| error.code()), refused, "{select} {from}");
            request.dedup = DedupMode::None;
            assert!(plan(&request, context).is_ok(), "{select} {from}");
        }
    }
}

#[test]
fn one_endpoint_is_sent_offset_and_order_as_they_are() {
    let single = PlanContext { single_destination: true, offset_strategy: OffsetStrategy::Reject, ..context() };
    let plan = planned_in(
        &format!(
            "SELECT c/name/value AS n, e/ehr_status/subject/external_ref/id/value {FROM} ORDER BY c/uid/value DESC, n LIMIT 4 OFFSET 8"
        ),
        &single,
    );
    sends(&plan, &format!("SELECT c/name/value AS n {NODE} ORDER BY c/uid/value DESC, c/name/value LIMIT 4 OFFSET 8"));
    assert_eq!((cells(&plan).as_str(), window(&plan)), (r#"n0 ="MRN-700123""#, (0, Some(4), Some(4))));
    assert!(plan.combine.single && plan.combine.keys.is_empty());
    assert!(plan.node_query.for_ehr(None, Cut::Whole).contains("OFFSET 8"));
}

#[test]
fn one_endpoints_distinct_constants_are_one_row() {
    let single = PlanContext { single_destination: true, ..context() };
    let plan = planned_in(&format!("SELECT DISTINCT 'x' {FROM} LIMIT 4 OFFSET 1"), &single);
    sends(&plan, &format!("SELECT DISTINCT c/uid/value AS key {NODE} LIMIT 1"));
    assert_eq!(window(&plan), (1, Some(1), Some(1)));
}

#[test]
fn one_endpoints_offset_without_limit_is_skipped_here() {
    let mut request = request(&format!("SELECT c/name/value {FROM}"));
    request.page = Page { offset: Some(3), fetch: None };
    let made = plan(&request, &PlanContext { single_destination: true, ..context() }).unwrap();
    assert_eq!(window(&made), (3, None, None));
}

#[test]
fn partial_is_refused_where_it_is_not_offered() {
    let mut request = request(&format!("SELECT c/name/value {FROM}"));
    request.completeness = crate::intake::Completeness::Partial;
    assert!(plan(&request, &context()).is_ok());
    let error = plan(&request, &PlanContext { best_effort: false, ..context() }).unwrap_err();
    assert_eq!(error.code(), ErrorCode::PartialNotOffered);
}
