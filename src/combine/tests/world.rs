//! Random federations.

use std::cmp::Ordering;
use std::sync::Arc;

use bytes::Bytes;
use proptest::prelude::*;

use super::model;
use crate::combine::Combined;
use crate::combine::rows::{NodeRows, RowBudget};
use crate::ids::{EndpointId, NodeId, OrganisationId, SystemId};
use crate::intake::DedupMode;
use crate::node::Credentials;
use crate::plan::{CellSource, CombineSpec, EndpointAttribute, KeySource, SortKey};
use crate::registry::{Endpoint, Membership, Node, NodeOrdering};
use crate::sensitive::Sensitive;

/// One endpoint and all rows its node holds, each of four cells: two keys, a version uid, and something else.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) id: String,
    pub(crate) system: String,
    pub(crate) rows: Vec<Vec<String>>,
}

#[derive(Clone, Debug)]
pub(crate) struct World {
    pub(crate) spec: CombineSpec,
    pub(crate) members: Vec<Member>,
}

pub(crate) fn endpoint(id: &str, system: &str, ordering: NodeOrdering) -> Arc<Endpoint> {
    Arc::new(Endpoint {
        id: EndpointId::new(id),
        node: Arc::new(Node {
            id: NodeId::new(format!("node-{id}")),
            system_id: SystemId::new(system),
            creating_system_ids: Vec::new(),
            product: None,
            version: None,
        }),
        organisation: OrganisationId::new(format!("org-{id}")),
        url: "http://node.example.org/".parse().expect("an address"),
        membership: Membership::Active,
        per_node: None,
        ordering,
        consent_refusal_codes: Vec::new(),
        credentials: Credentials::default(),
    })
}

/// The plan of a query without clauses.
pub(crate) fn spec(node_width: usize) -> CombineSpec {
    CombineSpec {
        node_width,
        cells: Vec::new(),
        keys: Vec::new(),
        uid: None,
        distinct: false,
        offset: 0,
        limit: None,
        pushed_limit: None,
        dedup: DedupMode::None,
        aggregates: None,
        single: false,
    }
}

