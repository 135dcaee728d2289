//! Answers a query over the fake federation, rightly or in the one wrong way asked for.

use std::cmp::Ordering;
use std::sync::atomic::Ordering as Atomic;
use std::time::Duration;

use axum::http::HeaderMap;
use axum::response::Response;
use serde_json::{Value, json};

use super::data::{Composition, ENDPOINTS, Endpoint};
use super::envelope::write;
use super::parse::{Parsed, parse};
use super::{Fake, PATIENT, Refused, count, header};
use crate::query::SUBJECT;
use crate::rows::instant;

const NUMBER: &str = "n/value/magnitude";
/// The fake's overall budget.
pub(crate) const OVERALL: u64 = 400;

/// A row before selection.
#[derive(Clone)]
struct Row {
    endpoint: &'static Endpoint,
    composition: &'static Composition,
    number: Option<i64>,
}

/// A request's wishes.
pub(crate) struct Wish {
    pub(crate) parsed: Parsed,
    pub(crate) text: String,
    targets: Option<Vec<String>>,
    pub(crate) partial: bool,
    pub(crate) dedup: bool,
    pub(crate) overall: u64,
}

/// Answers a query request.
pub(crate) async fn answer(fake: &Fake, body: &Value, headers: &HeaderMap, path_endpoint: Option<&str>, get: bool) -> Response {
    match wish(fake, body, headers, path_endpoint) {
        Err(refused) => {
            if fake.has("hostile-forwarded") {
                fake.note("alpha", body.get("q").and_then(Value::as_str).unwrap_or_default());
            }
            fake.error(refused)
        }
        Ok(wish) => {
            if fake.broken() && fake.has("slow-failure") {
                tokio::time::sleep(Duration::from_millis(OVERALL + 2100)).await;
            }
            forward(fake, &wish, headers);
            respond(fake, &wish, get).unwrap_or_else(|refused| fake.error(refused))
        }
    }
}

fn no<T>(status: u16, why: &str) -> Result<T, Refused> {
    Err((status, why.to_owned()))
}

fn wish(fake: &Fake, body: &Value, headers: &HeaderMap, path_endpoint: Option<&str>) -> Result<Wish, Refused> {
    let Some(text) = body.get("q").and_then(Value::as_str) else { return no(400, "no q") };
    let mut parsed = parse(fake, text, body.get("query_parameters").unwrap_or(&Value::Null))?;
    let (fetch, offset) = (count(body, "fetch")?, count(body, "offset")?);
    if fetch.is_some() && parsed.limit.is_some() && fetch != parsed.limit {
        return no(400, "fetch and LIMIT disagree");
    }
    if !fake.has("fetch-ignored") {
        (parsed.limit, parsed.offset) = (fetch.or(parsed.limit), offset.or(parsed.offset));
    }
    let partial = match header(headers, "openehr-federation-completeness") {
        None => false,
        Some("all") if !fake.has("all-refused") => false,
        Some("partial") if !fake.manner.strict && !fake.has("partial-refused") => true,
        Some(_) if fake.has("any-completeness") => false,
        Some(_) => return no(400, "completeness"),
    };
    let dedup = match header(headers, "openehr-federation-dedup") {
        None => fake.has("dedup-by-default"),
        Some("none") => false,
        Some("version-identity") if !fake.manner.strict => true,
        Some(_) if fake.has("any-dedup-mode") => false,
        Some(_) => return no(400, "dedup"),
    };
    let overall =
        match header(headers, "prefer").and_then(|prefer| prefer.strip_prefix("wait=")).and_then(|wait| wait.parse::<u64>().ok())
        {
            Some(wait) if fake.has("wait-lengthens") => wait * 1000,
            Some(_) if fake.has("wait-ignored") => 5000,
            Some(wait) => (wait * 1000).min(OVERALL),
            None => OVERALL,
        };
    let mut targets = targets(fake, &parsed, headers)?;
    if path_endpoint.is_some() && fake.has("parameter-targets") {
        targets = path_endpoint.map(|id| vec![id.to_owned()]);
    }
    if parsed.subject.is_none() && parsed.ehr.is_none() && fake.has("no-patient-refused") {
        return no(400, "name a patient");
    }
    Ok(Wish { parsed, text: text.to_owned(), targets, partial, dedup, overall })
}

