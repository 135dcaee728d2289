//! What each node is sent for the queries a federation must be able to rewrite.

use super::*;

struct Case {
    name: &'static str,
    facade: &'static str,
    node: &'static str,
}

const WHO: &str = "e/ehr_status/subject/external_ref/id/value = 'MRN-700123'";

const CASES: &[Case] = &[
    Case {
        name: "the patient becomes the local ehr_id, other conditions stay",
        facade: "SELECT c/uid/value AS document, c/context/start_time/value AS begun FROM EHR e CONTAINS COMPOSITION c WHERE {who} AND c/archetype_node_id = 'openEHR-EHR-COMPOSITION.report.v1'",
        node: "SELECT c/uid/value AS document, c/context/start_time/value AS begun FROM EHR e CONTAINS COMPOSITION c WHERE {} AND c/archetype_node_id = 'openEHR-EHR-COMPOSITION.report.v1'",
    },
    Case {
        name: "directive and endpoint attributes stay here",
        facade: "SELECT p/id AS place, p/system_id AS system, c/uid/value AS document FROM ENDPOINT p [\"north\", \"south\"] CONTAINS EHR e CONTAINS COMPOSITION c WHERE {who}",
        node: "SELECT c/uid/value AS document FROM EHR e CONTAINS COMPOSITION c WHERE {}",
    },
    Case {
        name: "the subject column stays here, the sort key travels hidden, ties are cut by uid",
        facade: "SELECT e/ehr_status/subject/external_ref/id/value AS patient, c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE {who} ORDER BY c/context/start_time/value DESC LIMIT 10",
        node: "SELECT c/uid/value, c/context/start_time/value AS key FROM EHR e CONTAINS COMPOSITION c WHERE {} ORDER BY c/context/start_time/value DESC, c/uid/value LIMIT 10",
    },
    Case {
        name: "DISTINCT goes along",
        facade: "SELECT DISTINCT o/data[at0001]/events[at0006]/data[at0003]/items[at0004]/value/magnitude AS systolic FROM EHR e CONTAINS OBSERVATION o [openEHR-EHR-OBSERVATION.blood_pressure.v2] WHERE {who} AND o/data[at0001]/events[at0006]/data[at0003]/items[at0004]/value/magnitude >= 140",
        node: "SELECT DISTINCT o/data[at0001]/events[at0006]/data[at0003]/items[at0004]/value/magnitude AS systolic FROM EHR e CONTAINS OBSERVATION o[openEHR-EHR-OBSERVATION.blood_pressure.v2] WHERE {} AND o/data[at0001]/events[at0006]/data[at0003]/items[at0004]/value/magnitude >= 140",
    },
    Case {
        name: "a window asks each node for all rows up to its end",
        facade: "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE {who} ORDER BY c/uid/value LIMIT 10 OFFSET 5",
        node: "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE {} ORDER BY c/uid/value LIMIT 15",
    },
    Case {
        name: "a declared aggregate is recombined",
        facade: "SELECT COUNT(c/uid/value) AS n FROM EHR e CONTAINS COMPOSITION c WHERE {who}",
        node: "SELECT COUNT(c/uid/value) AS n FROM EHR e CONTAINS COMPOSITION c WHERE {}",
    },
    Case {
        name: "a clinician's identifier is let through",
        facade: "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE {who} AND c/composer/identifiers/id = 'DR-44'",
        node: "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE {} AND c/composer/identifiers/id = 'DR-44'",
    },
    Case {
        name: "comments stay here",
        facade: "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c -- for MRN-700123\nWHERE {who}",
        node: "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE {}",
    },
    Case {
        name: "cp38 the entry's subject is a carrier too",
        facade: "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c CONTAINS OBSERVATION o WHERE o/subject/identifiers/id = 'MRN-700123'",
        node: "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c CONTAINS OBSERVATION o WHERE {}",
    },
    Case {
        name: "cp38 with its issuer",
        facade: "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c CONTAINS OBSERVATION o WHERE o/subject/identifiers/issuer = 'urn:oid:2.999.7' AND o/subject/identifiers/id = 'MRN-700123'",
        node: "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c CONTAINS OBSERVATION o WHERE {}",
    },
    Case {
        name: "the namespace goes with the identifier",
        facade: "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE {who} AND e/ehr_status/subject/external_ref/namespace = 'urn:oid:2.999.7'",
        node: "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE {}",
    },
    Case {
        name: "selecting a clinician is no leak",
        facade: "SELECT c/composer/identifiers/id AS who, c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE {who}",
        node: "SELECT c/composer/identifiers/id AS who, c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE {}",
    },
    Case {
        name: "cp22 the ehr_id in brackets is the condition",
        facade: "SELECT c/uid/value FROM EHR e[ehr_id/value='0c5f1d1e-2f7b-4c9e-9a43-5b1f6f0f3a11'] CONTAINS COMPOSITION c",
        node: "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE {}",
    },
    Case {
        name: "the patient in the brackets of the EHR",
        facade: "SELECT c/uid/value FROM EHR e[ehr_status/subject/external_ref/id/value='MRN-700123'] CONTAINS COMPOSITION c WHERE c/name/value = 'x'",
        node: "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE {} AND c/name/value = 'x'",
    },
    Case {
        name: "the patient through EHR_STATUS",
        facade: "SELECT c/uid/value FROM EHR e CONTAINS (EHR_STATUS s AND COMPOSITION c) WHERE s/subject/external_ref/id/value = 'MRN-700123'",
        node: "SELECT c/uid/value FROM EHR e CONTAINS (EHR_STATUS s AND COMPOSITION c) WHERE {}",
    },
    Case {
        name: "a query without EHR is put into one",
        facade: "SELECT c/uid/value FROM COMPOSITION c CONTAINS OBSERVATION o[subject/identifiers/id='MRN-700123']",
        node: "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c CONTAINS OBSERVATION o WHERE {}",
    },
    Case {
        name: "TOP becomes LIMIT",
        facade: "SELECT TOP 5 c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE {who} ORDER BY c/uid/value",
        node: "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE {} ORDER BY c/uid/value LIMIT 5",
    },
    Case {
        name: "the time is told, on whichever side it stood",
        facade: "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE {who} AND c/context/start_time/value <= NOW() AND CURRENT_DATE() > c/context/end_time/value",
        node: "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE {} AND c/context/start_time/value <= '2026-05-28T20:26:40.123Z' AND c/context/end_time/value < '2026-05-28'",
    },
    Case {
        name: "no patient, no localizer: sent as it is",
        facade: "SELECT c/uid/value AS document FROM EHR e CONTAINS COMPOSITION c WHERE c/name/value = 'x'",
        node: "SELECT c/uid/value AS document FROM EHR e CONTAINS COMPOSITION c WHERE c/name/value = 'x'",
    },
    Case {
        name: "a condition under OR stays under OR",
        facade: "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE {who} AND (c/name/value = 'x' OR NOT EXISTS c/context)",
        node: "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE {} AND (c/name/value = 'x' OR NOT EXISTS c/context)",
    },
];

