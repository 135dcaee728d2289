//! Reads the harness's own queries, and refuses all others.

use serde_json::Value;

use super::{Fake, NAMESPACE, PATIENT, Refused};
use crate::query::{NAMESPACE as NAMESPACE_PATH, SUBJECT};

/// A query as the fake understands it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parsed {
    pub(crate) distinct: bool,
    /// Path and alias.
    pub(crate) select: Vec<(String, Option<String>)>,
    pub(crate) endpoints: Option<Vec<String>>,
    pub(crate) organisations: Option<Vec<String>>,
    pub(crate) numbers: bool,
    pub(crate) entry: bool,
    pub(crate) subject: Option<String>,
    pub(crate) ehr: Option<String>,
    pub(crate) ehr_in_from: bool,
    /// Path, and whether descending.
    pub(crate) order: Vec<(String, bool)>,
    pub(crate) limit: Option<usize>,
    pub(crate) offset: Option<usize>,
}

fn no<T>(why: &str) -> Result<T, Refused> {
    Err((400, format!("refused: {why}")))
}

/// Splits at a word that stands outside literals and parentheses.
fn split<'a>(text: &'a str, word: &str) -> Vec<&'a str> {
    let (mut parts, mut from, mut at, mut quoted, mut depth) = (Vec::new(), 0, 0, false, 0_i32);
    while let Some(next) = text[at..].chars().next() {
        match next {
            '\\' if quoted => at += 1,
            '\'' => quoted = !quoted,
            '(' | '{' | '[' if !quoted => depth += 1,
            ')' | '}' | ']' if !quoted => depth -= 1,
            _ => {}
        }
        if !quoted && depth == 0 && text[at..].starts_with(word) {
            parts.push(&text[from..at]);
            from = at + word.len();
        }
        at += next.len_utf8();
    }
    parts.push(&text[from..]);
    parts
}

/// The clause behind a word, cut off the text.
fn cut<'a>(text: &'a str, word: &str) -> (&'a str, Option<&'a str>) {
    match split(text, word).as_slice() {
        [head, tail] => (head, Some(tail)),
        _ => (text, None),
    }
}

fn literal(text: &str) -> Option<String> {
    let inner = text.trim().strip_prefix('\'')?.strip_suffix('\'')?;
    Some(inner.replace("\\'", "'").replace("\\\\", "\\"))
}

fn listed(text: &str) -> Vec<String> {
    text.trim_matches(['[', ']']).split(',').map(|id| id.trim().trim_matches('"').to_owned()).collect()
}

/// Reads a query with its parameters.
pub(crate) fn parse(fake: &Fake, text: &str, parameters: &Value) -> Result<Parsed, Refused> {
    let mut parsed = Parsed::default();
    let text = text.split(" -- ").next().unwrap_or_default();
    let (text, offset) = cut(text, " OFFSET ");
    let (text, limit) = cut(text, " LIMIT ");
    let (text, order) = cut(text, " ORDER BY ");
    let (text, group) = cut(text, " GROUP BY ");
    if group.is_some() && !fake.has("group-by-served") {
        return no("GROUP BY is not AQL");
    }
    let (text, condition) = cut(text, " WHERE ");
    let (select, Some(from)) = cut(text, " FROM ") else { return no("no FROM") };
    let number = |text: Option<&str>| text.map(|text| text.trim().parse().map_err(|_| (400, "no count".to_owned()))).transpose();
    (parsed.limit, parsed.offset) = (number(limit)?, number(offset)?);
    let Some(select) = select.strip_prefix("SELECT ") else { return no("no SELECT") };
    parsed.distinct = select.starts_with("DISTINCT ");
    for item in split(select.trim_start_matches("DISTINCT "), ", ") {
        let (path, alias) = item.split_once(" AS ").map_or((item, None), |(path, alias)| (path, Some(alias.to_owned())));
        let known =
            ["c/", "e/", "p/", "n/", "COUNT(", "SUM(", "MIN(", "MAX(", "AVG("].iter().any(|start| path.starts_with(start));
        if !known {
            return no("an unknown item of SELECT");
        }
        parsed.select.push((path.to_owned(), alias));
    }
    for key in order.map(|order| split(order, ", ")).unwrap_or_default() {
        let (path, down) = key.strip_suffix(" DESC").map_or((key, false), |path| (path, true));
        parsed.order.push((path.trim_end_matches(" ASC").to_owned(), down));
    }
    from_clause(&mut parsed, from)?;
    for condition in condition.map(|condition| split(condition, " AND ")).unwrap_or_default() {
        judge(fake, &mut parsed, condition.trim(), parameters)?;
    }
    Ok(parsed)
}

