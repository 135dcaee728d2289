//! Following up on what a client has seen (track 6): where versions are read and written, and what travels with a request.

use http::StatusCode;
use tributary_sandbox::federation::Federation;
use tributary_sandbox::node::Node;

use crate::calls::{COMPOSITION, UUID, ask, call, federation, gateway, made_at, routed};

/// Following up on a copy: the version a client saw at one node was created at another (§10.3).
#[tokio::test]
async fn cp29_a_write_that_builds_on_a_copy_is_a_conflict_naming_the_controlling_system() {
    let federation = federation(2).await;
    let gateway = gateway(&federation);
    let made = call("PUT", format!("/ehr/{UUID}")).having("openehr-federation-endpoint", "hospital-b");
    assert_eq!(routed(&gateway, &made).await.status, StatusCode::CREATED);
    let update =
        call("PUT", format!("/ehr/{UUID}/composition/x")).sending(COMPOSITION).having("if-match", "\"x::cdr-a.example.org::1\"");
    let refused = routed(&gateway, &update).await;
    assert_eq!(refused.status, StatusCode::CONFLICT);
    assert!(refused.body.contains("`cdr-a.example.org` at endpoint `hospital-a`"), "{refused:?}");
    let wrote = |node: &Node| node.journal().contains("/composition/x");
    assert!(!federation.nodes().iter().any(wrote), "nobody was written to");
}

/// Commits a composition at a node, behind the gateway; gives its version uid.
async fn committed(federation: &Federation, node: usize) -> String {
    let url = federation.nodes()[node].url();
    ask(&url, &call("PUT", format!("/ehr/{UUID}"))).await;
    let commit = call("POST", format!("/ehr/{UUID}/composition")).sending(COMPOSITION);
    let (made, _) = ask(&url, &commit).await;
    assert_eq!(made.status, StatusCode::CREATED, "{made:?}");
    made.etag().trim_matches('"').to_owned()
}

/// The EHR is known to be at one node, and the version was made at another that has the EHR as well.
#[tokio::test]
async fn cp14_a_version_is_read_at_the_holder_else_at_the_system_that_created_it() {
    let federation = federation(3).await;
    let (here, there) = (committed(&federation, 0).await, committed(&federation, 1).await);
    let known = call("GET", format!("/ehr/{UUID}")).having("openehr-federation-endpoint", "hospital-a");
    let read = |uid: &str| call("GET", format!("/ehr/{UUID}/composition/{uid}"));
    let cases = [
        (read(&here), 200, "hospital-a"),
        (read(&there), 200, "hospital-b"),
        (read("7d44b88c-4199-4bad-97dc-d78268e01399::cdr-c.example.org::1"), 404, "hospital-c"),
        (read("7d44b88c-4199-4bad-97dc-d78268e01399::elsewhere.example.org::1"), 404, "hospital-a"),
        (read(&there).having("openehr-federation-endpoint", "hospital-c"), 404, "hospital-c"),
        (read(&here).having("openehr-federation-endpoint", "hospital-a"), 200, "hospital-a"),
    ];
    for (call, status, endpoint) in cases {
        let gateway = gateway(&federation); // it remembers nothing of the case before
        routed(&gateway, &known).await;
        let (answer, headers) = ask(&gateway, &call).await;
        assert_eq!(
            (answer.status.as_u16(), headers["openehr-federation-endpoint"].to_str().unwrap()),
            (status, endpoint),
            "{call:?}"
        );
    }
}

#[tokio::test]
async fn cp15_a_commit_follows_the_version_it_builds_on_and_never_the_copy() {
    let federation = federation(2).await;
    let gateway = gateway(&federation);
    let there = committed(&federation, 1).await;
    let object = there.split("::").next().unwrap();
    let update = |target: Option<&str>| {
        let call = call("PUT", format!("/ehr/{UUID}/composition/{object}")).sending(COMPOSITION);
        let call = call.having("if-match", format!("\"{there}\""));
        target.map_or(call.clone(), |endpoint| call.having("openehr-federation-endpoint", endpoint))
    };
    let (refused, _) = ask(&gateway, &update(Some("hospital-a"))).await;
    assert!(refused.status == StatusCode::CONFLICT && refused.body.contains("controlling-system"), "{refused:?}");
    let (done, headers) = ask(&gateway, &update(None)).await;
    assert!(done.status.is_success(), "{done:?}");
    assert_eq!(headers["openehr-federation-endpoint"], "hospital-b");
    let writes = |node: &Node| node.journal().requests().iter().filter(|request| request.method == "PUT").count();
    assert_eq!(federation.nodes().iter().map(writes).collect::<Vec<_>>(), [0, 2], "the EHR was made there, and the version");
}

#[tokio::test]
async fn cp26_the_nodes_read_path_query_and_headers_as_they_were_sent_and_no_others() {
    let federation = federation(1).await;
    let gateway = gateway(&federation);
    made_at(&gateway, "hospital-a").await;
    federation.nodes()[0].journal().clear();
    let raw = format!("/ehr/{UUID}/directory?path=a%2Fb%20c&version_at_time=2001-01-01T00%3A00%3A00Z");
    let call = call("GET", raw.clone())
        .having("openehr-audit_details.description", "one")
        .having("openehr-audit_details.description", "two")
        .having("openehr-version", "")
        .having("accept", "application/json")
        .having("authorization", "Bearer marker-1")
        .having("cookie", "marker-2")
        .having("x-forwarded-for", "marker-3")
        .having("x-vendor-switch", "marker-4")
        .having("openehr-federation-completeness", "partial");
    routed(&gateway, &call).await;
    let request = federation.nodes()[0].journal().requests().pop().unwrap();
    assert_eq!((request.method.as_str(), request.target), ("GET", format!("/v1{raw}")));
    let lines: Vec<String> = request.headers.iter().map(|(name, value)| format!("{name}: {value}").to_lowercase()).collect();
    let text = lines.join("\n");
    for sent in ["details.description: one", "details.description: two", "openehr-version: ", "accept: application/json"] {
        assert!(lines.iter().any(|line| line.ends_with(sent)), "{sent}: {text}");
    }
    assert!(text.contains("via: "), "{text}");
    for kept in ["marker-", "openehr-federation-", "cookie", "authorization", "forwarded"] {
        assert!(!text.contains(kept), "{kept}: {text}");
    }
}
