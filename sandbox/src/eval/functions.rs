//! The functions of AQL 1.1 over single values. A missing argument makes the result missing; only `CONCAT_WS` passes over it.

use std::borrow::Cow;

use bigdecimal::{BigDecimal, RoundingMode, ToPrimitive, Zero};

use super::error::EvalError;
use crate::value::Json;

/// Numbers whose exponent is beyond this are not calculated with.
const MAX_SCALE: i64 = 10_000;

/// A function of AQL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    Length,
    Contains,
    Position,
    Substring,
    Concat,
    ConcatWs,
    Abs,
    Mod,
    Ceil,
    Floor,
    Round,
    CurrentDate,
    CurrentTime,
    CurrentDateTime,
    CurrentTimezone,
}

impl Function {
    /// The function of this name, in any case.
    pub(super) fn named(name: &str) -> Result<Function, EvalError> {
        Ok(match name.to_ascii_uppercase().as_str() {
            "LENGTH" => Function::Length,
            "CONTAINS" => Function::Contains,
            "POSITION" => Function::Position,
            "SUBSTRING" => Function::Substring,
            "CONCAT" => Function::Concat,
            "CONCAT_WS" => Function::ConcatWs,
            "ABS" => Function::Abs,
            "MOD" => Function::Mod,
            "CEIL" => Function::Ceil,
            "FLOOR" => Function::Floor,
            "ROUND" => Function::Round,
            "CURRENT_DATE" => Function::CurrentDate,
            "CURRENT_TIME" => Function::CurrentTime,
            "CURRENT_DATE_TIME" | "NOW" => Function::CurrentDateTime,
            "CURRENT_TIMEZONE" => Function::CurrentTimezone,
            "TERMINOLOGY" => return Err(EvalError::Terminology),
            _ => return Err(EvalError::UnknownFunction),
        })
    }

    /// Can it take so many arguments?
    pub(super) fn check(self, count: usize) -> Result<(), EvalError> {
        let fits = match self {
            Function::Length | Function::Abs | Function::Ceil | Function::Floor => count == 1,
            Function::Contains | Function::Position | Function::Mod => count == 2,
            Function::Substring => count == 2 || count == 3,
            Function::Round => count == 1 || count == 2,
            Function::Concat => count >= 1,
            Function::ConcatWs => count >= 2,
            Function::CurrentDate | Function::CurrentTime | Function::CurrentDateTime | Function::CurrentTimezone => count == 0,
        };
        if fits { Ok(()) } else { Err(EvalError::Arguments) }
    }

    /// The value of a function of the clock alone, given the time of the query as `YYYY-MM-DDThh:mm:ss.fffZ`.
    pub(super) fn clock(self, now: &str) -> Option<String> {
        match self {
            Function::CurrentDate => now.split('T').next().map(str::to_owned),
            Function::CurrentTime => now.split('T').nth(1).map(str::to_owned),
            Function::CurrentDateTime => Some(now.to_owned()),
            Function::CurrentTimezone => Some("Z".to_owned()),
            _ => None,
        }
    }

