//! A federation answers as one node holding everything would: planned, evaluated by in-memory nodes, combined, compared.

use bytes::Bytes;
use openehr_aql::parse;
use proptest::prelude::*;
use tributary_sandbox::eval::{Settings, evaluate};
use tributary_sandbox::federation::{Merge, Oracle};
use tributary_sandbox::synthetic::{Dataset, Small};
use tributary_sandbox::value::Json;

use super::*;
use crate::combine::cut::{CutVerdict, inspect};
use crate::combine::rows::{NodeRows, RowBudget};
use crate::combine::tests::world::endpoint;
use crate::combine::{Contribution, combine};
use crate::registry::NodeOrdering;

/// A node's answer to a query.
fn asked(data: &Dataset, member: usize, aql: &str, width: usize) -> NodeRows {
    let query = parse(aql).unwrap_or_else(|error| panic!("{error}\n{aql}"));
    let answer =
        evaluate(&query, &data.members[member].repository, &Settings::default()).unwrap_or_else(|error| panic!("{error}\n{aql}"));
    let rows = answer.rows.into_iter().map(|row| Json::Array(row.into_iter().map(|cell| cell.into_owned()).collect()));
    let body = format!("{{\"rows\":[{}]}}", rows.map(|row| row.to_string()).collect::<Vec<_>>().join(","));
    NodeRows::read(Bytes::from(body), width, &RowBudget::new(100_000)).unwrap()
}

/// What the federation answers.
fn federated(data: &Dataset, plan: &Plan) -> Vec<String> {
    let contributions = data.patients[0].holdings.iter().map(|held| {
        let text = |cut| plan.node_query.for_ehr(Some(&EhrId::new(held.ehr_id.clone())), cut);
        let mut rows = asked(data, held.member, &text(Cut::Pushed), plan.combine.node_width);
        if inspect(&plan.combine, &rows, NodeOrdering::Exact) != CutVerdict::Usable {
            rows = asked(data, held.member, &text(Cut::Whole), plan.combine.node_width);
        }
        let member = &data.members[held.member];
        Contribution { endpoint: endpoint(&member.endpoint_id, &member.repository.system_id, NodeOrdering::Exact), rows }
    });
    let combined = combine(&plan.combine, contributions.collect()).unwrap_or_else(|error| panic!("{error}"));
    (0..combined.len())
        .map(|row| {
            let mut out = Vec::new();
            combined.write_range(row..row + 1, &mut out);
            String::from_utf8(out).unwrap()
        })
        .collect()
}

const VALUES: [&str; 7] = [
    "c/uid/value",
    "c/name/value",
    "c/context/start_time/value",
    "o/data[at0001]/events[at0002]/data[at0003]/items[at0004]/value",
    "o/data[at0001]/events[at0002]/data[at0003]/items[at0005]/value/magnitude",
    "o/data[at0001]/events[at0002]/data[at0003]/items[at0006]/value/value",
    "o/data[at0001]/events[at0002]/data[at0003]/items[at0007]/value/value",
];

fn query(select: &str, rest: &str) -> String {
    format!(
        "SELECT {select} FROM EHR e CONTAINS COMPOSITION c CONTAINS OBSERVATION o[openEHR-EHR-OBSERVATION.small.v1] \
         WHERE e/ehr_status/subject/external_ref/id/value = 'TRB-000001-001' {rest}"
    )
}

fn columns() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(0..VALUES.len(), 1..4)
}

fn list(columns: &[usize]) -> String {
    columns.iter().map(|index| VALUES[*index]).collect::<Vec<_>>().join(", ")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn n13_n39_an_ordered_page_is_the_one_nodes(
        seed in any::<u64>(), nodes in 1_usize..5, select in columns(), keys in prop::collection::vec((0..VALUES.len(), any::<bool>()), 1..4),
        distinct in any::<bool>(), limit in prop::option::of(1_u64..9), offset in 0_u64..6, condition in any::<bool>(),
    ) {
        let data = Small { seed, nodes, compositions: 5 }.generate();
        let keys: Vec<String> = keys.iter().map(|(index, down)| format!("{}{}", VALUES[*index], if *down { " DESC" } else { "" })).collect();
        let page = limit.map_or_else(String::new, |limit| format!(" LIMIT {limit} OFFSET {offset}"));
        let condition = if condition { "AND c/name/value != 'beta'" } else { "" };
        let distinct = if distinct { "DISTINCT " } else { "" };
        let aql = query(&format!("{distinct}{}", list(&select)), &format!("{condition} ORDER BY {}{page}", keys.join(", ")));
        // One endpoint is sent OFFSET too, and its order is the answer's.
        let answer = federated(&data, &planned_in(&aql, &PlanContext { single_destination: nodes == 1, ..context() }));
        let oracle = Oracle::of_dataset(&data, Merge::Parts).lines(&aql).unwrap();
        prop_assert_eq!(answer, oracle, "{}", aql);
    }

    #[test]
    fn without_order_the_same_rows_come(seed in any::<u64>(), nodes in 1_usize..5, select in columns(), distinct in any::<bool>(), limit in prop::option::of(1_usize..9)) {
        let data = Small { seed, nodes, compositions: 4 }.generate();
        let distinct = if distinct { "DISTINCT " } else { "" };
        let aql = query(&format!("{distinct}{}", list(&select)), "");
        let limited = limit.map_or(aql.clone(), |limit| format!("{aql} LIMIT {limit}"));
        let mut oracle = Oracle::of_dataset(&data, Merge::Parts).lines(&aql).unwrap();
        let mut answer = federated(&data, &planned(&limited));
        prop_assert_eq!(answer.len(), limit.unwrap_or(usize::MAX).min(oracle.len()), "{}", limited);
        if limit.is_none() && distinct.is_empty() {
            oracle.sort();
            answer.sort();
            prop_assert_eq!(answer, oracle);
        }
    }

    #[test]
    fn aggregates_are_the_one_nodes(seed in any::<u64>(), nodes in 1_usize..5, by_rows in any::<bool>()) {
        let data = Small { seed, nodes, compositions: 4 }.generate();
        let (value, distinct) = (VALUES[4], if by_rows { "DISTINCT " } else { "" });
        let aql = query(&format!("COUNT(*) AS n, COUNT({distinct}{value}), MIN({value}), MAX({value}), SUM({value}), AVG({value})"), "");
        let strategy = if by_rows { AggregateStrategy::Rows } else { AggregateStrategy::Decompose };
        let answer = federated(&data, &planned_in(&aql, &PlanContext { aggregate_strategy: strategy, ..context() }));
        let oracle = Oracle::of_dataset(&data, Merge::Parts).lines(&aql).unwrap();
        prop_assert_eq!(numbers(&answer), numbers(&oracle), "{}", aql);
    }
}

/// The numbers of a row, whichever way they are spelled; the mean, the last of six, to 15 digits: it need not end.
fn numbers(rows: &[String]) -> Vec<Option<bigdecimal::BigDecimal>> {
    let cells = rows.iter().flat_map(|row| row.trim_matches(['[', ']']).split(','));
    let digits = |index: usize, number: bigdecimal::BigDecimal| if index == 5 { number.with_prec(15) } else { number };
    cells.enumerate().map(|(index, cell)| cell.parse().ok().map(|number| digits(index, number).normalized())).collect()
}
