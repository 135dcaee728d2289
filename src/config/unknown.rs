//! Keys nobody knows, each with the nearest one that is known.

use super::document::{Table, Value};
use super::fault::{FaultKind, Judge, Place};
use super::keys::{self, Key, Shape};

/// How like a known key must be to be taken for what was meant: a slip or two, not another word.
const LIKENESS: f64 = 0.8;

/// Reports every key of the tree that is not in the catalogue.
pub(crate) fn judge_tree(root: &Table, judge: &Judge) {
    judge_table(root, "", keys::root(), judge);
}

fn judge_table(table: &Table, prefix: &str, known: impl Iterator<Item = &'static Key> + Clone, judge: &Judge) {
    for (name, entry) in table {
        let path = format!("{prefix}{name}");
        match known.clone().find(|key| key.name == name).map(|key| key.shape) {
            None => fault(judge, &entry.key_place, &path, name, known.clone()),
            Some(Shape::Table(keys) | Shape::Rows(keys)) => judge_value(&entry.item.value, &format!("{path}."), keys, judge),
            Some(Shape::Text | Shape::Integer | Shape::Boolean | Shape::List | Shape::Map) => {}
        }
    }
}

fn judge_value(value: &Value, prefix: &str, keys: &'static [Key], judge: &Judge) {
    match value {
        Value::Table(table) => judge_table(table, prefix, keys.iter(), judge),
        Value::List(rows) => rows.iter().for_each(|row| judge_value(&row.value, prefix, keys, judge)),
        // Of the wrong type: the reader says so.
        Value::Text(_) | Value::Integer(_) | Value::Boolean(_) | Value::Other(_) => {}
    }
}

/// Reports one unknown key.
pub(crate) fn fault(judge: &Judge, place: &Place, path: &str, name: &str, known: impl Iterator<Item = &'static Key>) {
    let remedy = match (nearest(name, known), elsewhere(name)) {
        (Some((likeness, near)), _) if likeness >= LIKENESS => format!("Did you mean `{near}`?"),
        (_, Some(section)) => format!("It belongs in [{section}]"),
        (Some((_, near)), None) => format!("Remove it; the nearest key there is here is `{near}`"),
        (None, None) => "Remove it; there are no keys here".to_owned(),
    };
    judge.fault(FaultKind::UnknownKey, place, path, "there is no such key", remedy);
}

/// The known key most like `name`, and how like it is.
fn nearest(name: &str, known: impl Iterator<Item = &'static Key>) -> Option<(f64, &'static str)> {
    known.map(|key| (likeness(name, key.name), key.name)).max_by(|left, right| left.0.total_cmp(&right.0))
}

/// Slips of the finger by edit distance, cut-off and prolonged words by their common beginning.
fn likeness(name: &str, known: &str) -> f64 {
    strsim::normalized_damerau_levenshtein(name, known).max(strsim::jaro_winkler(name, known) - 0.1)
}

/// The section that has a key of exactly this name.
fn elsewhere(name: &str) -> Option<&'static str> {
    keys::root().find_map(|section| match section.shape {
        Shape::Table(keys) | Shape::Rows(keys) => keys.iter().any(|key| key.name == name).then_some(section.name),
        Shape::Text | Shape::Integer | Shape::Boolean | Shape::List | Shape::Map => None,
    })
}
