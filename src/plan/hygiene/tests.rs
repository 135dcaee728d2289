//! What counts as an occurrence, and what does not.

use http::{HeaderMap, HeaderValue, Method};

use super::*;
use crate::plan::PatientReference;
use crate::sensitive::Sensitive;

fn gate(value: &str, namespace: &str) -> Gate {
    Gate::new(&PatientReference { namespace: Sensitive::new(namespace.to_owned()), value: Sensitive::new(value.to_owned()) })
}

const URL: &str = "http://north.example.org/openehr/v1/query/aql";
const NAMESPACE: &str = "urn:oid:2.999.31.7";

fn part(gate: &Gate, url: &str, headers: &[(&'static str, &str)], body: &str) -> Option<&'static str> {
    let map: HeaderMap =
        headers.iter().map(|(name, value)| (name.parse().unwrap(), HeaderValue::from_str(value).unwrap())).collect();
    gate.inspect(&Method::POST, url, &map, body.as_bytes()).err().map(|leak| leak.part)
}

#[test]
fn every_encoding_is_seen_in_every_part() {
    let patient = gate("PAT-9XK77231", NAMESPACE);
    for form in [
        "PAT-9XK77231",
        "pat-9xk77231",
        "PAT%2D9XK77231",
        "%50%41%54-9XK77231",
        "PAT%252D9XK77231",
        "x%2550AT-9XK77231y",
        "urn:oid:2.999.31.7",
        "urn%3Aoid%3A2.999.31.7",
        "URN%3aOID%3a2.999.31.7",
        "VVJOUEFULTlYSzc3MjMx",
        "5041542d39584b3737323331",
    ] {
        assert_eq!(part(&patient, &format!("{URL}?x={form}"), &[], ""), Some("path or query string"), "{form}");
        assert_eq!(part(&patient, &format!("http://north/{form}/v1"), &[], ""), Some("path or query string"), "{form}");
        assert_eq!(part(&patient, URL, &[("openehr-audit", form)], ""), Some("headers"), "{form}");
        assert_eq!(part(&patient, URL, &[], &format!(r#"{{"q": "SELECT {form}"}}"#)), Some("body"), "{form}");
    }
    for body in [
        r#"{"q": "\u0050AT-9XK77231"}"#,
        r#"{"q": "\\u0050AT-9XK77231"}"#,
        r#"{"q": "\\120AT-9XK77231"}"#,
        r#"{"q": "P\\x41T-9XK77231"}"#,
        r#"{"q": "P\u0025\u0034\u0031T-9XK77231"}"#,
        r#"{"q": "&#80;&#x41;&#0084-9XK77231"}"#,
        r#"{"q": "\u0026#80;AT-9XK77231"}"#,
    ] {
        assert_eq!(part(&patient, URL, &[], body), Some("body"), "{body}");
    }
}

#[test]
fn base64_is_seen_wherever_it_begins() {
    use base64::Engine;
    let patient = gate("PAT-9XK77231", NAMESPACE);
    for before in ["", "x", "xy", "xyz"] {
        for secret in ["PAT-9XK77231", NAMESPACE] {
            let encoded = base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(format!("{{\"sub\":\"{before}{secret}\"}}"));
            assert_eq!(
                part(&patient, URL, &[("openehr-federation-client", &format!("a.{encoded}.b"))], ""),
                Some("headers"),
                "{before}"
            );
        }
    }
}

#[test]
fn what_is_not_the_patient_passes() {
    let body = r#"{"q": "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c[openEHR-EHR-COMPOSITION.report.v1] WHERE e/ehr_id/value = '0c5f1d1e-4199-4c9e-9a43-5b1f6f0f3a11' AND c/a > 1 LIMIT 10"}"#;
    for (value, namespace) in [
        ("PAT-9XK77231", NAMESPACE),
        ("1", "openehr"),
        ("10", "EHR"),
        ("4199", "x"),
        ("value", "composition"),
        ("Müller", NAMESPACE),
    ] {
        assert_eq!(part(&gate(value, namespace), URL, &[("content-length", "10"), ("via", "1.1 x")], body), None, "{value}");
    }
    // A group of a UUID is the node's own id for somebody, whoever it is.
    assert_eq!(part(&gate("9A43-5", NAMESPACE), URL, &[("traceparent", "00-0c5f1d1e-01")], body), None);
}

#[test]
fn short_identifiers_count_where_they_are_quoted_whole() {
    let patient = gate("17", "ns");
    assert_eq!(part(&patient, URL, &[], r#"{"q": "WHERE c/a = '17'"}"#), Some("body"));
    assert_eq!(part(&patient, URL, &[], r#"{"q": "WHERE c/a = \"17\""}"#), Some("body"));
    assert_eq!(part(&patient, URL, &[], r#"{"q": "WHERE c/a = 'ns'"}"#), Some("body"));
    assert_eq!(part(&patient, URL, &[], r#"{"q": "WHERE c/a = '170'"}"#), None);
}

#[test]
fn the_authority_is_the_operators() {
    let patient = gate("north.example.org", "ns");
    assert_eq!(part(&patient, URL, &[("host", "north.example.org")], ""), None);
    assert_eq!(part(&patient, &format!("{URL}?north.example.org"), &[], ""), Some("path or query string"));
}

#[test]
fn a_single_request_is_judged_alike() {
    let patient =
        PatientReference { namespace: Sensitive::new(NAMESPACE.to_owned()), value: Sensitive::new("Müller 7".to_owned()) };
    let judged = |body: &str| inspect_request(&Method::POST, URL, &HeaderMap::new(), body.as_bytes(), &patient).is_err();
    assert!(judged("MÜLLER 7") && judged("m%C3%BCller+7") && judged(r"M\u00fcller 7") && !judged("Muller 7"));
    assert!(!format!("{:?}", Gate::new(&patient)).contains("7"));
}