    /// Its value.
    pub(super) fn apply(self, arguments: &[Cow<'_, Json>]) -> Result<Json, EvalError> {
        if self == Function::ConcatWs {
            return concat_ws(arguments);
        }
        if arguments.iter().any(|argument| argument.is_null()) {
            return Ok(Json::Null);
        }
        match (self, arguments) {
            (Function::Length, [text]) => Ok(Json::number(words(text)?.chars().count())),
            (Function::Contains, [text, part]) => Ok(Json::Bool(words(text)?.contains(&*words(part)?))),
            (Function::Position, [part, text]) => Ok(Json::number(position(&words(part)?, &words(text)?))),
            (Function::Substring, [text, start, rest @ ..]) => substring(&words(text)?, start, rest.first()),
            (Function::Concat, parts) => {
                parts.iter().map(|part| words(part)).collect::<Result<Vec<_>, _>>().map(|all| Json::text(all.concat()))
            }
            (Function::Abs, [x]) => Ok(plain(&decimal(x)?.abs())),
            (Function::Mod, [x, y]) => {
                let divisor = decimal(y)?;
                if divisor.is_zero() { Ok(Json::Null) } else { Ok(plain(&(decimal(x)? % divisor))) }
            }
            (Function::Ceil, [x]) => Ok(plain(&decimal(x)?.with_scale_round(0, RoundingMode::Ceiling))),
            (Function::Floor, [x]) => Ok(plain(&decimal(x)?.with_scale_round(0, RoundingMode::Floor))),
            (Function::Round, [x, rest @ ..]) => {
                let places = rest.first().map_or(Ok(0), |places| small(places))?;
                Ok(plain(&decimal(x)?.with_scale_round(places, RoundingMode::HalfUp)))
            }
            _ => Err(EvalError::Arguments),
        }
    }
}

/// The text of a value: a text itself, a data value's text, a number or boolean as written.
fn words(value: &Json) -> Result<Cow<'_, str>, EvalError> {
    match value {
        Json::Text(text) | Json::Number(text) => Ok(Cow::Borrowed(text)),
        Json::Bool(value) => Ok(Cow::Owned(value.to_string())),
        Json::Object(_) => value.text_at(&["value"]).map(Cow::Borrowed).ok_or(EvalError::Arguments),
        Json::Null | Json::Array(_) => Err(EvalError::Arguments),
    }
}

/// A number to calculate with: one of JSON, or the magnitude of a data value.
pub(super) fn decimal(value: &Json) -> Result<BigDecimal, EvalError> {
    let text = match value {
        Json::Number(text) => text,
        Json::Object(_) => match value.get("magnitude").or_else(|| value.get("value")) {
            Some(Json::Number(text)) => text,
            _ => return Err(EvalError::NotANumber),
        },
        _ => return Err(EvalError::NotANumber),
    };
    let number: BigDecimal = text.parse().or(Err(EvalError::NotANumber))?;
    let (_, scale) = number.as_bigint_and_exponent();
    if (-MAX_SCALE..=MAX_SCALE).contains(&scale) { Ok(number) } else { Err(EvalError::NotANumber) }
}

/// A calculated number in plain digits.
pub(super) fn plain(number: &BigDecimal) -> Json {
    Json::number(number.to_plain_string())
}

fn small(value: &Json) -> Result<i64, EvalError> {
    let number = decimal(value)?.with_scale_round(0, RoundingMode::Down).to_i64();
    number.filter(|number| (-MAX_SCALE..=MAX_SCALE).contains(number)).ok_or(EvalError::Arguments)
}

/// From one; zero when it is not there.
fn position(part: &str, text: &str) -> usize {
    text.find(part).and_then(|at| text.get(..at)).map_or(0, |before| before.chars().count() + 1)
}

fn substring(text: &str, start: &Json, length: Option<&Cow<'_, Json>>) -> Result<Json, EvalError> {
    let start = small(start)?;
    let end = match length {
        Some(length) => start.saturating_add(small(length)?.max(0)),
        None => i64::MAX,
    };
    let inside = |(index, _): &(usize, char)| (start..end).contains(&(*index as i64 + 1));
    Ok(Json::text(text.chars().enumerate().filter(inside).map(|(_, c)| c).collect::<String>()))
}

fn concat_ws(arguments: &[Cow<'_, Json>]) -> Result<Json, EvalError> {
    let Some((separator, parts)) = arguments.split_first() else { return Err(EvalError::Arguments) };
    if separator.is_null() {
        return Ok(Json::Null);
    }
    let present = parts.iter().filter(|part| !part.is_null());
    let texts = present.map(|part| words(part)).collect::<Result<Vec<_>, _>>()?;
    Ok(Json::text(texts.join(&*words(separator)?)))
}
