//! One `ehr_id` at two nodes (track 11, §12, N36).

use http::StatusCode;
use tributary_sandbox::node::Node;
use tributary_sandbox::wire::Fault;

use crate::calls::{COMPOSITION, UUID, ask, call, federation, gateway, gateway_with, routed};

/// Two nodes hold the same id: nobody guesses, and whoever says which is served.
#[tokio::test]
async fn cp33_an_ehr_id_at_two_nodes_is_a_conflict_unless_one_is_named() {
    let federation = federation(3).await;
    for node in &federation.nodes()[..2] {
        let (made, _) = ask(&node.url(), &call("PUT", format!("/ehr/{UUID}"))).await;
        assert_eq!(made.status, StatusCode::CREATED);
    }
    let (gateway, parts) = gateway_with(&federation, "");
    let read = || call("GET", format!("/ehr/{UUID}"));
    let (refused, headers) = ask(&gateway, &read()).await;
    assert_eq!(refused.status, StatusCode::CONFLICT);
    assert!(refused.body.contains("\"code\":\"ehr-id-collision\""), "{refused:?}");
    assert_eq!(headers["openehr-federation-endpoint"], "hospital-a, hospital-b");
    let named = routed(&gateway, &read().having("openehr-federation-endpoint", "hospital-b")).await;
    assert!(named.status == StatusCode::OK && named.body.contains("cdr-b.example.org"), "{named:?}");
    assert!(parts.routing().memory().incidents() > 0, "operators are told");

    let blind = call("POST", format!("/ehr/{UUID}/composition")).sending(COMPOSITION);
    let versioned =
        call("PUT", format!("/ehr/{UUID}/composition/x")).sending(COMPOSITION).having("if-match", "\"x::elsewhere::1\"");
    let (new, _) = ask(&gateway_with(&federation, "").0, &blind).await;
    assert!(new.status == StatusCode::BAD_REQUEST && new.body.contains("unroutable-ehr-id"), "{new:?}");
    assert_eq!(ask(&gateway, &versioned).await.0.status, StatusCode::CONFLICT);
    assert!(!federation.nodes().iter().any(|node| node.journal().contains("composition")), "nobody was written to");
}

#[tokio::test]
async fn cp33_an_ehr_id_held_elsewhere_is_not_made_a_second_time() {
    let federation = federation(3).await;
    ask(&federation.nodes()[1].url(), &call("PUT", format!("/ehr/{UUID}"))).await;
    let gateway = gateway(&federation);
    let make = call("PUT", format!("/ehr/{UUID}")).having("openehr-federation-endpoint", "hospital-a");
    let (refused, headers) = ask(&gateway, &make).await;
    assert!(refused.status == StatusCode::CONFLICT && refused.body.contains("\"code\":\"ehr-id-held\""), "{refused:?}");
    assert_eq!(headers["openehr-federation-endpoint"], "hospital-b");
    let makes = |node: &Node| node.journal().requests().iter().filter(|request| request.method == "PUT").count();
    assert_eq!(federation.nodes().iter().map(makes).collect::<Vec<_>>(), [0, 1, 0]);
}

/// While one cannot be asked, it may be the second that holds it: nothing is guessed and nothing is made.
#[tokio::test]
async fn cp33_an_unanswering_node_may_be_a_claimant() {
    let federation = federation(2).await;
    let gateway = gateway(&federation);
    federation.nodes()[1].faults().always(Fault::Reset);
    let make = call("PUT", format!("/ehr/{UUID}")).having("openehr-federation-endpoint", "hospital-a");
    for call in [make, call("GET", format!("/ehr/{UUID}"))] {
        let (refused, headers) = ask(&gateway, &call).await;
        assert!(refused.status == StatusCode::GATEWAY_TIMEOUT && refused.body.contains("endpoint-unavailable"), "{refused:?}");
        assert_eq!(headers["openehr-federation-endpoint"], "hospital-b");
    }
    assert!(!federation.nodes()[0].journal().requests().iter().any(|request| request.method == "PUT"));
}
