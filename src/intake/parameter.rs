//! The values of a query's `$names`, as AQL literals.

use std::collections::BTreeMap;
use std::fmt;

use openehr_aql::ast::Literal;
use serde_json::value::RawValue;

use super::IntakeError;

/// The most parameters a request may have.
pub(super) const MOST: usize = 256;

/// Values by parameter name, each once. Their `Debug` shows the names only: a value may be a patient identifier.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Parameters(BTreeMap<String, Literal>);

impl Parameters {
    /// Adds a value.
    ///
    /// # Errors
    /// The name is there already, or there are too many.
    pub(super) fn insert(&mut self, name: String, value: Literal) -> Result<(), IntakeError> {
        if self.0.len() >= MOST {
            return Err(IntakeError::TooMany { what: "query parameters", most: MOST });
        }
        if self.0.contains_key(&name) {
            return Err(IntakeError::DoubledParameter { name });
        }
        self.0.insert(name, value);
        Ok(())
    }

    /// The value of a parameter.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Literal> {
        self.0.get(name)
    }

    /// All values by name.
    #[must_use]
    pub fn values(&self) -> &BTreeMap<String, Literal> {
        &self.0
    }
}

impl fmt::Debug for Parameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

/// Can `$name` be written in AQL?
pub(super) fn is_name(name: &str) -> bool {
    let mut bytes = name.bytes();
    name.len() <= 128
        && bytes.next().is_some_and(|first| first.is_ascii_alphabetic())
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// A JSON value as a literal: a string is a String, a number keeps its digits, a boolean is a Boolean (SPEC §2.1).
///
/// # Errors
/// Null, an array or an object: named by the parameter, never by the value.
pub(super) fn literal(name: &str, json: &RawValue) -> Result<Literal, IntakeError> {
    let text = json.get();
    let refused = || IntakeError::UnbindableParameter { name: name.to_owned() };
    match text.as_bytes().first() {
        Some(b'"') => {
            let value: String = serde_json::from_str(text).map_err(|_| refused())?;
            Ok(Literal::string(&value))
        }
        Some(b't') => Ok(Literal::boolean(true)),
        Some(b'f') => Ok(Literal::boolean(false)),
        Some(b'-' | b'0'..=b'9') => Literal::number(text).map_err(|_| refused()),
        _ => Err(refused()),
    }
}
