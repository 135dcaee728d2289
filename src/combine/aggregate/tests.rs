use bigdecimal::BigDecimal;
use openehr_aql::ast::AggregateFunction;
use proptest::prelude::*;

use super::number;
use crate::combine::tests::world::{endpoint, rows, spec, written};
use crate::combine::{CombineError, Contribution, Unusable, combine, validate};
use crate::error::ErrorCode;
use crate::intake::DedupMode;
use crate::plan::{AggregateRecipe, CellSource, CombineSpec, DecomposedAggregate, RowAggregate};
use crate::registry::NodeOrdering::{self, Exact, Trusted};

fn plan(width: usize, recipe: AggregateRecipe) -> CombineSpec {
    let mut spec = spec(width);
    let aggregates = match &recipe {
        AggregateRecipe::Decompose(list) => list.len(),
        AggregateRecipe::Rows(list) => list.len(),
    };
    spec.cells = (0..aggregates).map(CellSource::Aggregate).collect();
    spec.aggregates = Some(recipe);
    spec
}

/// One contribution for each list of rows; cells are parted by `|`.
fn nodes(ordering: NodeOrdering, all: &[&[&str]]) -> Vec<Contribution> {
    let node = |(index, lines): (usize, &&[&str])| {
        let cells: Vec<Vec<String>> = lines.iter().map(|line| line.split('|').map(str::to_owned).collect()).collect();
        Contribution { endpoint: endpoint(&format!("e{index}"), &format!("sys-{index}"), ordering), rows: rows(&cells) }
    };
    all.iter().enumerate().map(node).collect()
}

fn decomposed(aggregate: DecomposedAggregate, ordering: NodeOrdering, cells: &[&str]) -> Result<String, CombineError> {
    let width = cells.first().map_or(1, |cell| cell.split('|').count());
    let lines: Vec<Vec<&str>> = cells.iter().map(|cell| vec![*cell]).collect();
    let lines: Vec<&[&str]> = lines.iter().map(Vec::as_slice).collect();
    let spec = plan(width, AggregateRecipe::Decompose(vec![aggregate]));
    combine(&spec, nodes(ordering, &lines)).map(|combined| written(&combined))
}

#[test]
fn cp10_per_node_aggregates_are_recombined_exactly() {
    use DecomposedAggregate::{Avg, Count, Max, Min, Sum};
    let avg = Avg { sum: 0, count: 1 };
    let cases: &[(&str, DecomposedAggregate, &[&str], &str)] = &[
        ("counts", Count(0), &["3", "0", "39"], "[42]"),
        ("counts past a double", Count(0), &["9007199254740993", "9007199254740993"], "[18014398509481986]"),
        ("sums of integers", Sum(0), &["9007199254740993", "1"], "[9007199254740994]"),
        ("the most places are kept", Sum(0), &["1.10", "2.2", "null"], "[3.30]"),
        ("an exponent is written out", Sum(0), &["1e3", "5e-1"], "[1000.5]"),
        ("no double rounding", Sum(0), &["0.1", "0.2"], "[0.3]"),
        ("no values anywhere", Sum(0), &["null", "null"], "[null]"),
        ("the winner's own bytes", Max(0), &["1.50", "1.4", "null"], "[1.50]"),
        ("past a double", Min(0), &["9007199254740993", "9007199254740992"], "[9007199254740992]"),
        ("equal ones: lesser bytes", Min(0), &["1.50", "1.5"], "[1.5]"),
        (
            "dates by instant",
            Max(0),
            &["\"2024-05-01T10:00:00Z\"", "\"2024-05-01T11:00:00+02:00\""],
            "[\"2024-05-01T10:00:00Z\"]",
        ),
        ("no least of nothing", Min(0), &["null"], "[null]"),
        ("a true mean", avg, &["7|2", "1|2"], "[2]"),
        ("a mean that ends", avg, &["1|4", "1|4"], "[0.25]"),
        ("a mean that does not", avg, &["1|1", "0|2"], "[0.3333333333333333333333333333333333]"),
        ("rounded to nearest", avg, &["2|1", "0|2"], "[0.6666666666666666666666666666666667]"),
        ("negative", avg, &["-2|1", "0|2"], "[-0.6666666666666666666666666666666667]"),
        (
            "one long value is its own mean",
            avg,
            &["1234567890123456789012345678901234567890.5|1"],
            "[1234567890123456789012345678901234567890.5]",
        ),
        ("nodes without values", avg, &["null|0", "6.0|3"], "[2]"),
        ("no values at all", avg, &["null|0", "null|0"], "[null]"),
    ];
    for (name, aggregate, cells, expected) in cases {
        assert_eq!(decomposed(*aggregate, Trusted, cells).as_deref(), Ok(*expected), "{name}");
    }
}

