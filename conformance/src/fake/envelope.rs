//! The fake's envelope around its rows.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use serde_json::{Value, json};

use super::answer::{OVERALL, Wish};
use super::data::Endpoint;
use super::{Fake, PATIENT};

fn columns(fake: &Fake, wish: &Wish) -> Vec<Value> {
    let column = |(index, (path, alias)): (usize, &(String, Option<String>))| {
        let name = alias.clone().unwrap_or_else(|| format!("#{index}"));
        let varied = fake.has("columns-vary") && wish.parsed.subject.as_deref() != Some(PATIENT);
        match fake.manner.flaw {
            "node-columns" => json!({ "name": name, "path": path.split_once('/').map(|(_, rest)| format!("/{rest}")) }),
            _ if varied => json!({ "name": name }),
            _ => json!({ "name": name, "path": path }),
        }
    };
    wish.parsed.select.iter().enumerate().map(column).collect()
}

fn lines(fake: &Fake, statuses: &[(&'static Endpoint, &'static str)], counts: &[usize]) -> Vec<Value> {
    let mut counts = counts.iter();
    let line = |(endpoint, status): &(&'static Endpoint, &'static str)| {
        let mut line = json!({ "id": endpoint.id, "status": status, "node_id": endpoint.node, "system_id": endpoint.system, "organisation": endpoint.organisation });
        if fake.has("other-system-id") {
            line["system_id"] = json!("sys-x");
        }
        if *status == "active" {
            let count = counts.next().copied().unwrap_or_default();
            line["row_count"] = json!(if fake.has("row-count-off") { count + 1 } else { count });
        }
        if ["active", "offline"].contains(status) || fake.has("latency-always") {
            line["latency_ms"] = json!(if fake.has("slow-report") { OVERALL * 9 } else { 3 });
        }
        if ["offline", "not-resolved"].contains(status) && !fake.has("no-error-text") {
            line["error"] = json!("why");
        }
        line
    };
    let mut lines: Vec<Value> = statuses.iter().map(line).collect();
    if fake.has("member-missing") {
        lines.retain(|line| line["status"] != "excluded" && line["status"] != "not-resolved");
    }
    lines
}

pub(crate) fn write(
    fake: &Fake,
    wish: &Wish,
    statuses: &[(&'static Endpoint, &'static str)],
    counts: &[usize],
    rows: Vec<Value>,
    suppressed: usize,
    failed: bool,
) -> Response {
    let short: Vec<_> = statuses.iter().filter(|(_, status)| ["offline", "not-resolved"].contains(status)).collect();
    let complete = short.is_empty() || fake.has("always-complete") || (wish.partial && fake.has("partial-complete"));
    let mut dedup = json!({ "mode": if wish.dedup { "version-identity" } else { "none" } });
    if wish.dedup {
        dedup["suppressed_rows"] = json!(suppressed);
        dedup["suppressed_endpoints"] = if suppressed > 0 { json!(["beta"]) } else { json!([]) };
    }
    let per_node = if fake.has("other-timeout") { 7 } else { 300 };
    let mut federation = json!({
        "complete": complete, "endpoints": lines(fake, statuses, counts), "dedup": dedup,
        "timeout": { "per_node_ms": per_node, "overall_ms": wish.overall, "policy": "abandon-and-mark" },
    });
    if !short.is_empty() && !fake.has("no-outcome") {
        let issue = |(endpoint, status): &&(&Endpoint, &str)| json!({ "severity": "warning", "code": "incomplete", "diagnostics": format!("endpoint {}: {status}", endpoint.id) });
        federation["operation_outcome"] =
            json!({ "resourceType": "OperationOutcome", "issue": short.iter().map(issue).collect::<Vec<_>>() });
    }
    if fake.has("meta-echo") {
        federation["warnings"] = json!([format!("about {PATIENT}")]);
    }
    let mut body = json!({ "q": wish.text, "columns": columns(fake, wish), "rows": rows, "meta": { "federation": federation } });
    if fake.has("flat-meta") {
        body["meta"]["complete"] = json!(complete);
    }
    if fake.has("q-rewritten") {
        body["q"] = json!("SELECT 1");
    }
    if failed {
        body["message"] = json!("beta is down");
        body["code"] = json!("endpoint-unavailable");
    }
    let status = if failed { StatusCode::GATEWAY_TIMEOUT } else { StatusCode::OK };
    let active: Vec<_> = statuses.iter().filter(|(_, status)| *status == "active").collect();
    let mut response = (status, Json(body)).into_response();
    if !fake.has("no-headers") {
        for (name, value) in [
            ("openehr-federation-endpoint", active.iter().map(|(it, _)| it.id).collect::<Vec<_>>().join(", ")),
            ("openehr-federation-system-id", active.iter().map(|(it, _)| it.system).collect::<Vec<_>>().join(", ")),
        ] {
            response.headers_mut().insert(name, value.parse().unwrap());
        }
    }
    response
}
