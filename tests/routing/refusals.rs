//! What is refused, and what a failing node leads to.

use http::StatusCode;
use tributary_sandbox::wire::Fault;

use crate::calls::{COMPOSITION, UUID, ask, call, federation, gateway};

#[tokio::test]
async fn failing_nodes_are_told_apart_and_named() {
    let federation = federation(2).await;
    let gateway = gateway(&federation);
    let at_a = || call("GET", format!("/ehr/{UUID}")).having("openehr-federation-endpoint", "hospital-a");
    let cases = [
        (Fault::CloseOnAccept, StatusCode::GATEWAY_TIMEOUT, "\"code\":\"endpoint-unavailable\""),
        (Fault::Reset, StatusCode::GATEWAY_TIMEOUT, "\"code\":\"endpoint-unavailable\""),
        (Fault::Status(503, "{}".to_owned()), StatusCode::SERVICE_UNAVAILABLE, "{}"),
        (Fault::ConsentRefusal("no".to_owned()), StatusCode::FORBIDDEN, "no"),
    ];
    for (fault, status, part) in cases {
        let faults = federation.nodes()[0].faults();
        faults.clear();
        faults.always(fault.clone());
        let (answer, headers) = ask(&gateway, &at_a()).await;
        assert!(answer.status == status && answer.body.contains(part), "{fault:?}: {answer:?}");
        assert_eq!(headers["openehr-federation-endpoint"], "hospital-a", "{fault:?}");
        assert_eq!(headers["openehr-federation-system-id"], "cdr-a.example.org", "{fault:?}");
    }
}

#[tokio::test]
async fn every_refusal_of_routing_has_its_status() {
    let federation = federation(2).await;
    let gateway = gateway(&federation);
    let ehr = |rest: &str| format!("/ehr/{UUID}{rest}");
    let cases = [
        (call("GET", ehr("")), 404),
        (call("POST", "/ehr"), 400),
        (call("PUT", ehr("")), 400),
        (call("POST", ehr("/composition")).sending(COMPOSITION), 400),
        (call("GET", ehr("?subject_id=marker-100023")), 400),
        (call("GET", ehr("?unknown=1")), 400),
        (call("GET", ehr("")).having("openehr-federation-endpoint", "nobody"), 400),
        (call("PATCH", ehr("")), 405),
        (call("GET", "/demographic/person/1"), 501),
        (call("DELETE", "/admin/ehr/all"), 501),
        (call("GET", "/nothing"), 404),
        (call("OPTIONS", ehr("")), 204),
        (call("OPTIONS", "/"), 200),
        (call("GET", "/definition/template/adl1.4"), 400),
        (call("GET", "/ehr?subject_id=marker-100023&subject_namespace=ns"), 404),
        (call("PUT", ehr("/directory")).sending("{}").having("if-match", "\"x::elsewhere.example.org::1\""), 409),
    ];
    for (call, status) in cases {
        let (answer, headers) = ask(&gateway, &call).await;
        assert_eq!(answer.status.as_u16(), status, "{call:?}: {answer:?}");
        assert_eq!(headers.contains_key("allow"), [204, 405].contains(&status) || call.path == "/", "{call:?}");
        assert!(!answer.body.contains("marker"), "{call:?}");
    }
    assert_eq!(federation.leak("marker-100023"), None);
}
