//! Writes: never tried out, never to a copy.

use super::*;

/// Takes every write and shows the EHR it made.
fn taking(line: &str) -> String {
    if line.starts_with("POST /base/v1/ehr ") {
        return answer("201 Created", &format!("etag: W/\"{UUID}\"\r\nlocation: http://a/base/v1/ehr/{UUID}\r\n"), "");
    }
    if line.starts_with("GET") { stranger(line) } else { answer("204 No Content", "", "") }
}

fn all_taking() -> House {
    House::of(&[("a", Some(taking)), ("b", Some(taking)), ("gone", None)])
}

fn composition() -> RoutedRequest {
    request("POST", &format!("/ehr/{UUID}/composition"))
}

#[tokio::test(start_paused = true)]
async fn cp24_a_new_ehr_needs_one_target_and_is_remembered() {
    let house = all_taking();
    assert_eq!(told(&house.serve(request("POST", "/ehr")).await), "target-required ");
    assert_eq!(
        told(&house.serve(composition()).await),
        "unroutable-ehr-id ",
        "nothing is known of the EHR, and nobody is probed"
    );
    assert!(house.lines().is_empty());
    assert_eq!(told(&house.serve(at("b", request("POST", "/ehr"))).await), "201 b");
    assert_eq!(told(&house.serve(composition()).await), "204 b");
}

#[tokio::test(start_paused = true)]
async fn cp33_an_ehr_id_is_not_made_twice() {
    let put = || request("PUT", &format!("/ehr/{UUID}"));
    let cases: [(&str, [Scripted; 2], &str); 4] = [
        ("free", [("a", Some(taking)), ("b", Some(stranger))], "204 a"),
        ("held elsewhere", [("a", Some(taking)), ("b", Some(holder))], "ehr-id-held b"),
        ("perhaps held elsewhere", [("a", Some(taking)), ("b", None)], "endpoint-unavailable b"),
        ("perhaps held by one that fails", [("a", Some(taking)), ("b", Some(broken))], "endpoint-failed b"),
    ];
    for (name, nodes, expected) in cases {
        let house = House::of(&nodes);
        assert_eq!(told(&house.serve(at("a", put())).await), expected, "{name}");
        assert_eq!(told(&house.serve(put()).await), "target-required ", "{name}");
    }
    let house = all_taking();
    house.routing.memory.learn_ehr(&EhrId::new(UUID), &NodeId::new("node-b"));
    assert_eq!(told(&house.serve(at("a", put())).await), "ehr-id-held b");
    assert!(house.lines().is_empty(), "what is known needs no probe");
}

/// The ways to say what a write builds on.
fn update(uid: &str) -> [RoutedRequest; 5] {
    let path = format!("/ehr/{UUID}");
    let json = format!("{{\"versions\":[{{\"preceding_version_uid\":{{\"value\":\"{uid}\"}}}}]}}");
    let xml = format!("<c><versions><preceding_version_uid><value>{uid}</value></preceding_version_uid></versions></c>");
    let commit = |media_type, body: String| RoutedRequest {
        body: Body::from(body),
        ..having(request("POST", &format!("{path}/contribution")), "content-type", media_type)
    };
    [
        having(request("PUT", &format!("{path}/composition/x")), "if-match", &format!("W/\"{uid}\"")),
        having(request("DELETE", &format!("{path}/directory")), "if-match", uid),
        request("DELETE", &format!("{path}/composition/{}", uid.replace("::", "%3A%3A"))),
        commit("application/json", json),
        commit("application/xml", xml),
    ]
}

#[tokio::test(start_paused = true)]
async fn cp15_a_version_is_written_to_its_controlling_system_or_not_at_all() {
    type Known = Option<&'static str>;
    let cases: [(&str, &str, Known, Known, &str); 9] = [
        ("nothing known but the version", "x::b.example.org::1", None, None, "204 b"),
        ("the holder controls it", "x::b.example.org::1", Some("node-b"), None, "204 b"),
        ("the target controls it", "x::b.example.org::1", None, Some("b"), "204 b"),
        ("the holder has a copy", "x::b.example.org::1", Some("node-a"), None, "controlling-system b"),
        ("the target has a copy", "x::b.example.org::1", None, Some("a"), "controlling-system b"),
        ("a system mapped to the node", "x::old.b.example.org::1", None, None, "204 b"),
        ("a system nobody is", "x::z.example.org::1", Some("node-a"), None, "controlling-system "),
        ("a system that cannot be reached", "x::gone.example.org::1", None, None, "controlling-system gone"),
        ("a system out of service", "x::off.example.org::1", None, None, "controlling-system off"),
    ];
    for (name, uid, holder, target, expected) in cases {
        for (index, request) in update(uid).into_iter().enumerate() {
            let nodes: [Scripted; 4] = [("a", Some(taking)), ("b", Some(taking)), ("gone", None), ("off", Some(taking))];
            let house = House::with(&nodes, &[], |endpoint| match endpoint.id.as_str() {
                "b" => {
                    let node = Arc::get_mut(&mut endpoint.node).unwrap();
                    node.creating_system_ids.push(SystemId::new("old.b.example.org"));
                }
                "off" => endpoint.membership = Membership::Suspended("maintenance".to_owned()),
                _ => {}
            });
            if let Some(node) = holder {
                house.routing.memory.learn_ehr(&EhrId::new(UUID), &NodeId::new(node));
            }
            let request = match target {
                Some(target) => at(target, request),
                None => request,
            };
            assert_eq!(told(&house.serve(request).await), expected, "{name}, way {index}");
            let refused = expected.starts_with("controlling");
            assert_eq!(house.lines().is_empty(), refused, "{name}, way {index}: a refused write reaches nobody");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn what_answers_taught_of_systems_serves_no_write() {
    let house = all_taking();
    house.routing.memory.learn_system(&SystemId::new("z.example.org"), &NodeId::new("node-a"));
    for request in update("x::z.example.org::1") {
        assert_eq!(told(&house.serve(request).await), "controlling-system ");
    }
}

#[tokio::test(start_paused = true)]
async fn commits_that_build_on_nothing_or_on_several_systems_and_those_that_cannot_be_read() {
    let commit = |body: &str| RoutedRequest {
        body: Body::from(body.to_owned()),
        ..having(request("POST", &format!("/ehr/{UUID}/contribution")), "content-type", "application/json")
    };
    let two = r#"{"versions":[{"preceding_version_uid":"x::a.example.org::1"},{"preceding_version_uid":"y::b.example.org::1"}]}"#;
    let large = format!("{{\"a\":\"{}\"}}", "x".repeat(1000));
    let cases = [
        ("nothing, nothing known", commit("{}"), "unroutable-ehr-id "),
        ("nothing, a target", at("a", commit("{}")), "204 a"),
        ("several systems", commit(two), "controlling-system "),
        ("not JSON", at("a", commit("{")), "invalid-request "),
        ("too large to be read", at("a", commit(&large)), "body-too-large "),
        ("encoded", at("a", having(commit("{}"), "content-encoding", "gzip")), "unsupported-media-type "),
    ];
    for (name, request, expected) in cases {
        assert_eq!(told(&all_taking().serve(request).await), expected, "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_write_that_may_have_arrived_is_not_repeated_and_not_called_a_conflict() {
    let house = House::of(&[("a", Some(mute))]);
    for request in update("x::a.example.org::1") {
        assert_eq!(told(&house.serve(request).await), "endpoint-unavailable a");
    }
    assert_eq!(house.lines().len(), 5);
}
