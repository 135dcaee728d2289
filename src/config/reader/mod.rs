//! Reads values out of one table, reporting what is wrong with each and going on.

mod address;
mod secret;

use std::collections::BTreeMap;
use std::time::Duration;

use super::document::{Located, Table, Value};
use super::fault::{FaultKind, Judge, Place};

/// The longest duration a key may have: 30 days. Longer is a slip of the unit, and sums of such stay far from overflow.
const LONGEST_MS: i64 = 30 * 24 * 60 * 60 * 1000;

/// One table being read.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'a> {
    pub(crate) judge: &'a Judge,
    table: Option<&'a Table>,
    /// Where the table is, for what is missing from it.
    place: &'a Place,
    path: &'a str,
}

/// A table found: what a [`Reader`] borrows from.
pub(crate) struct Found<'a> {
    judge: &'a Judge,
    table: Option<&'a Table>,
    place: Place,
    path: String,
}

impl Found<'_> {
    pub(crate) fn reader(&self) -> Reader<'_> {
        Reader { judge: self.judge, table: self.table, place: &self.place, path: &self.path }
    }
}

/// The outermost table.
pub(crate) fn root<'a>(table: &'a Table, judge: &'a Judge) -> Found<'a> {
    Found { judge, table: Some(table), place: judge.whole_file(), path: String::new() }
}

impl<'a> Reader<'a> {
    /// The dotted name of a key of this table.
    pub(crate) fn key(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }

    /// Is anything written under this key?
    pub(crate) fn has(&self, name: &str) -> bool {
        self.item(name).is_some()
    }

    /// Is the table there at all?
    pub(crate) fn present(&self) -> bool {
        self.table.is_some()
    }

