//! Reads: the fixed order, the probe, both rules of version reads.

use super::*;

fn ehr() -> RoutedRequest {
    request("GET", &format!("/ehr/{UUID}"))
}

fn version(uid: &str) -> RoutedRequest {
    request("GET", &format!("/ehr/{UUID}/composition/{uid}"))
}

#[tokio::test(start_paused = true)]
async fn cp33_a_probe_finds_the_one_claimant_or_says_why_not() {
    type Nodes = [Scripted; 3];
    let cases: [(&str, Nodes, &str, u64); 9] = [
        ("one claimant", [("a", Some(stranger)), ("b", Some(holder)), ("c", Some(stranger))], "200 b", 0),
        ("a slow node hides no claimant", [("a", Some(mute)), ("b", Some(holder)), ("c", Some(stranger))], "200 b", 0),
        ("a dead node hides no claimant", [("a", None), ("b", Some(holder)), ("c", Some(broken))], "200 b", 0),
        ("two claimants", [("a", Some(holder)), ("b", Some(holder)), ("c", Some(mute))], "ehr-id-collision a,b", 1),
        ("nobody", [("a", Some(stranger)), ("b", Some(stranger)), ("c", Some(stranger))], "no-destination ", 0),
        ("an outage is no absence", [("a", Some(stranger)), ("b", Some(stranger)), ("c", None)], "endpoint-unavailable c", 0),
        ("silence is no absence", [("a", Some(stranger)), ("b", Some(broken)), ("c", Some(mute))], "endpoint-unavailable b,c", 0),
        ("a failure is no absence", [("a", Some(stranger)), ("b", Some(stranger)), ("c", Some(broken))], "endpoint-failed c", 0),
        (
            "an answer to anything is no claim",
            [("a", Some(parrot)), ("b", Some(stranger)), ("c", Some(stranger))],
            "endpoint-failed a",
            0,
        ),
    ];
    for (name, nodes, expected, incidents) in cases {
        let house = House::of(&nodes);
        assert_eq!(told(&house.serve(ehr()).await), expected, "{name}");
        assert_eq!(house.routing.memory().incidents(), incidents, "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_certain_probe_is_remembered_and_an_uncertain_one_is_not() {
    let certain = House::of(&[("a", Some(stranger)), ("b", Some(holder))]);
    for _ in 0..3 {
        certain.serve(ehr()).await.unwrap();
    }
    assert_eq!(certain.counts(), BTreeMap::from([("a".to_owned(), 1), ("b".to_owned(), 4)]));
    let collision = House::of(&[("a", Some(holder)), ("b", Some(holder))]);
    for _ in 0..2 {
        assert_eq!(told(&collision.serve(ehr()).await), "ehr-id-collision a,b");
    }
    assert_eq!(collision.counts().values().sum::<usize>(), 2, "both claims are remembered");
}

#[tokio::test(start_paused = true)]
async fn only_a_uuid_is_probed_for() {
    for id in ["patient-1", "7d44b88c41994bad97dcd78268e01398", "7d44b88c-4199-4bad-97dc-d78268e01398%20"] {
        let house = House::of(&[("a", Some(holder)), ("b", Some(holder))]);
        assert_eq!(told(&house.serve(request("GET", &format!("/ehr/{id}"))).await), "no-destination ", "{id}");
        assert!(house.lines().is_empty(), "{id}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_makes_a_second_claimant_is_an_incident() {
    let house = House::of(&[("b", Some(parrot)), ("c", Some(parrot))]);
    let ehr_id = EhrId::new(UUID);
    let status = |id: &str| request("GET", &format!("/ehr/{id}/ehr_status"));
    house.routing.memory.learn_ehr(&ehr_id, &NodeId::new("node-c"));
    assert_eq!(told(&house.serve(status(&UUID.to_uppercase())).await), "200 c", "a UUID is the same in either case");
    assert_eq!(told(&house.serve(at("b", status(UUID))).await), "200 b", "the client said where");
    assert_eq!(house.routing.memory().incidents(), 1);
    assert_eq!(told(&house.serve(status(UUID)).await), "ehr-id-collision b,c");
}

#[tokio::test(start_paused = true)]
async fn cp33_target_session_memory_and_probe_come_in_this_order() {
    let ehr_id = EhrId::new(UUID);
    let status = || request("GET", &format!("/ehr/{UUID}/ehr_status"));
    let nodes: &[Scripted] = &[("a", Some(stranger)), ("b", Some(stranger)), ("c", Some(stranger))];
    let house = House::of(nodes);
    house.routing.memory.learn_ehr(&ehr_id, &NodeId::new("node-c"));
    assert_eq!(told(&house.serve(status()).await), "404 c", "memory before probing");
    house.routing.bindings.learn(&Caller::new("someone"), &NodeId::new("node-b"), &ehr_id);
    assert_eq!(told(&house.serve(status()).await), "404 b", "the session before memory");
    assert_eq!(told(&house.serve(at("a", status())).await), "404 a", "the target before the session");
    let other = RoutedRequest { caller: Caller::new("other"), ..status() };
    assert_eq!(told(&house.serve(other).await), "404 c", "a binding is its session's alone");
    assert_eq!(house.lines().len(), 4, "nobody was probed");
    house.routing.bindings.learn(&Caller::new("someone"), &NodeId::new("node-a"), &ehr_id);
    assert_eq!(told(&house.serve(status()).await), "ehr-id-collision a,b");
    assert_eq!(house.routing.memory().incidents(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_node_that_has_no_such_ehr_is_not_asked_for_it_again() {
    let house = House::of(&[("a", Some(stranger)), ("b", Some(stranger))]);
    let ehr_id = EhrId::new(UUID);
    house.routing.memory.learn_ehr(&ehr_id, &NodeId::new("node-b"));
    house.routing.bindings.learn(&Caller::new("someone"), &NodeId::new("node-b"), &ehr_id);
    let ehr = || request("GET", &format!("/ehr/{UUID}"));
    assert_eq!(told(&house.serve(ehr()).await), "404 b");
    assert_eq!(told(&house.serve(ehr()).await), "no-destination ");
    assert_eq!(house.lines().len(), 3, "all were probed");
}

#[tokio::test(start_paused = true)]
async fn targets_that_are_no_single_endpoint_in_service_are_refused() {
    let house = House::with(&[("a", Some(parrot)), ("b", Some(parrot))], &[], |endpoint| {
        if endpoint.id.as_str() == "b" {
            endpoint.membership = Membership::Suspended("maintenance".to_owned());
        }
    });
    let cases = [
        ("a", "200 a"),
        ("a, a", "200 a"),
        ("a, b", "target-required "),
        ("b", "no-destination b"),
        ("x", "unknown-target "),
        ("a,", "invalid-header "),
        ("*", "invalid-header "),
    ];
    for (target, expected) in cases {
        let status = request("GET", &format!("/ehr/{UUID}/ehr_status"));
        assert_eq!(told(&house.serve(at(target, status)).await), expected, "{target}");
    }
}

/// Holds the EHR and no composition.
fn lacking(line: &str) -> String {
    if line.contains("composition") { stranger(line) } else { holder(line) }
}

/// Shows any composition, as version of system `c`.
fn showing(line: &str) -> String {
    if line.contains("composition") { answer("200 OK", "etag: \"x::c.example.org::1\"\r\n", "{}") } else { stranger(line) }
}

#[tokio::test(start_paused = true)]
async fn cp14_a_version_is_read_by_both_rules() {
    let house = || House::of(&[("a", Some(lacking)), ("b", Some(showing)), ("d", Some(stranger))]);
    let cases = [
        ("the holder lacks it, its creator has it", version("x::b.example.org::1"), "200 b"),
        ("the holder created it", version("x::a.example.org::1"), "404 a"),
        ("nobody knows the creator", version("x::z.example.org::1"), "404 a"),
        ("an object id has no creator", version("x"), "404 a"),
        ("a target is left at its answer", at("a", version("x::b.example.org::1")), "404 a"),
        ("the creator lacks it too", version("x::d.example.org::1"), "404 d"),
    ];
    for (name, request, expected) in cases {
        assert_eq!(told(&house().serve(request).await), expected, "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_version_nobody_settles_is_asked_of_its_creator() {
    let house = House::of(&[("a", Some(stranger)), ("b", Some(showing))]);
    assert_eq!(told(&house.serve(version("x::b.example.org::1")).await), "200 b");
    let local = request("GET", "/ehr/local-id/composition/x::b.example.org::1");
    assert_eq!(told(&house.serve(local).await), "200 b", "an id that is no UUID is not probed, the version still leads there");
    assert_eq!(told(&house.serve(version("x::c.example.org::1")).await), "200 b", "b holds the EHR, as its answer showed");
    let other = request("GET", "/ehr/other/composition/x::c.example.org::1");
    assert_eq!(told(&house.serve(other).await), "200 b", "b showed a version of c: it serves reads");
}

#[tokio::test(start_paused = true)]
async fn unknown_paths_methods_areas_and_parameters_are_refused() {
    let house = House::of(&[("a", Some(holder))]);
    let cases = [
        ("GET", "/nothing".to_owned(), "not-found "),
        ("PATCH", format!("/ehr/{UUID}"), "method-not-allowed "),
        ("GET", "/demographic/person/1".to_owned(), "not-served "),
        ("DELETE", "/admin/ehr/all".to_owned(), "not-served "),
        ("GET", format!("/ehr/{UUID}/../../admin"), "invalid-request "),
        ("GET", format!("/ehr/{UUID}?subject_id=patient-1"), "identifier-leak "),
        ("GET", format!("/ehr/{UUID}?subject%5Fid=patient-1"), "identifier-leak "),
        ("GET", format!("/ehr/{UUID}?endpoint=a"), "invalid-request "),
        ("GET", format!("/ehr/{UUID}?version_at_time=2024&format=FLAT"), "200 a"),
        ("OPTIONS", format!("/ehr/{UUID}"), "204 -"),
        ("OPTIONS", "/".to_owned(), "200 -"),
        ("GET", "/definition/template/adl1.4".to_owned(), "target-required "),
    ];
    for (method, path, expected) in cases {
        assert_eq!(told(&house.serve(request(method, &path)).await), expected, "{method} {path}");
    }
    let refused = house.serve(request("PATCH", "/ehr/1")).await.unwrap_err();
    assert_eq!(refused.allow(), Some("PUT, GET, HEAD, OPTIONS"));
}

fn refusing(line: &str) -> String {
    if line.contains("ehr_status") { answer("403 Forbidden", "", "{\"code\":\"no-consent\"}") } else { holder(line) }
}

#[tokio::test(start_paused = true)]
async fn a_refusal_on_consent_grounds_ends_the_binding_and_passes_through() {
    let house = House::of(&[("a", Some(refusing))]);
    let (caller, node, ehr_id) = (Caller::new("someone"), NodeId::new("node-a"), EhrId::new(UUID));
    house.routing.bindings.learn(&caller, &node, &ehr_id);
    let refused = house.serve(request("GET", &format!("/ehr/{UUID}/ehr_status"))).await;
    assert_eq!(told(&refused), "403 a");
    assert_eq!(text(refused.unwrap()).await, "{\"code\":\"no-consent\"}");
    assert!(house.routing.bindings.nodes(&caller, &ehr_id).is_empty());
}