fn targets(fake: &Fake, parsed: &Parsed, headers: &HeaderMap) -> Result<Option<Vec<String>>, Refused> {
    let listed = |name: &str| header(headers, name).map(|ids| ids.split(',').map(|id| id.trim().to_owned()).collect::<Vec<_>>());
    let expand = |ids: Vec<String>| -> Vec<String> {
        let unknown =
            ids.iter().filter(|id| !ENDPOINTS.iter().any(|endpoint| endpoint.organisation == **id)).map(|id| format!("?{id}"));
        let of = ENDPOINTS.iter().filter(|endpoint| ids.iter().any(|id| id == endpoint.organisation));
        of.map(|endpoint| endpoint.id.to_owned()).chain(unknown).collect()
    };
    let by_header = listed("openehr-federation-endpoint").or_else(|| listed("openehr-federation-organisation").map(expand));
    let organisations = parsed.organisations.clone().filter(|_| !fake.has("organisation-directive-ignored"));
    let by_directive = parsed.endpoints.clone().filter(|_| !fake.has("directive-ignored")).or_else(|| organisations.map(expand));
    let sorted = |ids: &Option<Vec<String>>| {
        ids.clone().map(|mut ids| {
            if !fake.has("order-matters") {
                ids.sort();
            }
            ids
        })
    };
    if by_header.is_some()
        && by_directive.is_some()
        && sorted(&by_header) != sorted(&by_directive)
        && !fake.has("conflict-served")
    {
        return no(400, &format!("{by_directive:?} against {by_header:?}"));
    }
    let targets = by_header.or(by_directive);
    let unknown = targets.iter().flatten().any(|id| !ENDPOINTS.iter().any(|endpoint| endpoint.id == *id));
    if unknown && !fake.has("unknown-ids-dropped") {
        return no(400, "an unknown endpoint");
    }
    Ok(targets)
}

/// Writes to the journals what the nodes would be sent.
fn forward(fake: &Fake, wish: &Wish, headers: &HeaderMap) {
    for endpoint in ENDPOINTS.iter().filter(|endpoint| status(fake, wish, endpoint) == "active") {
        let ehr = endpoint.ehr.unwrap_or_default();
        let mut sent = match fake.manner.flaw {
            "identifier-to-node" => {
                format!("SELECT c/uid/value FROM EHR e WHERE e/ehr_id/value = '{ehr}' -- %6d%61%72%6b%65%72{}", &PATIENT[6..])
            }
            "no-ehr-id-at-node" => "SELECT c/uid/value FROM EHR e".to_owned(),
            _ => format!("SELECT c/uid/value FROM EHR e WHERE e/ehr_id/value = '{ehr}'"),
        };
        if fake.has("identifier-to-node") {
            sent = sent.replace(&format!("%6d%61%72%6b%65%72{}", &PATIENT[6..]), &PATIENT.replace('-', "%2d"));
        }
        if fake.has("token-forwarded") {
            sent.push_str(header(headers, "authorization").unwrap_or_default());
        }
        fake.note(endpoint.id, &sent);
    }
}

fn status(fake: &Fake, wish: &Wish, endpoint: &Endpoint) -> &'static str {
    let named = wish.targets.as_ref().is_none_or(|targets| targets.iter().any(|id| id == endpoint.id));
    let known = match (&wish.parsed.subject, &wish.parsed.ehr) {
        (Some(subject), None) => subject == PATIENT && endpoint.ehr.is_some(),
        (Some(subject), Some(_)) if fake.has("ehr-dropped") => subject == PATIENT && endpoint.ehr.is_some(),
        (Some(subject), Some(ehr)) => subject == PATIENT && endpoint.ehr == Some(ehr.as_str()),
        (None, Some(ehr)) => endpoint.ehr == Some(ehr.as_str()),
        (None, None) => true,
    };
    match () {
        () if !named && fake.has("others-not-localized") => "not-localized",
        () if !named => "excluded",
        () if !known && wish.parsed.ehr.is_some() => "excluded",
        () if !known => "not-resolved",
        () if endpoint.id == "beta" && fake.broken() => "offline",
        () => "active",
    }
}

fn respond(fake: &Fake, wish: &Wish, get: bool) -> Result<Response, Refused> {
    let statuses: Vec<(&'static Endpoint, &'static str)> =
        ENDPOINTS.iter().map(|endpoint| (endpoint, status(fake, wish, endpoint))).collect();
    let unknown_ehr = wish.parsed.ehr.is_some() && statuses.iter().all(|(_, status)| *status != "active");
    if unknown_ehr && !fake.has("unrouted-guess") {
        return no(404, "nobody holds this ehr_id");
    }
    if fake.has("unknown-404") && wish.parsed.subject.as_deref().is_some_and(|subject| subject != PATIENT) {
        return no(404, "no such patient");
    }
    let offline = statuses.iter().any(|(_, status)| *status == "offline");
    if offline && fake.has("never-mended") {
        fake.turn.fetch_add(1, Atomic::SeqCst);
    }
    let failed = offline && !wish.partial && !fake.has("faults-hidden");
    if failed && fake.has("bare-504") {
        return no(504, "beta is down");
    }
    let per_node: Vec<Vec<Row>> =
        statuses.iter().filter(|(_, status)| *status == "active").map(|(endpoint, _)| rows_of(wish, endpoint)).collect();
    let counts: Vec<usize> = per_node.iter().map(Vec::len).collect();
    let (mut rows, suppressed) = if failed { (Vec::new(), 0) } else { combine(fake, wish, per_node)? };
    lose(fake, wish, &mut rows, get);
    Ok(write(fake, wish, &statuses, &counts, rows, suppressed, failed))
}