#[test]
fn a_value_that_cannot_take_part_makes_the_endpoint_unusable() {
    use DecomposedAggregate::{Avg, Count, Sum};
    let avg = Avg { sum: 0, count: 1 };
    let addable = |function| Unusable::NotAddable { function };
    let cases: &[(DecomposedAggregate, &str, Unusable)] = &[
        (Count(0), "-1", Unusable::Count),
        (Count(0), "1.5", Unusable::Count),
        (Count(0), "\"1\"", Unusable::Count),
        (Count(0), "null", Unusable::Count),
        (Count(0), "1e30", Unusable::Count),
        (Sum(0), "\"1\"", addable("SUM")),
        (Sum(0), "true", addable("SUM")),
        (Sum(0), "1e401", addable("SUM")),
        (Sum(0), "1e-9999999", addable("SUM")),
        (avg, "[1]|1", addable("AVG")),
        (avg, "1|0", Unusable::SumWithoutCount),
        (avg, "null|1", Unusable::SumWithoutCount),
    ];
    for (aggregate, cells, reason) in cases {
        match decomposed(*aggregate, Trusted, &[cells]) {
            Err(CombineError::Endpoint { reason: found, .. }) => assert_eq!(found, *reason, "{cells}"),
            other => panic!("{cells}: {other:?}"),
        }
    }
}

#[test]
fn a_node_that_answers_not_one_row_is_unusable() {
    let spec = plan(1, AggregateRecipe::Decompose(vec![DecomposedAggregate::Count(0)]));
    for (lines, found) in [(&["1", "2"][..], 2), (&[], 0)] {
        let cells: Vec<Vec<String>> = lines.iter().map(|cell| vec![(*cell).to_owned()]).collect();
        let rows = if cells.is_empty() { crate::combine::rows::NodeRows::none(1) } else { rows(&cells) };
        assert_eq!(validate(&spec, &rows), Err(Unusable::NotOneRow { rows: found }));
    }
}

