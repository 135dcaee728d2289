//! The fake's addresses.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{any, get, options, post};
use axum::{Json, Router};
use serde_json::{Value, json};

use super::answer::{OVERALL, answer};
use super::data::ENDPOINTS;
use super::{COLLIDING, Fake, PATIENT, header};

type Parameters = Query<std::collections::BTreeMap<String, String>>;

pub(crate) fn router(fake: Arc<Fake>) -> Router {
    Router::new()
        .route("/", options(declared))
        .route("/v1/", options(system))
        .route("/v1/query/aql", post(ask).get(ask_by_address).options(allow))
        .route("/v1/query/{name}", post(stored_ask))
        .route("/v1/query/{name}/{version}", post(stored_versioned))
        .route("/v1/definition/query/{name}/{version}", any(stored))
        .route("/v1/definition/template/adl1.4", get(templates))
        .route("/v1/demographic/{*rest}", any(demographic))
        .route("/v1/ehr", any(ehrs))
        .route("/v1/ehr/{ehr}", any(ehr))
        .route("/v1/ehr/{ehr}/composition", post(compose))
        .route("/v1/ehr/{ehr}/composition/{uid}", get(composition).put(change))
        .route("/federation/cursors/{handle}", any(cursor))
        .route("/journal/{endpoint}", get(journal))
        .with_state(fake)
}

async fn declared(State(fake): State<Arc<Fake>>) -> Response {
    if fake.has("redirects") {
        return (StatusCode::PERMANENT_REDIRECT, [("location", "/v1/")]).into_response();
    }
    let membership = if fake.has("per-query-membership") { "offline" } else { "active" };
    let endpoints: Vec<Value> = ENDPOINTS
        .iter()
        .map(|it| json!({ "id": it.id, "node_id": it.node, "system_id": it.system, "organisation": it.organisation, "status": membership }))
        .collect();
    let strict = fake.manner.strict;
    let mut body = json!({ "endpoints": endpoints, "federation": {
        "id": "fake", "spec_version": "0.9", "aql": { "fan_out": true },
        "dedup": { "default": "none", "modes": if strict { json!(["none"]) } else { json!(["none", "version-identity"]) }, "request_header": "openEHR-federation-dedup" },
        "timeout": { "per_node_ms": 300, "overall_ms": OVERALL, "policy": "abandon-and-mark" },
        "completeness": if strict { json!({ "default": "all-or-nothing", "best_effort": false }) } else {
            json!({ "default": "all-or-nothing", "best_effort": true, "opt_in": { "header": "openEHR-federation-completeness", "value": "partial" } })
        },
        "paging": { "offset_strategy": fake.manner.offset, "max_window": 100 },
        "aggregates": { "decomposable": if strict { json!([]) } else { json!(["COUNT", "SUM", "MIN", "MAX", "AVG"]) }, "strategy": "decompose" },
        "definition": { "fan_out_template_upload": false, "stored_query_registry": !strict, "stored_query_fan_out": false },
        "localization": { "on_failure": "closed", "mode": "none" }, "async": { "offered": false },
        "its_rest": { "query": "federated", "ehr": "routed", "definition": "routed-single-node", "demographic": "unsupported" },
    }});
    match fake.manner.flaw {
        "no-policy" => body["federation"]["timeout"]["policy"] = Value::Null,
        "localization-undeclared" => body["federation"]["localization"] = Value::Null,
        "declares-header" => body["federation"]["endpoint_header"] = json!(true),
        _ => {}
    }
    Json(body).into_response()
}

async fn system(State(fake): State<Arc<Fake>>) -> Response {
    match fake.has("system-is-federation") {
        true => Json(json!({ "federation": {}, "endpoints": [] })).into_response(),
        false => Json(json!({ "solution": "fake", "restapi_specs_version": "1.1.0", "endpoints": ["/query"] })).into_response(),
    }
}

async fn allow() -> Response {
    (StatusCode::NO_CONTENT, [("allow", "GET, POST, OPTIONS")]).into_response()
}

async fn ask(State(fake): State<Arc<Fake>>, headers: HeaderMap, body: Bytes) -> Response {
    let parsed = serde_json::from_slice::<Value>(&body).ok().filter(Value::is_object);
    let status = if fake.has("bad-json-500") { 500 } else { 400 };
    if fake.has("long-500") && body.len() > 200_000 {
        return fake.error((500, "too long".to_owned()));
    }
    let Some(body) = parsed else { return fake.error((status, "no JSON object".to_owned())) };
    if fake.has("async-undeclared") && header(&headers, "prefer") == Some("respond-async") {
        return (StatusCode::ACCEPTED, [("content-location", "/federation/jobs/1")]).into_response();
    }
    match header(&headers, "openehr-federation-cursor") {
        Some(handle) if fake.manner.offset == "cursor" => turn(&fake, handle, &body, &headers).await,
        _ => answer(&fake, &body, &headers, None, false).await,
    }
}

