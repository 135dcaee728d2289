//! openEHR data values: the part of an object that is compared.

use super::{Key, Number, Quantity, duration, moment, text};
use crate::combine::rows::scan::{Fault, Scanner};

/// The members that any data value is compared by, as written.
#[derive(Default)]
struct Members<'a> {
    kind: Option<&'a [u8]>,
    value: Option<&'a [u8]>,
    magnitude: Option<&'a [u8]>,
    units: Option<&'a [u8]>,
    numerator: Option<&'a [u8]>,
    denominator: Option<&'a [u8]>,
    id: Option<&'a [u8]>,
    code_string: Option<&'a [u8]>,
    /// One of them stands there twice: nobody can say which is meant.
    doubled: bool,
}

/// The key of an object that is a data value with what it needs; else none.
pub(super) fn key(cell: &[u8]) -> Option<Key<'_>> {
    let members = Members::of(cell).ok().filter(|members| !members.doubled)?;
    let kind = text(members.kind?)?;
    let value = || text(members.value?);
    match kind.as_ref() {
        b"DV_BOOLEAN" => match members.value? {
            b"true" => Some(Key::Boolean(true)),
            b"false" => Some(Key::Boolean(false)),
            _ => None,
        },
        b"DV_COUNT" => number(members.magnitude).map(Key::Number),
        b"DV_ORDINAL" | b"DV_SCALE" => number(members.value).map(Key::Number),
        b"DV_PROPORTION" => Number::ratio(&number(members.numerator)?, &number(members.denominator)?).map(Key::Number),
        b"DV_QUANTITY" => quantity(&members),
        b"DV_DURATION" => duration::seconds(&value()?).map(Key::Duration),
        b"DV_DATE" | b"DV_DATE_TIME" => moment::instant(&value()?).map(Key::Instant),
        b"DV_TIME" => moment::time(&value()?).map(Key::Time),
        b"DV_TEXT" | b"DV_CODED_TEXT" | b"DV_URI" | b"DV_EHR_URI" => value().map(Key::Text),
        b"DV_IDENTIFIER" => text(members.id?).map(Key::Text),
        b"CODE_PHRASE" => text(members.code_string?).map(Key::Text),
        kind if kind.ends_with(b"_ID") => value().map(Key::Text),
        _ => None,
    }
}

/// How a date/time is spelled, as far as its order as text depends on it: the offset and, beside one, the length (as text,
/// `:00Z` stands behind `:00.5Z`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spelling {
    offset: Box<[u8]>,
    length: usize,
}

impl Spelling {
    /// Of the string, or of the data value's `value`.
    pub(crate) fn of(cell: &[u8]) -> Self {
        let written = match cell.first() {
            Some(b'{') => Members::of(cell).ok().and_then(|members| text(members.value?)),
            _ => text(cell),
        };
        let written = written.unwrap_or_default();
        let offset = moment::offset(&written);
        Spelling { length: if offset.is_empty() { 0 } else { written.len() }, offset: offset.into() }
    }
}

fn number(member: Option<&[u8]>) -> Option<Number> {
    Number::parse(member?)
}

fn quantity<'a>(members: &Members<'a>) -> Option<Key<'a>> {
    let magnitude = number(members.magnitude)?;
    match members.units {
        None | Some(b"null") => Some(Key::Number(magnitude)),
        Some(units) => match text(units)? {
            units if units.as_ref() == b"1" => Some(Key::Number(magnitude)),
            units => Some(Key::Quantity(Box::new(Quantity { units, magnitude }))),
        },
    }
}

impl<'a> Members<'a> {
    fn of(cell: &'a [u8]) -> Result<Self, Fault> {
        let mut members = Members::default();
        let mut scanner = Scanner::new(cell);
        scanner.step();
        scanner.blanks();
        while scanner.peek() == b'"' {
            let name = scanner.name()?;
            let from = scanner.at();
            scanner.value()?;
            members.take(name, cell.get(from..scanner.at()).unwrap_or_default());
            scanner.blanks();
            scanner.step();
            scanner.blanks();
        }
        Ok(members)
    }

    fn take(&mut self, name: &'a [u8], value: &'a [u8]) {
        let place = match name {
            b"_type" => &mut self.kind,
            b"value" => &mut self.value,
            b"magnitude" => &mut self.magnitude,
            b"units" => &mut self.units,
            b"numerator" => &mut self.numerator,
            b"denominator" => &mut self.denominator,
            b"id" => &mut self.id,
            b"code_string" => &mut self.code_string,
            // A name with escapes is treated as a doubled one: nobody writes these so.
            _ => {
                self.doubled |= name.contains(&b'\\');
                return;
            }
        };
        self.doubled |= place.replace(value).is_some();
    }
}
