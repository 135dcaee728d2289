//! What a query request says, as each dialect reads it.

use std::collections::BTreeMap;

use http::{HeaderMap, StatusCode};
use openehr_aql::ast::Literal;

use super::Dialect;
use super::error::Refusal;
use crate::value::Json;

/// A query request.
#[derive(Debug, Default)]
pub(super) struct Ask {
    pub(super) q: String,
    pub(super) parameters: BTreeMap<String, Literal>,
    pub(super) fetch: Option<usize>,
    pub(super) offset: Option<usize>,
    pub(super) ehr_id: Option<String>,
    /// The address of a GET, for `_href`.
    pub(super) href: Option<String>,
    /// The name of a stored query.
    pub(super) name: Option<String>,
}

impl Ask {
    /// Reads a POST body; the text of a stored query stands in for `q`.
    pub(super) fn from_body(body: &[u8], headers: &HeaderMap, dialect: Dialect, stored: Option<String>) -> Result<Ask, Refusal> {
        let body = Json::parse(body).map_err(|error| Refusal::bad(format!("the body is no JSON object: {error}")))?;
        let q = stored.or_else(|| body.text_at(&["q"]).map(str::to_owned));
        let q = q.ok_or_else(|| Refusal::bad("the body has no member q that is a text"))?;
        let mut ask = Ask { q, ehr_id: header_ehr_id(headers), ..Ask::default() };
        if let Some(Json::Object(members)) = body.get("query_parameters") {
            for (name, value) in members {
                ask.parameters.insert(name.to_string(), literal(name, value)?);
            }
        }
        if let Some(id) = body.text_at(&["ehr_id"]) {
            ask.scope(id, dialect)?;
        }
        let gopenehr = dialect == Dialect::GopenehrLike;
        match body.get("fetch") {
            // It reads a text where everybody sends a number, and goes on without.
            Some(Json::Text(_)) if gopenehr => return Err(not_implemented()),
            Some(_) if gopenehr => {}
            value => ask.fetch = count("fetch", value)?,
        }
        ask.offset = count("offset", body.get("offset"))?;
        if gopenehr && (ask.offset.is_some_and(|offset| offset > 0) || body.get("ehr_id").is_some()) {
            return Err(not_implemented());
        }
        Ok(ask)
    }

    /// Reads the query string of a GET; the text of a stored query stands in for `q`.
    pub(super) fn from_query(query: &str, headers: &HeaderMap, dialect: Dialect, stored: Option<String>) -> Result<Ask, Refusal> {
        let mut found = stored.is_some();
        let mut ask = Ask { ehr_id: header_ehr_id(headers), q: stored.unwrap_or_default(), ..Ask::default() };
        for (name, value) in pairs(query) {
            match name.as_str() {
                "q" if !found => (ask.q, found) = (value, true),
                "ehr_id" | "fetch" | "offset" if dialect == Dialect::GopenehrLike => return Err(not_implemented()),
                "ehr_id" => ask.scope(&value, dialect)?,
                "fetch" => ask.fetch = count("fetch", Some(&Json::text(value)))?,
                "offset" => ask.offset = count("offset", Some(&Json::text(value)))?,
                "query_parameters" if matches!(dialect, Dialect::EhrbaseLike | Dialect::GopenehrLike) => {
                    for (name, value) in pairs(&value) {
                        ask.parameters.insert(name, Literal::string(&value));
                    }
                }
                _ if matches!(dialect, Dialect::EhrbaseLike | Dialect::GopenehrLike) => {}
                _ => {
                    ask.parameters.insert(name, typed(&value));
                }
            }
        }
        if found { Ok(ask) } else { Err(Refusal::bad("the query parameter q is missing")) }
    }

    /// Takes an `ehr_id` beside what a header says.
    fn scope(&mut self, id: &str, dialect: Dialect) -> Result<(), Refusal> {
        match &self.ehr_id {
            Some(header) if header != id && dialect != Dialect::EhrbaseLike => {
                Err(Refusal::new(StatusCode::CONFLICT, "header and parameter name different EHRs"))
            }
            _ => {
                self.ehr_id = Some(id.to_owned());
                Ok(())
            }
        }
    }
}

fn not_implemented() -> Refusal {
    Refusal::new(StatusCode::NOT_IMPLEMENTED, "Not implemented")
}

fn header_ehr_id(headers: &HeaderMap) -> Option<String> {
    headers.get("openehr-ehr-id").and_then(|value| value.to_str().ok()).map(str::to_owned)
}

fn count(name: &str, value: Option<&Json>) -> Result<Option<usize>, Refusal> {
    match value {
        None | Some(Json::Null) => Ok(None),
        Some(Json::Number(text) | Json::Text(text)) => {
            text.parse().map(Some).map_err(|_| Refusal::bad(format!("{name} is no count of rows")))
        }
        Some(_) => Err(Refusal::bad(format!("{name} is no count of rows"))),
    }
}

fn literal(name: &str, value: &Json) -> Result<Literal, Refusal> {
    let number = |text: &str| Literal::number(text).ok();
    let literal = match value {
        Json::Text(text) => Some(Literal::string(text)),
        Json::Number(text) => number(text),
        Json::Bool(value) => Some(Literal::boolean(*value)),
        Json::Null | Json::Array(_) | Json::Object(_) => None,
    };
    literal.ok_or_else(|| Refusal::bad(format!("the parameter {name} is neither text, number nor boolean")))
}

/// A value of a query string: a number or boolean when it looks like one, else a text.
fn typed(value: &str) -> Literal {
    match value {
        "true" | "false" => Literal::boolean(value == "true"),
        _ => Literal::number(value).unwrap_or_else(|_| Literal::string(value)),
    }
}

/// The pairs of a query string, decoded.
pub(crate) fn pairs(query: &str) -> Vec<(String, String)> {
    let pair = |pair: &str| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        (decoded(name), decoded(value))
    };
    query.split('&').filter(|pair| !pair.is_empty()).map(pair).collect()
}

fn decoded(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(byte) = text.as_bytes().get(at) {
        let hex = text.get(at + 1..at + 3).and_then(|hex| u8::from_str_radix(hex, 16).ok());
        let (decoded, length) = match (byte, hex) {
            (b'+', _) => (b' ', 1),
            (b'%', Some(decoded)) => (decoded, 3),
            (byte, _) => (*byte, 1),
        };
        out.push(decoded);
        at += length;
    }
    String::from_utf8_lossy(&out).into_owned()
}
