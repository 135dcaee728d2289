//! The total order over cells, as `docs/order.md` states it, written without looking at the gateway's: the sandbox is the
//! oracle the gateway is held against, so the two must not share a mistake. [`Rules`] bends it to how real CDRs sort.

mod canonical;
mod decimal;
mod moment;
#[cfg(test)]
mod tests;

use std::cmp::Ordering;

use crate::value::Json;

pub(crate) use canonical::canonical;
pub(crate) use decimal::Decimal;
use decimal::Ratio;
use moment::{Form, Moment};

/// The sort key of one cell. The variants stand in the order of the kinds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key {
    Boolean(bool),
    Number(Ratio),
    Quantity(Box<str>, Decimal),
    Duration(Decimal),
    Instant(Moment),
    Time(Moment),
    Text(Box<str>),
    Other(Vec<u8>),
    Null,
}

/// Where missing values stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Nulls {
    /// Last ascending, first descending.
    #[default]
    Greatest,
    /// First ascending, last descending.
    Least,
    /// Last either way.
    Last,
    /// First either way.
    First,
}

/// How texts compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Collation {
    /// By code point.
    #[default]
    CodePoint,
    /// Case-blind first, lower case before upper at a tie, as linguistic collations do.
    CaseBlind,
    /// Case-blind for paths that end in `name/value`, by code point for others.
    CaseBlindNames,
}

/// What decides between rows whose keys are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Ties {
    /// Origin, version uid, bytes of the row: nothing is left open.
    #[default]
    Total,
    /// The order of storage, as in most databases.
    Storage,
}

/// How a server orders. The default is the total order of `docs/order.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Rules {
    /// Where missing values stand.
    pub nulls: Nulls,
    /// How texts compare.
    pub collation: Collation,
    /// Plain date/time texts compare as written, not by instant.
    pub dates_as_text: bool,
    /// `DV_QUANTITY` compares by magnitude whatever its units.
    pub bare_magnitudes: bool,
    /// `object::system::n` compares by `n` as a number.
    pub uids_by_number: bool,
    /// What decides between equal keys.
    pub ties: Ties,
}

impl Rules {
    /// The rules for values of a path whose last attributes are these.
    pub(crate) fn for_path(mut self, attributes: &[&str]) -> Rules {
        if self.collation == Collation::CaseBlindNames && attributes.ends_with(&["name", "value"]) {
            self.collation = Collation::CaseBlind;
        }
        self
    }

    /// The sort key of a cell; a missing cell is `null`.
    pub(crate) fn key(&self, cell: &Json) -> Key {
        match self.bent(cell) {
            Some(key) => key,
            None => key(cell),
        }
    }

    /// The keys that differ from the total order's.
    fn bent(&self, cell: &Json) -> Option<Key> {
        let kind = cell.type_name();
        if self.bare_magnitudes && kind == Some("DV_QUANTITY") {
            return magnitude(cell, "magnitude");
        }
        let text = match kind {
            Some("DV_TEXT" | "DV_CODED_TEXT") => cell.get("value")?.as_text()?,
            _ => cell.as_text()?,
        };
        let uid = self.uids_by_number.then(|| uid_text(text)).flatten();
        match self.collation {
            _ if uid.is_some() => uid.map(Key::Text),
            _ if !self.dates_as_text && !matches!(key(cell), Key::Text(_)) => None,
            Collation::CaseBlind => Some(Key::Text(folded(text))),
            Collation::CodePoint | Collation::CaseBlindNames => Some(Key::Text(text.into())),
        }
    }

    /// Compares two keys of one column.
    pub(crate) fn compare(&self, left: &Key, right: &Key, descending: bool) -> Ordering {
        let by_null = match (left, right) {
            (Key::Null, Key::Null) => return Ordering::Equal,
            (Key::Null, _) => Some(Ordering::Greater),
            (_, Key::Null) => Some(Ordering::Less),
            _ => None,
        };
        match (by_null, self.nulls) {
            (Some(order), Nulls::Greatest) => turned(order, descending),
            (Some(order), Nulls::Least) => turned(order.reverse(), descending),
            (Some(order), Nulls::Last) => order,
            (Some(order), Nulls::First) => order.reverse(),
            (None, _) => turned(left.cmp(right), descending),
        }
    }
}

fn turned(order: Ordering, descending: bool) -> Ordering {
    if descending { order.reverse() } else { order }
}

/// Lower case first, then the text with its cases swapped, so that `a` stands before `A`.
fn folded(text: &str) -> Box<str> {
    let swapped: String =
        text.chars().map(|c| if c.is_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }).collect();
    format!("{}\0{swapped}", text.to_lowercase()).into()
}

/// A version uid with its number padded.
fn uid_text(text: &str) -> Option<Box<str>> {
    let (front, version) = text.rsplit_once("::")?;
    front.split_once("::").filter(|(object, _)| !object.is_empty())?;
    let number: u64 = version.parse().ok()?;
    Some(format!("{front}::{number:020}").into())
}

