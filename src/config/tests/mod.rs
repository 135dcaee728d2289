//! The configuration as operators meet it: examples, faults with places, the environment.

mod catalogue;
mod environment;
mod faults;
mod garbage;

use std::path::PathBuf;

use super::*;
use crate::node::Credentials;
use crate::registry::{Membership, NodeOrdering};

const MEMBERS: &str = r#"
[[organisation]]
id = "org-a"
[[node]]
id = "node-a"
system_id = "cdr-a.example.org"
[[endpoint]]
id = "hospital-a"
node = "node-a"
organisation = "org-a"
url = "http://127.0.0.1:9001"
"#;

/// A directory with these files in it.
fn files(files: &[(&str, &str)]) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(directory.path().join(name), text).unwrap();
    }
    directory
}

fn load_with(text: &str, env: &[(&str, &str)]) -> Result<Settings, Faults> {
    let directory = files(&[("gateway.toml", text)]);
    load(&directory.path().join("gateway.toml"), env.iter().map(|(name, value)| (name.into(), value.into())))
}

fn loaded(text: &str) -> Settings {
    load_with(text, &[]).unwrap_or_else(|faults| panic!("{faults}"))
}

/// `line: key: reason` of every fault.
fn faults_of(result: Result<Settings, Faults>) -> Vec<(FaultKind, String)> {
    let shown = |fault: &Fault| {
        let place = match &fault.place {
            Place::File(_) => "file".to_owned(),
            Place::Position { line, column, .. } => format!("{line}:{column}"),
            Place::Environment(name) => name.to_string(),
        };
        (fault.kind, format!("{place} {} {} | {}", fault.key, fault.reason, fault.remedy))
    };
    result.expect_err("faults were expected").iter().map(shown).collect()
}

/// The configuration is refused, and one of its faults is of this kind and says this.
#[track_caller]
fn refused(text: &str, kind: FaultKind, says: &str) {
    let faults = faults_of(load_with(text, &[]));
    assert!(faults.iter().any(|(found, shown)| *found == kind && shown.contains(says)), "wanted {kind:?} {says}: {faults:#?}");
}

fn example(name: &str) -> Settings {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("config").join(name);
    load(&file, []).unwrap_or_else(|faults| panic!("{faults}"))
}

#[test]
fn an_empty_file_is_a_gateway_on_loopback_without_members() {
    let settings = loaded("");
    assert!(settings.server.listen.ip().is_loopback());
    assert_eq!(settings.registry.endpoints().len(), 0);
    assert_eq!(settings.paging.strategy, OffsetStrategy::Window);
    assert_eq!(settings.timeouts, TimeoutSettings::default());
}

#[test]
fn the_demo_example_is_accepted() {
    let settings = example("demo.toml");
    assert_eq!(settings.registry.endpoints().len(), 2);
    assert_eq!(settings.registry.endpoints().next().unwrap().url.as_str(), "http://127.0.0.1:9001/");
    assert!(matches!(&settings.identity, IdentitySettings::Static(rows) if rows.len() == 2));
}

#[test]
fn the_production_example_is_accepted_with_its_membership_file() {
    let settings = example("production.toml");
    assert_eq!(settings.server.base_path, "/federation/");
    assert_eq!(settings.egress.tls, TlsRule::Always);
    let endpoints: Vec<_> = settings.registry.endpoints().collect();
    assert_eq!(endpoints.len(), 3);
    assert_eq!(endpoints[0].ordering, NodeOrdering::Untrusted);
    assert_eq!(endpoints[2].membership, Membership::Suspended("maintenance".to_owned()));
    let IdentitySettings::Pixm(pixm) = &settings.identity else { panic!("pixm was written") };
    assert_eq!(pixm.managers[0].domains.len(), 2);
    assert_eq!(pixm.managers[0].form, PixmForm::Post);
    assert!(matches!(settings.localization.mode, LocalizationMode::Pixm(_)));
    assert!(matches!(settings.consent.mode, ConsentMode::Http(_)));
    assert!(matches!(settings.store, StoreSettings::Redb(_)));
}

#[test]
fn a_secret_comes_from_its_file_without_the_last_line_break() {
    use secrecy::ExposeSecret;
    let text = format!("{MEMBERS}auth = {{ type = \"basic\", username = \"u\", password_file = \"secret\" }}\n");
    let directory = files(&[("gateway.toml", &text), ("secret", "s3cret \n")]);
    let settings = load(&directory.path().join("gateway.toml"), []).unwrap_or_else(|faults| panic!("{faults}"));
    let Credentials::Basic { password, .. } = &settings.registry.endpoints().next().unwrap().credentials else {
        panic!("basic was written")
    };
    assert_eq!(password.expose_secret(), "s3cret ");
}

