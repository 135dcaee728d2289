//! Combining alone, from the nodes' bytes to the answer's, beside what bounds it from either side.
//!
//! `cargo bench --bench combine`. The closing lines give the ratios that `docs/performance.md` records.
#![allow(clippy::expect_used, clippy::print_stdout, reason = "a bench stops at what it does not expect, and prints its figures")]

mod support;

use std::hint::black_box;
use std::time::{Duration, Instant};

use bytes::Bytes;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group};
use serde::de::IgnoredAny;
use serde_json::Value;
use tributary::combine::combine;
use tributary::combine::cut::{CutVerdict, inspect};
use tributary::registry::NodeOrdering;

const SIZES: [(usize, usize); 6] = [(4, 10), (4, 1_000), (4, 25_000), (16, 10), (16, 1_000), (16, 25_000)];

fn bodies(nodes: usize, rows: usize) -> Vec<Bytes> {
    (0..nodes).map(|node| support::body(node, rows)).collect()
}

fn size(bodies: &[Bytes]) -> usize {
    bodies.iter().map(Bytes::len).sum()
}

/// All rows of all nodes are answered.
fn whole(bodies: &[Bytes], out: &mut Vec<u8>) {
    out.clear();
    black_box(support::answer(bodies, &support::spec(None), out));
}

/// `LIMIT` as many as each node answered: the cut of every node is checked, and one n-th of the rows answered.
fn limited(bodies: &[Bytes], rows: u64, out: &mut Vec<u8>) {
    out.clear();
    let spec = support::spec(Some(rows));
    let contributions = support::read(bodies);
    for contribution in &contributions {
        assert_eq!(inspect(&spec, &contribution.rows, NodeOrdering::Trusted), CutVerdict::Usable);
    }
    let combined = combine(&spec, contributions).expect("it combines");
    combined.write_rows(out);
}

fn copied(bodies: &[Bytes], out: &mut Vec<u8>) {
    out.clear();
    bodies.iter().for_each(|body| out.extend_from_slice(body));
    black_box(out);
}

fn scanned(bodies: &[Bytes]) {
    bodies.iter().for_each(|body| {
        black_box(serde_json::from_slice::<IgnoredAny>(body).expect("JSON"));
    });
}

/// The way one would write it in an afternoon: trees, a sort, text again.
fn as_values(bodies: &[Bytes], out: &mut Vec<u8>) {
    out.clear();
    let mut rows: Vec<Value> = Vec::new();
    for body in bodies {
        let mut value: Value = serde_json::from_slice(body).expect("JSON");
        if let Some(Value::Array(more)) = value.get_mut("rows").map(Value::take) {
            rows.extend(more);
        }
    }
    rows.sort_by(|left, right| right[1].as_str().cmp(&left[1].as_str()));
    serde_json::to_writer(&mut *out, &rows).expect("text");
    black_box(out);
}

fn benches(criterion: &mut Criterion) {
    for (nodes, rows) in SIZES {
        let bodies = bodies(nodes, rows);
        let mut out = Vec::with_capacity(size(&bodies));
        let mut group = criterion.benchmark_group(format!("{nodes} nodes × {rows} rows"));
        group.throughput(Throughput::Bytes(size(&bodies) as u64)).sample_size(10).measurement_time(Duration::from_secs(2));
        group.bench_function(BenchmarkId::from_parameter("combine, all rows"), |bench| bench.iter(|| whole(&bodies, &mut out)));
        group.bench_function(BenchmarkId::from_parameter("combine, limited"), |bench| {
            bench.iter(|| limited(&bodies, rows as u64, &mut out));
        });
        group.bench_function(BenchmarkId::from_parameter("read alone"), |bench| bench.iter(|| black_box(support::read(&bodies))));
        group.bench_function(BenchmarkId::from_parameter("IgnoredAny"), |bench| bench.iter(|| scanned(&bodies)));
        group.bench_function(BenchmarkId::from_parameter("copy"), |bench| bench.iter(|| copied(&bodies, &mut out)));
        group.bench_function(BenchmarkId::from_parameter("Value"), |bench| bench.iter(|| as_values(&bodies, &mut out)));
        group.finish();
    }
}

/// MB/s, the best of several rounds: the machine's other work only ever makes a round slower.
fn best(bytes: usize, mut work: impl FnMut()) -> f64 {
    let mut best = Duration::MAX;
    let started = Instant::now();
    while started.elapsed() < Duration::from_millis(700) {
        let round = Instant::now();
        work();
        best = best.min(round.elapsed());
    }
    bytes as f64 / best.as_secs_f64() / 1e6
}

/// One table, measured in turns, so that its ratios are of one run.
fn table() {
    println!(
        "\n| nodes × rows | MB in | all rows | limited | read alone | copy | IgnoredAny | Value | all / IgnoredAny | all / Value |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for (nodes, rows) in SIZES {
        let bodies = bodies(nodes, rows);
        let bytes = size(&bodies);
        let mut out = Vec::with_capacity(bytes);
        let all = best(bytes, || whole(&bodies, &mut out));
        let limit = best(bytes, || limited(&bodies, rows as u64, &mut out));
        let read = best(bytes, || {
            black_box(support::read(&bodies));
        });
        let copy = best(bytes, || copied(&bodies, &mut out));
        let scan = best(bytes, || scanned(&bodies));
        let value = best(bytes, || as_values(&bodies, &mut out));
        println!(
            "| {nodes} × {rows} | {:.3} | {all:.0} | {limit:.0} | {read:.0} | {copy:.0} | {scan:.0} | {value:.0} | {:.2} | {:.1} |",
            bytes as f64 / 1e6,
            all / scan,
            all / value
        );
    }
}

criterion_group!(groups, benches);

fn main() {
    // `--table` measures the table alone.
    if !std::env::args().any(|argument| argument == "--table") {
        groups();
    }
    table();
}
