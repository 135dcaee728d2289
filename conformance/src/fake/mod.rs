//! A scripted gateway to try the checks on: it knows three endpoints, one patient and the harness's own queries, and it
//! can be told to be wrong in one way. It is no gateway and shares nothing with one.

mod answer;
mod data;
mod envelope;
mod parse;
mod routes;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use axum::Json;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use serde_json::{Value, json};

/// The patient the fake knows.
pub(crate) const PATIENT: &str = "marker-patient-4711";
/// The patient's namespace.
pub(crate) const NAMESPACE: &str = "urn:oid:2.999.1";
/// An `ehr_id` that two of its nodes claim.
pub(crate) const COLLIDING: &str = "c0111de5-0000-4000-8000-000000000001";

/// How the fake behaves.
#[derive(Clone, Debug)]
pub(crate) struct Manner {
    /// The one thing it does wrong; empty for none.
    pub(crate) flaw: &'static str,
    /// `window`, `reject` or `cursor`.
    pub(crate) offset: &'static str,
    /// Offers nothing that may be left out.
    pub(crate) strict: bool,
    /// Beta fails while this file is there.
    pub(crate) broken: PathBuf,
}

/// A running fake.
pub(crate) struct Fake {
    pub(crate) manner: Manner,
    journal: Mutex<BTreeMap<&'static str, Vec<u8>>>,
    cursors: Mutex<BTreeMap<String, String>>,
    stored: Mutex<BTreeMap<String, String>>,
    pub(crate) turn: AtomicUsize,
}

/// Starts a fake on a free port.
pub(crate) async fn start(manner: Manner) -> SocketAddr {
    let fake = Arc::new(Fake {
        manner,
        journal: Mutex::default(),
        cursors: Mutex::default(),
        stored: Mutex::default(),
        turn: AtomicUsize::default(),
    });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, routes::router(fake)).await });
    address
}

/// A refusal: status and message.
pub(crate) type Refused = (u16, String);

impl Fake {
    pub(crate) fn has(&self, flaw: &str) -> bool {
        self.manner.flaw == flaw
    }

    pub(crate) fn broken(&self) -> bool {
        self.manner.broken.exists() || (self.has("never-mended") && self.turn.load(Ordering::SeqCst) > 0)
    }

    /// Notes what an endpoint's node received.
    pub(crate) fn note(&self, endpoint: &'static str, text: &str) {
        let mut journal = self.journal.lock().unwrap();
        journal.entry(endpoint).or_default().extend_from_slice(format!("POST /v1/query/aql HTTP/1.1\r\n\r\n{text}\n").as_bytes());
    }

    pub(crate) fn error(&self, (status, message): Refused) -> Response {
        let status = StatusCode::from_u16(status).unwrap();
        let body = match self.manner.flaw {
            "bare-errors" => json!({ "error": message }),
            "errors-echo" => json!({ "message": format!("{message} {PATIENT}"), "code": "x", "validationErrors": [] }),
            _ => json!({ "message": message, "code": "refused", "validationErrors": [] }),
        };
        (status, Json(body)).into_response()
    }
}

/// The first value of a header, and whether it is there at all.
pub(crate) fn header<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// A number of the body.
pub(crate) fn count(body: &Value, name: &str) -> Result<Option<usize>, Refused> {
    match body.get(name) {
        None => Ok(None),
        Some(value) => match value.as_u64() {
            Some(number) => Ok(usize::try_from(number).ok()),
            None => Err((400, format!("{name} is no count"))),
        },
    }
}
