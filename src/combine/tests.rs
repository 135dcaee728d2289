//! Against a model that decodes everything, sorts everything and cuts last.

pub(super) mod model;
pub(crate) mod world;

use std::sync::Arc;

use proptest::prelude::*;

use super::cut::{CutVerdict, inspect};
use super::{CombineError, Combined, Contribution, combine};
use crate::error::ErrorCode;
use crate::intake::DedupMode;
use crate::plan::{CellSource, CombineSpec, EndpointAttribute, KeySource, SortKey};
use crate::registry::NodeOrdering;
use crate::sensitive::Sensitive;
use world::{Member, World, endpoint, rows, spec, written};

fn answer(spec: &CombineSpec, contributions: Vec<Contribution>) -> Combined {
    combine(spec, contributions).expect("it combines")
}

fn cells(rows: &[&str]) -> Vec<Vec<String>> {
    rows.iter().map(|row| row.split('|').map(str::to_owned).collect()).collect()
}

fn contribution(id: &str, system: &str, rows_of: &[&str]) -> Contribution {
    let rows_of = cells(rows_of);
    Contribution { endpoint: endpoint(id, system, NodeOrdering::Trusted), rows: rows(&rows_of) }
}

fn ascending(column: usize) -> SortKey {
    SortKey { by: KeySource::Node(column), descending: false }
}

