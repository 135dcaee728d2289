//! Which headers travel: by an allow-list in both directions, so that a header nobody thought of stays where it is
//! (SPEC §4). Lines keep their order, their repetitions and their empty values.

use http::header::{CONNECTION, HeaderMap, HeaderName, HeaderValue, VIA};

use crate::registry::Endpoint;

/// The endpoint that acted (MUST on every routed answer).
const ENDPOINT: HeaderName = HeaderName::from_static("openehr-federation-endpoint");
/// The system it belongs to (SHOULD).
const SYSTEM_ID: HeaderName = HeaderName::from_static("openehr-federation-system-id");
/// The gateway's own headers, in both directions.
const OWN: &str = "openehr-federation-";

/// Conditional and content headers of requests, beside the families of [`family`].
const TO_NODE: &[&str] =
    &["prefer", "digest", "range", "if-match", "if-none-match", "if-modified-since", "if-unmodified-since", "if-range"];
/// What answers may bring, beside the families.
const FROM_NODE: &[&str] = &[
    "accept-ranges",
    "age",
    "allow",
    "cache-control",
    "deprecated",
    "deprecation",
    "digest",
    "etag",
    "expires",
    "last-modified",
    "link",
    "location",
    "preference-applied",
    "retry-after",
    "sunset",
    "vary",
    "warning",
];

/// The headers a node is sent of a client's.
#[must_use]
pub(super) fn to_node(headers: &HeaderMap) -> HeaderMap {
    chosen(headers, |name| TO_NODE.contains(&name) || name.starts_with("accept") || family(name))
}

/// The headers a client is given of a node's.
#[must_use]
pub(super) fn from_node(headers: &HeaderMap) -> HeaderMap {
    chosen(headers, |name| FROM_NODE.contains(&name) || family(name))
}

/// Content headers, and whatever is openEHR's and not the federation's.
fn family(name: &str) -> bool {
    name.starts_with("content-") || (name.starts_with("openehr-") && !name.starts_with(OWN))
}

fn chosen(headers: &HeaderMap, wanted: impl Fn(&str) -> bool) -> HeaderMap {
    let hop_by_hop: Vec<String> = headers.get_all(CONNECTION).iter().flat_map(nominated).collect();
    let mut kept = HeaderMap::new();
    for (name, value) in headers {
        if wanted(name.as_str()) && !hop_by_hop.iter().any(|nominated| nominated == name.as_str()) {
            kept.append(name, value.clone());
        }
    }
    kept
}

/// The headers that `Connection` says end at this hop.
fn nominated(value: &HeaderValue) -> Vec<String> {
    value.to_str().unwrap_or_default().split(',').map(|name| name.trim().to_ascii_lowercase()).collect()
}

/// Adds us to the intermediaries a message came through.
pub(super) fn add_via(from: &HeaderMap, to: &mut HeaderMap, via: &HeaderValue) {
    for earlier in from.get_all(VIA) {
        to.append(VIA, earlier.clone());
    }
    to.append(VIA, via.clone());
}

/// Names the endpoints that acted, or that an error is about (CP-24).
pub fn add_acting<'a>(headers: &mut HeaderMap, endpoints: impl IntoIterator<Item = &'a Endpoint>) {
    let (mut ids, mut systems) = (Vec::new(), Vec::new());
    for endpoint in endpoints {
        ids.push(endpoint.id.as_str());
        systems.push(endpoint.node.system_id.as_str());
    }
    systems.dedup();
    for (name, values) in [(ENDPOINT, ids), (SYSTEM_ID, systems)] {
        if let (false, Ok(value)) = (values.is_empty(), HeaderValue::try_from(values.join(", "))) {
            headers.insert(name, value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(lines: &[(&str, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(HeaderName::try_from(*name).unwrap(), HeaderValue::try_from(*value).unwrap());
        }
        headers
    }

    #[test]
    fn only_listed_headers_reach_a_node_and_they_keep_their_form() {
        let sent = map(&[
            ("openEHR-AUDIT_DETAILS.change_type", "code_string=\"251\""),
            ("openehr-audit-details", "a=\"1,2\""),
            ("openehr-audit-details", "b=\"2\""),
            ("openehr-item-tag", ""),
            ("If-Match", "\"a::b::1\""),
            ("Content-Type", "application/json"),
            ("Accept-Language", "de"),
            ("Prefer", "return=minimal"),
        ]);
        let mut all = sent.clone();
        for (name, value) in &map(&[
            ("authorization", "Bearer x"),
            ("cookie", "a=b"),
            ("x-forwarded-host", "h"),
            ("forwarded", "host=h"),
            ("x-tenant-id", "t"),
            ("ehrbase-aql-dry-run", "true"),
            ("openehr-federation-endpoint", "a"),
            ("openehr-federation-client", "jws"),
            ("transfer-encoding", "chunked"),
            ("te", "trailers"),
            ("expect", "100-continue"),
            ("host", "gateway"),
            ("openehr-dropped", "1"),
            ("connection", "keep-alive, openehr-dropped"),
        ]) {
            all.append(name, value.clone());
        }
        assert_eq!(to_node(&all), sent);
    }

    #[test]
    fn only_listed_headers_come_back() {
        let answered = map(&[
            ("etag", "\"a::b::1\""),
            ("etag", "W/\"a::b::1\""),
            ("location", "http://node/v1/ehr/1"),
            ("last-modified", "Fri, 02 Jan 1970 10:12:04 GMT"),
            ("content-encoding", "gzip"),
            ("openehr-item-tag", "key=\"a\""),
        ]);
        let mut all = answered.clone();
        for (name, value) in &map(&[
            ("set-cookie", "a=b"),
            ("server", "x"),
            ("www-authenticate", "Basic"),
            ("openehr-federation-endpoint", "forged"),
            ("strict-transport-security", "max-age=1"),
            ("keep-alive", "timeout=5"),
        ]) {
            all.append(name, value.clone());
        }
        assert_eq!(from_node(&all), answered);
    }
}
