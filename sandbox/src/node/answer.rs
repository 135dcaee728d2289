//! The RESULT_SET, as each dialect writes it.

use std::borrow::Cow;
use std::convert::Infallible;

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use futures_util::stream;
use http::{HeaderValue, StatusCode, header};

use super::Dialect;
use super::error::json;
use super::request::Ask;
use crate::eval::ColumnName;
use crate::value::{Json, Style};

/// A piece of a chunked body.
const PIECE: usize = 16 * 1024;

/// What is written around the rows.
pub(super) struct Shape<'a> {
    pub(super) dialect: Dialect,
    pub(super) columns: Vec<ColumnName>,
    /// The query with its parameters in place.
    pub(super) executed: String,
    pub(super) ask: &'a Ask,
}

/// Writes an answer.
pub(super) fn write(rows: &[Vec<Cow<'_, Json>>], shape: Shape<'_>) -> Response {
    let mut body = Vec::with_capacity(256 + rows.len() * 64);
    body.push(b'{');
    if shape.dialect != Dialect::GopenehrLike {
        let folded = fold(&shape, rows.is_empty());
        let mut head = Json::object([("meta", meta(&shape, rows.len()))]);
        if let Some(name) = &shape.ask.name {
            head.set("name", Json::text(name.as_str()));
        }
        if shape.ask.name.is_none() || shape.dialect != Dialect::EhrbaseLike {
            head.set("q", Json::text(shape.ask.q.as_str()));
        }
        head.set("columns", folded);
        let text = head.to_bytes();
        body.extend_from_slice(text.get(1..text.len() - 1).unwrap_or_default());
    }
    if !(shape.dialect == Dialect::BetterLike && rows.is_empty()) {
        if body.len() > 1 {
            body.push(b',');
        }
        write_rows(rows, shape.dialect.style(), &mut body);
    }
    body.push(b'}');
    match shape.dialect {
        Dialect::EhrbaseLike => chunked(body),
        Dialect::Standard => tagged(body),
        Dialect::GopenehrLike | Dialect::BetterLike => json(StatusCode::OK, body),
    }
}

fn write_rows(rows: &[Vec<Cow<'_, Json>>], style: Style, body: &mut Vec<u8>) {
    body.extend_from_slice(b"\"rows\":[");
    for (index, row) in rows.iter().enumerate() {
        if index > 0 {
            body.push(b',');
        }
        body.push(b'[');
        for (column, cell) in row.iter().enumerate() {
            if column > 0 {
                body.extend_from_slice(if style == Style::Spaced { b", " } else { b"," });
            }
            cell.write(body, style);
        }
        body.push(b']');
    }
    body.push(b']');
}

fn meta(shape: &Shape<'_>, count: usize) -> Json {
    let version = match shape.dialect {
        Dialect::EhrbaseLike => "1.0.3",
        Dialect::BetterLike => "1.0.0",
        Dialect::Standard | Dialect::GopenehrLike => "1.1.0",
    };
    let created = chrono::Utc::now().format("%Y-%m-%dT%H:%M:%S%.3fZ").to_string();
    let mut meta = Json::object([]);
    if let Some(href) = &shape.ask.href {
        meta.set("_href", Json::text(href.as_str()));
    }
    meta.set("_type", Json::text("RESULTSET"));
    meta.set("_schema_version", Json::text(version));
    meta.set("_created", Json::text(created));
    if shape.dialect == Dialect::EhrbaseLike {
        meta.set("_executed_aql", Json::text(shape.executed.as_str()));
        if let Some(fetch) = shape.ask.fetch {
            meta.set("fetch", Json::number(fetch));
            meta.set("offset", Json::number(shape.ask.offset.unwrap_or(0)));
        }
        meta.set("resultsize", Json::number(count));
    }
    meta
}

/// The columns. EHRbase keys them by alias: equal ones share the last path, and without rows there is only one of them.
fn fold(shape: &Shape<'_>, empty: bool) -> Json {
    let mut columns: Vec<ColumnName> = shape.columns.clone();
    if shape.dialect == Dialect::EhrbaseLike {
        let last =
            |name: &str| shape.columns.iter().rev().find(|column| column.name == name).and_then(|column| column.path.clone());
        columns.iter_mut().for_each(|column| column.path = last(&column.name));
        if empty {
            let mut seen = std::collections::HashSet::new();
            columns.retain(|column| seen.insert(column.name.clone()));
        }
    }
    Json::Array(columns.into_iter().map(|column| entry(shape.dialect, column)).collect())
}

fn entry(dialect: Dialect, column: ColumnName) -> Json {
    let name = ("name", Json::text(column.name));
    let Some(path) = column.path else { return Json::object([name]) };
    match dialect {
        Dialect::EhrbaseLike => Json::object([("path", Json::text(path)), name]),
        Dialect::BetterLike => {
            let below = path.find(['/', '[']).and_then(|at| path.get(at..)).unwrap_or("/");
            Json::object([name, ("path", Json::text(below))])
        }
        Dialect::Standard | Dialect::GopenehrLike => Json::object([name, ("path", Json::text(path))]),
    }
}

fn chunked(body: Vec<u8>) -> Response {
    let whole = Bytes::from(body);
    let pieces: Vec<Result<Bytes, Infallible>> =
        (0..whole.len()).step_by(PIECE).map(|at| Ok(whole.slice(at..whole.len().min(at + PIECE)))).collect();
    let mut response = Response::new(Body::from_stream(stream::iter(pieces)));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

fn tagged(body: Vec<u8>) -> Response {
    let mut response = json(StatusCode::OK, body);
    if let Ok(tag) = HeaderValue::from_str(&format!("W/\"{}\"", uuid::Uuid::new_v4())) {
        response.headers_mut().insert(header::ETAG, tag);
    }
    response
}