async fn ask_by_address(State(fake): State<Arc<Fake>>, headers: HeaderMap, Query(parameters): Parameters) -> Response {
    let body = json!({ "q": parameters.get("q") });
    answer(&fake, &body, &headers, parameters.get("endpoint").map(String::as_str), true).await
}

/// Opens a cursor, or serves a page of one; the fake holds the query, its data never change.
async fn turn(fake: &Fake, handle: &str, body: &Value, headers: &HeaderMap) -> Response {
    let q = body["q"].as_str().unwrap_or_default().to_owned();
    let order = q.split(" LIMIT ").next().unwrap_or_default().to_owned();
    if handle == "open" {
        fake.cursors.lock().unwrap().insert("c1".to_owned(), order);
        let page = answer(fake, body, headers, None, false).await;
        let bytes = axum::body::to_bytes(page.into_body(), usize::MAX).await.unwrap();
        let mut body: Value = serde_json::from_slice(&bytes).unwrap();
        body["meta"]["federation"]["cursor"] = json!({ "handle": "c1", "expires_at": "2030-01-01T00:00:00Z" });
        return Json(body).into_response();
    }
    let held = fake.cursors.lock().unwrap().get(handle).cloned();
    if held.as_deref() != Some(order.as_str()) {
        return fake.error((400, "another query".to_owned()));
    }
    let number = |word: &str| q.split(word).nth(1).and_then(|rest| rest.split(' ').next()?.parse::<usize>().ok());
    page(fake, &order, number(" OFFSET ").unwrap_or_default(), number(" LIMIT ").unwrap_or(usize::MAX)).await
}

async fn page(fake: &Fake, query: &str, offset: usize, fetch: usize) -> Response {
    let whole = answer(fake, &json!({ "q": query }), &HeaderMap::new(), None, false).await;
    let bytes = axum::body::to_bytes(whole.into_body(), usize::MAX).await.unwrap();
    let mut body: Value = serde_json::from_slice(&bytes).unwrap();
    let shift = usize::from(fake.has("cursor-shifted"));
    let rows = body["rows"].as_array().cloned().unwrap_or_default();
    body["rows"] = rows.into_iter().skip(offset + shift).take(fetch).collect();
    Json(body).into_response()
}

async fn cursor(
    State(fake): State<Arc<Fake>>,
    method: Method,
    Path(handle): Path<String>,
    Query(parameters): Parameters,
) -> Response {
    let held = fake.cursors.lock().unwrap().get(&handle).cloned();
    let Some(query) = held else { return fake.error((410, "expired".to_owned())) };
    if method == Method::DELETE {
        fake.cursors.lock().unwrap().remove(&handle);
        return StatusCode::NO_CONTENT.into_response();
    }
    let number = |name: &str| parameters.get(name).and_then(|text| text.parse().ok()).unwrap_or_default();
    page(&fake, &query, number("offset"), number("fetch")).await
}

async fn stored(
    State(fake): State<Arc<Fake>>,
    method: Method,
    Path((name, version)): Path<(String, String)>,
    body: Bytes,
) -> Response {
    let key = format!("{name}/{version}");
    let text = String::from_utf8_lossy(&body).into_owned();
    let mut stored = fake.stored.lock().unwrap();
    if method == Method::GET {
        return stored
            .get(&key)
            .map_or_else(|| StatusCode::NOT_FOUND.into_response(), |q| Json(json!({ "q": q })).into_response());
    }
    if text.contains(PATIENT) && !fake.has("literal-stored") {
        return fake.error((400, "a patient as a literal".to_owned()));
    }
    if text.contains("urn:") && fake.has("namespace-refused") {
        return fake.error((400, "a patient as a literal".to_owned()));
    }
    if stored.contains_key(&key) && !fake.has("stored-overwritten") {
        return fake.error((409, "immutable".to_owned()));
    }
    stored.insert(key, text);
    StatusCode::OK.into_response()
}

async fn stored_ask(state: State<Arc<Fake>>, Path(name): Path<String>, headers: HeaderMap, body: Bytes) -> Response {
    stored_versioned(state, Path((name, "1.0.0".to_owned())), headers, body).await
}

async fn stored_versioned(
    State(fake): State<Arc<Fake>>,
    Path((name, version)): Path<(String, String)>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let q = fake.stored.lock().unwrap().get(&format!("{name}/{version}")).cloned();
    let mut asked: Value = serde_json::from_slice(&body).unwrap_or_default();
    asked["q"] = json!(q);
    let response = answer(&fake, &asked, &headers, None, false).await;
    let bytes = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
    let mut body: Value = serde_json::from_slice(&bytes).unwrap();
    body["name"] = json!(format!("{name}/{version}"));
    Json(body).into_response()
}

