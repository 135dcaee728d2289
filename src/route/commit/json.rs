//! The search through JSON: every member of that name at any depth, repeated ones included; nothing else is kept.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::{CommitFault, PRECEDING};

/// The values of all preceding version uids. One that is neither text nor an object with a text `value` counts as empty text,
/// which is no version uid.
pub(super) fn preceding(body: &[u8]) -> Result<Vec<String>, CommitFault> {
    let mut found = Vec::new();
    let mut deserializer = serde_json::Deserializer::from_slice(body);
    let searched = Search { found: &mut found }.deserialize(&mut deserializer).and_then(|()| deserializer.end());
    searched.map_err(|_| CommitFault::Malformed("JSON"))?;
    Ok(found)
}

struct Search<'f> {
    found: &'f mut Vec<String>,
}

impl<'de> DeserializeSeed<'de> for Search<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

/// Visits of scalars, which hold nothing to be found.
macro_rules! nothing {
    ($($visit:ident: $kind:ty),+) => { $(fn $visit<E>(self, _: $kind) -> Result<(), E> { Ok(()) })+ };
}

impl<'de> Visitor<'de> for Search<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON")
    }

    nothing!(visit_bool: bool, visit_i64: i64, visit_u64: u64, visit_f64: f64, visit_str: &str);

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        while items.next_element_seed(Search { found: self.found })?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        while let Some(name) = members.next_key::<std::borrow::Cow<'de, str>>()? {
            if name == PRECEDING {
                if let Some(uid) = members.next_value::<Uid>()?.0 {
                    self.found.push(uid);
                }
            } else {
                members.next_value_seed(Search { found: self.found })?;
            }
        }
        Ok(())
    }
}

/// Text, or an object with a `value`; `None` for null.
struct Uid(Option<String>);

impl<'de> serde::Deserialize<'de> for Uid {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(UidVisitor)
    }
}

struct UidVisitor;

/// Visits of what is no uid.
macro_rules! no_uid {
    ($($visit:ident: $kind:ty),+) => { $(fn $visit<E>(self, _: $kind) -> Result<Uid, E> { Ok(Uid(Some(String::new()))) })+ };
}

impl<'de> Visitor<'de> for UidVisitor {
    type Value = Uid;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a version uid")
    }

    no_uid!(visit_bool: bool, visit_i64: i64, visit_u64: u64, visit_f64: f64);

    fn visit_unit<E>(self) -> Result<Uid, E> {
        Ok(Uid(None))
    }

    fn visit_str<E>(self, text: &str) -> Result<Uid, E> {
        Ok(Uid(Some(text.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Uid, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Uid(Some(String::new())))
    }

    /// A `value` that is repeated with another text is no uid: which one a node takes is not ours to guess.
    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Uid, A::Error> {
        let mut value: Option<String> = None;
        while let Some(name) = members.next_key::<std::borrow::Cow<'de, str>>()? {
            if name != "value" {
                members.next_value::<IgnoredAny>()?;
                continue;
            }
            let uid = members.next_value::<Uid>()?.0.unwrap_or_default();
            value = Some(if value.is_none_or(|known| known == uid) { uid } else { String::new() });
        }
        Ok(Uid(Some(value.unwrap_or_default())))
    }
}
