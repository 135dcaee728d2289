//! Selectors as the settings make them, against services on loopback.

use std::io;
use std::sync::Mutex;

use serde_json::json;

use super::*;
use crate::config::{
    ConsentMode, ConsentSettings, IdentitySettings, LocalizationMode, LocalizationSettings, PixmForm, PixmManager, PixmSettings,
    ServiceSettings, Settings,
};
use crate::select::testing::{Stub, client};

fn manager(stub: &Stub, nodes: &str) -> PixmSettings {
    let domains = nodes.split_whitespace().map(|node| (NodeId::new(node), format!("urn:domain:{node}"))).collect();
    let service = ServiceSettings::at(stub.url.clone());
    PixmSettings { managers: vec![PixmManager { service, form: PixmForm::Get, domains, namespaces: Default::default() }] }
}

async fn knowing(nodes: &str) -> Stub {
    let identifier = |node: &str| json!({"name": "targetIdentifier", "valueIdentifier": {"system": format!("urn:domain:{node}"), "value": format!("ehr-{node}")}});
    let parameter: Vec<_> = nodes.split_whitespace().map(identifier).collect();
    Stub::answering(200, json!({"resourceType": "Parameters", "parameter": parameter}).to_string()).await
}

fn settings(identity: IdentitySettings, localization: LocalizationMode, consent: ConsentMode) -> Settings {
    Settings {
        registry: registry("a@a b@b c@c"),
        identity,
        localization: LocalizationSettings { mode: localization, on_failure: LocalizationFailure::Closed },
        consent: ConsentSettings { mode: consent },
        ..Settings::default()
    }
}

#[tokio::test]
async fn localized_and_resolved_by_the_same_managers_each_is_asked_once() {
    let stub = knowing("a c").await;
    let pixm = manager(&stub, "a b c");
    let settings = settings(IdentitySettings::Pixm(pixm.clone()), LocalizationMode::Pixm(pixm), ConsentMode::None);
    let selection = selected(&Selector::new(&settings, &client()), &Targeting::Undirected).await.unwrap();
    assert_eq!(shown(&selection), "a=ask(ehr-a) b=not-localized c=ask(ehr-c)");
    assert_eq!(stub.asked().len(), 1);
}

#[tokio::test]
async fn a_directed_query_is_resolved_where_it_is_directed() {
    let stub = knowing("a c").await;
    let pixm = manager(&stub, "a b c");
    let settings = settings(IdentitySettings::Pixm(pixm.clone()), LocalizationMode::Pixm(pixm), ConsentMode::None);
    let selection = selected(&Selector::new(&settings, &client()), &endpoints("a b")).await.unwrap();
    assert_eq!(shown(&selection), "a=ask(ehr-a) b=not-resolved c=excluded");
    assert!(!stub.asked()[0].line.contains("domain%3Ac"), "what is not asked for is not told");
}

#[tokio::test]
async fn three_services_each_are_asked_about_what_the_one_before_left() {
    let localizer = Stub::answering(200, json!({"nodes": ["a", "b"]}).to_string()).await;
    let consent = Stub::answering(200, json!({"denied": ["b"]}).to_string()).await;
    let pix = knowing("a b c").await;
    let settings = settings(
        IdentitySettings::Pixm(manager(&pix, "a b c")),
        LocalizationMode::Http(ServiceSettings::at(localizer.url.clone())),
        ConsentMode::Http(ServiceSettings::at(consent.url.clone())),
    );
    let selection = selected(&Selector::new(&settings, &client()), &Targeting::Undirected).await.unwrap();
    assert_eq!(shown(&selection), "a=ask(ehr-a) b=consent-denied c=not-localized");
    assert!(consent.asked()[0].body.ends_with("\"nodes\":[\"a\",\"b\"]}"));
    assert!(pix.asked()[0].line.ends_with("targetSystem=urn%3Adomain%3Aa"));
}

/// Keeps every byte that is logged.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn the_identifier_is_in_no_log_line_at_any_level() {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt().with_max_level(tracing::Level::TRACE).with_writer(move || writer.clone()).finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let (localizer, consent, pix) = (
        Stub::answering(200, json!({"nodes": ["a"]}).to_string()).await,
        Stub::answering(500, "MARKER-77").await,
        knowing("").await,
    );
    let settings = settings(
        IdentitySettings::Pixm(manager(&pix, "a b c")),
        LocalizationMode::Http(ServiceSettings::at(localizer.url.clone())),
        ConsentMode::Http(ServiceSettings::at(consent.url.clone())),
    );
    let scope = Scope::Patient(PatientReference {
        namespace: Sensitive::new("urn:oid:2.999.555".to_owned()),
        value: Sensitive::new("MARKER-77".to_owned()),
    });
    let selector = Selector::new(&settings, &client());
    let selection = selector.select(&scope, &Targeting::Undirected, &budget()).await.unwrap();
    assert_eq!(shown(&selection), "a=not-resolved b=not-localized c=not-localized");
    assert!(pix.asked()[0].line.contains("MARKER-77"), "the manager was told");
    let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert!(log.contains("consent service failed"), "{log}");
    assert!(!log.contains("MARKER") && !log.contains("2.999.555"), "{log}");
}