async fn templates(State(fake): State<Arc<Fake>>, headers: HeaderMap) -> Response {
    match header(&headers, "openehr-federation-endpoint") {
        Some(endpoint) => acted(&fake, endpoint, 200, json!([])),
        None if fake.has("merged-catalogue") => Json(json!([])).into_response(),
        None => fake.error((400, "name one endpoint".to_owned())),
    }
}

async fn demographic(State(fake): State<Arc<Fake>>) -> Response {
    fake.error((if fake.has("demographic-routed") { 404 } else { 501 }, "not served".to_owned()))
}

fn acted(fake: &Fake, endpoint: &str, status: u16, body: Value) -> Response {
    let system = ENDPOINTS.iter().find(|it| it.id == endpoint).map(|it| it.system).unwrap_or_default();
    let endpoint = if fake.has("ehr-elsewhere") { "gamma" } else { endpoint };
    let mut response = (StatusCode::from_u16(status).unwrap(), Json(body)).into_response();
    if !fake.has("no-acting-header") {
        response.headers_mut().insert("openehr-federation-endpoint", endpoint.parse().unwrap());
        response.headers_mut().insert("openehr-federation-system-id", system.parse().unwrap());
    }
    response
}

async fn ehrs(State(fake): State<Arc<Fake>>, method: Method, headers: HeaderMap, Query(parameters): Parameters) -> Response {
    let known = parameters.get("subject_id").is_some_and(|id| id == PATIENT);
    match method {
        Method::GET if known => match header(&headers, "openehr-federation-endpoint") {
            Some(endpoint) => {
                let ehr = ENDPOINTS.iter().find(|it| it.id == endpoint).and_then(|it| it.ehr);
                acted(&fake, endpoint, 200, json!({ "ehr_id": { "value": ehr } }))
            }
            None if fake.has("first-of-several") => {
                acted(&fake, "alpha", 200, json!({ "ehr_id": { "value": ENDPOINTS[0].ehr } }))
            }
            None => fake.error((409, "alpha and beta know the patient".to_owned())),
        },
        Method::POST if fake.has("write-guessed") => acted(&fake, "alpha", 400, json!({})),
        Method::POST => fake.error((400, "name one endpoint".to_owned())),
        _ => fake.error((404, "unknown".to_owned())),
    }
}

async fn ehr(State(fake): State<Arc<Fake>>, method: Method, Path(ehr): Path<String>) -> Response {
    let holder = ENDPOINTS.iter().find(|it| it.ehr == Some(ehr.as_str()));
    match (method, holder) {
        (Method::GET, Some(holder)) => acted(&fake, holder.id, 200, json!({ "ehr_id": { "value": ehr } })),
        (Method::GET, None) if ehr == COLLIDING && !fake.has("collision-guess") => {
            fake.error((409, "alpha and beta claim it".to_owned()))
        }
        (Method::GET, None) => fake.error((404, "unknown".to_owned())),
        (Method::PUT, Some(_)) if !fake.has("ehr-taken") => fake.error((409, "held elsewhere".to_owned())),
        _ => fake.error((400, "name one endpoint".to_owned())),
    }
}

async fn compose(State(fake): State<Arc<Fake>>, headers: HeaderMap, body: Bytes) -> Response {
    let text = String::from_utf8_lossy(&body).into_owned();
    match header(&headers, "openehr-federation-endpoint") {
        Some(endpoint) => {
            let text = if fake.has("body-rewritten") { text.replace(' ', "") } else { text };
            fake.note("alpha", &text);
            acted(&fake, endpoint, 400, json!({ "message": "no composition" }))
        }
        None => {
            if fake.has("write-forwarded") {
                fake.note("beta", &text);
            }
            fake.error((400, "name one endpoint".to_owned()))
        }
    }
}

async fn composition(State(fake): State<Arc<Fake>>, Path((ehr, uid)): Path<(String, String)>) -> Response {
    let holder = ENDPOINTS.iter().find(|it| it.ehr == Some(ehr.as_str()) && it.compositions.iter().any(|it| it.uid == uid));
    match holder {
        Some(holder) if !fake.has("composition-404") => acted(&fake, holder.id, 200, json!({ "uid": { "value": uid } })),
        _ => fake.error((404, "unknown".to_owned())),
    }
}

async fn change(State(fake): State<Arc<Fake>>) -> Response {
    fake.error((if fake.has("copy-written") { 400 } else { 409 }, "controlled by another system".to_owned()))
}

async fn journal(State(fake): State<Arc<Fake>>, Path(endpoint): Path<String>) -> Response {
    fake.journal.lock().unwrap().get(endpoint.as_str()).cloned().unwrap_or_default().into_response()
}
