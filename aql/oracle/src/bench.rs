//! Time and allocations of both parsers, by size of the query.

use std::hint::black_box;
use std::time::{Duration, Instant};

use openehr_aql::ast::{Literal, Query};
use openehr_aql::visit::VisitMut as OurVisit;
use openehr_query::ast::{Primitive, SelectQuery};
use openehr_query::parser::parse_str;
use openehr_query::printer::to_aql;
use openehr_query::visit::VisitMut as TheirVisit;
use stats_alloc::Region;

use crate::ALLOCATOR;

/// Upper bounds of the size classes, in bytes.
const CLASSES: &[usize] = &[64, 128, 256, 512, 1024, 2048, 4096, usize::MAX];

/// Both trees of a query that both read.
struct Case<'a> {
    text: &'a str,
    ours: Query,
    theirs: SelectQuery,
}

/// Prints a table: time per query in microseconds and allocations per query, ours before theirs.
pub fn run(queries: &[String]) {
    let cases: Vec<Case<'_>> = queries
        .iter()
        .filter_map(|text| Some(Case { text, ours: openehr_aql::parse(text).ok()?, theirs: parse_str(text).ok()? }))
        .collect();
    println!("queries read by both: {}; µs per query and allocations per query, ours / theirs", cases.len());
    println!("| bytes | queries | mean bytes | parse | print | rewrite | allocations to parse | to print |");
    println!("|---|---|---|---|---|---|---|---|");
    let mut from = 0;
    for &to in CLASSES {
        let class: Vec<&Case<'_>> = cases.iter().filter(|case| (from..to).contains(&case.text.len())).collect();
        if !class.is_empty() {
            row(from, to, &class);
        }
        from = to;
    }
}

fn row(from: usize, to: usize, class: &[&Case<'_>]) {
    let to = if to == usize::MAX { "…".to_owned() } else { to.to_string() };
    let bytes = class.iter().map(|case| case.text.len()).sum::<usize>() / class.len();
    let parse = pair(class, |case| drop(black_box(openehr_aql::parse(case.text))), |case| drop(black_box(parse_str(case.text))));
    let print = pair(class, |case| drop(black_box(case.ours.to_string())), |case| drop(black_box(to_aql(&case.theirs))));
    let rewrite = pair(
        class,
        |case| {
            let Ok(mut tree) = openehr_aql::parse(case.text) else { return };
            OurVisit::visit_query_mut(&mut Rewrite, &mut tree);
            drop(black_box(tree.to_string()));
        },
        |case| {
            let Ok(mut tree) = parse_str(case.text) else { return };
            TheirVisit::visit_select_query_mut(&mut Rewrite, &mut tree);
            drop(black_box(to_aql(&tree)));
        },
    );
    println!(
        "| {from}–{to} | {} | {bytes} | {} | {} | {} | {} | {} |",
        class.len(),
        parse.time(),
        print.time(),
        rewrite.time(),
        parse.allocations(),
        print.allocations()
    );
}

/// Replaces every text, as a gateway does with the identifier of a patient. Measured from text to text.
struct Rewrite;

impl OurVisit for Rewrite {
    fn visit_literal_mut(&mut self, node: &mut Literal) {
        if node.kind.is_quoted() {
            *node = Literal::string("replaced");
        }
    }
}

impl TheirVisit for Rewrite {
    fn visit_primitive_mut(&mut self, node: &mut Primitive) {
        if let Primitive::String(text) = node {
            *text = "replaced".to_owned();
        }
    }
}

/// What one pass over a class costs each of the two.
struct Pair {
    queries: usize,
    ours: (Duration, usize),
    theirs: (Duration, usize),
}

impl Pair {
    fn time(&self) -> String {
        let each = |total: Duration| total.as_secs_f64() * 1e6 / self.queries as f64;
        format!("{:.2} / {:.2}", each(self.ours.0), each(self.theirs.0))
    }

    fn allocations(&self) -> String {
        let each = |total: usize| total as f64 / self.queries as f64;
        format!("{:.0} / {:.0}", each(self.ours.1), each(self.theirs.1))
    }
}

/// The least time of many passes, taken in turn, and the allocations of one.
fn pair(class: &[&Case<'_>], ours: impl Fn(&Case<'_>), theirs: impl Fn(&Case<'_>)) -> Pair {
    let pass = |run: &dyn Fn(&Case<'_>)| {
        let start = Instant::now();
        class.iter().for_each(|case| run(case));
        start.elapsed()
    };
    let count = |run: &dyn Fn(&Case<'_>)| {
        let region = Region::new(ALLOCATOR);
        class.iter().for_each(|case| run(case));
        let change = region.change();
        change.allocations + change.reallocations
    };
    let allocations = (count(&ours), count(&theirs));
    let mut least = (Duration::MAX, Duration::MAX);
    let end = Instant::now() + Duration::from_secs(2);
    while Instant::now() < end {
        least = (least.0.min(pass(&ours)), least.1.min(pass(&theirs)));
    }
    Pair { queries: class.len(), ours: (least.0, allocations.0), theirs: (least.1, allocations.1) }
}
