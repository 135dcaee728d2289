//! `GET /ehr?subject_id=`: resolution input.

use super::*;

const OTHER: &str = "0b6a3f64-5f0c-4b8e-9d57-0c9a4a1f2e11";

fn house() -> House {
    let patients = [("marker-1", "node-a", UUID), ("marker-2", "node-a", UUID), ("marker-2", "node-b", OTHER)];
    House::with(&[("a", Some(holder)), ("b", Some(stranger))], &patients, |_| ())
}

#[tokio::test(start_paused = true)]
async fn cp3_the_patient_is_resolved_and_no_node_is_told() {
    let cases = [
        ("one node", "?subject_id=marker-1&subject_namespace=ns", None, "200 a"),
        ("several", "?subject_id=marker-2&subject_namespace=ns", None, "ambiguous-patient a,b"),
        ("several, one targeted", "?subject_id=marker-2&subject_namespace=ns", Some("b"), "404 b"),
        ("nowhere", "?subject_id=marker-3&subject_namespace=ns", None, "no-destination "),
        ("nowhere in another namespace", "?subject_id=marker-1&subject_namespace=other", None, "no-destination "),
        ("no namespace", "?subject_id=marker-1", None, "missing-namespace "),
        ("no patient", "", None, "invalid-request "),
        ("twice", "?subject_id=marker-1&subject_id=marker-2&subject_namespace=ns", None, "invalid-request "),
        ("something else", "?subject_id=marker-1&subject_namespace=ns&format=x", None, "invalid-request "),
    ];
    for (name, query, target, expected) in cases {
        let house = house();
        let request = request("GET", &format!("/ehr{query}"));
        let request = if let Some(target) = target { at(target, request) } else { request };
        let result = house.serve(request).await;
        assert_eq!(told(&result), expected, "{name}");
        assert!(!house.everything().contains("marker"), "{name}");
        if let Err(error) = result {
            assert!(!error.to_string().contains("marker"), "{name}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn cp26_a_header_that_would_tell_the_node_is_not_sent() {
    let house = House::with(&[("a", Some(holder))], &[("marker-100023", "node-a", UUID)], |_| ());
    let ask = || request("GET", "/ehr?subject_id=marker-100023&subject_namespace=ns");
    let told_so = having(ask(), "openehr-note", "patient=marker-100023");
    assert_eq!(told(&house.serve(told_so).await), "identifier-leak ");
    assert!(house.lines().is_empty());
    assert_eq!(told(&house.serve(ask()).await), "200 a");
}

#[tokio::test(start_paused = true)]
async fn a_resolution_binds_the_session() {
    let house = house();
    house.serve(request("GET", "/ehr?subject_id=marker-1&subject_namespace=ns")).await.unwrap();
    let write = request("POST", &format!("/ehr/{UUID}/composition"));
    assert_eq!(told(&house.serve(write).await), "200 a");
}
