//! The naive way: every cell decoded, all rows in one place, sorted, thinned, cut.

use std::cmp::Ordering;

use bigdecimal::BigDecimal;
use serde_json::Value;

use super::world::{Member, World};
use crate::intake::DedupMode;
use crate::plan::{CellSource, CombineSpec, EndpointAttribute, KeySource};

/// A cell of the kinds the random federations use, in the order of the kinds.
#[derive(Clone, Debug, PartialEq, PartialOrd)]
enum Plain {
    Boolean(bool),
    Number(BigDecimal),
    Instant(i64),
    Text(String),
    Other(String),
    Null,
}

fn plain(cell: &str) -> Plain {
    match serde_json::from_str(cell).expect("a cell") {
        Value::Null => Plain::Null,
        Value::Bool(value) => Plain::Boolean(value),
        Value::Number(_) => Plain::Number(cell.parse().expect("a number")),
        Value::String(text) if text == "2024-05" => plain("\"2024-05-01T00:00:00Z\""),
        Value::String(text) => match chrono::DateTime::parse_from_rfc3339(&text) {
            Ok(instant) => Plain::Instant(instant.timestamp()),
            Err(_) => Plain::Text(text),
        },
        Value::Array(_) | Value::Object(_) => Plain::Other(cell.replace(' ', "").replace(".0", "")),
    }
}

fn cell_order(left: &str, right: &str) -> Ordering {
    plain(left).partial_cmp(&plain(right)).expect("all compare")
}

/// Two rows of one member by the keys that are cells.
pub(super) fn by_keys(spec: &CombineSpec, left: &[String], right: &[String]) -> Ordering {
    spec.keys.iter().fold(Ordering::Equal, |order, key| {
        order.then_with(|| match key.by {
            KeySource::Node(column) if key.descending => cell_order(&right[column], &left[column]),
            KeySource::Node(column) => cell_order(&left[column], &right[column]),
            KeySource::Endpoint(_) => Ordering::Equal,
        })
    })
}

/// Two rows of one member whose keys are equal: uid, then bytes.
pub(super) fn by_tie(spec: &CombineSpec, left: &[String], right: &[String]) -> Ordering {
    // One digit each: as text is as by number here, and `null` stands last as `n` stands behind the quote.
    let uid = |row: &[String]| spec.uid.map(|column| row[column].clone());
    uid(left).cmp(&uid(right)).then_with(|| left.join(",").cmp(&right.join(",")))
}

fn attribute(member: &Member, attribute: EndpointAttribute) -> String {
    match attribute {
        EndpointAttribute::SystemId => format!("\"{}\"", member.system),
        other => panic!("not used here: {other:?}"),
    }
}

fn total(spec: &CombineSpec, left: &(&Member, &Vec<String>), right: &(&Member, &Vec<String>)) -> Ordering {
    let by_key = spec.keys.iter().fold(Ordering::Equal, |order, key| {
        order.then_with(|| {
            let cell = |(member, row): &(&Member, &Vec<String>)| match key.by {
                KeySource::Node(column) => row[column].clone(),
                KeySource::Endpoint(name) => attribute(member, name),
            };
            let order = cell_order(&cell(left), &cell(right));
            if key.descending { order.reverse() } else { order }
        })
    });
    let by_tie = || if spec.keys.is_empty() { Ordering::Equal } else { by_tie(spec, left.1, right.1) };
    by_key.then_with(|| left.0.id.cmp(&right.0.id)).then_with(by_tie)
}

/// Is there no other member whose copy is kept instead?
pub(super) fn is_kept(world: &World, member: &Member, row: &[String]) -> bool {
    let uid = &row[2];
    if world.spec.dedup == DedupMode::None || uid == "null" {
        return true;
    }
    let holders: Vec<&Member> = world.sorted().into_iter().filter(|other| other.rows.iter().any(|row| row[2] == *uid)).collect();
    let own = holders.iter().find(|holder| uid.split("::").nth(1) == Some(&holder.system));
    own.or(holders.first()).is_some_and(|keeper| keeper.id == member.id)
}

fn answered(spec: &CombineSpec, member: &Member, row: &[String]) -> Vec<String> {
    let cell = |source: &CellSource| match source {
        CellSource::Node(column) => row[*column].clone(),
        CellSource::Constant(text) => text.expose().clone(),
        CellSource::Endpoint(name) => attribute(member, *name),
        CellSource::Aggregate(_) => panic!("not used here"),
    };
    spec.cells.iter().map(cell).collect()
}

fn same(left: &[String], right: &[String]) -> bool {
    left.iter().zip(right).all(|(left, right)| plain(left) == plain(right))
}

/// The rows of the answer.
pub(super) fn answer(world: &World) -> String {
    let spec = &world.spec;
    let mut all: Vec<(&Member, &Vec<String>)> =
        world.sorted().into_iter().flat_map(|member| member.rows.iter().map(move |row| (member, row))).collect();
    all.retain(|(member, row)| is_kept(world, member, row));
    all.sort_by(|left, right| total(spec, left, right));
    let mut rows: Vec<Vec<String>> = Vec::new();
    for (member, row) in all {
        let row = answered(spec, member, row);
        if !spec.distinct || !rows.iter().any(|other| same(other, &row)) {
            rows.push(row);
        }
    }
    let limit = spec.limit.map_or(usize::MAX, |limit| usize::try_from(limit).expect("few"));
    let page = rows.iter().skip(usize::try_from(spec.offset).expect("few")).take(limit);
    page.map(|row| format!("[{}]", row.join(","))).collect::<Vec<_>>().join(",")
}