#[test]
fn extremes_that_depend_on_how_nodes_order_are_refused() {
    use DecomposedAggregate::{Max, Min};
    let unlike = &["1", "\"2024-05-01\""];
    let texts = &["\"a\"", "null"];
    for cells in [&unlike[..], texts, &["true"], &["[1]"], &[r#"{"_type":"DV_QUANTITY","magnitude":1,"units":"kg"}"#]] {
        let error = decomposed(Min(0), Trusted, cells).expect_err("refused");
        assert_eq!(error.code(), ErrorCode::AggregateUnsupported, "{cells:?}");
        let text = error.to_string();
        assert!(text.contains("Direct the query at one endpoint, or select the underlying values"), "{text}");
        assert!(decomposed(Max(0), Exact, cells).is_ok(), "{cells:?}");
    }
}

#[test]
fn nobody_took_part_no_row() {
    let spec = plan(1, AggregateRecipe::Decompose(vec![DecomposedAggregate::Count(0)]));
    assert!(combine(&spec, Vec::new()).expect("nothing").is_empty());
}

fn of_rows(function: AggregateFunction, distinct: bool, column: Option<usize>) -> CombineSpec {
    plan(2, AggregateRecipe::Rows(vec![RowAggregate { function, distinct, column }]))
}

#[test]
fn cp10_underlying_rows_are_aggregated_here() {
    use AggregateFunction::{Avg, Count, Max, Min, Sum};
    let cases = [
        ("COUNT(*)", of_rows(Count, false, None), "[5]"),
        ("COUNT(x)", of_rows(Count, false, Some(0)), "[4]"),
        ("COUNT(DISTINCT x)", of_rows(Count, true, Some(0)), "[2]"),
        ("SUM(x)", of_rows(Sum, false, Some(0)), "[5.50]"),
        ("AVG(x)", of_rows(Avg, false, Some(0)), "[1.375]"),
        ("MIN(x)", of_rows(Min, false, Some(0)), "[1]"),
        ("MAX(x)", of_rows(Max, false, Some(0)), "[2.50]"),
        ("MAX of texts", of_rows(Max, false, Some(1)), "[\"b::s::1\"]"),
    ];
    for (name, spec, expected) in cases {
        let nodes = nodes(Trusted, &[&["1|null", "2.50|\"a::s::1\"", "1.0|\"b::s::1\""], &["1|\"a::s::1\"", "null|null"]]);
        assert_eq!(written(&combine(&spec, nodes).expect(name)), expected, "{name}");
    }
}

#[test]
fn aggregates_under_dedup_count_each_version_once() {
    let mut spec = of_rows(AggregateFunction::Sum, false, Some(0));
    (spec.uid, spec.dedup) = (Some(1), DedupMode::VersionIdentity);
    let nodes = nodes(Trusted, &[&["5|\"a::sys-1::1\"", "7|\"b::sys-1::1\""], &["5|\"a::sys-1::1\"", "1|null"]]);
    let combined = combine(&spec, nodes).expect("it combines");
    assert_eq!(written(&combined), "[13]");
    assert_eq!(combined.suppressed().rows, 1);
}

#[test]
fn rows_that_cannot_be_summed_are_unusable() {
    let spec = of_rows(AggregateFunction::Sum, false, Some(0));
    for cell in ["\"1\"", "true", r#"{"_type":"DV_COUNT","magnitude":1}"#] {
        let rows = rows(&[vec![cell.to_owned(), "null".to_owned()]]);
        assert_eq!(validate(&spec, &rows), Err(Unusable::NotAddable { function: "SUM" }), "{cell}");
    }
}

#[test]
fn no_cell_of_many_rows_stands_beside_aggregates() {
    let mut spec = of_rows(AggregateFunction::Count, false, None);
    spec.cells.push(CellSource::Node(0));
    let error = combine(&spec, nodes(Trusted, &[&["1|2"]])).expect_err("the plan is wrong");
    assert_eq!(error.code(), ErrorCode::Internal);
}

proptest! {
    #[test]
    fn recombined_aggregates_are_those_of_one_node_holding_everything(
        values in prop::collection::vec(prop::collection::vec(prop::option::of(-10_000i64..10_000), 0..6), 1..5)
    ) {
        use AggregateFunction::{Avg, Count, Max, Min, Sum};
        let text = |value: &Option<i64>| value.map_or("null".to_owned(), |value| BigDecimal::new(value.into(), 2).to_plain_string());
        let all: Vec<i64> = values.iter().flatten().flatten().copied().collect();
        let mut per_node = Vec::new();
        let mut underlying = Vec::new();
        for (index, values) in values.iter().enumerate() {
            let some: Vec<i64> = values.iter().flatten().copied().collect();
            let sum = (!some.is_empty()).then(|| some.iter().sum::<i64>());
            let row = [some.len().to_string(), text(&sum), text(&some.iter().min().copied()), text(&some.iter().max().copied())];
            let endpoint = endpoint(&format!("e{index}"), "s", Trusted);
            per_node.push(Contribution { endpoint: endpoint.clone(), rows: rows(&[row.to_vec()]) });
            let cells: Vec<Vec<String>> = values.iter().map(|value| vec![text(value)]).collect();
            let rows = if cells.is_empty() { crate::combine::rows::NodeRows::none(1) } else { rows(&cells) };
            underlying.push(Contribution { endpoint, rows });
        }
        let decompose = plan(4, AggregateRecipe::Decompose(vec![
            DecomposedAggregate::Count(0), DecomposedAggregate::Sum(1), DecomposedAggregate::Min(2), DecomposedAggregate::Max(3),
            DecomposedAggregate::Avg { sum: 1, count: 0 },
        ]));
        let from_rows = plan(1, AggregateRecipe::Rows(
            [Count, Sum, Min, Max, Avg].map(|function| RowAggregate { function, distinct: false, column: Some(0) }).to_vec(),
        ));
        let sum = (!all.is_empty()).then(|| all.iter().sum::<i64>());
        let mean = sum.and_then(|sum| number::mean(&BigDecimal::new(sum.into(), 2), all.len() as u64)).unwrap_or("null".to_owned());
        let expected = format!("[{},{},{},{},{mean}]", all.len(), text(&sum), text(&all.iter().min().copied()), text(&all.iter().max().copied()));
        prop_assert_eq!(written(&combine(&decompose, per_node).expect("recombined")), expected.clone());
        prop_assert_eq!(written(&combine(&from_rows, underlying).expect("from rows")), expected);
    }

    #[test]
    fn a_mean_is_within_half_a_unit_of_its_34th_digit(sum in any::<i64>(), places in 0i64..6, count in 1u64..100_000) {
        let sum = BigDecimal::new(sum.into(), places);
        let mean: BigDecimal = number::mean(&sum, count).expect("a mean").parse().expect("a number");
        let off = (&mean * BigDecimal::from(count) - &sum).abs() * BigDecimal::from(2);
        // The place of the 34th digit, zeros at the end of the mean not being written.
        let top = i64::try_from(mean.digits()).expect("few") - mean.fractional_digit_count();
        let unit = BigDecimal::new(1.into(), 34 - top);
        prop_assert!(off <= unit * BigDecimal::from(count), "{} / {} = {}", sum, count, mean);
    }
}