/// Flaws that lose rows on the way.
fn lose(fake: &Fake, wish: &Wish, rows: &mut Vec<Value>, get: bool) {
    let lost = (get && fake.has("get-loses-row"))
        || (wish.targets.is_none() && fake.has("undirected-loses-row"))
        || (wish.parsed.ehr_in_from && fake.has("from-form-empty"))
        || (wish.parsed.distinct
            && wish.parsed.select.iter().any(|(path, _)| path == "e/ehr_id/value")
            && fake.has("distinct-ehr-lost"));
    if lost {
        rows.pop();
    }
    if fake.has("unrouted-guess") && rows.is_empty() && wish.parsed.ehr.is_some() {
        rows.push(json!(["guessed"]));
    }
}

fn rows_of(wish: &Wish, endpoint: &'static Endpoint) -> Vec<Row> {
    let compositions = endpoint.compositions.iter();
    let row = |composition, number| Row { endpoint, composition, number };
    if wish.parsed.numbers {
        return compositions.flat_map(|it| it.numbers.iter().map(move |number| row(it, Some(*number)))).collect();
    }
    compositions.map(|it| row(it, None)).collect()
}

fn cell(fake: &Fake, row: &Row, path: &str) -> Value {
    let shown = if fake.has("attributes-swapped") { &ENDPOINTS[0] } else { row.endpoint };
    match path {
        "c/uid/value" => json!(row.composition.uid),
        "c/context/start_time/value" => json!(row.composition.start),
        "c/name/value" => json!(row.composition.name),
        "e/ehr_id/value" => json!(row.endpoint.ehr),
        SUBJECT if fake.has("subject-is-local") => json!(row.endpoint.ehr),
        SUBJECT => json!(PATIENT),
        NUMBER => json!(row.number),
        "p/id" | "p/endpoint_id" => json!(shown.id),
        "p/system_id" if fake.has("attributes-wrong") => json!(row.endpoint.node),
        "p/system_id" => json!(row.endpoint.system),
        "p/organisation" | "p/organization_id" => json!(row.endpoint.organisation),
        _ => Value::Null,
    }
}

fn compare(fake: &Fake, order: &[(String, bool)], left: &Row, right: &Row) -> Ordering {
    let by_key = order.iter().map(|(path, down)| {
        let (left, right) = (cell(fake, left, path), cell(fake, right, path));
        let key = |value: &Value| value.as_str().and_then(instant);
        let ordering = match (key(&left), key(&right), left.as_i64(), right.as_i64()) {
            (Some(left), Some(right), _, _) => left.cmp(&right),
            (_, _, Some(left), Some(right)) => left.cmp(&right),
            _ => left.as_str().cmp(&right.as_str()),
        };
        if *down { ordering.reverse() } else { ordering }
    });
    let ties = || left.endpoint.id.cmp(right.endpoint.id).then(left.composition.uid.cmp(right.composition.uid));
    by_key.fold(Ordering::Equal, Ordering::then).then_with(ties)
}

