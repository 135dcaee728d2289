//! Synthetic nodes' answers and a plan for them: blood pressures, newest first, interleaving evenly over the nodes, which is
//! the worst case for a merge.
#![allow(dead_code, reason = "each bench uses its part")]

use std::sync::Arc;

use bytes::Bytes;
use tributary::combine::rows::{NodeRows, RowBudget};
use tributary::combine::{Combined, Contribution, combine};
use tributary::ids::{EndpointId, NodeId, OrganisationId, SystemId};
use tributary::intake::DedupMode;
use tributary::node::Credentials;
use tributary::plan::{CellSource, CombineSpec, KeySource, SortKey};
use tributary::registry::{Endpoint, Membership, Node, NodeOrdering};

/// Cells of a row: uid, start time, systolic, interpretation (a structure), composer.
pub(crate) const WIDTH: usize = 5;

const INTERPRETATIONS: [(&str, &str); 4] = [
    ("Normal blood pressure", "2004005"),
    ("Elevated blood pressure", "24184005"),
    ("Low blood pressure", "45007003"),
    ("Blood pressure \\u2013 not determined", "392570002"),
];
const COMPOSERS: [&str; 5] =
    ["Dr. Zoë Müller", "Nurse Ewa Łukasik", "Dr. \\\"Pip\\\" O'Hara", "Device gateway 7", "Dr. 山田 花子"];

/// What one node answers.
pub(crate) fn body(node: usize, rows: usize) -> Bytes {
    let mut random = fastrand::Rng::with_seed((node * 1_000_003 + rows) as u64);
    let mut out = String::from(r#"{"meta":{"_type":"RESULTSET","_schema_version":"1.1.0"},"q":"SELECT …","columns":["#);
    let columns: Vec<String> = ["uid", "start_time", "systolic", "interpretation", "composer"]
        .iter()
        .map(|name| format!(r#"{{"name":"{name}"}}"#))
        .collect();
    out.push_str(&columns.join(","));
    out.push_str("],\"rows\":[");
    for row in 0..rows {
        if row > 0 {
            out.push(',');
        }
        out.push_str(&line(node, row, &mut random));
    }
    out.push_str("]}");
    Bytes::from(out)
}

fn line(node: usize, row: usize, random: &mut fastrand::Rng) -> String {
    let millis = 1_761_955_200_000 - row as i64 * 3_600_000 - random.i64(0..56_250) * 64;
    let instant = chrono::DateTime::from_timestamp_millis(millis / 64 * 64 + node as i64 % 64).unwrap_or_default();
    let (value, code) = INTERPRETATIONS[random.usize(0..4)];
    let coded = format!(
        r#"{{"_type":"DV_CODED_TEXT","value":"{value}","defining_code":{{"_type":"CODE_PHRASE","terminology_id":{{"_type":"TERMINOLOGY_ID","value":"SNOMED-CT"}},"code_string":"{code}"}}}}"#
    );
    format!(
        r#"["{}::cdr-{node:02}.example.org::{}","{}",{:.2},{},"{}"]"#,
        uuid::Uuid::from_u128(random.u128(..)),
        random.u8(1..3),
        instant.format("%Y-%m-%dT%H:%M:%S%.3fZ"),
        f64::from(random.u32(800..2200)) / 10.0,
        if random.u8(0..20) == 0 { "null" } else { &coded },
        COMPOSERS[random.usize(0..COMPOSERS.len())],
    )
}

/// `ORDER BY start_time DESC`, with a LIMIT or without.
pub(crate) fn spec(limit: Option<u64>) -> CombineSpec {
    CombineSpec {
        node_width: WIDTH,
        cells: (0..WIDTH).map(CellSource::Node).collect(),
        keys: vec![SortKey { by: KeySource::Node(1), descending: true }],
        uid: Some(0),
        distinct: false,
        offset: 0,
        limit,
        pushed_limit: limit,
        dedup: DedupMode::None,
        aggregates: None,
        single: false,
    }
}

pub(crate) fn endpoint(node: usize) -> Arc<Endpoint> {
    Arc::new(Endpoint {
        id: EndpointId::new(format!("endpoint-{node:02}")),
        node: Arc::new(Node {
            id: NodeId::new(format!("node-{node:02}")),
            system_id: SystemId::new(format!("cdr-{node:02}.example.org")),
            creating_system_ids: Vec::new(),
            product: None,
            version: None,
        }),
        organisation: OrganisationId::new("org"),
        url: "http://node.example.org/".parse().expect("an address"),
        membership: Membership::Active,
        per_node: None,
        ordering: NodeOrdering::Trusted,
        consent_refusal_codes: Vec::new(),
        credentials: Credentials::default(),
    })
}

/// Reads every body as a node's answer.
pub(crate) fn read(bodies: &[Bytes]) -> Vec<Contribution> {
    let budget = RowBudget::new(10_000_000);
    let read = |body: &Bytes| NodeRows::read(body.clone(), WIDTH, &budget).expect("a result set");
    bodies.iter().enumerate().map(|(node, body)| Contribution { endpoint: endpoint(node), rows: read(body) }).collect()
}

/// The whole way: bytes of the nodes to bytes of the answer.
pub(crate) fn answer(bodies: &[Bytes], spec: &CombineSpec, out: &mut Vec<u8>) -> Combined {
    let combined = combine(spec, read(bodies)).expect("it combines");
    combined.write_rows(out);
    combined
}