#[test]
fn a_secret_is_written_once_and_can_be_read() {
    let with = |auth: &str| format!("{MEMBERS}auth = {{ {auth} }}\n");
    refused(&with("type = \"bearer\", token = \"x\", token_file = \"y\""), FaultKind::Conflict, "are both written");
    refused(&with("type = \"bearer\""), FaultKind::Missing, "the secret is missing");
    refused(&with("type = \"bearer\", token_file = \"nowhere\""), FaultKind::Unreadable, "cannot be read");
    refused(&with("username = \"u\""), FaultKind::Missing, "endpoint.auth.type");
}

#[test]
fn the_membership_file_is_read_beside_the_file_that_names_it() {
    let directory = files(&[("gateway.toml", "[registry]\nfile = \"members.toml\"\n"), ("members.toml", MEMBERS)]);
    let settings = load(&directory.path().join("gateway.toml"), []).unwrap_or_else(|faults| panic!("{faults}"));
    assert_eq!(settings.registry.endpoints().len(), 1);
}

#[test]
fn faults_of_the_membership_file_name_that_file() {
    let members = format!("{MEMBERS}orderng = \"exact\"\n[limits]\nmax_rows = 1\n");
    let gateway = "[registry]\nfile = \"members.toml\"\n[[node]]\nid = \"x\"\nsystem_id = \"x\"\n";
    let directory = files(&[("gateway.toml", gateway), ("members.toml", &members)]);
    let faults = load(&directory.path().join("gateway.toml"), []).unwrap_err().to_string();
    assert!(faults.contains("members.toml:12:1: `endpoint.orderng`"), "{faults}");
    assert!(faults.contains("members.toml:13:2: `limits`: there is no such key"), "{faults}");
    assert!(faults.contains("gateway.toml:2:8: `registry.file`"), "{faults}");
}

#[test]
fn several_managers_each_know_their_own_nodes() {
    let managers = r#"
[[node]]
id = "node-b"
system_id = "b"
[identity]
crossref = "pixm"
[identity.pixm]
url = "http://127.0.0.1:9100/fhir"
domains = { node-a = "urn:oid:2.999.9.1" }
[[identity.pixm.manager]]
url = "http://127.0.0.1:9101/fhir/"
timeout_ms = 500
domains = { node-b = "urn:oid:2.999.9.2" }
namespaces = { "urn:a" = "urn:b" }
"#;
    let text = format!("{MEMBERS}{managers}");
    let IdentitySettings::Pixm(pixm) = loaded(&text).identity else { panic!("pixm was written") };
    assert_eq!(pixm.managers.len(), 2);
    assert_eq!(pixm.managers[0].service.url.as_str(), "http://127.0.0.1:9100/fhir/");
    refused(&text.replace("{ node-b =", "{ node-a ="), FaultKind::Conflict, "another manager knows this node too");
    refused(&text.replace("2.999.9.2", "2.999.9.1"), FaultKind::Conflict, "another node has the same domain");
    let endpoint = "[[endpoint]]\nid = \"c\"\nnode = \"node-c\"\norganisation = \"org-a\"\nurl = \"http://127.0.0.1:2\"\n";
    let uncovered = format!("{text}[[node]]\nid = \"node-c\"\nsystem_id = \"c\"\n{endpoint}");
    refused(&uncovered, FaultKind::Conflict, "node `node-c` has an endpoint, and no domain");
}

#[test]
fn the_static_localizer_takes_the_identity_rows_when_it_has_none() {
    let row = "[[identity.static]]\nnamespace = \"n\"\nvalue = \"v\"\nnode = \"node-a\"\nehr_id = \"e\"\n";
    let text = format!("{MEMBERS}{row}[localization]\nmode = \"static\"\n");
    let LocalizationMode::Static(rows) = loaded(&text).localization.mode else { panic!("static was written") };
    assert_eq!(rows.len(), 1);
    let own = "[[localization.static]]\nnamespace = \"n\"\nvalue = \"w\"\nnodes = []\n";
    let LocalizationMode::Static(rows) = loaded(&format!("{text}{own}")).localization.mode else { panic!("static was written") };
    assert!(rows[0].nodes.is_empty());
}

#[test]
fn certificate_authorities_are_read_from_their_file() {
    let authority = rcgen::generate_simple_self_signed(vec!["ca.example".to_owned()]).unwrap().cert.pem();
    let gateway = "[egress]\nca_file = \"ca.pem\"\n";
    let directory = files(&[("gateway.toml", gateway), ("ca.pem", &format!("{authority}{authority}"))]);
    let settings = load(&directory.path().join("gateway.toml"), []).unwrap_or_else(|faults| panic!("{faults}"));
    assert_eq!(settings.egress.client().authorities.len(), 2);
    for (text, kind) in [("nothing", FaultKind::Invalid), ("-----BEGIN CERTIFICATE-----\n!\n", FaultKind::Invalid)] {
        let directory = files(&[("gateway.toml", gateway), ("ca.pem", text)]);
        let faults = load(&directory.path().join("gateway.toml"), []).unwrap_err();
        assert_eq!(faults.iter().next().unwrap().kind, kind, "{faults}");
    }
    refused(gateway, FaultKind::Unreadable, "egress.ca_file");
}
