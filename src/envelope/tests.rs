use std::sync::Arc;

use super::*;
use crate::error::ErrorCode;
use crate::ids::{EndpointId, NodeId, OrganisationId, SystemId};
use crate::intake::DedupMode;
use crate::node::Credentials;
use crate::plan::ResultColumn;
use crate::registry::{Endpoint, Membership, Node, NodeOrdering};
use crate::status::EndpointStatus;

fn endpoint(id: &str) -> Endpoint {
    Endpoint {
        id: EndpointId::new(id),
        node: Arc::new(Node {
            id: NodeId::new(format!("node-of-{id}")),
            system_id: SystemId::new(format!("{id}.example.org")),
            creating_system_ids: vec![],
            product: Some("ExampleCDR".to_owned()),
            version: None,
        }),
        organisation: OrganisationId::new("org"),
        url: "http://127.0.0.1:9/".parse().unwrap(),
        membership: Membership::Active,
        per_node: None,
        ordering: NodeOrdering::Trusted,
        consent_refusal_codes: vec![],
        credentials: Credentials::None,
    }
}

fn report(id: &str, status: EndpointStatus, error: Option<&str>) -> EndpointReport {
    EndpointReport { error: error.map(str::to_owned), ..EndpointReport::new(&endpoint(id), status) }
}

fn federation(endpoints: Vec<EndpointReport>) -> Federation {
    let operation_outcome = OperationOutcome::of(&endpoints, None);
    Federation {
        complete: operation_outcome.is_none(),
        endpoints,
        timeout: Timeout { per_node_ms: 5000, overall_ms: 15000, policy: Timeout::POLICY },
        dedup: DedupReport { mode: DedupMode::None, suppressed_rows: None, suppressed_endpoints: None },
        localization: None,
        consent: None,
        warnings: vec![],
        operation_outcome,
    }
}

fn columns() -> Vec<ResultColumn> {
    vec![
        ResultColumn { name: "uid".to_owned(), path: Some("c/uid/value".to_owned()) },
        ResultColumn { name: "#1".to_owned(), path: None },
    ]
}

fn head<'a>(federation: &'a Federation, columns: &'a [ResultColumn]) -> Head<'a> {
    Head {
        q: Some("SELECT c/uid/value AS uid, 'x' FROM …"),
        name: None,
        created: "2026-01-15T08:30:00.000Z",
        columns,
        federation,
    }
}

#[test]
fn cp35_a_complete_answer_says_so_and_has_no_operation_outcome() {
    let mut active = report("a", EndpointStatus::Active, None);
    active.latency_ms = Some(12);
    active.row_count = Some(1);
    let federation = federation(vec![active, report("b", EndpointStatus::NotLocalized, None)]);
    let columns = columns();
    let around = ResultSet::around(&head(&federation, &columns));
    let body = [around.prefix.as_slice(), br#"["u::s::1","x"]"#, &around.suffix].concat();
    let value: serde_json::Value = serde_json::from_slice(&body).unwrap();
    insta::assert_json_snapshot!(value);
}

#[test]
fn cp30_a_failed_answer_keeps_the_envelope() {
    let federation = federation(vec![
        report("a", EndpointStatus::TimeOut, Some("no full answer within 5000 ms")),
        report("b", EndpointStatus::NodeError, Some("HTTP 500")),
        report("c", EndpointStatus::NotResolved, Some("no local record of this patient")),
        report("d", EndpointStatus::ConsentDenied, None),
        report("e", EndpointStatus::Offline, Some("connection refused")),
        report("f", EndpointStatus::Excluded, None),
    ]);
    let columns = columns();
    let failure = Failure {
        code: ErrorCode::EndpointUnavailable,
        message: "Endpoint a did not answer in time.".to_owned(),
        request_id: "0190".to_owned(),
    };
    let value: serde_json::Value = serde_json::from_slice(&ResultSet::failed(&head(&federation, &columns), &failure)).unwrap();
    insta::assert_json_snapshot!(value);
}

#[test]
fn cp12_a_localizer_that_failed_is_an_issue_although_nobody_was_in_scope() {
    let outcome = OperationOutcome::of(&[report("a", EndpointStatus::NotLocalized, None)], Some("HTTP 503")).unwrap();
    insta::assert_json_snapshot!(serde_json::to_value(outcome).unwrap());
}

#[test]
fn cp23_the_self_description_declares_what_is_served() {
    let declared = Declaration {
        id: "demo",
        timeout: Timeout { per_node_ms: 5000, overall_ms: 15000, policy: Timeout::POLICY },
        best_effort: true,
        offset_strategy: "window",
        max_window: Some(1000),
        decomposable: vec!["COUNT", "SUM"],
        aggregate_strategy: "decompose",
        dedup_modes: &[DedupMode::None, DedupMode::VersionIdentity],
        localization_mode: "none",
        localization_on_failure: "closed",
        fan_out_template_upload: false,
        stored_query_registry: false,
        stored_query_fan_out: false,
    };
    let mut suspended = endpoint("b");
    suspended.membership = Membership::Suspended("maintenance".to_owned());
    let description = SelfDescription::new(&declared, [endpoint("a"), suspended].iter());
    insta::assert_json_snapshot!(serde_json::to_value(description).unwrap());
}
