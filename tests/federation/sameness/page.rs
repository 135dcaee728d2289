//! Is a page one of the whole, sorted answer? Rows of equal keys are a group; within it any order is an answer, and where a page
//! begins or ends inside it any of its rows are.

use std::collections::HashMap;

use tributary_sandbox::order;
use tributary_sandbox::value::Json;

use super::case::{Case, Shape};

/// How many nodes hold each version, by its uid as JSON text.
pub(super) type Copies = HashMap<String, usize>;

/// A row of the whole, with what it is sorted by.
struct Ordered {
    row: Vec<Json>,
    keys: Vec<Json>,
}

/// What is wrong with the rows, held against all rows there are.
pub(super) fn differs(case: &Case, rows: &[Vec<Json>], whole: Vec<Vec<Json>>, copies: &Copies) -> Option<String> {
    let whole = ordered(case, if case.dedup { once(whole, copies) } else { whole });
    let end = case.limit.map_or(whole.len(), |limit| (case.offset + limit).min(whole.len()));
    let begin = case.offset.min(end);
    if rows.len() != end - begin {
        return Some(format!("{} rows instead of {}", rows.len(), end - begin));
    }
    let mut at = 0;
    for group in whole.chunk_by(|left, right| tied(case, left, right)) {
        let (from, to) = (at.max(begin), (at + group.len()).min(end));
        at += group.len();
        if from < to
            && let Some(strange) = stranger(case, &rows[from - begin..to - begin], group)
        {
            return Some(format!("row {strange} does not stand there"));
        }
    }
    None
}

/// The columns, and behind them the keys and the uid; under DISTINCT the keys are among the columns.
fn ordered(case: &Case, whole: Vec<Vec<Json>>) -> Vec<Ordered> {
    let Shape::Rows(paths) = &case.shape else { return Vec::new() };
    let split = |mut row: Vec<Json>| {
        if case.distinct {
            let column = |path: &str| paths.iter().position(|one| *one == path).unwrap();
            let keys = case.keys.iter().map(|key| row[column(key.path)].clone()).collect();
            return Ordered { row, keys };
        }
        let mut keys = row.split_off(paths.len());
        keys.pop();
        Ordered { row, keys }
    };
    whole.into_iter().map(split).collect()
}

/// One copy of each version: the last column is its uid, and copies are alike in everything.
fn once(whole: Vec<Vec<Json>>, copies: &Copies) -> Vec<Vec<Json>> {
    let text = |row: &[Json]| Json::Array(row.to_vec()).to_string();
    // A version's rows come once for each node that holds it.
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut kept = |row: &Vec<Json>| {
        let times = seen.entry(text(row)).or_default();
        *times += 1;
        let of = copies.get(&row.last().unwrap().to_string()).copied().unwrap_or(1);
        (*times - 1).is_multiple_of(of)
    };
    whole.into_iter().filter(|row| kept(row)).collect()
}

fn tied(case: &Case, left: &Ordered, right: &Ordered) -> bool {
    case.keys
        .iter()
        .zip(left.keys.iter().zip(&right.keys))
        .all(|(key, (left, right))| order::compare(left, right, key.descending).is_eq())
}

/// A row that is not among those of the group, each counted.
fn stranger(case: &Case, rows: &[Vec<Json>], group: &[Ordered]) -> Option<String> {
    let mut left: Vec<&Ordered> = group.iter().collect();
    for row in rows {
        let same = |one: &&Ordered| {
            let cells = one.row.iter().zip(row);
            if case.distinct { cells.clone().all(|(left, right)| order::same(left, right)) } else { one.row == *row }
        };
        match left.iter().position(same) {
            Some(found) => drop(left.swap_remove(found)),
            None => return Some(Json::Array(row.clone()).to_string()),
        }
    }
    None
}
