//! `TRIBUTARY__SECTION__KEY`: environment variables laid over the files.
//!
//! The name after the prefix is the way to the key, in any case: a table's key, a row's number counted from 0, a name of
//! a free table (`-` written as `_`). The value of a text key is taken as it stands; any other is read as TOML.

use std::ffi::OsString;
use std::sync::Arc;

use super::document::{Entry, Located, Table, Value, parse_value};
use super::fault::{FaultKind, Judge, Place};
use super::keys::{Key, Shape};
use super::unknown;

const PREFIX: &str = "TRIBUTARY__";

/// One variable that is ours.
pub(crate) struct Variable {
    pub(crate) place: Place,
    pub(crate) path: Vec<String>,
    pub(crate) text: String,
}

/// Those of the variables that are ours, by name.
pub(crate) fn variables(env: impl IntoIterator<Item = (OsString, OsString)>, judge: &Judge) -> Vec<Variable> {
    let mut found = Vec::new();
    for (name, value) in env {
        let name = name.to_string_lossy().into_owned();
        let Some(way) = name.strip_prefix(PREFIX) else { continue };
        let place = Place::Environment(Arc::from(name.as_str()));
        let path = way.split("__").map(str::to_lowercase).collect();
        match value.into_string() {
            Ok(text) => found.push(Variable { place, path, text }),
            Err(_) => {
                let remedy = "Set it to UTF-8 text";
                judge.fault(FaultKind::Invalid, &place, "", "its value is not UTF-8", remedy);
            }
        }
    }
    found.sort_by(|left, right| left.place.cmp(&right.place));
    found
}

/// Lays one variable over the tree.
pub(crate) fn overlay(variable: &Variable, root: &mut Table, judge: &Judge) {
    let known: Vec<&'static Key> = super::keys::root().collect();
    let mut path = variable.path.iter().map(String::as_str);
    let Some(first) = path.next() else { return };
    let rest: Vec<&str> = path.collect();
    into_table(variable, root, &known, first, &rest, judge);
}

fn into_table(variable: &Variable, table: &mut Table, keys: &[&'static Key], name: &str, rest: &[&str], judge: &Judge) {
    let Some(key) = keys.iter().find(|key| key.name == name) else {
        unknown::fault(judge, &variable.place, &variable.path.join("."), name, keys.iter().copied());
        return;
    };
    match (key.shape, rest) {
        (Shape::Table(inner), [next, rest @ ..]) => {
            let inner: Vec<&'static Key> = inner.iter().collect();
            let Some(table) = table_of(variable, table, name) else { return };
            into_table(variable, table, &inner, next, rest, judge);
        }
        (Shape::Rows(inner), [row, next, rest @ ..]) => {
            let inner: Vec<&'static Key> = inner.iter().collect();
            match row_of(table, name, row) {
                Some(table) => into_table(variable, table, &inner, next, rest, judge),
                None => no_such_row(variable, judge),
            }
        }
        (Shape::Map, [name_in_map]) => {
            let Some(map) = table_of(variable, table, name) else { return };
            let same = |key: &&String| key.to_lowercase().replace('-', "_") == *name_in_map;
            let written = map.keys().find(same).cloned().unwrap_or_else(|| (*name_in_map).to_owned());
            set(variable, map, &written, Value::Text(variable.text.clone()));
        }
        (Shape::Text, []) => set(variable, table, name, Value::Text(variable.text.clone())),
        (_, []) => match parse_value(&variable.text, &variable.place) {
            Some(value) => set(variable, table, name, value),
            None => {
                let remedy = "Write it as TOML: a number, true, false, [\"a\", \"b\"] or {key = \"value\"}";
                judge.fault(FaultKind::Invalid, &variable.place, variable.path.join("."), "its value cannot be read", remedy);
            }
        },
        _ => unknown::fault(judge, &variable.place, &variable.path.join("."), rest.last().unwrap_or(&""), std::iter::empty()),
    }
}

fn set(variable: &Variable, table: &mut Table, name: &str, value: Value) {
    let place = variable.place.clone();
    table.insert(name.to_owned(), Entry { key_place: place.clone(), item: Located { place, value } });
}

/// The table under `name`, made when absent; none when something else stands there, which the reader will report.
fn table_of<'t>(variable: &Variable, table: &'t mut Table, name: &str) -> Option<&'t mut Table> {
    if !table.contains_key(name) {
        set(variable, table, name, Value::Table(Table::new()));
    }
    match table.get_mut(name).map(|entry| &mut entry.item.value) {
        Some(Value::Table(table)) => Some(table),
        _ => None,
    }
}

fn row_of<'t>(table: &'t mut Table, name: &str, row: &str) -> Option<&'t mut Table> {
    let row: usize = row.parse().ok()?;
    match table.get_mut(name).map(|entry| &mut entry.item.value) {
        Some(Value::List(rows)) => match rows.get_mut(row).map(|item| &mut item.value) {
            Some(Value::Table(table)) => Some(table),
            _ => None,
        },
        _ => None,
    }
}

fn no_such_row(variable: &Variable, judge: &Judge) {
    let remedy = "Give the number of a row that the files have, counted from 0";
    judge.fault(FaultKind::Invalid, &variable.place, variable.path.join("."), "there is no such row", remedy);
}
