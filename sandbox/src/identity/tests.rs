use reqwest::Client;

use super::{Identifier, IdentityRegistry, Services, ehr_domain};
use crate::federation::Federation;
use crate::synthetic::Plan;
use crate::value::Json;
use crate::wire::Fault;

async fn started() -> (Federation, Services) {
    let federation = Federation::start(Plan { nodes: 2, patients: 4, ..Plan::default() }.generate()).await.unwrap();
    let services = Services::start(&federation).await.unwrap();
    (federation, services)
}

async fn sent(request: reqwest::RequestBuilder) -> (u16, Json) {
    let response = request.send().await.unwrap();
    (response.status().as_u16(), response.text().await.unwrap().parse().unwrap())
}

#[tokio::test]
async fn iti83_gives_the_ehr_ids_of_a_patient_by_get_and_post() {
    let (federation, services) = started().await;
    let patient = &federation.patients()[0];
    let url = format!("{}/Patient/$ihe-pix", services.pix.url());
    let source = format!("{}|{}", patient.namespace, patient.value);
    let by_get = Client::new().get(&url).query(&[("sourceIdentifier", source.as_str()), ("targetSystem", &ehr_domain(1))]);
    let (status, found) = sent(by_get).await;
    let expected = format!(
        r#"{{"resourceType":"Parameters","parameter":[{{"name":"targetIdentifier","valueIdentifier":{{"system":"{}","value":"{}"}}}}]}}"#,
        ehr_domain(1),
        patient.holdings[1].ehr_id
    );
    assert_eq!((status, found.to_string()), (200, expected.clone()));
    let body = format!(
        r#"{{"resourceType":"Parameters","parameter":[{{"name":"sourceIdentifier","valueString":"{}|{}"}},{{"name":"targetSystem","valueString":"{}"}}]}}"#,
        patient.namespace,
        patient.value,
        ehr_domain(1)
    );
    let (status, found) = sent(Client::new().post(&url).body(body)).await;
    assert_eq!((status, found.to_string()), (200, expected));
}

#[tokio::test]
async fn iti83_says_what_it_does_not_know() {
    let (federation, services) = started().await;
    let url = format!("{}/Patient/%24ihe-pix", services.pix.url());
    let known = format!("{}|{}", federation.patients()[0].namespace, federation.patients()[0].value);
    for (source, target, status, code) in [
        ("urn:oid:2.999.1|nobody", ehr_domain(0), 404, "not-found"),
        ("urn:oid:9|x", ehr_domain(0), 400, "code-invalid"),
        (known.as_str(), "urn:oid:9".into(), 403, "code-invalid"),
        ("x", ehr_domain(0), 400, "required"),
    ] {
        let (found, outcome) =
            sent(Client::new().get(&url).query(&[("sourceIdentifier", source), ("targetSystem", &target)])).await;
        let issue = &outcome.get("issue").unwrap().as_array().unwrap()[0];
        assert_eq!((found, issue.text_at(&["code"])), (status, Some(code)), "{source}");
    }
}

#[tokio::test]
async fn iti104_feeds_revises_merges_and_removes() {
    let (_federation, services) = started().await;
    let (client, url) = (Client::new(), format!("{}/Patient", services.pix.url()));
    let put = |key: &str, body: &str| client.put(&url).query(&[("identifier", key)]).body(body.to_owned());
    let new = r#"{"resourceType":"Patient","identifier":[{"system":"urn:a","value":"1"},{"system":"urn:b","value":"2"}]}"#;
    assert_eq!(sent(put("urn:a|1", new)).await.0, 201);
    let target = |source: &str| services.pix.registry(|held| held.corresponding(&Identifier::parse(source).unwrap(), &[]));
    assert_eq!(target("urn:a|1"), Some(vec![Identifier::new("urn:b", "2")]));
    let revised = r#"{"resourceType":"Patient","identifier":[{"system":"urn:a","value":"1"}]}"#;
    assert_eq!(sent(put("urn:a|1", revised)).await.0, 200);
    assert_eq!(target("urn:a|1"), Some(vec![]));
    let merged = r#"{"resourceType":"Patient","active":false,"identifier":[{"system":"urn:c","value":"3"}],
        "link":[{"other":{"identifier":{"system":"urn:a","value":"1"}},"type":"replaced-by"}]}"#;
    assert_eq!(sent(put("urn:c|3", merged)).await.0, 201);
    assert_eq!(target("urn:a|1"), Some(vec![Identifier::new("urn:c", "3")]));
    assert_eq!(sent(put("urn:x|9", revised)).await.0, 422);
    client.delete(&url).query(&[("identifier", "urn:a|1")]).send().await.unwrap();
    assert_eq!(target("urn:a|1"), None);
}

#[tokio::test]
async fn the_localizer_and_the_consent_service_speak_their_contracts() {
    let (federation, services) = started().await;
    let patient = &federation.patients()[0];
    let who = format!(r#""patient":{{"namespace":"{}","value":"{}"}}"#, patient.namespace, patient.value);
    let ask = |url: String, body: String| sent(Client::new().post(url).body(body));
    let (_, found) = ask(services.localizer.url(), format!("{{{who}}}")).await;
    assert_eq!(found.to_string(), r#"{"nodes":["node-a","node-b"]}"#);
    services.consent.deny(&Identifier::new(&patient.namespace, &patient.value), vec!["node-b".into(), "node-z".into()]);
    let (_, found) = ask(services.consent.url(), format!(r#"{{{who},"nodes":["node-a","node-b"]}}"#)).await;
    assert_eq!(found.to_string(), r#"{"denied":["node-b"]}"#);
    services.localizer.server().faults().always(Fault::Status(500, "{}".into()));
    assert_eq!(ask(services.localizer.url(), format!("{{{who}}}")).await.0, 500);
    assert!(services.localizer.server().journal().contains(&patient.value));
}

#[test]
fn identifiers_that_share_one_are_of_one_patient() {
    let mut registry = IdentityRegistry::default();
    let id = |system: &str, value: &str| Identifier::new(system, value);
    registry.join(vec![id("a", "1"), id("b", "1")]);
    registry.join(vec![id("c", "1"), id("d", "1")]);
    registry.join(vec![id("b", "1"), id("c", "1"), id("c", "2")]);
    assert_eq!(registry.corresponding(&id("a", "1"), &["c".into()]), Some(vec![id("c", "1"), id("c", "2")]));
    assert_eq!(registry.corresponding(&id("a", "2"), &[]), None);
}