fn from_clause(parsed: &mut Parsed, from: &str) -> Result<(), Refused> {
    let mut from = from;
    if let Some(rest) = from.strip_prefix("ENDPOINT p ") {
        let (ids, rest) = rest.split_once(" CONTAINS ").unwrap_or_default();
        (parsed.endpoints, from) = (Some(listed(ids)), rest);
    } else if let Some(rest) = from.strip_prefix("ORGANISATION ") {
        let (ids, rest) = rest.split_once(" CONTAINS ").unwrap_or_default();
        (parsed.organisations, from) = (Some(listed(ids)), rest);
    }
    if let Some(rest) = from.strip_prefix("EHR e[ehr_id/value=") {
        parsed.ehr = literal(rest.split(']').next().unwrap_or_default());
        parsed.ehr_in_from = true;
    } else if !from.starts_with("EHR e ") || from.contains("[name/value=") {
        return no("an unknown FROM");
    }
    parsed.numbers = from.contains("ELEMENT n");
    parsed.entry = from.contains("OBSERVATION o");
    Ok(())
}

fn judge(fake: &Fake, parsed: &mut Parsed, condition: &str, parameters: &Value) -> Result<(), Refused> {
    let equals = |path: &str| condition.strip_prefix(path).and_then(|rest| rest.strip_prefix(" = "));
    if let Some(value) = equals(SUBJECT).or_else(|| equals("o/subject/identifiers/id")) {
        let entry = condition.starts_with("o/");
        let Some(named) = named(fake, value, parameters) else { return no("no text names the patient") };
        let settled = parsed.subject.as_ref().is_none_or(|before| *before == named) || fake.has("last-patient-wins");
        if !settled {
            return no("two patients");
        }
        let lost = entry && fake.has("entry-carrier-empty");
        parsed.subject = Some(if lost { "nobody".to_owned() } else { named });
        return Ok(());
    }
    if let Some(value) = equals(NAMESPACE_PATH).or_else(|| equals("o/subject/identifiers/issuer")) {
        if named(fake, value, parameters).as_deref() != Some(NAMESPACE) && !fake.has("namespace-ignored") {
            parsed.subject = Some("somebody-else".to_owned());
        }
        return Ok(());
    }
    if let Some(value) = equals("e/ehr_id/value") {
        parsed.ehr = literal(value);
        return Ok(());
    }
    let carried = ["c/name/value", "(c/name/value", "c/feeder_audit"].iter().any(|start| condition.starts_with(start));
    if carried && (!condition.contains("$p") || parameters.get("p").is_some_and(Value::is_string)) {
        let whole = condition.replace("', '", "");
        let leaks = whole.contains(PATIENT) || parameters.get("p").is_some_and(|p| p == PATIENT);
        let mistaken = fake.has("words-target") && condition.contains("ENDPOINT");
        return if (leaks && !fake.has("elsewhere-served")) || mistaken { no("the identifier would travel") } else { Ok(()) };
    }
    if fake.has("or-served") {
        parsed.subject = Some(PATIENT.to_owned());
        return Ok(());
    }
    no("a condition that settles nothing")
}

fn named(fake: &Fake, value: &str, parameters: &Value) -> Option<String> {
    match value.strip_prefix('$') {
        Some(name) if fake.has("parameter-as-text") => Some(name.to_owned()),
        Some(name) => parameters.get(name)?.as_str().map(str::to_owned),
        None => literal(value),
    }
}
