//! Queries around a marker identifier: whatever is planned sends nothing of it, whatever is refused says nothing of it.

use proptest::prelude::*;

use super::*;
use crate::intake::assemble;

const MARKER: &str = "PAT-9XK77231";
const NAMESPACE: &str = "urn:oid:2.999.31.7";

/// Spellings of a text inside an AQL literal.
fn spelled(how: usize, text: &str) -> String {
    let each = |form: &dyn Fn(char) -> String| text.chars().map(form).collect::<String>();
    match how % 9 {
        0 => text.to_owned(),
        1 => text.to_lowercase(),
        2 => each(&|char| format!("\\u{:04x}", char as u32)),
        3 => each(&|char| format!("%{:02X}", char as u32)),
        4 => each(&|char| format!("%25{:02x}", char as u32)),
        5 => format!("see {text}!"),
        6 => each(&|char| format!("{char}.")),
        7 => base64::Engine::encode(&base64::engine::general_purpose::STANDARD, format!("x{text}y")),
        _ => each(&|char| format!("{:02X}", char as u32)),
    }
}

/// Ways to bring a text into a query beside the patient predicate.
fn placed(place: usize, text: &str) -> String {
    let (first, second) = text.split_at((text.len() / 2..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(0));
    let condition = match place % 17 {
        0 => format!("c/name/value = '{text}'"),
        1 => format!("c/name/value LIKE '*{text}*'"),
        2 => format!("c/name/value MATCHES {{'x', '{text}'}}"),
        3 => format!("NOT (c/name/value != \"{text}\" OR c/name/value = 'y')"),
        4 => format!("c/content[name/value='{text}']/data/value = 3"),
        5 => format!("c/content[at0001, '{text}']/data/value = 3"),
        6 => format!("c/name/value = CONCAT('{first}', '{second}')"),
        7 => format!("c/name/value = CONCAT_WS('', '{first}', CONCAT('{second}'))"),
        8 => format!("c/name/value = SUBSTRING('ab{text}cd', 3, 40)"),
        9 => format!("c/name/value = CONCAT(c/language, '{first}', '{second}')"),
        10 => format!("LENGTH('{text}') > 1"),
        11 => format!("c/name/value MATCHES TERMINOLOGY('expand', 'hl7.org/fhir/4.0', '{text}')"),
        12 => format!("c/composer/identifiers/id = '{text}'"),
        13 => format!("c/name/value = '{first}' AND c/composer/name = '{second}'"),
        14 => format!("c/name/value = other('{first}', '{second}')"),
        15 => format!("c/uid/value = '{text}::north::1'"),
        _ => {
            return format!(
                "SELECT c/uid/value, '{text}' AS t, LENGTH(CONCAT('{first}', '{second}')) FROM EHR e CONTAINS COMPOSITION c WHERE {{who}}"
            );
        }
    };
    format!("SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE {{who}} AND {condition}")
}

fn who() -> String {
    format!(
        "e/ehr_status/subject/external_ref/id/value = '{MARKER}' AND e/ehr_status/subject/external_ref/namespace = '{NAMESPACE}'"
    )
}

fn request_of(aql: &str) -> Option<QueryRequest> {
    let raw = RawQuery { text: Some(QueryText(aql.to_owned())), ..RawQuery::default() };
    assemble(raw, None, read_headers(&http::HeaderMap::new()).unwrap()).ok()
}

/// Plans it; if it can be planned, nothing of the patient is in what is sent.
fn judged(aql: &str) -> Option<PlanError> {
    let request = request_of(aql)?;
    match plan(&request, &context()) {
        Err(error) => {
            let message = error.to_string().to_lowercase();
            assert!(
                !message.contains(&MARKER.to_lowercase()) && !message.contains("9xk7") && !message.contains(NAMESPACE),
                "{message}"
            );
            Some(error)
        }
        Ok(plan) => {
            let sent = text(&plan);
            if let Some(gate) = &plan.gate {
                let body = serde_json::json!({ "q": sent }).to_string();
                gate.inspect(&http::Method::POST, "http://north/v1/query/aql", &http::HeaderMap::new(), body.as_bytes())
                    .unwrap_or_else(|leak| panic!("{leak}\n{aql}\n{sent}"));
                assert!(!sent.to_lowercase().contains("9xk77231"), "{sent}");
            }
            None
        }
    }
}

#[test]
fn track10_every_form_in_every_place_is_refused() {
    for place in 0..17 {
        for how in 0..9 {
            for secret in [MARKER, NAMESPACE] {
                // Halves of an encoded text are no form anyone decodes; a namespace is not looked for between dots, nor in pieces.
                let halved = matches!(place, 6 | 7 | 9 | 13 | 14) && how != 0 && how != 1;
                let pieces = secret == NAMESPACE && (matches!(place, 13) || how == 6);
                if halved || pieces {
                    continue;
                }
                let written = spelled(how, secret);
                let aql = placed(place, &written).replace("{who}", &who());
                let constant = place == 16;
                match judged(&aql) {
                    Some(error) => assert_eq!(error.code(), ErrorCode::IdentifierLeak, "{aql}\n{error}"),
                    None => assert!(constant || request_of(&aql).is_none(), "planned: {aql}"),
                }
            }
        }
    }
}

#[test]
fn a_medium_identifier_is_seen_wherever_the_client_writes() {
    for (select, from, condition) in [
        ("c/uid/value AS p70123", "COMPOSITION c", "c/name/value = 'x'"),
        ("x70123y/uid/value", "COMPOSITION x70123y", "x70123y/name/value = 'x'"),
        ("c/uid/value", "COMPOSITION c", "c/content[at70123]/value = 1"),
        ("c/uid/value", "COMPOSITION c", "c/content70123/value = 1"),
        ("c/uid/value", "COMPOSITION c", "c/value > 70123"),
        ("c/uid/value", "COMPOSITION c", "c/value > 1.70123"),
        ("c/uid/value", "COMPOSITION c", "c/name/value = 'a70123b'"),
        ("c/uid/value", "COMPOSITION c[openEHR-EHR-COMPOSITION.x70123.v1]", "c/name/value = 'x'"),
        ("c/uid/value", "COMPOSITION c", "c/name/value LIKE '7012?'"),
        ("c/uid/value", "COMPOSITION c", "c/name/value = CONCAT(c/x, 70, 123)"),
        ("c/uid/value", "COMPOSITION c", "f70123(c/x) = 1"),
    ] {
        let who = "e/ehr_status/subject/external_ref/id/value = '70123'";
        let error = refused(&format!("SELECT {select} FROM EHR e CONTAINS {from} WHERE {who} AND {condition}"));
        assert_eq!(error.code(), ErrorCode::IdentifierLeak, "{select} {from} {condition}");
    }
}

#[test]
fn queries_that_only_look_alike_are_planned() {
    for (value, condition) in [
        ("1", "c/value > 1 AND c/name/value = '11'"),
        ("2024", "c/context/start_time/value > '2024-01-01T00:00:00Z'"),
        ("patient-1", "c/name/value = 'patient summary' AND c/x = 1"),
        ("MRN-700123", "c/name/value LIKE '*' AND c/x = 700"),
        ("0001", "c/content[at0001]/value = 1"),
        ("conte", "c/content/name/value = 'x'"),
    ] {
        planned(&format!(
            "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE e/ehr_status/subject/external_ref/id/value = '{value}' AND {condition}"
        ));
    }
}

#[test]
fn security_events_say_that_and_where_but_not_what() {
    let log = crate::plan::tests::log::captured(|| {
        refused(&placed(0, MARKER).replace("{who}", &who()));
        let plan = planned(&placed(0, "x").replace("{who}", &who()));
        let gate = plan.gate.unwrap();
        assert!(gate.inspect(&http::Method::GET, &format!("http://north/{MARKER}"), &http::HeaderMap::new(), b"").is_err());
    });
    assert_eq!(log.matches("security=true").count(), 4, "{log}");
    assert!(log.contains("line=1") && log.contains("path or query string"), "{log}");
    assert!(!log.contains("9XK") && !log.contains(NAMESPACE), "{log}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn no_mutation_leaks_or_panics(place in 0_usize..17, how in 0_usize..9, cut in 0_usize..12, tail in 0_usize..40, noise in "[a-z'%\\\\ \u{e9}]{0,6}") {
        let secret: String = MARKER.chars().skip(cut / 3).collect();
        let mut aql = placed(place, &format!("{}{noise}", spelled(how, &secret))).replace("{who}", &who());
        judged(&aql);
        let at = aql.len().saturating_sub(tail);
        if aql.is_char_boundary(at) {
            aql.truncate(at);
            judged(&aql);
        }
    }

    #[test]
    fn any_tail_behind_the_patient_is_planned_or_refused(tail in "( AND | OR |NOT |c/name/value|o/subject/identifiers/id|e/ehr_status|=|'PAT-9XK77231'|'x'| LIKE |\\(|\\)| ORDER BY | LIMIT 3|,){0,8}") {
        judged(&format!("SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c CONTAINS OBSERVATION o WHERE {}{tail}", who()));
    }
}

#[test]
fn a_name_or_number_that_spells_the_identifier_without_its_signs_is_refused() {
    let refused_for = |value: &str, select: &str, condition: &str| {
        let who = format!("e/ehr_status/subject/external_ref/id/value = '{value}'");
        plan(&request(&format!("SELECT {select} FROM EHR e CONTAINS COMPOSITION c WHERE {who} AND {condition}")), &context())
            .err()
            .map(|error| error.code())
    };
    let (plain, leak) = ("c/a = 1", Some(ErrorCode::IdentifierLeak));
    for (value, select, condition, expected) in [
        ("MRN-700123-1", "c/uid/value AS MRN_700123_1", plain, leak),
        ("MRN-700123-1", "c/uid/value AS ofMrn7001231", plain, leak),
        ("MRN-700123-1", "c/MRN7001231/value", plain, leak),
        ("700-123-456", "c/uid/value", "c/a > 700123456", leak),
        ("MRN-700123-1", "c/uid/value AS MRN_700123", plain, None),
        ("compo-sition", "c/uid/value AS composition", plain, None),
        ("a-1", "c/uid/value AS a1", plain, None),
    ] {
        assert_eq!(refused_for(value, select, condition), expected, "{value} {select} {condition}");
    }
}
