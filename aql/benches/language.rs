//! Reading, printing and rewriting, by size of the query.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use openehr_aql::ast::{Condition, Literal, Query};
use openehr_aql::parse;
use openehr_aql::visit::VisitMut;

/// A query with as many columns and conditions as asked for; 9 make about a kibibyte.
fn query(parts: usize) -> String {
    let columns: Vec<String> = (1..=parts)
        .map(|n| format!("o/data[at0001]/events[at0006]/data[at0003]/items[at{n:04}]/value/magnitude AS value_{n}"))
        .collect();
    let conditions: Vec<String> =
        (1..=parts).map(|n| format!("c/context/other_context[at{n:04}]/items/value = 'text {n}'")).collect();
    format!(
        "SELECT {} FROM EHR e[ehr_id/value = $ehr] CONTAINS COMPOSITION c[openEHR-EHR-COMPOSITION.encounter.v1] CONTAINS OBSERVATION \
         o[openEHR-EHR-OBSERVATION.blood_pressure.v2] WHERE {} ORDER BY c/context/start_time/value DESC LIMIT 50",
        columns.join(", "),
        conditions.join(" AND ")
    )
}

/// Replaces every text, and restricts the query to one EHR.
struct Rewrite;

impl VisitMut for Rewrite {
    fn visit_literal_mut(&mut self, node: &mut Literal) {
        if node.kind.is_quoted() {
            *node = Literal::string("replaced");
        }
    }
}

fn rewritten(query: &Query, restriction: &Condition) -> String {
    let mut query = query.clone();
    Rewrite.visit_query_mut(&mut query);
    query.condition = Some(match query.condition.take() {
        Some(condition) => condition.and(restriction.clone()),
        None => restriction.clone(),
    });
    query.to_string()
}

fn language(criterion: &mut Criterion) {
    let Ok(restriction) = "e/ehr_id/value = '7d44b88c-4199-4bad-97dc-d78268e01398'".parse::<Condition>() else { return };
    for parts in [1, 3, 7, 30, 300] {
        let text = query(parts);
        let Ok(tree) = parse(&text) else { return };
        let mut group = criterion.benchmark_group("aql");
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(BenchmarkId::new("read", text.len()), |bencher| bencher.iter(|| parse(black_box(&text))));
        group.bench_function(BenchmarkId::new("print", text.len()), |bencher| bencher.iter(|| black_box(&tree).to_string()));
        group.bench_function(BenchmarkId::new("rewrite", text.len()), |bencher| {
            bencher.iter(|| rewritten(black_box(&tree), &restriction));
        });
        group.finish();
    }
}

criterion_group!(benches, language);
criterion_main!(benches);
