//! The headers of a query request that the gateway reads (§7a, §8, §10, §11.4, §11.5).

use std::collections::BTreeSet;
use std::time::Duration;

use http::HeaderMap;

use super::{Completeness, DedupMode, IntakeError, Targeting, prefer};
use crate::ids::{EhrId, EndpointId, OrganisationId};

const ENDPOINT: &str = "openEHR-federation-endpoint";
const ORGANISATION: &str = "openEHR-federation-organisation";
const COMPLETENESS: &str = "openEHR-federation-completeness";
const DEDUP: &str = "openEHR-federation-dedup";
const EHR_ID: &str = "openehr-ehr-id";

/// The most ids a targeting header may name.
const MOST_IDS: usize = 1024;

/// What the headers say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FederationHeaders {
    /// Whom the client wants asked.
    pub targeting: Targeting,
    /// May a part be answered?
    pub completeness: Completeness,
    /// Which copies are suppressed.
    pub dedup: DedupMode,
    /// `Prefer: wait=<seconds>`.
    pub wait: Option<Duration>,
    /// `Prefer: respond-async`.
    pub respond_async: bool,
    /// `openehr-ehr-id`.
    pub ehr_id: Option<EhrId>,
}

/// Reads the headers.
///
/// # Errors
/// A header that is empty, repeated where one value is wanted, or of a value not known (SPEC §2.1).
pub fn read_headers(headers: &HeaderMap) -> Result<FederationHeaders, IntakeError> {
    // A preference that is no text is one not understood, and passed over.
    let lines = headers.get_all(http::header::HeaderName::from_static("prefer")).iter().filter_map(|line| line.to_str().ok());
    let preferences = prefer::preferences(lines);
    Ok(FederationHeaders {
        targeting: targeting(headers)?,
        completeness: match one(headers, COMPLETENESS)? {
            None | Some("all") => Completeness::All,
            Some("partial") => Completeness::Partial,
            Some(_) => return Err(bad(COMPLETENESS, "must be `all` or `partial`")),
        },
        dedup: match one(headers, DEDUP)? {
            None | Some("none") => DedupMode::None,
            Some("version-identity") => DedupMode::VersionIdentity,
            Some(_) => return Err(bad(DEDUP, "must be `none` or `version-identity`")),
        },
        wait: preferences.wait,
        respond_async: preferences.respond_async,
        ehr_id: one(headers, EHR_ID)?.map(EhrId::new),
    })
}

fn targeting(headers: &HeaderMap) -> Result<Targeting, IntakeError> {
    let endpoints = ids(headers, ENDPOINT)?;
    let organisations = ids(headers, ORGANISATION)?;
    match (endpoints, organisations) {
        (None, None) => Ok(Targeting::Undirected),
        (Some(ids), None) => Ok(Targeting::Endpoints(ids.into_iter().map(EndpointId::new).collect())),
        (None, Some(ids)) => Ok(Targeting::Organisations(ids.into_iter().map(OrganisationId::new).collect())),
        (Some(endpoints), Some(organisations)) => Err(IntakeError::TwoTargetHeaders {
            endpoints: Targeting::Endpoints(endpoints.into_iter().map(EndpointId::new).collect()),
            organisations: Targeting::Organisations(organisations.into_iter().map(OrganisationId::new).collect()),
        }),
    }
}

/// The ids of every line of a header: a list, each trimmed, none empty.
fn ids<'a>(headers: &'a HeaderMap, name: &'static str) -> Result<Option<BTreeSet<&'a str>>, IntakeError> {
    let mut ids = BTreeSet::new();
    let mut lines = 0;
    for line in headers.get_all(name.to_ascii_lowercase()) {
        lines += 1;
        for id in text(line, name)?.split(',').map(str::trim) {
            if id.is_empty() {
                return Err(bad(name, "has an empty entry: name ids of the registry, separated by commas"));
            }
            ids.insert(id);
        }
    }
    if ids.len() > MOST_IDS {
        return Err(bad(name, "names more ids than a request may"));
    }
    Ok((lines > 0).then_some(ids))
}

/// The value of a header that may occur once.
fn one<'a>(headers: &'a HeaderMap, name: &'static str) -> Result<Option<&'a str>, IntakeError> {
    let mut lines = headers.get_all(name.to_ascii_lowercase()).iter();
    let Some(first) = lines.next() else { return Ok(None) };
    if lines.next().is_some() {
        return Err(bad(name, "occurs more than once"));
    }
    match text(first, name)?.trim() {
        "" => Err(bad(name, "is empty")),
        value => Ok(Some(value)),
    }
}

fn text<'a>(value: &'a http::HeaderValue, name: &'static str) -> Result<&'a str, IntakeError> {
    value.to_str().map_err(|_| bad(name, "has characters outside printable ASCII"))
}

fn bad(header: &'static str, problem: &'static str) -> IntakeError {
    IntakeError::Header { header, problem }
}