#[test]
fn nodes_are_sent_standard_aql_keyed_on_ehr_id() {
    for case in CASES {
        println!("{}", case.name);
        let plan = planned(&case.facade.replace("{who}", WHO));
        sends(&plan, case.node);
        assert!(!text(&plan).contains("700123"));
    }
}

struct Refusal {
    name: &'static str,
    facade: &'static str,
    code: ErrorCode,
    /// Where the refusal points, as the text there begins; empty for no place.
    at: &'static str,
}

const REFUSALS: &[Refusal] = &[
    Refusal {
        name: "under OR",
        facade: "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE {who} OR c/name/value = 'x'",
        code: ErrorCode::IrreducibleSubject,
        at: "e/ehr_status",
    },
    Refusal {
        name: "under NOT",
        facade: "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE NOT {who}",
        code: ErrorCode::IrreducibleSubject,
        at: "e/ehr_status",
    },
    Refusal {
        name: "LIKE",
        facade: "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE e/ehr_status/subject/external_ref/id/value LIKE 'MRN-70012*'",
        code: ErrorCode::IrreducibleSubject,
        at: "e/ehr_status",
    },
    Refusal {
        name: "MATCHES",
        facade: "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE e/ehr_status/subject/external_ref/id/value MATCHES {'MRN-700123'}",
        code: ErrorCode::IrreducibleSubject,
        at: "e/ehr_status",
    },
    Refusal {
        name: "EXISTS",
        facade: "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE {who} AND EXISTS e/ehr_status/subject/external_ref/id/value",
        code: ErrorCode::IrreducibleSubject,
        at: "",
    },
    Refusal {
        name: "another operator",
        facade: "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE e/ehr_status/subject/external_ref/id/value != 'MRN-700123'",
        code: ErrorCode::IrreducibleSubject,
        at: "e/ehr_status",
    },
    Refusal {
        name: "two values",
        facade: "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE {who} AND e/ehr_status/subject/external_ref/id/value = 'MRN-700124'",
        code: ErrorCode::IrreducibleSubject,
        at: "e/ehr_status/subject/external_ref/id/value = 'MRN-700124'",
    },
    Refusal {
        name: "two values, one on an entry",
        facade: "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c CONTAINS OBSERVATION o WHERE {who} AND o/subject/identifiers/id = 'MRN-700124'",
        code: ErrorCode::IrreducibleSubject,
        at: "o/subject",
    },
    Refusal {
        name: "two namespaces",
        facade: "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c CONTAINS OBSERVATION o WHERE {who} AND e/ehr_status/subject/external_ref/namespace = 'a:b' AND o/subject/identifiers/id = 'MRN-700123' AND o/subject/identifiers/issuer = 'c:d'",
        code: ErrorCode::IrreducibleSubject,
        at: "o/subject/identifiers/issuer",
    },
    Refusal {
        name: "a namespace alone",
        facade: "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE e/ehr_status/subject/external_ref/namespace = 'urn:oid:2.999.7'",
        code: ErrorCode::IrreducibleSubject,
        at: "e/ehr_status",
    },
    Refusal {
        name: "a number",
        facade: "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE e/ehr_status/subject/external_ref/id/value = 700123",
        code: ErrorCode::IrreducibleSubject,
        at: "e/ehr_status",
    },
    Refusal {
        name: "another path",
        facade: "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE e/ehr_status/subject/external_ref/id/value = c/name/value",
        code: ErrorCode::IrreducibleSubject,
        at: "e/ehr_status",
    },
    Refusal {
        name: "the whole reference",
        facade: "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE e/ehr_status/subject/external_ref/id = 'MRN-700123'",
        code: ErrorCode::IrreducibleSubject,
        at: "e/ehr_status",
    },
    Refusal {
        name: "in brackets of a step",
        facade: "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE e/ehr_status/subject[external_ref/id/value='MRN-700123']/external_ref/type = 'PERSON'",
        code: ErrorCode::IrreducibleSubject,
        at: "e/ehr_status",
    },
    Refusal {
        name: "in brackets of a selected step",
        facade: "SELECT e/ehr_status[subject/external_ref/id/value='MRN-700123']/uid/value FROM EHR e CONTAINS COMPOSITION c",
        code: ErrorCode::IrreducibleSubject,
        at: "subject/external_ref",
    },
    Refusal {
        name: "in brackets under OR",
        facade: "SELECT c/uid/value FROM EHR e[ehr_status/subject/external_ref/id/value='MRN-700123' or ehr_id/value='x'] CONTAINS COMPOSITION c",
        code: ErrorCode::IrreducibleSubject,
        at: "ehr_status",
    },
    Refusal {
        name: "an entry that not every row has",
        facade: "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c CONTAINS (OBSERVATION o OR EVALUATION v) WHERE o/subject/identifiers/id = 'MRN-700123'",
        code: ErrorCode::IrreducibleSubject,
        at: "o/subject",
    },
    Refusal {
        name: "an entry that is not there",
        facade: "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c NOT CONTAINS OBSERVATION o[subject/identifiers/id='MRN-700123']",
        code: ErrorCode::IrreducibleSubject,
        at: "subject/identifiers",
    },
    Refusal {
        name: "an entry by path only",
        facade: "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE c/content[openEHR-EHR-OBSERVATION.lab.v1]/subject/identifiers/id = 'MRN-700123'",
        code: ErrorCode::IrreducibleSubject,
        at: "c/content",
    },
    Refusal {
        name: "ORDER BY",
        facade: "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE {who} ORDER BY e/ehr_status/subject/external_ref/id/value",
        code: ErrorCode::IrreducibleSubject,
        at: "",
    },
    Refusal {
        name: "ORDER BY its alias",
        facade: "SELECT e/ehr_status/subject/external_ref/id/value AS who FROM EHR e CONTAINS COMPOSITION c WHERE {who} ORDER BY who",
        code: ErrorCode::IrreducibleSubject,
        at: "who",
    },
    Refusal {
        name: "an aggregate",
        facade: "SELECT COUNT(e/ehr_status/subject/external_ref/id/value) FROM EHR e CONTAINS COMPOSITION c WHERE {who}",
        code: ErrorCode::IrreducibleSubject,
        at: "e/ehr_status/subject/external_ref/id/value)",
    },
    Refusal {
        name: "a function",
        facade: "SELECT LENGTH(e/ehr_status/subject/external_ref/id/value) FROM EHR e CONTAINS COMPOSITION c WHERE {who}",
        code: ErrorCode::IrreducibleSubject,
        at: "e/ehr_status/subject/external_ref/id/value)",
    },
    Refusal {
        name: "the value elsewhere",
        facade: "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE {who} AND c/name/value = 'MRN-700123'",
        code: ErrorCode::IdentifierLeak,
        at: "'MRN-700123'",
    },
    Refusal {
        name: "the value as a clinician's",
        facade: "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE {who} AND c/composer/identifiers/id = 'MRN-700123'",
        code: ErrorCode::IdentifierLeak,
        at: "",
    },
    Refusal {
        name: "the default namespace elsewhere",
        facade: "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE {who} AND c/name/value = 'urn:oid:2.999.1'",
        code: ErrorCode::IdentifierLeak,
        at: "'urn",
    },
    Refusal {
        name: "a patient and an EHR",
        facade: "SELECT c/uid/value FROM EHR e[ehr_id/value='x'] CONTAINS COMPOSITION c WHERE {who}",
        code: ErrorCode::InvalidQuery,
        at: "",
    },
    Refusal {
        name: "two EHRs",
        facade: "SELECT c/uid/value FROM EHR e[ehr_id/value='x'] CONTAINS COMPOSITION c WHERE e/ehr_id/value = 'y'",
        code: ErrorCode::InvalidQuery,
        at: "e/ehr_id",
    },
    Refusal {
        name: "an EHR elsewhere",
        facade: "SELECT c/uid/value FROM (EHR e CONTAINS COMPOSITION c) AND (EHR f CONTAINS COMPOSITION d) WHERE {who}",
        code: ErrorCode::InvalidQuery,
        at: "EHR f",
    },
    Refusal {
        name: "pairs across EHRs",
        facade: "SELECT c/uid/value FROM COMPOSITION c AND COMPOSITION d",
        code: ErrorCode::CombinationUnsupported,
        at: "c AND",
    },
    Refusal {
        name: "an endpoint in WHERE",
        facade: "SELECT c/uid/value FROM ENDPOINT p[\"north\"] CONTAINS EHR e CONTAINS COMPOSITION c WHERE {who} AND p/id = 'north'",
        code: ErrorCode::InvalidQuery,
        at: "p/id",
    },
    Refusal {
        name: "an endpoint counted",
        facade: "SELECT COUNT(p/id) FROM ENDPOINT p[\"north\"] CONTAINS EHR e CONTAINS COMPOSITION c WHERE {who}",
        code: ErrorCode::InvalidQuery,
        at: "p/id",
    },
    Refusal {
        name: "an attribute no endpoint has",
        facade: "SELECT p/colour FROM ENDPOINT p[\"north\"] CONTAINS EHR e CONTAINS COMPOSITION c WHERE {who}",
        code: ErrorCode::InvalidQuery,
        at: "p/colour",
    },
    Refusal {
        name: "the last rows",
        facade: "SELECT TOP 3 BACKWARD c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE {who} ORDER BY c/uid/value",
        code: ErrorCode::CombinationUnsupported,
        at: "3 BACK",
    },
    Refusal {
        name: "the time against a constant",
        facade: "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE {who} AND NOW() > '2020-01-01'",
        code: ErrorCode::CombinationUnsupported,
        at: "NOW",
    },
];

#[test]
fn refusals_name_the_place_and_never_the_value() {
    for case in REFUSALS {
        println!("{}", case.name);
        let facade = case.facade.replace("{who}", WHO);
        let error = refused(&facade);
        let message = error.to_string();
        assert_eq!(error.code(), case.code, "{message}");
        assert!(!message.contains("7001") && !message.contains("2.999"), "{message}");
        if !case.at.is_empty() {
            let at = facade.rfind(case.at).unwrap() + 1;
            assert!(message.contains(&format!("line 1, column {at}")), "{message}; wanted column {at}");
        }
    }
}