/// The rows as a node would send them.
pub(crate) fn rows(rows: &[Vec<String>]) -> NodeRows {
    let lines: Vec<String> = rows.iter().map(|row| format!("[{}]", row.join(","))).collect();
    let width = rows.first().map_or(4, Vec::len);
    let body = format!(r#"{{"columns":[],"rows":[{}]}}"#, lines.join(", "));
    NodeRows::read(Bytes::from(body), width, &RowBudget::new(10_000)).expect("rows")
}

pub(crate) fn written(combined: &Combined) -> String {
    let mut out = Vec::new();
    combined.write_rows(&mut out);
    String::from_utf8(out).expect("text")
}

impl World {
    pub(crate) fn sorted(&self) -> Vec<&Member> {
        let mut members: Vec<&Member> = self.members.iter().collect();
        members.sort_by(|left, right| left.id.cmp(&right.id));
        members
    }

    /// The rows of a member that are no copies kept elsewhere.
    pub(crate) fn kept(&self, member: &Member) -> Vec<Vec<String>> {
        member.rows.iter().filter(|row| model::is_kept(self, member, row)).cloned().collect()
    }

    /// What the member's node sends under the pushed LIMIT: sorted by its own rules, made distinct, cut.
    pub(crate) fn cut(&self, member: &Member, ordering: NodeOrdering) -> Vec<Vec<String>> {
        let mut rows = member.rows.clone();
        if !self.spec.keys.is_empty() {
            rows.sort_by(|left, right| self.as_the_node_has_it(left, right, ordering));
        }
        if self.spec.distinct {
            let mut seen = std::collections::HashSet::new();
            rows.retain(|row| seen.insert(row.clone()));
        }
        rows.truncate(self.spec.pushed_limit.map_or(usize::MAX, |limit| usize::try_from(limit).expect("few")));
        rows
    }

    /// A node that is only trusted compares texts without regard to case.
    fn as_the_node_has_it(&self, left: &[String], right: &[String], ordering: NodeOrdering) -> Ordering {
        let fold = |cell: &String| match (ordering, cell.starts_with('"') && !cell.contains("::")) {
            (NodeOrdering::Trusted, true) if !cell.starts_with("\"2") => cell.to_lowercase(),
            _ => cell.clone(),
        };
        let folded = |row: &[String]| row.iter().map(fold).collect::<Vec<_>>();
        model::by_keys(&self.spec, &folded(left), &folded(right)).then_with(|| model::by_tie(&self.spec, left, right))
    }
}

fn key_cell() -> impl Strategy<Value = String> + Clone {
    prop_oneof![
        3 => prop::sample::select(vec!["0", "1", "1.0", "-1", "2.50", "2.5", "9007199254740993", "9007199254740992", "1e1"]),
        2 => Just("null"),
        1 => prop::sample::select(vec!["\"a\"", "\"B\"", "\"b\"", "\"\\u0061\"", "\"C\""]),
        1 => prop::sample::select(vec!["\"2024-05-01T10:00:00Z\"", "\"2024-05-01T12:00:00+02:00\"", "\"2024-05-01T10:00:01Z\"", "\"2024-05\""]),
        1 => prop::sample::select(vec!["true", "false", "{\"a\": 1}", "{\"a\":1.0}"]),
    ]
    .prop_map(str::to_owned)
}

/// Rows whose first keys are of one kind, as real columns are, or of any.
fn row(numbers: bool) -> impl Strategy<Value = Vec<String>> {
    let number = prop::sample::select(vec!["0", "1", "1.0", "2.5", "-3", "null"]).prop_map(str::to_owned);
    let first = if numbers { number.boxed() } else { key_cell().boxed() };
    let uid = prop_oneof![
        1 => Just("null".to_owned()),
        6 => ("[xyz]", "[abq]", 1u32..3).prop_map(|(object, system, version)| format!("\"{object}::sys-{system}::{version}\"")),
    ];
    (first, key_cell(), uid, prop::sample::select(vec!["1", "2", "\"p\""]).prop_map(str::to_owned))
        .prop_map(|(first, second, uid, payload)| vec![first, second, uid, payload])
}

fn members() -> impl Strategy<Value = Vec<Member>> {
    any::<bool>().prop_flat_map(|numbers| {
        prop::collection::vec(prop::collection::vec(row(numbers), 0..7), 1..5).prop_map(|all| {
            let ids = [("c", "sys-a"), ("a", "sys-q"), ("d", "sys-b"), ("b", "sys-a")];
            all.into_iter()
                .zip(ids)
                .map(|(rows, (id, system))| Member { id: id.to_owned(), system: system.to_owned(), rows })
                .collect()
        })
    })
}

fn key() -> impl Strategy<Value = SortKey> {
    let by = prop_oneof![
        3 => Just(KeySource::Node(0)),
        2 => Just(KeySource::Node(1)),
        1 => Just(KeySource::Endpoint(EndpointAttribute::SystemId)),
    ];
    (by, any::<bool>()).prop_map(|(by, descending)| SortKey { by, descending })
}

fn source() -> impl Strategy<Value = CellSource> {
    prop_oneof![
        (0usize..4).prop_map(CellSource::Node),
        Just(CellSource::Constant(Sensitive::new("\"it\"".to_owned()))),
        Just(CellSource::Endpoint(EndpointAttribute::SystemId)),
    ]
}

pub(crate) fn world() -> impl Strategy<Value = World> {
    let clauses = (prop::collection::vec(key(), 0..3), any::<bool>(), any::<bool>(), 0u64..3, prop::option::of(1u64..5));
    (members(), prop::collection::vec(source(), 1..5), clauses).prop_map(
        |(members, cells, (keys, distinct, dedup, offset, limit))| {
            let mut spec = spec(4);
            (spec.cells, spec.keys, spec.uid, spec.distinct, spec.offset, spec.limit) =
                (cells, keys, Some(2), distinct, offset, limit);
            spec.pushed_limit = limit.map(|limit| limit + offset);
            spec.dedup = if dedup { DedupMode::VersionIdentity } else { DedupMode::None };
            World { spec, members }
        },
    )
}
