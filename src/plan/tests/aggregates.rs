//! Aggregates over several nodes and over one.

use super::*;
use crate::intake::Completeness;

const FROM: &str =
    "FROM EHR e CONTAINS COMPOSITION c CONTAINS OBSERVATION o WHERE e/ehr_status/subject/external_ref/id/value = 'MRN-700123'";
const NODE: &str = "FROM EHR e CONTAINS COMPOSITION c CONTAINS OBSERVATION o WHERE {}";

fn by_rows() -> PlanContext<'static> {
    PlanContext { aggregate_strategy: AggregateStrategy::Rows, ..context() }
}

#[test]
fn n39_declared_aggregates_are_taken_apart() {
    let plan =
        planned(&format!("SELECT COUNT(*) AS n, SUM(o/a), 'x', AVG(o/a) AS mean, MIN(o/b), MAX(o/b) AS most {FROM} LIMIT 3"));
    sends(
        &plan,
        &format!("SELECT COUNT(*) AS n, SUM(o/a), SUM(o/a) AS part, COUNT(o/a) AS part_1, MIN(o/b), MAX(o/b) AS most {NODE}"),
    );
    use DecomposedAggregate as D;
    let recipe = vec![D::Count(0), D::Sum(1), D::Avg { sum: 2, count: 3 }, D::Min(4), D::Max(5)];
    assert_eq!(plan.combine.aggregates, Some(AggregateRecipe::Decompose(recipe)));
    assert_eq!(cells(&plan), r##"#0 #1 ="x" #2 #3 #4"##);
    assert_eq!((plan.combine.limit, plan.combine.pushed_limit), (Some(3), None));
    assert_eq!((plan.columns[1].name.as_str(), plan.columns[1].path.as_deref()), ("#1", None));
}

#[test]
fn what_is_not_exact_is_refused_with_both_alternatives() {
    for select in ["COUNT(DISTINCT o/a)", "COUNT(o/a), o/b", "COUNT(o/a), LENGTH(o/b)", "DISTINCT COUNT(o/a)"] {
        let error = refused(&format!("SELECT {select} {FROM}"));
        assert_eq!(error.code(), ErrorCode::AggregateUnsupported, "{select}");
        assert!(error.to_string().contains("one endpoint") && error.to_string().contains("underlying rows"), "{error}");
    }
    for rest in ["ORDER BY o/a", "LIMIT 5 OFFSET 1"] {
        let error = refused(&format!("SELECT COUNT(o/a) {FROM} {rest}"));
        assert_eq!(error.code(), ErrorCode::AggregateUnsupported, "{rest}");
    }
    let error =
        refused_in(&format!("SELECT AVG(o/a) {FROM}"), &PlanContext { decomposable: &[AggregateFunction::Count], ..context() });
    assert_eq!(error.code(), ErrorCode::AggregateUnsupported);
    let mut request = request(&format!("SELECT COUNT(o/a) {FROM}"));
    request.dedup = DedupMode::VersionIdentity;
    assert_eq!(plan(&request, &context()).unwrap_err().code(), ErrorCode::AggregateUnsupported);
}

#[test]
fn n39_never_with_partial() {
    let mut request = request(&format!("SELECT COUNT(o/a) {FROM}"));
    request.completeness = Completeness::Partial;
    for context in [context(), by_rows()] {
        assert_eq!(plan(&request, &context).unwrap_err().code(), ErrorCode::PartialNotOffered);
    }
}

#[test]
fn by_rows_each_path_is_fetched_once() {
    let plan =
        planned_in(&format!("SELECT COUNT(DISTINCT o/a) AS n, AVG(o/a), COUNT(*), MAX(o/b) {FROM} ORDER BY n"), &by_rows());
    sends(&plan, &format!("SELECT o/a AS key, o/b AS key_1, c/uid/value AS key_2 {NODE}"));
    let of = |function, distinct, column| RowAggregate { function, distinct, column };
    use AggregateFunction as A;
    let recipe =
        vec![of(A::Count, true, Some(0)), of(A::Avg, false, Some(0)), of(A::Count, false, None), of(A::Max, false, Some(1))];
    assert_eq!(plan.combine.aggregates, Some(AggregateRecipe::Rows(recipe)));
    assert_eq!(plan.combine.uid, None);
    let plan = planned_in(&format!("SELECT COUNT(*) {FROM}"), &by_rows());
    sends(&plan, &format!("SELECT c/uid/value AS key {NODE}"));
}

#[test]
fn by_rows_copies_can_be_left_out() {
    let mut request = request(&format!("SELECT COUNT(o/a) {FROM}"));
    request.dedup = DedupMode::VersionIdentity;
    let made = plan(&request, &by_rows()).unwrap();
    sends(&made, &format!("SELECT o/a AS key, c/uid/value AS key_1 {NODE}"));
    assert_eq!(made.combine.uid, Some(1));
}

#[test]
fn n14_one_endpoint_computes_its_own() {
    let single = PlanContext { single_destination: true, decomposable: &[], ..context() };
    let plan = planned_in(&format!("SELECT COUNT(DISTINCT o/a) AS n, o/b {FROM} ORDER BY o/b LIMIT 2 OFFSET 1"), &single);
    sends(&plan, &format!("SELECT COUNT(DISTINCT o/a) AS n, o/b {NODE} ORDER BY o/b LIMIT 2 OFFSET 1"));
    assert_eq!((cells(&plan).as_str(), &plan.combine.aggregates), ("n0 n1", &None));
    let error = refused_in(&format!("SELECT COUNT(o/a), e/ehr_status/subject/external_ref/id/value {FROM}"), &single);
    assert_eq!(error.code(), ErrorCode::CombinationUnsupported);
}
