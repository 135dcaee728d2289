//! The GET form: `?q=…&name=value&…`.
//!
//! Each AQL parameter is a query parameter of its own name. The one literal `query_parameters=a=1&b=2` that clients of some
//! servers send, percent-encoded or not, is read alike. All values are texts: a query string has no types.

use std::collections::BTreeSet;

use openehr_aql::ast::Literal;

use super::body::{digits, parameters};
use super::parameter::{self, MOST};
use super::{IntakeError, QueryText, RawQuery};
use crate::ids::EhrId;

/// Reads a query string, as it came, without the `?`.
///
/// # Errors
/// [`IntakeError`], naming the parameter and never its value.
pub fn read_get(query_string: &str) -> Result<RawQuery, IntakeError> {
    let mut query = RawQuery::default();
    let mut seen = BTreeSet::new();
    for (name, value) in pairs(query_string)? {
        let shown = || if parameter::is_name(&name) { name.clone() } else { "…".to_owned() };
        if !seen.insert(name.clone()) {
            return Err(IntakeError::DoubledParameter { name: shown() });
        }
        match name.as_str() {
            "q" => query.text = Some(QueryText(value)),
            "offset" => query.page.offset = Some(digits("offset", &value)?),
            "fetch" => query.page.fetch = Some(digits("fetch", &value)?),
            "ehr_id" if value.is_empty() => {
                return Err(IntakeError::WrongKind { name: "ehr_id", wanted: "a text that is not empty" });
            }
            "ehr_id" => query.ehr_id = Some(EhrId::new(value)),
            "query_parameters" => packed(&mut query, &value)?,
            // A name AQL cannot have belongs to somebody else (`_format`, a tracking id): nothing here reads it.
            _ if parameter::is_name(&name) => query.parameters.insert(name, Literal::string(&value))?,
            _ => {}
        }
    }
    Ok(query)
}

/// `a=1&b=2`, or an object in JSON, inside one parameter.
fn packed(query: &mut RawQuery, text: &str) -> Result<(), IntakeError> {
    if text.trim_start().starts_with('{') {
        for (name, value) in parameters(text)?.values() {
            query.parameters.insert(name.clone(), value.clone())?;
        }
        return Ok(());
    }
    for (name, value) in pairs(text)? {
        if !parameter::is_name(&name) {
            return Err(IntakeError::BadParameterName);
        }
        query.parameters.insert(name, Literal::string(&value))?;
    }
    Ok(())
}

fn pairs(text: &str) -> Result<Vec<(String, String)>, IntakeError> {
    let mut pairs = Vec::new();
    for pair in text.split('&').filter(|pair| !pair.is_empty()) {
        if pairs.len() >= MOST {
            return Err(IntakeError::TooMany { what: "query parameters", most: MOST });
        }
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        pairs.push((decoded(name)?, decoded(value)?));
    }
    Ok(pairs)
}

/// Percent-decoding of a form field: `+` is a blank, a broken escape is refused.
fn decoded(text: &str) -> Result<String, IntakeError> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let high = rest.next().and_then(hex).ok_or(IntakeError::BadEncoding)?;
                let low = rest.next().and_then(hex).ok_or(IntakeError::BadEncoding)?;
                high << 4 | low
            }
            other => other,
        });
    }
    String::from_utf8(bytes).map_err(|_| IntakeError::BadEncoding)
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}
