//! The last gate: a request as composed, looked at before it leaves.

use http::{HeaderMap, HeaderName, Method};
use thiserror::Error;

use super::needles::Needles;
use super::views;
use crate::plan::PatientReference;

/// The request would carry the patient identifier or its namespace. It must not be sent; a fault of the gateway.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the request to a node would carry the patient identifier in its {part}")]
pub struct Leak {
    /// Where: `method`, `path or query string`, `headers`, `body`.
    pub part: &'static str,
}

/// Searches requests for one patient. Made once per plan: making it costs more than searching with it.
#[derive(Clone, Debug)]
pub struct Gate {
    pub(super) needles: Needles,
}

impl Gate {
    /// For this patient.
    #[must_use]
    pub fn new(patient: &PatientReference) -> Self {
        Gate { needles: Needles::of(patient) }
    }

    /// Searches a request. The authority of the URL and `Host` are the operator's own text and not looked at.
    ///
    /// # Errors
    /// [`Leak`], with the part and never the value. A security event says so too.
    pub fn inspect(&self, method: &Method, url: &str, headers: &HeaderMap, body: &[u8]) -> Result<(), Leak> {
        let leak = if self.found(method.as_str().as_bytes()) {
            "method"
        } else if self.found(below_authority(url).as_bytes()) {
            "path or query string"
        } else if headers.iter().any(|(name, value)| self.found_in_header(name, value.as_bytes())) {
            "headers"
        } else if self.found(body) {
            "body"
        } else {
            return Ok(());
        };
        tracing::error!(security = true, part = leak, "request to a node held back: it would carry the patient identifier");
        Err(Leak { part: leak })
    }

    /// Does any form of the identifier or its namespace occur? For what comes back: a node's words.
    #[must_use]
    pub fn occurs_in(&self, text: &str) -> bool {
        self.found(text.as_bytes())
    }

    fn found(&self, text: &[u8]) -> bool {
        views::any(text, |view| self.needles.occur_in(view) || self.needles.stand_quoted_in(view))
    }

    fn found_in_header(&self, name: &HeaderName, value: &[u8]) -> bool {
        if matches!(*name, http::header::HOST | http::header::CONTENT_LENGTH | http::header::VIA) {
            return false;
        }
        let whole = std::str::from_utf8(value).is_ok_and(|value| value.len() > 2 && self.needles.are(value.trim()));
        whole || self.found(name.as_str().as_bytes()) || self.found(value)
    }
}

/// [`Gate::inspect`] for a single request.
///
/// # Errors
/// As there.
pub fn inspect_request(
    method: &Method,
    url: &str,
    headers: &HeaderMap,
    body: &[u8],
    patient: &PatientReference,
) -> Result<(), Leak> {
    Gate::new(patient).inspect(method, url, headers, body)
}

/// Path and query string of an absolute URL; a relative one is all of that.
fn below_authority(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    if rest.len() == url.len() { url } else { rest.find(['/', '?', '#']).and_then(|at| rest.get(at..)).unwrap_or_default() }
}
