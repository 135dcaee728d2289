//! One request of what its parts say: text parsed, parameters bound, rules checked, targets settled.

use openehr_aql::{BindError, ParseError, ParseErrorKind, Position, RuleError};

use super::{FederationHeaders, IntakeError, QueryRequest, RawQuery, targeting};
use crate::error::ErrorCode;
use crate::ids::EhrId;

/// Makes the request. `stored` is the text of a stored query, when one is asked for; else the request's own `q` counts.
///
/// Parameters that the query does not use are ignored, as servers do: clients send one set to several queries.
///
/// # Errors
/// [`IntakeError`]: no text, no AQL, a parameter without a value, or two places that contradict each other.
pub fn assemble(raw: RawQuery, stored: Option<&str>, headers: FederationHeaders) -> Result<QueryRequest, IntakeError> {
    let own = raw.text.map(|text| text.0);
    let text = stored.map(str::to_owned).or(own).ok_or(IntakeError::MissingQuery)?;
    let mut query = openehr_aql::parse(&text).map_err(|error| unread(&error))?;
    openehr_aql::bind(&mut query, raw.parameters.values()).map_err(|error| unbound(&text, &error))?;
    openehr_aql::check(&query).map_err(|error| against_rule(&text, &error))?;
    openehr_aql::make_portable(&mut query); // some servers tell `e` and `E` apart
    let targeting = targeting::settled(query.directive.as_ref(), headers.targeting)?;
    Ok(QueryRequest {
        ehr_id: one_ehr(raw.ehr_id, headers.ehr_id)?,
        page: raw.page,
        targeting,
        completeness: headers.completeness,
        dedup: headers.dedup,
        wait: headers.wait,
        respond_async: headers.respond_async,
        query,
        text,
    })
}

fn one_ehr(parameter: Option<EhrId>, header: Option<EhrId>) -> Result<Option<EhrId>, IntakeError> {
    match (parameter, header) {
        (Some(one), Some(other)) if !one.as_str().eq_ignore_ascii_case(other.as_str()) => Err(IntakeError::ConflictingEhrIds),
        (one, other) => Ok(one.or(other)),
    }
}

fn unread(error: &ParseError) -> IntakeError {
    let (code, what) = match error.kind {
        ParseErrorKind::Syntax => (ErrorCode::InvalidAql, "The query is not AQL"),
        ParseErrorKind::TooLong(_) | ParseErrorKind::TooDeep(_) => {
            (ErrorCode::AqlTooComplex, "The query is too large to be read here")
        }
    };
    IntakeError::Aql { code, message: format!("{what}: {error}.") }
}

fn unbound(text: &str, error: &BindError) -> IntakeError {
    IntakeError::Parameter { message: format!("{}: {error}.", Position::of(text, error.span().start)) }
}

fn against_rule(text: &str, error: &RuleError) -> IntakeError {
    let place = Position::of(text, error.span().start);
    IntakeError::Aql { code: ErrorCode::InvalidQuery, message: format!("{place}: {error}.") }
}
