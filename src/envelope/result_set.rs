//! The RESULT_SET around the rows: our members before them and after them, so that rows are written where they go.

use serde::Serialize;

use super::report::Federation;
use crate::error::ErrorCode;
use crate::plan::ResultColumn;

/// Everything an answer says besides its rows (§9, N17, N40).
#[derive(Clone, Copy, Debug)]
pub struct Head<'a> {
    /// The client's own query text; none for a stored query.
    pub q: Option<&'a str>,
    /// The qualified name of a stored query.
    pub name: Option<&'a str>,
    /// When the answer was made, as ISO 8601.
    pub created: &'a str,
    /// The columns, ours and the same for every answer to the same query.
    pub columns: &'a [ResultColumn],
    /// What happened at every member.
    pub federation: &'a Federation,
}

/// Why a fan-out answers no rows; its members stand beside those of the RESULT_SET (§11.4, CP-30).
#[derive(Clone, Debug)]
pub struct Failure {
    /// The stable code.
    pub code: ErrorCode,
    /// What failed, and what the client can do.
    pub message: String,
    /// The request's id, as in the log.
    pub request_id: String,
}

/// The bytes around the rows.
#[derive(Clone, Debug)]
pub struct ResultSet {
    /// Up to and including the bracket that opens `rows`.
    pub prefix: Vec<u8>,
    /// From the bracket that closes `rows`.
    pub suffix: Vec<u8>,
}

#[derive(Serialize)]
struct Meta<'a> {
    #[serde(rename = "_type")]
    kind: &'static str,
    #[serde(rename = "_schema_version")]
    schema_version: &'static str,
    #[serde(rename = "_created")]
    created: &'a str,
    #[serde(rename = "_generator")]
    generator: &'static str,
    federation: &'a Federation,
}

impl ResultSet {
    /// The answer around rows that are there.
    #[must_use]
    pub fn around(head: &Head<'_>) -> Self {
        ResultSet { prefix: prefix(head), suffix: b"]}".to_vec() }
    }

    /// The whole answer of a fan-out that failed: the same shape, no rows, and the members of an ITS-REST error.
    #[must_use]
    pub fn failed(head: &Head<'_>, failure: &Failure) -> Vec<u8> {
        let mut body = prefix(head);
        body.push(b']');
        member(&mut body, "message", &failure.message);
        member(&mut body, "code", failure.code.as_str());
        body.extend_from_slice(b",\"validationErrors\":[]");
        member(&mut body, "request_id", &failure.request_id);
        body.push(b'}');
        body
    }
}

fn prefix(head: &Head<'_>) -> Vec<u8> {
    let meta = Meta {
        kind: "RESULTSET",
        schema_version: "1.1.0",
        created: head.created,
        generator: concat!("Tributary/", env!("CARGO_PKG_VERSION")),
        federation: head.federation,
    };
    let mut body = b"{\"meta\":".to_vec();
    write(&mut body, &meta);
    if let Some(name) = head.name {
        member(&mut body, "name", name);
    }
    if let Some(q) = head.q {
        member(&mut body, "q", q);
    }
    body.extend_from_slice(b",\"columns\":");
    write(&mut body, head.columns);
    body.extend_from_slice(b",\"rows\":[");
    body
}

fn member(body: &mut Vec<u8>, name: &str, value: &str) {
    body.extend_from_slice(b",\"");
    body.extend_from_slice(name.as_bytes());
    body.extend_from_slice(b"\":");
    write(body, value);
}

#[expect(clippy::expect_used, reason = "our own members have text keys and no fallible serialiser, and a Vec takes every byte")]
fn write<T: Serialize + ?Sized>(body: &mut Vec<u8>, value: &T) {
    serde_json::to_writer(body, value).expect("own members serialise");
}