#[test]
fn hidden_columns_are_stripped_and_cells_copied_as_they_came() {
    let mut spec = spec(4);
    spec.cells = vec![
        CellSource::Node(3),
        CellSource::Constant(Sensitive::new("\"patient\"".to_owned())),
        CellSource::Node(0),
        CellSource::Node(1),
        CellSource::Endpoint(EndpointAttribute::Organisation),
    ];
    let body = r#"{"rows":[[ {"a" : 1.0} ,1e2 ,"uid", [ ]]]}"#;
    let rows = super::rows::NodeRows::read(body.into(), 4, &super::rows::RowBudget::new(9)).expect("rows");
    let combined = answer(&spec, vec![Contribution { endpoint: endpoint("e\"1", "s", NodeOrdering::Exact), rows }]);
    assert_eq!(written(&combined), r#"[[ ],"patient",{"a" : 1.0} ,1e2,"org-e\"1"]"#);
}

#[test]
fn cp32_ties_fall_to_the_endpoint_then_the_uid_then_the_bytes() {
    let mut spec = spec(2);
    spec.cells = vec![CellSource::Node(0), CellSource::Node(1)];
    spec.keys = vec![ascending(0)];
    spec.uid = Some(1);
    let b = contribution("b", "s", &["1|\"u::s::10\"", "1|\"u::s::2\"", "1.0|null", "1|null", "0|null"]);
    let a = contribution("a", "s", &["1|\"u::s::3\""]);
    let expected = r#"[0,null],[1,"u::s::3"],[1,"u::s::2"],[1,"u::s::10"],[1,null],[1.0,null]"#;
    assert_eq!(written(&answer(&spec, vec![b, a])), expected);
}

#[test]
fn without_order_by_endpoints_follow_one_another() {
    let mut spec = spec(1);
    spec.cells = vec![CellSource::Node(0)];
    let combined = answer(&spec, vec![contribution("b", "s", &["1", "0"]), contribution("a", "s", &["3", "2"])]);
    assert_eq!(written(&combined), "[3],[2],[1],[0]");
    let counts: Vec<(&str, usize)> = combined.parts().iter().map(|part| (part.endpoint.id.as_str(), part.row_count)).collect();
    assert_eq!(counts, [("a", 2), ("b", 2)]);
}

#[test]
fn a_single_endpoints_order_is_kept() {
    let mut spec = spec(1);
    spec.cells = vec![CellSource::Node(0)];
    spec.keys = vec![ascending(0)];
    (spec.single, spec.distinct) = (true, true);
    assert_eq!(written(&answer(&spec, vec![contribution("a", "s", &["3", "1", "3"])])), "[3],[1],[3]");
}

#[test]
fn cp09_the_copy_of_the_creating_system_is_kept_else_that_of_the_first_endpoint() {
    let mut spec = spec(2);
    spec.cells = vec![CellSource::Node(0), CellSource::Endpoint(EndpointAttribute::EndpointId)];
    spec.uid = Some(0);
    spec.dedup = DedupMode::VersionIdentity;
    let a = contribution("a", "sys-a", &["\"x::sys-b::1\"|0", "\"y::sys-z::1\"|0", "\"x::sys-b::2\"|0", "null|0"]);
    let b = contribution("b", "sys-b", &["\"x::sys-b::1\"|1", "\"x::sys-b::1\"|2", "\"y::sys-z::1\"|0", "null|0"]);
    let c = contribution("c", "sys-b", &["\"x::sys-b::1\"|0"]);
    let combined = answer(&spec, vec![c, b, a]);
    let expected = r#"["y::sys-z::1","a"],["x::sys-b::2","a"],[null,"a"],["x::sys-b::1","b"],["x::sys-b::1","b"],[null,"b"]"#;
    assert_eq!(written(&combined), expected);
    assert_eq!(combined.suppressed().rows, 3);
    let endpoints: Vec<&str> = combined.suppressed().endpoints.iter().map(|id| id.as_str()).collect();
    assert_eq!(endpoints, ["a", "b", "c"]);
}

#[test]
fn chunks_put_together_are_the_rows() {
    let mut spec = spec(1);
    spec.cells = vec![CellSource::Node(0)];
    let combined = answer(&spec, vec![contribution("a", "s", &["1", "22", "333", "4444"])]);
    let (mut out, mut row) = (Vec::new(), 0);
    while row < combined.len() {
        let mut chunk = Vec::new();
        row = combined.write_chunk(row, 1, &mut chunk);
        out.extend(chunk);
    }
    assert_eq!(String::from_utf8(out).expect("text"), written(&combined));
    let mut range = Vec::new();
    combined.write_range(1..9, &mut range);
    assert_eq!(range, b"[22],[333],[4444]");
}

#[test]
fn a_plan_that_contradicts_itself_is_a_fault_of_the_gateway() {
    let mut spec = spec(1);
    spec.cells = vec![CellSource::Node(1)];
    let error = combine(&spec, Vec::new()).expect_err("no such column");
    assert_eq!(error.code(), ErrorCode::Internal);
    spec.cells = vec![CellSource::Node(0)];
    let error = combine(&spec, vec![contribution("a", "s", &["1|2"])]).expect_err("another width");
    assert!(matches!(&error, CombineError::Endpoint { .. }), "{error}");
}

/// What each member answers: cut by its own order when that is allowed and holds, else whole.
fn answered(world: &World, orderings: &[NodeOrdering], in_order: &[usize]) -> Vec<Contribution> {
    let ask = |index: &usize| {
        let member = &world.members[*index];
        let ordering = orderings[*index % orderings.len()];
        let endpoint = endpoint(&member.id, &member.system, ordering);
        let cut = world.cut(member, ordering);
        match (ordering, inspect(&world.spec, &rows(&cut), ordering)) {
            (NodeOrdering::Exact | NodeOrdering::Trusted, CutVerdict::Usable) => Contribution { endpoint, rows: rows(&cut) },
            _ => Contribution { endpoint, rows: rows(&member.rows) },
        }
    };
    in_order.iter().map(ask).collect()
}

fn dedup_again(world: &World, combined: &Combined) -> String {
    let mut again = world.clone();
    again.members = combined
        .parts()
        .iter()
        .zip(world.sorted())
        .map(|(_, member)| Member { rows: world.kept(member), ..member.clone() })
        .collect();
    let order: Vec<usize> = (0..again.members.len()).collect();
    written(&answer(&again.spec, answered(&again, &[NodeOrdering::Untrusted], &order)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn an_answer_is_what_one_node_holding_everything_would_give(world in world::world()) {
        let order: Vec<usize> = (0..world.members.len()).collect();
        let expected = model::answer(&world);
        for orderings in [&[NodeOrdering::Untrusted][..], &[NodeOrdering::Exact], &[NodeOrdering::Trusted, NodeOrdering::Exact]] {
            let combined = answer(&world.spec, answered(&world, orderings, &order));
            prop_assert_eq!(&written(&combined), &expected, "{:?}", orderings);
        }
    }

    #[test]
    fn who_answers_first_changes_no_byte(world in world::world(), shuffled in Just((0..4usize).collect::<Vec<_>>()).prop_shuffle()) {
        let order: Vec<usize> = (0..world.members.len()).collect();
        let shuffled: Vec<usize> = shuffled.into_iter().filter(|index| *index < world.members.len()).collect();
        let orderings = [NodeOrdering::Trusted];
        let (one, other) = (answer(&world.spec, answered(&world, &orderings, &order)), answer(&world.spec, answered(&world, &orderings, &shuffled)));
        prop_assert_eq!(written(&one), written(&other));
        prop_assert_eq!(one.suppressed(), other.suppressed());
    }

    #[test]
    fn dedup_is_idempotent(mut world in world::world()) {
        world.spec.dedup = DedupMode::VersionIdentity;
        let order: Vec<usize> = (0..world.members.len()).collect();
        let combined = answer(&world.spec, answered(&world, &[NodeOrdering::Untrusted], &order));
        prop_assert_eq!(dedup_again(&world, &combined), written(&combined));
    }

    #[test]
    fn the_first_n_are_those_of_the_whole(mut world in world::world(), limit in 0u64..6) {
        world.spec.limit = None;
        let order: Vec<usize> = (0..world.members.len()).collect();
        let whole = answer(&world.spec, answered(&world, &[NodeOrdering::Untrusted], &order));
        let mut expected = Vec::new();
        whole.write_range(0..usize::try_from(limit).expect("few"), &mut expected);
        world.spec.limit = Some(limit);
        let cut = answer(&world.spec, answered(&world, &[NodeOrdering::Untrusted], &order));
        prop_assert_eq!(written(&cut).into_bytes(), expected);
        prop_assert_eq!(cut.len(), whole.len().min(usize::try_from(limit).expect("few")));
    }
}

#[test]
fn endpoints_are_shared_not_copied() {
    let endpoint = endpoint("a", "s", NodeOrdering::Exact);
    let mut spec = spec(1);
    spec.cells = vec![CellSource::Node(0)];
    let combined = answer(&spec, vec![Contribution { endpoint: Arc::clone(&endpoint), rows: rows(&[vec!["1".to_owned()]]) }]);
    assert!(Arc::ptr_eq(&combined.parts()[0].endpoint, &endpoint));
}