    fn item(&self, name: &str) -> Option<&'a Located> {
        self.table?.get(name).map(|entry| &entry.item)
    }

    /// Where the value of a key is, or the table it is missing from.
    pub(crate) fn place(&self, name: &str) -> Place {
        self.item(name).map_or_else(|| self.place.clone(), |item| item.place.clone())
    }

    /// Reports a fault of a key of this table.
    pub(crate) fn fault(&self, kind: FaultKind, name: &str, reason: impl Into<String>, remedy: impl Into<String>) {
        self.judge.fault(kind, &self.place(name), self.key(name), reason, remedy);
    }

    pub(crate) fn invalid(&self, name: &str, reason: impl Into<String>, remedy: impl Into<String>) {
        self.fault(FaultKind::Invalid, name, reason, remedy);
    }

    pub(crate) fn conflict(&self, name: &str, reason: impl Into<String>, remedy: impl Into<String>) {
        self.fault(FaultKind::Conflict, name, reason, remedy);
    }

    pub(crate) fn not_yet_served(&self, name: &str, what: &str, remedy: impl Into<String>) {
        self.fault(FaultKind::NotYetServed, name, format!("{what} is not yet served"), remedy);
    }

    fn wrong_type(&self, name: &str, wanted: &str, value: &Value) {
        self.invalid(name, format!("this is {}, not {wanted}", value.kind()), format!("Write {wanted}"));
    }

    /// A table inside this one; empty when absent.
    pub(crate) fn table(&self, name: &str) -> Found<'a> {
        let table = match self.item(name).map(|item| &item.value) {
            Some(Value::Table(table)) => Some(table),
            Some(other) => {
                self.wrong_type(name, "a table", other);
                None
            }
            None => None,
        };
        Found { judge: self.judge, table, place: self.place(name), path: self.key(name) }
    }

    /// The rows `[[name]]`; none when absent.
    pub(crate) fn rows(&self, name: &str) -> Vec<Found<'a>> {
        let found = |item: &'a Located| match &item.value {
            Value::Table(table) => {
                Some(Found { judge: self.judge, table: Some(table), place: item.place.clone(), path: self.key(name) })
            }
            other => {
                self.wrong_type(name, "a list of tables", other);
                None
            }
        };
        match self.item(name).map(|item| &item.value) {
            Some(Value::List(items)) => items.iter().filter_map(found).collect(),
            Some(other) => {
                self.wrong_type(name, "a list of tables", other);
                Vec::new()
            }
            None => Vec::new(),
        }
    }

    /// A text, empty ones included.
    pub(crate) fn text(&self, name: &str) -> Option<&'a str> {
        match self.item(name).map(|item| &item.value)? {
            Value::Text(text) => Some(text),
            other => {
                self.wrong_type(name, "text", other);
                None
            }
        }
    }

    /// A text that is not empty; an empty one counts as not written.
    pub(crate) fn filled(&self, name: &str) -> Option<&'a str> {
        self.text(name).filter(|text| !text.is_empty())
    }

    /// A text that must be there.
    pub(crate) fn required(&self, name: &str) -> Option<&'a str> {
        if !self.has(name) {
            self.fault(FaultKind::Missing, name, "the key is missing", "Write it");
            return None;
        }
        let text = self.text(name)?;
        if text.trim().is_empty() {
            self.invalid(name, "the text is empty", "Fill it in");
            return None;
        }
        Some(text)
    }

    pub(crate) fn boolean(&self, name: &str) -> Option<bool> {
        match self.item(name).map(|item| &item.value)? {
            Value::Boolean(boolean) => Some(*boolean),
            other => {
                self.wrong_type(name, "true or false", other);
                None
            }
        }
    }

    /// An integer between two bounds, both included.
    pub(crate) fn integer(&self, name: &str, least: i64, most: i64) -> Option<i64> {
        match self.item(name).map(|item| &item.value)? {
            Value::Integer(integer) if (least..=most).contains(integer) => Some(*integer),
            Value::Integer(integer) => {
                let reason = format!("{integer} is not between {least} and {most}");
                self.invalid(name, reason, format!("Write an integer from {least} to {most}"));
                None
            }
            other => {
                self.wrong_type(name, "an integer", other);
                None
            }
        }
    }

    /// A duration in milliseconds, of at least one.
    pub(crate) fn duration(&self, name: &str) -> Option<Duration> {
        self.integer(name, 1, LONGEST_MS).and_then(|ms| u64::try_from(ms).ok()).map(Duration::from_millis)
    }

    /// A count or a size of at least one and at most `most`.
    pub(crate) fn count(&self, name: &str, most: u32) -> Option<usize> {
        self.integer(name, 1, i64::from(most)).and_then(|count| usize::try_from(count).ok())
    }

    /// A list of texts, none of them empty.
    pub(crate) fn list(&self, name: &str) -> Option<Vec<(&'a str, &'a Place)>> {
        let Value::List(items) = self.item(name).map(|item| &item.value)? else {
            self.item(name).inspect(|item| self.wrong_type(name, "a list of texts", &item.value));
            return None;
        };
        let mut texts = Vec::new();
        for item in items {
            match &item.value {
                Value::Text(text) if !text.trim().is_empty() => texts.push((text.as_str(), &item.place)),
                other => {
                    let reason = format!("an element is {}", if let Value::Text(_) = other { "empty" } else { other.kind() });
                    self.judge.fault(FaultKind::Invalid, &item.place, self.key(name), reason, "Write a list of texts");
                }
            }
        }
        Some(texts)
    }

    /// A table of texts under free names.
    pub(crate) fn map(&self, name: &str) -> BTreeMap<&'a str, (&'a str, &'a Place)> {
        let table = match self.item(name).map(|item| &item.value) {
            Some(Value::Table(table)) => table,
            Some(other) => {
                self.wrong_type(name, "a table of texts", other);
                return BTreeMap::new();
            }
            None => return BTreeMap::new(),
        };
        let mut texts = BTreeMap::new();
        for (key, entry) in table {
            match &entry.item.value {
                Value::Text(text) if !text.trim().is_empty() => {
                    texts.insert(key.as_str(), (text.as_str(), &entry.key_place));
                }
                other => {
                    let reason = format!("this is {}, not a text that is not empty", other.kind());
                    let key = format!("{}.{key}", self.key(name));
                    self.judge.fault(FaultKind::Invalid, &entry.item.place, key, reason, "Write text");
                }
            }
        }
        texts
    }

    /// One of a few words.
    pub(crate) fn choice<T: Copy>(&self, name: &str, choices: &[(&str, T)]) -> Option<T> {
        let text = self.text(name)?;
        let found = choices.iter().find(|(word, _)| *word == text).map(|(_, choice)| *choice);
        if found.is_none() {
            self.invalid(name, format!("`{}` is none of the words it may be", shown(text)), format!("Write {}", words(choices)));
        }
        found
    }

    /// Some of a few words.
    pub(crate) fn choices<T: Copy>(&self, name: &str, choices: &[(&str, T)]) -> Option<Vec<T>> {
        let mut found = Vec::new();
        for (text, place) in self.list(name)? {
            match choices.iter().find(|(word, _)| *word == text) {
                Some((_, choice)) => found.push(*choice),
                None => {
                    let reason = format!("`{}` is none of the words it may hold", shown(text));
                    let remedy = format!("Write {}", words(choices));
                    self.judge.fault(FaultKind::Invalid, place, self.key(name), reason, remedy);
                }
            }
        }
        Some(found)
    }
}

/// The words, for people.
fn words<T>(choices: &[(&str, T)]) -> String {
    let quoted: Vec<String> = choices.iter().map(|(word, _)| format!("`{word}`")).collect();
    quoted.join(", ")
}

/// A written word in a message: short and printable.
pub(crate) fn shown(text: &str) -> String {
    text.chars().take(40).flat_map(char::escape_debug).collect()
}
