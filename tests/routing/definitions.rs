//! Templates and stored queries at several nodes: what each took, and no success while one did not (track 9, CP-34, CP-40).

use serde_json::{Value, json};
use tributary_sandbox::wire::Fault;

use crate::calls::{Call, ask, call, federation, gateway, gateway_with};

const DEFINITION: &str = "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE e/ehr_id/value = $id";

fn upload(id: &str, target: &str) -> Call {
    let body = format!("<template><template_id><value>{id}</value></template_id></template>");
    let call = call("POST", "/definition/template/adl1.4").having("content-type", "application/xml");
    Call { body, ..call }.having("openehr-federation-endpoint", target)
}

/// The statuses in `outcomes`.
fn outcomes(body: &str) -> Vec<Value> {
    let report: Value = serde_json::from_str(body).unwrap();
    report["outcomes"].as_array().unwrap().iter().map(|outcome| outcome["http_status"].clone()).collect()
}

#[tokio::test]
async fn cp34_a_template_for_several_is_told_endpoint_by_endpoint() {
    let federation = federation(3).await;
    let (base, _) = gateway_with(&federation, "fan_out_template_upload = true");
    let (all, headers) = ask(&base, &upload("one", "*")).await;
    assert_eq!((all.status.as_u16(), outcomes(&all.body)), (201, vec![json!(201); 3]), "{all:?}");
    assert_eq!(headers["openehr-federation-endpoint"], "hospital-a, hospital-b, hospital-c");
    federation.nodes()[1].faults().always(Fault::Status(503, "{}".to_owned()));
    let (mixed, headers) = ask(&base, &upload("two", "hospital-a, hospital-b")).await;
    assert_eq!((mixed.status.as_u16(), outcomes(&mixed.body)), (207, vec![json!(201), json!(503)]), "{mixed:?}");
    assert_eq!(headers["openehr-federation-endpoint"], "hospital-a");
    let (none, _) = ask(&base, &upload("one", "*")).await;
    assert_eq!((none.status.as_u16(), outcomes(&none.body)), (424, vec![json!(409), json!(503), json!(409)]), "{none:?}");
    let (off, _) = ask(&gateway(&federation), &upload("three", "*")).await;
    assert!(off.status == 400 && off.body.contains("federation.fan_out_template_upload"), "{off:?}");
}

async fn drift(gateway: &str) -> Value {
    let response = reqwest::get(format!("{gateway}/federation/drift?name=x::")).await.unwrap();
    assert_eq!(response.status(), 200);
    serde_json::from_slice(&response.bytes().await.unwrap()).unwrap()
}

#[tokio::test]
async fn cp40_a_definition_at_the_nodes_and_its_drift() {
    let federation = federation(2).await;
    let (base, _) = gateway_with(&federation, "stored_query_fan_out = true");
    let described = reqwest::Client::new().request(http::Method::OPTIONS, format!("{base}/")).send().await.unwrap();
    let described: Value = serde_json::from_slice(&described.bytes().await.unwrap()).unwrap();
    assert_eq!(described["federation"]["definition"]["stored_query_fan_out"], json!(true));

    let put = |path: &str, q: &str| Call { body: q.to_owned(), ..call("PUT", format!("/definition/query/{path}")) };
    let (stored, _) = ask(&base, &put("x::q/1.0.0", DEFINITION)).await;
    assert_eq!((stored.status.as_u16(), outcomes(&stored.body)), (200, vec![json!(200); 2]), "{stored:?}");
    federation.nodes()[1].faults().always(Fault::Status(503, "{}".to_owned()));
    let (mixed, _) = ask(&base, &put("x::q/1.1.0", DEFINITION)).await;
    assert_eq!((mixed.status.as_u16(), outcomes(&mixed.body)), (207, vec![json!(200), json!(503)]), "{mixed:?}");
    federation.nodes()[1].faults().clear();
    let directed = DEFINITION.replace("FROM EHR", "FROM ENDPOINT p [\"hospital-a\"] CONTAINS EHR");
    assert_eq!(ask(&base, &put("x::directed/1.0.0", &directed)).await.0.status, 200);
    // A node's own change: another text under a name of the registry.
    ask(&federation.nodes()[0].url(), &put("x::q/1.2.0", "SELECT e FROM EHR e")).await;
    ask(&base, &put("x::q/1.2.0", DEFINITION)).await;

    let found = drift(&base).await;
    let version = |text: &str| json!({"name": "x::q", "version": text});
    let expected = json!({
        "compared": 3,
        "not_distributed": [{"name": "x::directed", "version": "1.0.0"}],
        "endpoints": [
            {"id": "hospital-a", "status": "active", "in_step": false, "missing": [], "differing": [version("1.2.0")]},
            {"id": "hospital-b", "status": "active", "in_step": false, "missing": [version("1.1.0")], "differing": []},
        ],
    });
    assert_eq!(found, expected);
    assert!(!federation.nodes().iter().any(|node| node.journal().contains("ENDPOINT")), "what only a federation understands");
    let off = reqwest::get(format!("{}/federation/drift", gateway(&federation))).await.unwrap();
    assert_eq!(off.status(), 404);
    let odd = reqwest::get(format!("{base}/federation/drift?names=x")).await.unwrap();
    assert_eq!(odd.status(), 400);
}
