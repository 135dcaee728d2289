//! JSON that forgets nothing a clinician wrote: numbers keep their text (`1.10` stays `1.10`), members keep their order.

mod parse;
mod print;
#[cfg(test)]
mod tests;

pub use parse::JsonError;
pub use print::Style;
pub(crate) use print::write_text;

/// A JSON value. Numbers are the text they were written as; objects are lists of members in the order written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Json {
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// A number, as written.
    Number(Box<str>),
    /// A text, decoded.
    Text(Box<str>),
    /// An array.
    Array(Vec<Json>),
    /// An object, members in the order written; no name occurs twice.
    Object(Vec<(Box<str>, Json)>),
}

impl Json {
    /// Reads JSON text.
    ///
    /// # Errors
    /// Anything that is not exactly one JSON value, nests deeper than 128, or names a member twice.
    pub fn parse(text: &[u8]) -> Result<Json, JsonError> {
        parse::parse(text)
    }

    /// A text.
    #[must_use]
    pub fn text(text: impl Into<Box<str>>) -> Json {
        Json::Text(text.into())
    }

    /// A number given by its text.
    #[must_use]
    pub fn number(text: impl ToString) -> Json {
        Json::Number(text.to_string().into())
    }

    /// An object of these members.
    #[must_use]
    pub fn object<const N: usize>(members: [(&str, Json); N]) -> Json {
        Json::Object(members.into_iter().map(|(name, value)| (name.into(), value)).collect())
    }

    /// The member of this name; `None` when there is none or this is no object.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Json> {
        match self {
            Json::Object(members) => members.iter().find(|(member, _)| &**member == name).map(|(_, value)| value),
            Json::Null | Json::Bool(_) | Json::Number(_) | Json::Text(_) | Json::Array(_) => None,
        }
    }

    /// The value behind these members, one below the other.
    #[must_use]
    pub fn at(&self, path: &[&str]) -> Option<&Json> {
        path.iter().try_fold(self, |value, name| value.get(name))
    }

    /// The text behind these members.
    #[must_use]
    pub fn text_at(&self, path: &[&str]) -> Option<&str> {
        self.at(path).and_then(Json::as_text)
    }

    /// Sets a member, in its place when it is there, else as the last; does nothing to what is no object.
    pub fn set(&mut self, name: &str, value: Json) {
        if let Json::Object(members) = self {
            match members.iter_mut().find(|(member, _)| &**member == name) {
                Some((_, old)) => *old = value,
                None => members.push((name.into(), value)),
            }
        }
    }

    /// This text, when it is one.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        if let Json::Text(text) = self { Some(text) } else { None }
    }

    /// These elements, when it is an array.
    #[must_use]
    pub fn as_array(&self) -> Option<&[Json]> {
        if let Json::Array(items) = self { Some(items) } else { None }
    }

    /// The reference model type that `_type` names.
    #[must_use]
    pub fn type_name(&self) -> Option<&str> {
        self.get("_type").and_then(Json::as_text)
    }

    /// Is it `null`?
    #[must_use]
    pub fn is_null(&self) -> bool {
        matches!(self, Json::Null)
    }

    /// Appends it as JSON text.
    pub fn write(&self, out: &mut Vec<u8>, style: Style) {
        print::write(self, out, style);
    }

    /// It as compact JSON bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.write(&mut out, Style::Compact);
        out
    }
}

impl std::fmt::Display for Json {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&String::from_utf8_lossy(&self.to_bytes()))
    }
}

impl std::str::FromStr for Json {
    type Err = JsonError;

    fn from_str(text: &str) -> Result<Json, JsonError> {
        Json::parse(text.as_bytes())
    }
}
