use super::{AskWhole, CutVerdict, inspect};
use crate::combine::tests::world::{rows, spec};
use crate::intake::DedupMode;
use crate::plan::{CellSource, CombineSpec, EndpointAttribute, KeySource, SortKey};
use crate::registry::NodeOrdering::{self, Exact, Trusted, Untrusted};

/// `ORDER BY <first>, <second>` over two cells.
fn ordered(descending: [bool; 2], limit: u64) -> CombineSpec {
    let mut spec = spec(2);
    spec.cells = vec![CellSource::Node(0), CellSource::Node(1)];
    spec.keys = (0..2).map(|column| SortKey { by: KeySource::Node(column), descending: descending[column] }).collect();
    (spec.limit, spec.pushed_limit) = (Some(limit), Some(limit));
    spec
}

fn judge(spec: &CombineSpec, cells: &[[&str; 2]], ordering: NodeOrdering) -> Option<AskWhole> {
    let cells: Vec<Vec<String>> = cells.iter().map(|row| row.map(str::to_owned).to_vec()).collect();
    match inspect(spec, &rows(&cells), ordering) {
        CutVerdict::Usable => None,
        CutVerdict::AskWhole(reason) => Some(reason),
    }
}

#[test]
fn fewer_rows_than_the_limit_are_usable_in_any_order() {
    let spec = ordered([false, false], 3);
    for ordering in [Exact, Trusted, Untrusted] {
        assert_eq!(judge(&spec, &[["\"b\"", "1"], ["\"a\"", "1"]], ordering), None);
    }
    let mut unlimited = spec;
    unlimited.pushed_limit = None;
    assert_eq!(judge(&unlimited, &[["2", "1"], ["1", "1"], ["0", "1"]], Trusted), None);
}

#[test]
fn a_node_at_its_limit_is_believed_only_where_servers_agree() {
    struct Case {
        name: &'static str,
        descending: [bool; 2],
        cells: [[&'static str; 2]; 2],
        trusted: Option<AskWhole>,
        exact: Option<AskWhole>,
    }
    let case = |name, descending, cells, trusted, exact| Case { name, descending, cells, trusted, exact };
    let (up, down) = ([false, false], [true, true]);
    let instants = ["\"2024-05-01T10:00:00Z\"", "\"2024-05-02T10:00:00Z\""];
    let kinds = Some(AskWhole::KindsDiffer);
    let spellings = Some(AskWhole::SpellingsDiffer);
    let disorder = Some(AskWhole::OutOfOrder);
    let cases = [
        case("numbers", up, [["1", "1"], ["2.0", "0"]], None, None),
        case("numbers and a null", up, [["1", "1"], ["null", "0"]], None, None),
        case("nulls first, descending", down, [["null", "1"], ["5", "0"]], None, None),
        case("date/times in one offset", up, [[instants[0], "1"], [instants[1], "1"]], None, None),
        case("the second key decides", up, [["1", "1"], ["1.0", "2"]], None, None),
        case("out of order", up, [["2", "1"], ["1", "1"]], disorder, disorder),
        case("out of order in the second key", up, [["1", "2"], ["1.0", "1"]], disorder, disorder),
        case("nulls first, ascending", up, [["null", "1"], ["1", "1"]], disorder, disorder),
        case("only nulls, ascending", up, [["null", "1"], ["null", "1"]], Some(AskWhole::OnlyNulls), None),
        case("only nulls, descending", down, [["null", "1"], ["null", "1"]], None, None),
        case("texts", up, [["\"a\"", "1"], ["\"b\"", "1"]], kinds, None),
        case("texts in the second key", up, [["1", "\"a\""], ["2", "\"b\""]], kinds, None),
        case("unlike kinds", up, [["1", "1"], [instants[0], "1"]], kinds, None),
        case("booleans", up, [["false", "1"], ["true", "1"]], kinds, None),
        case("structures", up, [["[1]", "1"], ["[2]", "1"]], kinds, None),
        case("offsets differ", up, [[instants[0], "1"], ["\"2024-05-02T10:00:00+02:00\"", "1"]], spellings, None),
        case("fractions beside Z", up, [[instants[0], "1"], ["\"2024-05-02T10:00:00.5Z\"", "1"]], spellings, None),
        case("partial dates", up, [["\"2024-05\"", "1"], ["\"2024-05-02\"", "1"]], None, None),
    ];
    for Case { name, descending, cells, trusted, exact } in cases {
        let spec = ordered(descending, 2);
        assert_eq!(judge(&spec, &cells, Trusted), trusted, "{name}, trusted");
        assert_eq!(judge(&spec, &cells, Exact), exact, "{name}, exact");
        assert_eq!(judge(&spec, &cells, Untrusted), Some(AskWhole::Untrusted), "{name}, untrusted");
    }
}

#[test]
fn data_values_are_judged_as_their_kinds() {
    let quantity = r#"{"_type":"DV_QUANTITY","magnitude":1,"units":"mm[Hg]"}"#;
    let count = r#"{"_type":"DV_COUNT","magnitude":1}"#;
    let (early, late) = (
        r#"{"_type":"DV_DATE_TIME","value":"2024-05-01T10:00+01:00"}"#,
        r#"{"_type":"DV_DATE_TIME","value":"2024-05-01T10:00+00:00"}"#,
    );
    let spec = ordered([false, false], 2);
    assert_eq!(judge(&spec, &[[count, "1"], [count, "1"]], Trusted), None);
    assert_eq!(judge(&spec, &[[quantity, "1"], [quantity, "1"]], Trusted), Some(AskWhole::KindsDiffer));
    assert_eq!(judge(&spec, &[[early, "1"], [late, "1"]], Trusted), Some(AskWhole::SpellingsDiffer));
}

#[test]
fn more_rows_than_the_limit_are_asked_for_again() {
    let mut spec = ordered([false, false], 1);
    assert_eq!(judge(&spec, &[["1", "1"], ["2", "1"]], Exact), Some(AskWhole::LimitIgnored));
    spec.keys.clear();
    assert_eq!(judge(&spec, &[["1", "1"], ["2", "1"]], Exact), Some(AskWhole::LimitIgnored));
}

#[test]
fn distinct_rows_of_a_node_that_are_the_same_here_are_asked_for_again() {
    let mut spec = ordered([false, false], 2);
    spec.distinct = true;
    assert_eq!(judge(&spec, &[["1", "1"], ["1.0", "1"]], Exact), Some(AskWhole::NotDistinct));
    assert_eq!(judge(&spec, &[["1", "1"], ["1.0", "2"]], Exact), None);
    spec.cells.pop();
    assert_eq!(judge(&spec, &[["1", "1"], ["1.0", "2"]], Exact), Some(AskWhole::NotDistinct));
}

#[test]
fn under_dedup_no_cut_is_usable() {
    let mut spec = ordered([false, false], 2);
    spec.dedup = DedupMode::VersionIdentity;
    assert_eq!(judge(&spec, &[["1", "1"], ["2", "1"]], Exact), Some(AskWhole::CopiesHidden));
    assert_eq!(judge(&spec, &[["1", "1"]], Exact), None);
}

#[test]
fn without_order_by_any_cut_serves() {
    let mut spec = ordered([false, false], 2);
    spec.keys = vec![SortKey { by: KeySource::Endpoint(EndpointAttribute::EndpointId), descending: false }];
    assert_eq!(judge(&spec, &[["\"b\"", "1"], ["\"a\"", "1"]], Trusted), None);
    spec.keys.clear();
    assert_eq!(judge(&spec, &[["\"b\"", "1"], ["\"a\"", "1"]], Trusted), None);
}
