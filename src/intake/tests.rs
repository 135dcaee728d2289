//! Requests well and badly formed.

use std::time::Duration;

use http::{HeaderMap, HeaderName, HeaderValue};
use openehr_aql::ast::LiteralKind;
use proptest::prelude::*;

use super::*;
use crate::error::ErrorCode;

const QUERY: &str = "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE c/name/value = $x";

fn headers(lines: &[(&str, &str)]) -> HeaderMap {
    let mut map = HeaderMap::new();
    for (name, value) in lines {
        map.append(name.to_ascii_lowercase().parse::<HeaderName>().unwrap(), HeaderValue::from_str(value).unwrap());
    }
    map
}

fn read(lines: &[(&str, &str)]) -> Result<FederationHeaders, IntakeError> {
    read_headers(&headers(lines))
}

fn whole(body: &str, lines: &[(&str, &str)]) -> Result<QueryRequest, IntakeError> {
    assemble(read_post(body.as_bytes())?, None, read(lines)?)
}

fn body(aql: &str, rest: &str) -> String {
    format!(r#"{{"q": {}{rest}}}"#, serde_json::Value::from(aql))
}

#[test]
fn a_json_value_binds_the_literal_of_its_kind_and_keeps_its_digits() {
    for (json, kind, text) in [
        (r#""it's""#, LiteralKind::String, r"'it\'s'"),
        ("\"\\u0041\"", LiteralKind::String, "'A'"),
        ("12", LiteralKind::Integer, "12"),
        ("-9007199254740993", LiteralKind::Integer, "-9007199254740993"),
        ("1.50", LiteralKind::Real, "1.50"),
        ("1E5", LiteralKind::ScientificInteger, "1E5"),
        ("true", LiteralKind::Boolean, "true"),
        ("false", LiteralKind::Boolean, "false"),
    ] {
        let raw = read_post(body(QUERY, &format!(r#", "query_parameters": {{"x": {json}}}"#)).as_bytes()).unwrap();
        let literal = raw.parameters.get("x").unwrap();
        assert_eq!((literal.kind, literal.text.as_str()), (kind, text), "{json}");
        assert!(assemble(raw, None, read(&[]).unwrap()).unwrap().query.to_string().ends_with(text));
    }
}

#[test]
fn null_arrays_and_objects_are_refused_by_name_and_not_by_value() {
    for json in ["null", "[\"secret\"]", "{\"a\": \"secret\"}"] {
        let error = read_post(body(QUERY, &format!(r#", "query_parameters": {{"pid": {json}}}"#)).as_bytes()).unwrap_err();
        assert_eq!(error.code(), ErrorCode::InvalidParameter);
        assert!(error.to_string().contains("`pid`") && !error.to_string().contains("secret"), "{error}");
    }
}

#[test]
fn bodies_that_are_none_are_refused_with_their_code() {
    for (body, code) in [
        ("", ErrorCode::InvalidRequest),
        ("{", ErrorCode::InvalidJson),
        ("\u{0}", ErrorCode::InvalidJson),
        ("[]", ErrorCode::InvalidJson),
        ("\"q\"", ErrorCode::InvalidJson),
        ("{}", ErrorCode::InvalidRequest),
        (r#"{"q": 1}"#, ErrorCode::InvalidRequest),
        (r#"{"q": null}"#, ErrorCode::InvalidRequest),
        (r#"{"q": "SELECT", "q": "SELECT"}"#, ErrorCode::InvalidRequest),
        (r#"{"other": 1, "other": 2, "q": "x"}"#, ErrorCode::InvalidRequest),
        (r#"{"q": "x", "query_parameters": []}"#, ErrorCode::InvalidRequest),
        (r#"{"q": "x", "query_parameters": {"a": 1, "\u0061": 1}}"#, ErrorCode::InvalidRequest),
        (r#"{"q": "x", "query_parameters": {"a b": 1}}"#, ErrorCode::InvalidParameter),
        (r#"{"q": "x", "fetch": 0}"#, ErrorCode::InvalidRequest),
        (r#"{"q": "x", "fetch": 1.5}"#, ErrorCode::InvalidRequest),
        (r#"{"q": "x", "offset": -1}"#, ErrorCode::InvalidRequest),
        (r#"{"q": "x", "offset": "1e3"}"#, ErrorCode::InvalidRequest),
        (r#"{"q": "x", "offset": 18446744073709551616}"#, ErrorCode::InvalidRequest),
        (r#"{"q": "x", "ehr_id": ""}"#, ErrorCode::InvalidRequest),
        (r#"{"q": "x", "ehr_id": 7}"#, ErrorCode::InvalidRequest),
        (r#"{"q": "SELECT c/name/value FORM EHR e"}"#, ErrorCode::InvalidAql),
        (r#"{"q": "SELECT x/name/value FROM EHR e"}"#, ErrorCode::InvalidQuery),
        (r#"{"q": "SELECT e FROM EHR e WHERE e/ehr_id/value = $missing"}"#, ErrorCode::InvalidParameter),
    ] {
        assert_eq!(whole(body, &[]).unwrap_err().code(), code, "{body}");
    }
    let many = (0..300).map(|index| format!("\"p{index}\": 1")).collect::<Vec<_>>().join(",");
    for body in [format!("{{{many}}}"), format!(r#"{{"q": "x", "query_parameters": {{{many}}}}}"#)] {
        assert!(matches!(read_post(body.as_bytes()).unwrap_err(), IntakeError::TooMany { .. }));
    }
}

#[test]
fn deep_nesting_is_passed_over_or_refused_and_never_walked() {
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    assert!(read_post(body(QUERY, &format!(r#", "ignored": {deep}"#)).as_bytes()).is_ok());
    let aql = format!("SELECT e FROM EHR e WHERE {}e/a = 1{}", "(".repeat(5000), ")".repeat(5000));
    assert_eq!(whole(&body(&aql, ""), &[]).unwrap_err().code(), ErrorCode::AqlTooComplex);
}

#[test]
fn members_of_other_names_and_unused_parameters_are_ignored() {
    let body = body(
        "SELECT e FROM EHR e",
        r#", "comment": {"a": 1}, "fetch": "10", "offset": 5, "ehr_id": "x", "query_parameters": {"unused": 1}"#,
    );
    let request = whole(&body, &[]).unwrap();
    assert_eq!(request.page, Page { offset: Some(5), fetch: Some(10) });
    assert_eq!(request.ehr_id, Some(EhrId::new("x")));
}

#[test]
fn variables_are_spelled_as_from_declares_them_and_columns_as_the_client_wrote_them() {
    let request = whole(&body("SELECT E/ehr_id/value FROM EHR e", ""), &[]).unwrap();
    assert_eq!(request.query.to_string(), "SELECT e/ehr_id/value FROM EHR e");
    assert_eq!(request.text, "SELECT E/ehr_id/value FROM EHR e");
}

#[test]
fn errors_in_the_query_quote_none_of_its_literals() {
    for aql in [
        "SELECT c/name/value FROM EHR e WHERE e/a = 'PAT-1' 'PAT-1'",
        "SELECT c FROM EHR e CONTAINS COMPOSITION c WHERE c/x LIKE PAT-1",
        "SELECT e FROM EHR e WHERE e/a = 'PAT-1",
        "SELECT e FROM EHR e WHERE e/a == 'PAT-1'",
        "SELECT e FROM EHR e WHERE e/a = 'PAT-1' GROUP BY e/a",
    ] {
        let message = whole(&body(aql, ""), &[]).unwrap_err().to_string();
        assert!(message.contains("line 1, column") && !message.contains("PAT"), "{message}");
    }
}

#[test]
fn a_query_string_gives_texts() {
    let raw = read_get("q=SELECT+e%20FROM&x=140&fetch=3&offset=1&ehr_id=a%2Db&_format=json&y=").unwrap();
    assert_eq!(raw.text, Some(QueryText("SELECT e FROM".to_owned())));
    assert_eq!(raw.parameters.get("x").unwrap().kind, LiteralKind::String);
    assert_eq!(raw.parameters.get("y").unwrap().text, "''");
    assert_eq!((raw.page, raw.ehr_id), (Page { offset: Some(1), fetch: Some(3) }, Some(EhrId::new("a-b"))));
}

#[test]
fn packed_parameters_are_read_as_their_own() {
    for query in [
        "query_parameters=a%3D1%26b%3Dx%2520y",
        "query_parameters=a=1&b=x+y",
        "query_parameters={\"a\":\"1\",\"b\":\"x y\"}",
        "a=1&b=x%20y",
    ] {
        let raw = read_get(query).unwrap();
        let values: Vec<_> = ["a", "b"].map(|name| raw.parameters.get(name).unwrap().decoded().into_owned()).into();
        assert_eq!(values, ["1", "x y"], "{query}");
    }
}

#[test]
fn bad_query_strings_are_refused() {
    for query in [
        "q=a&q=b",
        "x=1&x=2",
        "query_parameters=a%3D1&a=2",
        "x=%4",
        "x=%zz",
        "x=%ff",
        "fetch=0",
        "offset=x",
        "ehr_id=",
        "query_parameters=1a%3D2",
    ] {
        let code = read_get(query).unwrap_err().code();
        assert!(matches!(code, ErrorCode::InvalidRequest | ErrorCode::InvalidParameter), "{query}");
    }
    assert!(!read_get("a%20secret=1&a%20secret=2").unwrap_err().to_string().contains("secret"));
}

#[test]
fn targeting_headers_are_lists_over_any_number_of_lines() {
    let read = read(&[("openEHR-federation-endpoint", " b ,a"), ("openEHR-federation-endpoint", "c")]).unwrap();
    assert_eq!(read.targeting, Targeting::Endpoints(["a", "b", "c"].map(EndpointId::new).into()));
}

#[test]
fn headers_of_unknown_values_are_refused() {
    for (name, value) in [
        ("openEHR-federation-endpoint", ""),
        ("openEHR-federation-endpoint", "a,,b"),
        ("openEHR-federation-organisation", " "),
        ("openEHR-federation-completeness", "most"),
        ("openEHR-federation-completeness", ""),
        ("openEHR-federation-dedup", "by-name"),
        ("openehr-ehr-id", " "),
    ] {
        let error = read(&[(name, value)]).unwrap_err();
        assert_eq!(error.code(), ErrorCode::InvalidHeader);
        assert!(error.to_string().contains(name));
    }
    let twice = ("openEHR-federation-completeness", "all");
    assert_eq!(read(&[twice, twice]).unwrap_err().code(), ErrorCode::InvalidHeader);
    let both = read(&[("openEHR-federation-endpoint", "a"), ("openEHR-federation-organisation", "o")]).unwrap_err();
    assert_eq!(
        (both.code(), both.to_string().contains("`a`") && both.to_string().contains("`o`")),
        (ErrorCode::ConflictingTargets, true)
    );
}

#[test]
fn completeness_and_dedup_are_read() {
    let read = |lines| read(lines).map(|read| (read.completeness, read.dedup)).unwrap();
    assert_eq!(read(&[]), (Completeness::All, DedupMode::None));
    let all = [("openEHR-federation-completeness", "all"), ("openEHR-federation-dedup", "none")];
    assert_eq!(read(&all), (Completeness::All, DedupMode::None));
    let other = [("openehr-federation-completeness", "partial"), ("openehr-federation-dedup", "version-identity")];
    assert_eq!(read(&other), (Completeness::Partial, DedupMode::VersionIdentity));
}

#[test]
fn preferences_follow_rfc_7240() {
    for (lines, wait, respond_async) in [
        (vec!["wait=10"], Some(10), false),
        (vec!["respond-async, wait=10"], Some(10), true),
        (vec!["respond-async", "Wait = \"10\"; x=y"], Some(10), true),
        (vec!["foo; bar=\"a, wait=3\", wait=7"], Some(7), false),
        (vec!["foo=\"a\\\", wait=3\", RESPOND-ASYNC"], None, true),
        (vec!["wait=5, wait=1"], Some(5), false),
        (vec!["return=minimal"], None, false),
        (vec!["wait=-1"], None, false),
        (vec!["wait=1.5"], None, false),
        (vec!["wait"], None, false),
        (vec!["wait=99999999999999999999999"], None, false),
        (vec!["wait=0"], Some(0), false),
        (vec!["", ",,"], None, false),
    ] {
        let lines: Vec<_> = lines.into_iter().map(|line| ("Prefer", line)).collect();
        let read = read(&lines).unwrap();
        assert_eq!((read.wait, read.respond_async), (wait.map(Duration::from_secs), respond_async), "{lines:?}");
    }
}

const DIRECTED: &str = "SELECT e FROM ENDPOINT p[\"b\", \"a\"] CONTAINS EHR e";

#[test]
fn cp28_directive_and_header_must_name_the_same_set() {
    let targeting = |lines: &[(&str, &str)]| whole(&body(DIRECTED, ""), lines).map(|request| request.targeting);
    let set = Targeting::Endpoints(["a", "b"].map(EndpointId::new).into());
    assert_eq!(targeting(&[]), Ok(set.clone()));
    assert_eq!(targeting(&[("openEHR-federation-endpoint", "a, b")]), Ok(set));
    for lines in [[("openEHR-federation-endpoint", "a, c")], [("openEHR-federation-organisation", "a, b")]] {
        let error = targeting(&lines).unwrap_err();
        assert_eq!(error.code(), ErrorCode::ConflictingTargets);
        assert!(error.to_string().contains("endpoints `a`, `b`"), "{error}");
    }
}

#[test]
fn targeting_is_never_a_query_parameter_nor_a_text() {
    let raw = read_get("q=SELECT+e+FROM+EHR+e+WHERE+e/a=%27FROM+ENDPOINT+p%5B%22x%22%5D%27&endpoint=x").unwrap();
    let request = assemble(raw, None, read(&[]).unwrap()).unwrap();
    assert_eq!(request.targeting, Targeting::Undirected);
}

#[test]
fn the_two_ehr_ids_agree() {
    let with = |member: &str, header| {
        whole(&body("SELECT e FROM EHR e", &format!(r#", "ehr_id": "{member}""#)), &[("openehr-ehr-id", header)])
    };
    assert_eq!(with("a1", "A1").unwrap().ehr_id, Some(EhrId::new("a1")));
    assert_eq!(with("a1", "a2").unwrap_err().code(), ErrorCode::InvalidRequest);
}

#[test]
fn a_stored_text_counts_before_the_requests_own() {
    let raw = read_post(br#"{"query_parameters": {"x": "a"}}"#).unwrap();
    let request = assemble(raw, Some(QUERY), read(&[]).unwrap()).unwrap();
    assert_eq!(request.text, QUERY);
}

#[test]
fn what_debug_shows_names_no_patient() {
    let request = whole(&body(QUERY, r#", "query_parameters": {"x": "PAT-1"}"#), &[]).unwrap();
    let raw = read_get("q=PAT-1&x=PAT-1").unwrap();
    assert!(!format!("{request:?} {raw:?}").contains("PAT-1"));
}

proptest! {
    #[test]
    fn garbage_is_an_error_and_no_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), text in "[ -~]{0,80}", aql in "\\PC{0,80}") {
        let _ = read_post(&bytes);
        let _ = read_post(text.as_bytes());
        let _ = read_get(&text);
        let _ = whole(&body(&aql, ""), &[]);
        let _ = read(&[("prefer", &text), ("openEHR-federation-endpoint", &text)]);
    }

    #[test]
    fn what_is_encoded_is_what_is_read(value in "\\PC{0,20}") {
        let encoded: String = value.bytes().map(|byte| format!("%{byte:02x}")).collect();
        let raw = read_get(&format!("x={encoded}")).unwrap();
        prop_assert_eq!(raw.parameters.get("x").unwrap().decoded(), value.as_str());
    }
}
