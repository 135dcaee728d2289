//! The total order over cells: the one place in the code that knows `docs/order.md`.
//!
//! A cell is decoded to a [`Key`] once and compared often. Keys borrow the cell's text where it has no escapes and allocate
//! only for what is rare: escaped text, numbers of more than 18 digits, quantities, and values of kind *other*.

mod canonical;
mod data_value;
mod duration;
mod moment;
pub(crate) mod number;
#[cfg(test)]
mod tests;
mod text;
mod uid;

use std::borrow::Cow;

pub(crate) use canonical::identity;
pub(crate) use data_value::Spelling;
pub(crate) use moment::Moment;
pub(crate) use number::Number;
pub(crate) use text::{text, write_text};
pub(crate) use uid::VersionUid;

/// What a cell is compared by. The variants stand in the order of the kinds, ascending.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key<'a> {
    Boolean(bool),
    Number(Number),
    Quantity(Box<Quantity<'a>>),
    Duration(Number),
    Instant(Moment),
    Time(Moment),
    Text(Cow<'a, [u8]>),
    /// Canonical bytes.
    Other(Box<[u8]>),
    Null,
}

/// A magnitude with its units; units decide first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Quantity<'a> {
    units: Cow<'a, [u8]>,
    magnitude: Number,
}

/// The kinds of the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Boolean,
    Number,
    Quantity,
    Duration,
    Instant,
    Time,
    Text,
    Other,
    Null,
}

impl<'a> Key<'a> {
    /// The key of one cell: one JSON value without blanks around it.
    pub(crate) fn of(cell: &'a [u8]) -> Key<'a> {
        let key = match cell.first() {
            None | Some(b'n') => Some(Key::Null),
            Some(b't') => Some(Key::Boolean(true)),
            Some(b'f') => Some(Key::Boolean(false)),
            Some(b'"') => usual_instant(cell).or_else(|| text(cell).map(text_key)),
            Some(b'{') => data_value::key(cell),
            Some(b'[') => None,
            Some(_) => Number::parse(cell).map(Key::Number),
        };
        key.unwrap_or_else(|| Key::Other(canonical::canonical(cell).into()))
    }

    pub(crate) fn kind(&self) -> Kind {
        match self {
            Key::Boolean(_) => Kind::Boolean,
            Key::Number(_) => Kind::Number,
            Key::Quantity(_) => Kind::Quantity,
            Key::Duration(_) => Kind::Duration,
            Key::Instant(_) => Kind::Instant,
            Key::Time(_) => Kind::Time,
            Key::Text(_) => Kind::Text,
            Key::Other(_) => Kind::Other,
            Key::Null => Kind::Null,
        }
    }
}

/// The date/times that are most of what is sorted by, past all other looking.
#[inline]
fn usual_instant(cell: &[u8]) -> Option<Key<'static>> {
    moment::usual(cell.get(1..cell.len().checked_sub(1)?)?).map(Key::Instant)
}

fn text_key(text: Cow<'_, [u8]>) -> Key<'_> {
    if !text.first().is_some_and(u8::is_ascii_digit) {
        return Key::Text(text);
    }
    match moment::plain(&text) {
        Some(moment::Plain::Instant(moment)) => Key::Instant(moment),
        Some(moment::Plain::Time(moment)) => Key::Time(moment),
        None => Key::Text(text),
    }
}
