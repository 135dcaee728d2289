//! TOML text → a tree whose every value knows where it was written, so that files and environment can be laid over one
//! another without losing the places.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::fault::{FaultKind, Judge, Place};

/// A value and its place. Not `Debug`: it may be a secret.
pub(crate) struct Located {
    pub(crate) place: Place,
    pub(crate) value: Value,
}

/// What a configuration can hold.
pub(crate) enum Value {
    Text(String),
    Integer(i64),
    Boolean(bool),
    List(Vec<Located>),
    Table(Table),
    /// A type no key has; the text says which.
    Other(&'static str),
}

impl Value {
    /// The type, for people.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Value::Text(_) => "text",
            Value::Integer(_) => "an integer",
            Value::Boolean(_) => "a boolean",
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
            Value::Other(kind) => kind,
        }
    }
}

/// A table's entries by key.
pub(crate) type Table = BTreeMap<String, Entry>;

/// A key's place and its value.
pub(crate) struct Entry {
    pub(crate) key_place: Place,
    pub(crate) item: Located,
}

/// Reads a file. Syntax faults go to the judge; what could be understood in spite of them comes back.
pub(crate) fn read(file: &Arc<Path>, judge: &Judge) -> Table {
    match std::fs::read_to_string(file) {
        Ok(text) => parse(&text, file, judge),
        Err(error) => {
            let reason = format!("the file cannot be read ({})", error.kind());
            judge.fault(FaultKind::Unreadable, &Place::File(file.clone()), "", reason, "Check its name and its permissions");
            Table::new()
        }
    }
}

/// The tree of `text`, found in `file`.
pub(crate) fn parse(text: &str, file: &Arc<Path>, judge: &Judge) -> Table {
    let lines = Lines { text, file };
    let (table, errors) = DeTable::parse_recoverable(text);
    for error in errors {
        let place = error.span().map_or_else(|| Place::File(file.clone()), |span| lines.place(&span));
        judge.fault(FaultKind::Syntax, &place, "", format!("not TOML: {}", error.message()), "Correct the text here");
    }
    lines.table(table.into_inner())
}

/// The value of an environment variable that is no plain text: read as a TOML value.
pub(crate) fn parse_value(text: &str, place: &Place) -> Option<Value> {
    let value = DeValue::parse(text).ok()?.into_inner();
    let lines = Lines { text: "", file: &Arc::from(Path::new("")) };
    Some(moved(lines.value(value), place))
}

/// The same value with every place inside replaced.
fn moved(value: Value, place: &Place) -> Value {
    let at = |item: Located| Located { place: place.clone(), value: moved(item.value, place) };
    match value {
        Value::List(items) => Value::List(items.into_iter().map(at).collect()),
        Value::Table(table) => {
            let entry = |entry: Entry| Entry { key_place: place.clone(), item: at(entry.item) };
            Value::Table(table.into_iter().map(|(key, value)| (key, entry(value))).collect())
        }
        scalar => scalar,
    }
}

/// Turns byte positions into lines and columns.
struct Lines<'a> {
    text: &'a str,
    file: &'a Arc<Path>,
}

impl Lines<'_> {
    fn place(&self, span: &Range<usize>) -> Place {
        let before = self.text.get(..span.start).unwrap_or(self.text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
        let column = before.get(line_start..).unwrap_or("").chars().count() + 1;
        Place::Position { file: self.file.clone(), line, column }
    }

    fn table(&self, table: DeTable<'_>) -> Table {
        let entry = |key: Spanned<_>, value| Entry { key_place: self.place(&key.span()), item: self.located(value) };
        table.into_iter().map(|(key, value)| (key.get_ref().to_string(), entry(key, value))).collect()
    }

    fn located(&self, value: Spanned<DeValue<'_>>) -> Located {
        Located { place: self.place(&value.span()), value: self.value(value.into_inner()) }
    }

    fn value(&self, value: DeValue<'_>) -> Value {
        match value {
            DeValue::String(text) => Value::Text(text.into_owned()),
            DeValue::Integer(integer) => i64::from_str_radix(integer.as_str(), integer.radix())
                .map_or(Value::Other("an integer past 64 bits"), Value::Integer),
            DeValue::Float(_) => Value::Other("a fraction"),
            DeValue::Boolean(boolean) => Value::Boolean(boolean),
            DeValue::Datetime(_) => Value::Other("a date or time"),
            DeValue::Array(items) => Value::List(items.into_iter().map(|item| self.located(item)).collect()),
            DeValue::Table(table) => Value::Table(self.table(table)),
        }
    }
}
