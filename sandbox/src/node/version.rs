//! Versions of any object, as the routes of ITS-REST show them.

use std::sync::Arc;

use axum::response::Response;
use http::{HeaderValue, StatusCode, header};

use super::composition::{empty, tagged};
use super::error::json;
use super::request::pairs;
use crate::model::{Version, VersionedObject, typed};
use crate::order::at_or_before;
use crate::value::Json;

/// The version a request means: the one of this uid, else the latest, or the latest at the time of the query string.
pub(super) fn pick<'a>(held: &'a VersionedObject, uid: Option<&str>, query: &str) -> Option<&'a Version> {
    if let Some(uid) = uid {
        return held.versions.iter().map(Arc::as_ref).find(|version| version.uid.to_string() == uid);
    }
    match pairs(query).iter().find(|(name, _)| name == "version_at_time") {
        Some((_, time)) => held.versions.iter().rev().map(Arc::as_ref).find(|version| at_or_before(&version.committed, time)),
        None => held.latest(),
    }
}

/// The object of a version; `204` when it is a deletion.
pub(super) fn show(version: &Version) -> Response {
    match version.data() {
        Some(data) => stamped(json(StatusCode::OK, data.to_bytes()), version),
        None => empty(StatusCode::NO_CONTENT),
    }
}

/// The `ORIGINAL_VERSION` itself.
pub(super) fn show_version(version: &Version) -> Response {
    stamped(json(StatusCode::OK, version.object.to_bytes()), version)
}

/// With `ETag` and `Last-Modified`.
fn stamped(response: Response, version: &Version) -> Response {
    let mut response = tagged(response, &version.uid.to_string(), None);
    let time = chrono::DateTime::parse_from_rfc3339(&version.committed).ok();
    let text = time.map(|time| time.to_utc().format("%a, %d %b %Y %H:%M:%S GMT").to_string());
    if let Some(value) = text.and_then(|text| HeaderValue::from_str(&text).ok()) {
        response.headers_mut().insert(header::LAST_MODIFIED, value);
    }
    response
}

/// The `VERSIONED_…` object.
pub(super) fn versioned(kind: &str, held: &VersionedObject, ehr: &str) -> Response {
    let created = held.versions.first().map(|version| version.committed.as_str()).unwrap_or_default();
    let owner = Json::object([
        ("_type", Json::text("OBJECT_REF")),
        ("id", typed("HIER_OBJECT_ID", ehr)),
        ("namespace", Json::text("local")),
        ("type", Json::text("EHR")),
    ]);
    let body = Json::object([
        ("_type", Json::text(kind)),
        ("uid", typed("HIER_OBJECT_ID", &held.id)),
        ("owner_id", owner),
        ("time_created", typed("DV_DATE_TIME", created)),
    ]);
    json(StatusCode::OK, body.to_bytes())
}

/// The `REVISION_HISTORY`, most recent last.
pub(super) fn history(held: &VersionedObject) -> Response {
    let item = |version: &Arc<Version>| {
        let audit = version.object.get("commit_audit").cloned().unwrap_or(Json::Null);
        Json::object([
            ("_type", Json::text("REVISION_HISTORY_ITEM")),
            ("version_id", typed("OBJECT_VERSION_ID", &version.uid.to_string())),
            ("audits", Json::Array(vec![audit])),
        ])
    };
    let items = held.versions.iter().map(item).collect();
    json(StatusCode::OK, Json::object([("_type", Json::text("REVISION_HISTORY")), ("items", Json::Array(items))]).to_bytes())
}