/// The key of the total order.
pub(crate) fn key(cell: &Json) -> Key {
    match cell {
        Json::Null => Key::Null,
        Json::Bool(value) => Key::Boolean(*value),
        Json::Number(text) => {
            Decimal::parse(text).map_or(Key::Other(canonical(cell)), |number| Key::Number(Ratio::whole(number)))
        }
        Json::Text(text) => text_key(text),
        Json::Array(_) => Key::Other(canonical(cell)),
        Json::Object(_) => data_value(cell).unwrap_or_else(|| Key::Other(canonical(cell))),
    }
}

fn text_key(text: &str) -> Key {
    if let Some(instant) = moment::instant(text, Form::Plain) {
        return Key::Instant(instant);
    }
    moment::time(text, Form::Plain).map_or_else(|| Key::Text(text.into()), Key::Time)
}

/// The key of a data value; `None` when it is none, or lacks what is compared.
fn data_value(cell: &Json) -> Option<Key> {
    let value = || cell.get("value").and_then(Json::as_text);
    match cell.type_name()? {
        "DV_BOOLEAN" => match cell.get("value")? {
            Json::Bool(value) => Some(Key::Boolean(*value)),
            _ => None,
        },
        "DV_COUNT" => magnitude(cell, "magnitude"),
        "DV_ORDINAL" | "DV_SCALE" => magnitude(cell, "value"),
        "DV_PROPORTION" => Ratio::of(decimal_at(cell, "numerator")?, decimal_at(cell, "denominator")?).map(Key::Number),
        "DV_QUANTITY" => match cell.get("units") {
            None => magnitude(cell, "magnitude"),
            Some(Json::Text(units)) if &**units == "1" => magnitude(cell, "magnitude"),
            Some(Json::Text(units)) => Some(Key::Quantity(units.clone(), decimal_at(cell, "magnitude")?)),
            Some(_) => None,
        },
        "DV_DURATION" => moment::duration(value()?).map(Key::Duration),
        "DV_DATE" | "DV_DATE_TIME" => moment::instant(value()?, Form::Data).map(Key::Instant),
        "DV_TIME" => moment::time(value()?, Form::Data).map(Key::Time),
        "DV_TEXT" | "DV_CODED_TEXT" | "DV_URI" | "DV_EHR_URI" => value().map(|text| Key::Text(text.into())),
        "DV_IDENTIFIER" => cell.text_at(&["id"]).map(|text| Key::Text(text.into())),
        "CODE_PHRASE" => cell.text_at(&["code_string"]).map(|text| Key::Text(text.into())),
        other if other.ends_with("_ID") => value().map(|text| Key::Text(text.into())),
        _ => None,
    }
}

fn decimal_at(cell: &Json, member: &str) -> Option<Decimal> {
    match cell.get(member)? {
        Json::Number(text) => Decimal::parse(text),
        _ => None,
    }
}

fn magnitude(cell: &Json, member: &str) -> Option<Key> {
    decimal_at(cell, member).map(|number| Key::Number(Ratio::whole(number)))
}

/// What makes two cells the same for `DISTINCT`: scalars that order as equal, objects and arrays of equal canonical bytes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Identity {
    Scalar(Key),
    Structure(Vec<u8>),
}

/// Compares two cells of one column by the total order.
#[must_use]
pub fn compare(left: &Json, right: &Json, descending: bool) -> Ordering {
    Rules::default().compare(&key(left), &key(right), descending)
}

/// Are two cells the same for `DISTINCT`?
#[must_use]
pub fn same(left: &Json, right: &Json) -> bool {
    identity(left) == identity(right)
}

/// The identity of a cell.
pub(crate) fn identity(cell: &Json) -> Identity {
    match cell {
        Json::Array(_) | Json::Object(_) => Identity::Structure(canonical(cell)),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::Text(_) => Identity::Scalar(key(cell)),
    }
}

impl Key {
    /// The key of a number.
    pub(crate) fn number(number: Decimal) -> Key {
        Key::Number(Ratio::whole(number))
    }
}

/// Reads a plain text as the kind of value that `like` is, to compare it with a data value.
pub(crate) fn read_data(text: &str, like: &Key) -> Option<Key> {
    match like {
        Key::Text(_) => Some(Key::Text(text.into())),
        Key::Instant(_) => moment::instant(text, Form::Data).map(Key::Instant),
        Key::Time(_) => moment::time(text, Form::Data).map(Key::Time),
        Key::Duration(_) => moment::duration(text).map(Key::Duration),
        Key::Boolean(_) | Key::Number(_) | Key::Quantity(..) | Key::Other(_) | Key::Null => None,
    }
}

/// Is the first time no later than the second? False when one of them is no date or time.
pub(crate) fn at_or_before(time: &str, limit: &str) -> bool {
    match (moment::instant(time, Form::Data), moment::instant(limit, Form::Data)) {
        (Some(time), Some(limit)) => time <= limit,
        _ => false,
    }
}
