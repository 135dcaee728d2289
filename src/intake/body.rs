//! The body of `POST …/query/aql` and of `POST …/query/{name}`.
//!
//! Members of other names are ignored, as ITS-REST servers do; a member that occurs twice is refused, for two readers might
//! take different ones. Values are kept as JSON text until it is known what they must be, so that numbers keep their digits.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::parameter::{self, Parameters};
use super::{IntakeError, QueryText, RawQuery};
use crate::ids::EhrId;

/// The most members an object of the request may have.
const MOST_MEMBERS: usize = parameter::MOST;

/// Reads the body of a POST. An empty body is an empty object: a stored query may need nothing.
///
/// # Errors
/// [`IntakeError`], naming the member and never its value.
pub fn read_post(body: &[u8]) -> Result<RawQuery, IntakeError> {
    if body.iter().all(u8::is_ascii_whitespace) {
        return Ok(RawQuery::default());
    }
    let mut query = RawQuery::default();
    for (name, value) in members(body)?.checked("the body")? {
        match name.as_ref() {
            "q" => query.text = Some(QueryText(text(value).ok_or(wrong("q", "a text"))?)),
            "offset" => query.page.offset = count("offset", value)?,
            "fetch" => query.page.fetch = count("fetch", value)?,
            "ehr_id" => query.ehr_id = ehr_id(value)?,
            "query_parameters" => query.parameters = parameters(value.get())?,
            _ => {}
        }
    }
    Ok(query)
}

/// Reads the object `query_parameters`; null is none.
pub(super) fn parameters(json: &str) -> Result<Parameters, IntakeError> {
    let mut parameters = Parameters::default();
    if json == "null" {
        return Ok(parameters);
    }
    let members = members(json.as_bytes()).map_err(|_| wrong("query_parameters", "an object"))?;
    for (name, value) in members.checked("`query_parameters`")? {
        if !parameter::is_name(&name) {
            return Err(IntakeError::BadParameterName);
        }
        let literal = parameter::literal(&name, value)?;
        parameters.insert(name.into_owned(), literal)?;
    }
    Ok(parameters)
}

/// Reads a count of rows written in digits.
pub(super) fn digits(name: &'static str, text: &str) -> Result<u64, IntakeError> {
    let wanted = if name == "fetch" { "a whole number from 1 on" } else { "a whole number from 0 on" };
    let count = if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None };
    count.filter(|count| name != "fetch" || *count > 0).ok_or(wrong(name, wanted))
}

/// Real clients send `offset` and `fetch` as numbers and as texts of digits.
fn count(name: &'static str, value: &RawValue) -> Result<Option<u64>, IntakeError> {
    match value.get() {
        "null" => Ok(None),
        json if json.starts_with('"') => digits(name, &text(value).unwrap_or_default()).map(Some),
        json => digits(name, json).map(Some),
    }
}

fn ehr_id(value: &RawValue) -> Result<Option<EhrId>, IntakeError> {
    if value.get() == "null" {
        return Ok(None);
    }
    let id = text(value).filter(|id| !id.is_empty()).ok_or(wrong("ehr_id", "a text that is not empty"))?;
    Ok(Some(EhrId::new(id)))
}

fn text(value: &RawValue) -> Option<String> {
    serde_json::from_str(value.get()).ok()
}

fn wrong(name: &'static str, wanted: &'static str) -> IntakeError {
    IntakeError::WrongKind { name, wanted }
}

fn members(json: &[u8]) -> Result<Members<'_>, IntakeError> {
    serde_json::from_slice(json).map_err(|error| match error.classify() {
        serde_json::error::Category::Data => IntakeError::NotAnObject,
        _ => IntakeError::NotJson { line: error.line(), column: error.column() },
    })
}

/// The members of an object, in order, values unread.
struct Members<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'a> Members<'a> {
    fn checked(self, place: &'static str) -> Result<Vec<(Cow<'a, str>, &'a RawValue)>, IntakeError> {
        if self.0.len() > MOST_MEMBERS {
            return Err(IntakeError::TooMany { what: "members", most: MOST_MEMBERS });
        }
        let mut seen = BTreeSet::new();
        if self.0.iter().any(|(name, _)| !seen.insert(name.as_ref())) {
            return Err(IntakeError::DoubledMember { place });
        }
        Ok(self.0)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;

        impl<'de> Visitor<'de> for Object {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                // One past the bound is read so that the bound can be seen to be passed; the rest is skipped.
                while let Some((Key(name), value)) = map.next_entry::<Key<'de>, &'de RawValue>()? {
                    if members.len() <= MOST_MEMBERS {
                        members.push((name, value));
                    }
                }
                Ok(Members(members))
            }
        }

        deserializer.deserialize_map(Object)
    }
}

/// A member's name, borrowed where it has no escapes.
struct Key<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Key<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;

        impl<'de> Visitor<'de> for Text {
            type Value = Key<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Key(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Key(Cow::Owned(text.to_owned())))
            }
        }

        deserializer.deserialize_str(Text)
    }
}