fn combine(fake: &Fake, wish: &Wish, per_node: Vec<Vec<Row>>) -> Result<(Vec<Value>, usize), Refused> {
    let parsed = &wish.parsed;
    let (first, _) = parsed.select.first().cloned().unwrap_or_default();
    if let Some((function, path)) = first.strip_suffix(')').and_then(|call| call.split_once('(')) {
        return aggregate(fake, wish, function, path, per_node).map(|rows| (rows, 0));
    }
    let nodes = per_node.len();
    check_offset(fake, parsed, nodes)?;
    let unordered = fake.has("hidden-key-unordered")
        && !parsed.order.iter().all(|(key, _)| parsed.select.iter().any(|(path, _)| path == key));
    let sort = |rows: &mut Vec<Row>| {
        if !parsed.order.is_empty() && !unordered {
            rows.sort_by(|left, right| compare(fake, &parsed.order, left, right));
        }
    };
    let mut rows: Vec<Row> = Vec::new();
    for mut node in per_node {
        sort(&mut node);
        if fake.has("offset-pushed-down") && nodes > 1 {
            node.drain(..parsed.offset.unwrap_or_default().min(node.len()));
        }
        rows.extend(node);
    }
    let concatenated = fake.has("concatenated") || (fake.has("limit-concatenated") && parsed.limit.is_some());
    if !concatenated {
        sort(&mut rows);
    }
    if fake.has("shuffled") && !rows.is_empty() {
        let turn = fake.turn.fetch_add(1, Atomic::SeqCst) % rows.len();
        rows.rotate_left(turn);
    }
    let before = rows.len();
    let mut seen: Vec<&str> = Vec::new();
    if fake.has("limit-before-dedup") && wish.dedup {
        rows.truncate(parsed.limit.unwrap_or(usize::MAX));
    }
    if wish.dedup && !fake.has("dedup-keeps-copies") && !parsed.numbers {
        rows.retain(|row| !seen.contains(&row.composition.uid) && (seen.push(row.composition.uid), true).1);
    }
    let suppressed = before - rows.len();
    let mut values: Vec<Value> = rows.iter().map(|row| select(fake, parsed, row)).collect();
    if parsed.distinct && !fake.has("distinct-per-node") {
        let mut kept: Vec<Value> = Vec::new();
        values.retain(|value| !kept.contains(value) && (kept.push(value.clone()), true).1);
    }
    if parsed.distinct && fake.has("limit-before-distinct") {
        let limited = parsed.limit.unwrap_or(usize::MAX);
        values = rows
            .iter()
            .take(limited.saturating_add(1))
            .skip(usize::from(parsed.limit.is_some()))
            .map(|row| select(fake, parsed, row))
            .collect();
    }
    let offset = if fake.has("offset-pushed-down") { 0 } else { parsed.offset.unwrap_or_default() };
    let page = values.into_iter().skip(offset).take(parsed.limit.unwrap_or(usize::MAX)).collect();
    Ok((page, suppressed))
}

fn check_offset(fake: &Fake, parsed: &Parsed, nodes: usize) -> Result<(), Refused> {
    let Some(offset) = parsed.offset.filter(|offset| *offset > 0 && nodes > 1) else { return Ok(()) };
    let window = offset.saturating_add(parsed.limit.unwrap_or_default());
    let wrong = fake.has("offset-pushed-down") || fake.has("window-unbounded");
    match fake.manner.offset {
        _ if wrong => Ok(()),
        "window" if window <= 100 => Ok(()),
        "window" => no(422, "paging.max_window"),
        _ => no(400, "OFFSET over several nodes"),
    }
}

fn select(fake: &Fake, parsed: &Parsed, row: &Row) -> Value {
    let mut cells: Vec<Value> = parsed.select.iter().map(|(path, _)| cell(fake, row, path)).collect();
    if fake.has("hidden-key-shown") && !parsed.order.is_empty() {
        cells.push(cell(fake, row, &parsed.order[0].0));
    }
    Value::Array(cells)
}

fn aggregate(fake: &Fake, wish: &Wish, function: &str, path: &str, per_node: Vec<Vec<Row>>) -> Result<Vec<Value>, Refused> {
    let refused = per_node.len() > 1 && (fake.manner.strict || fake.has("aggregates-refused"));
    if refused
        || (per_node.len() == 1 && fake.has("directed-count-refused"))
        || (path.starts_with("DISTINCT") && !fake.has("copies-counted"))
    {
        return no(400, "not over several nodes: direct it to one endpoint, or select the rows");
    }
    if wish.dedup && !fake.has("copies-counted") {
        return no(400, "not beside de-duplication: direct it to one endpoint, or select the rows");
    }
    if path == "c/context/start_time/value" {
        let rows = per_node.concat();
        let by_instant = |row: &&Row| instant(row.composition.start);
        let found = if function == "MIN" { rows.iter().min_by_key(by_instant) } else { rows.iter().max_by_key(by_instant) };
        return Ok(vec![json!([found.map(|row| row.composition.start)])]);
    }
    let off = fake.has("sums-off") || (wish.partial && fake.has("partial-count-off"));
    let one = |rows: &[Row]| -> Value {
        let numbers: Vec<i64> = rows.iter().filter_map(|row| row.number).collect();
        let sum: i64 = numbers.iter().sum();
        let means = || {
            per_node.iter().map(|rows| mean(&rows.iter().filter_map(|row| row.number).collect::<Vec<_>>())).collect::<Vec<_>>()
        };
        match function {
            "COUNT" => json!([rows.len() + usize::from(off)]),
            "SUM" => json!([sum + i64::from(off)]),
            "MIN" => json!([numbers.iter().min().map(|it| it - i64::from(off))]),
            "MAX" => json!([numbers.iter().max()]),
            _ if fake.has("mean-of-means") => json!([means().iter().sum::<f64>() / means().len() as f64]),
            _ => json!([mean(&numbers)]),
        }
    };
    if fake.has("aggregates-per-node") {
        return Ok(per_node.iter().map(|rows| one(rows)).collect());
    }
    Ok(vec![one(&per_node.concat())])
}

fn mean(numbers: &[i64]) -> f64 {
    numbers.iter().sum::<i64>() as f64 / numbers.len() as f64
}
