//! The configuration as operators meet it: examples, faults with places, the environment.

use std::collections::BTreeSet;
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
fn every_fault_is_reported_at_once_with_line_and_column() {
    let text = "[server]\nlisten = 5\nlistne = \"x\"\n\n[timeouts]\nper_node_ms = 9000\noverall_ms = 3000\n[pagng]\n";
    let faults = faults_of(load_with(text, &[]));
    let kinds: Vec<_> = faults.iter().map(|(kind, _)| *kind).collect();
    assert_eq!(kinds, [FaultKind::Invalid, FaultKind::UnknownKey, FaultKind::Conflict, FaultKind::UnknownKey], "{faults:#?}");
    assert!(faults[0].1.starts_with("2:10 server.listen this is an integer"), "{faults:#?}");
    assert!(faults[1].1.starts_with("3:1 server.listne") && faults[1].1.contains("Did you mean `listen`"), "{faults:#?}");
    assert!(faults[2].1.contains("`timeouts.per_node_ms` is 9000 ms") && faults[2].1.contains("`timeouts.overall_ms`"));
    assert!(faults[3].1.contains("Did you mean `paging`"), "{faults:#?}");
}

#[test]
fn a_fault_is_printed_with_its_file_its_reason_and_its_remedy() {
    let directory = files(&[("gateway.toml", "[limits]\nmax_rows = 0\n")]);
    let faults = load(&directory.path().join("gateway.toml"), []).unwrap_err().to_string();
    assert!(faults.contains("gateway.toml:2:12: `limits.max_rows`: 0 is not between 1 and"), "{faults}");
    assert!(faults.ends_with("1 fault in the configuration"), "{faults}");
}

#[test]
fn several_syntax_faults_are_found_and_what_they_hid_is_not_called_missing() {
    let text = "[server\nlisten = \"127.0.0.1:1\"\n[[endpoint]]\nid = \n[limits]\nmax_rows = \"many\"\n";
    let faults = faults_of(load_with(text, &[]));
    assert!(faults.iter().filter(|(kind, _)| *kind == FaultKind::Syntax).count() >= 2, "{faults:#?}");
    assert!(faults.iter().all(|(kind, _)| *kind != FaultKind::Missing), "{faults:#?}");
    assert!(faults.iter().any(|(_, shown)| shown.contains("limits.max_rows")), "{faults:#?}");
}

#[test]
fn a_missing_file_is_a_fault_with_its_name() {
    let faults = load(std::path::Path::new("/nowhere/gateway.toml"), []).unwrap_err();
    assert_eq!(faults.iter().next().unwrap().kind, FaultKind::Unreadable);
}

#[test]
fn what_is_not_yet_served_is_recognised_and_refused_as_that() {
    let cases = [
        "[paging]\noffset_strategy = \"cursor\"",
        "[auth]\nmode = \"jwt\"",
        "[auth]\nmode = \"proxy\"",
        "[store]\nbackend = \"redis\"\nurl = \"redis://127.0.0.1:6379\"",
        "[cooldown]\nmode = \"constant\"",
        "[cooldown]\nmode = \"exponential\"",
        "[telemetry]\notlp_endpoint = \"http://127.0.0.1:4318\"",
        "[registry]\nmcsd_url = \"https://directory.example/fhir\"",
        "[registry]\nfhir_bundle_file = \"members.json\"",
        "[server]\ntls = { cert_file = \"a.pem\", key_file = \"b.pem\" }",
        "[[node]]\nid = \"n\"\nsystem_id = \"s\"\ndialect = \"ehrbase\"",
        &format!("{MEMBERS}auth = {{ type = \"client_credentials\", token_url = \"https://t.example\", client_id = \"c\" }}"),
        &format!("{MEMBERS}auth = {{ type = \"token_exchange\" }}"),
    ];
    for text in cases {
        let faults = faults_of(load_with(text, &[]));
        assert_eq!(faults.len(), 1, "{text}: {faults:#?}");
        assert_eq!(faults[0].0, FaultKind::NotYetServed, "{text}: {faults:#?}");
    }
}

#[test]
fn values_that_contradict_one_another_are_named_together() {
    let cases: &[(&str, &str)] = &[
        ("[server]\nlisten = \"0.0.0.0:8080\"", "`auth.allow_anonymous` is not true"),
        ("[admin]\nlisten = \"0.0.0.0:8081\"", "`admin.allow_remote` is not true"),
        ("[admin]\nlisten = \"127.0.0.1:8080\"", "the same address"),
        ("[timeouts]\nper_node_ms = 20000", "`timeouts.overall_ms`, which is 15000 ms by default"),
        ("[localization]\nmode = \"http\"", "there is no `localization.url`"),
        ("[consent]\nmode = \"http\"", "there is no `consent.url`"),
        ("[localization]\nmode = \"pixm\"", "there is no `[identity.pixm]`"),
        ("[identity]\ncrossref = \"pixm\"", "there is no `[identity.pixm]`"),
        (
            "[[identity.static]]\nnamespace = \"n\"\nvalue = \"v\"\nnode = \"nowhere\"\nehr_id = \"e\"",
            "there is no node `nowhere`",
        ),
        ("[identity.pixm]\nurl = \"http://127.0.0.1:1\"\n[identity.pixm.domains]\nnowhere = \"d\"", "there is no such node"),
        ("[localization]\nmode = \"http\"\nurl = \"http://10.0.0.1/where\"", "patient identifiers would travel without TLS"),
        ("[egress]\nprivate_addresses = \"refused\"\n[consent]\nurl = \"https://10.0.0.1/x\"", "its address is private"),
        ("[egress]\nrequire_https = true\n[consent]\nurl = \"http://127.0.0.1/x\"", "`egress.require_https` is true"),
    ];
    for (text, says) in cases {
        refused(text, FaultKind::Conflict, says);
    }
}

#[test]
fn the_membership_holds_together_or_is_refused() {
    let another = |rows: &str| format!("{MEMBERS}{rows}");
    let cases = [
        (another("[[endpoint]]\nid = \"hospital-a\"\n"), "the id `hospital-a` is given twice"),
        (another("[[node]]\nid = \"node-a\"\nsystem_id = \"x\"\n"), "the id `node-a` is given twice"),
        (another("[[organisation]]\nid = \"org-a\"\n"), "the id `org-a` is given twice"),
        (another("[[node]]\nid = \"b\"\nsystem_id = \"cdr-a.example.org\"\n"), "node `node-a` has this system id too"),
        (
            another("[[node]]\nid = \"b\"\nsystem_id = \"b\"\ncreating_system_ids = [\"cdr-a.example.org\"]\n"),
            "node `node-a` has this system id too",
        ),
        (another("per_node_ms = 200000\n"), "may only shorten"),
        (MEMBERS.replace("node = \"node-a\"", "node = \"node-b\""), "there is no node `node-b`"),
        (MEMBERS.replace("organisation = \"org-a\"", "organisation = \"org-b\""), "there is no organisation `org-b`"),
        (MEMBERS.replace("http://127.0.0.1:9001", "http://cdr.example.org"), "clinical data would travel without TLS"),
        (
            another("[[endpoint]]\nid = \"b\"\nnode = \"node-a\"\norganisation = \"org-a\"\nurl = \"http://127.0.0.1:9001/\"\n"),
            "endpoint `hospital-a` has the same address",
        ),
    ];
    for (text, says) in cases {
        refused(&text, FaultKind::Conflict, says);
    }
}

#[test]
fn malformed_values_are_refused_with_their_reason() {
    let cases: &[(&str, &str)] = &[
        ("[server]\nlisten = \"localhost:8080\"", "no IP address with a port"),
        ("[server]\nbase_path = \"/a/../b\"", "no plain path"),
        ("[server]\npublic_url = \"ftp://x\"", "neither http nor https"),
        ("[server]\npublic_url = \"http://u:p@x\"", "holds credentials"),
        ("[server]\npublic_url = \"http://x/?a=b\"", "a query or a fragment"),
        ("[federation]\nalias = \"two words\"", "a token of HTTP"),
        ("[timeouts]\nper_node_ms = -1", "-1 is not between 1 and"),
        ("[timeouts]\nper_node_ms = 1.5", "this is a fraction, not an integer"),
        ("[limits]\nmax_node_bytes = 5000000000", "is not between 1 and 4294967295"),
        ("[paging]\noffset_strategy = \"windows\"", "`windows` is none of the words it may be"),
        ("[aggregates]\ndecomposable = [\"MEDIAN\"]", "`MEDIAN` is none of the words"),
        ("[routing]\npass_query_parameters = [\"subject_id\"]", "never reaches a node"),
        ("[egress]\ndenied_addresses = [\"10.0.0.0/99\"]", "neither an IP address nor a subnet"),
        ("[[endpoint]]\nid = \"a, b\"", "not a plain word"),
    ];
    for (text, says) in cases {
        refused(text, FaultKind::Invalid, says);
    }
}

#[test]
fn a_patient_identifier_never_stands_in_a_fault() {
    let row = "[[identity.static]]\nnamespace = \"urn:marker\"\nvalue = \"MARKER-77\"\nnode = \"node-a\"\nehr_id = \"e-1\"\n";
    let text = format!("{MEMBERS}{row}{row}[identity.pixm]\n");
    let faults = load_with(&text, &[]).unwrap_err().to_string();
    assert!(faults.contains("another row for node `node-a`"), "{faults}");
    assert!(!faults.contains("MARKER") && !faults.contains("urn:marker"), "{faults}");
}

#[test]
fn the_environment_overrides_the_file() {
    let env = [
        ("TRIBUTARY__SERVER__LISTEN", "127.0.0.1:9999"),
        ("TRIBUTARY__TIMEOUTS__PER_NODE_MS", "123"),
        ("TRIBUTARY__DEDUP__MODES", "[\"none\"]"),
        ("TRIBUTARY__FEDERATION__ID", "007"),
        ("TRIBUTARY__ENDPOINT__0__ORDERING", "exact"),
        ("TRIBUTARY__ENDPOINT__0__AUTH__TYPE", "bearer"),
        ("TRIBUTARY__ENDPOINT__0__AUTH__TOKEN", "t0ken"),
        ("TRIBUTARY__IDENTITY__PIXM__DOMAINS__NODE_A", "urn:oid:2.999.7"),
        ("OTHER", "ignored"),
    ];
    let text = format!("{MEMBERS}[identity.pixm]\nurl = \"http://127.0.0.1:1\"\n[identity.pixm.domains]\nnode-a = \"d\"\n");
    let settings = load_with(&text, &env).unwrap_or_else(|faults| panic!("{faults}"));
    assert_eq!(settings.server.listen.port(), 9999);
    assert_eq!(settings.timeouts.per_node.as_millis(), 123);
    assert_eq!(settings.dedup_modes.len(), 1);
    assert_eq!(settings.federation.id, "007");
    let endpoint = settings.registry.endpoints().next().unwrap();
    assert_eq!(endpoint.ordering, NodeOrdering::Exact);
    assert!(matches!(endpoint.credentials, Credentials::Bearer { .. }));
    assert!(!format!("{settings:?}").contains("t0ken"));
}

#[test]
fn faults_of_the_environment_name_the_variable() {
    let env = [
        ("TRIBUTARY__SERVER__LISTNE", "x"),
        ("TRIBUTARY__LIMITS__MAX_ROWS", "many"),
        ("TRIBUTARY__LIMITS__MAX_INFLIGHT", "-3"),
        ("TRIBUTARY__ENDPOINT__4__URL", "http://127.0.0.1"),
        ("TRIBUTARY__SERVER__LISTEN__MORE", "x"),
    ];
    let faults = faults_of(load_with("", &env));
    assert_eq!(faults.len(), env.len(), "{faults:#?}");
    for (name, _) in env {
        assert!(faults.iter().any(|(_, shown)| shown.starts_with(&format!("{name} "))), "{name}: {faults:#?}");
    }
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

/// Every key under every section is read: a value of a type no key has is a fault wherever it stands.
#[test]
fn every_key_of_the_catalogue_is_read() {
    fn write(path: &str, keys: &'static [keys::Key], text: &mut String, wanted: &mut Vec<String>) {
        for key in keys.iter().filter(|key| !matches!(key.shape, keys::Shape::Table(_) | keys::Shape::Rows(_))) {
            text.push_str(&format!("{} = 2020-01-01\n", key.name));
            wanted.push(format!("{path}.{}", key.name));
        }
        for key in keys {
            if let keys::Shape::Table(inner) = key.shape {
                text.push_str(&format!("[{path}.{}]\n", key.name));
                write(&format!("{path}.{}", key.name), inner, text, wanted);
            }
        }
        for key in keys {
            if let keys::Shape::Rows(inner) = key.shape {
                text.push_str(&format!("[[{path}.{}]]\n", key.name));
                write(&format!("{path}.{}", key.name), inner, text, wanted);
            }
        }
    }
    let (mut text, mut wanted) = (String::new(), Vec::new());
    for section in keys::root() {
        match section.shape {
            keys::Shape::Table(inner) => {
                text.push_str(&format!("[{}]\n", section.name));
                write(section.name, inner, &mut text, &mut wanted);
            }
            keys::Shape::Rows(inner) => {
                text.push_str(&format!("[[{}]]\n", section.name));
                write(section.name, inner, &mut text, &mut wanted);
            }
            _ => panic!("{} is no section", section.name),
        }
    }
    let faults = load_with(&text, &[]).unwrap_err();
    let judged: BTreeSet<_> = faults.iter().map(|fault| fault.key.clone()).collect();
    let missing: Vec<_> = wanted.iter().filter(|key| !judged.contains(*key) && !conditional(key)).collect();
    assert!(missing.is_empty(), "never read: {missing:?}\n{faults}");
    assert!(faults.iter().all(|fault| fault.kind != FaultKind::UnknownKey), "{faults}");
}

/// Read only when `type` asks for it.
fn conditional(key: &str) -> bool {
    let conditional = ["username", "password", "password_file", "token", "token_file"];
    key.contains(".auth.") && conditional.iter().any(|name| key.ends_with(&format!(".{name}")))
        || [".token_url", ".client_id", ".scope", ".audience"].iter().any(|name| key.ends_with(name))
}

/// `docs/configuration.md` and the catalogue have the same keys.
#[test]
fn every_key_is_documented_and_every_documented_key_exists() {
    let guide = include_str!("../../docs/configuration.md");
    let mut section = "";
    let mut documented = BTreeSet::new();
    for line in guide.lines() {
        if line.starts_with('#') {
            section = line.split('`').nth(1).unwrap_or("").trim_matches(['[', ']']);
        } else if let Some(key) = line.strip_prefix("| `").and_then(|rest| rest.split('`').next()) {
            documented.insert(format!("{section}.{key}"));
        }
    }
    let mut existing = BTreeSet::new();
    for key in keys::all() {
        // The keys of credentials are documented once.
        match key.rsplit_once("auth.").filter(|(owner, _)| !owner.is_empty()) {
            Some((_, credential)) => existing.insert(format!("auth.{credential}")),
            None => existing.insert(key),
        };
    }
    let sections: BTreeSet<String> = guide
        .lines()
        .filter(|line| line.starts_with('#'))
        .filter_map(|line| line.split('`').nth(1).map(|name| name.trim_matches(['[', ']']).to_owned()))
        .collect();
    let undocumented: Vec<_> = existing.iter().filter(|key| !documented.contains(*key) && !sections.contains(*key)).collect();
    let invented: Vec<_> = documented.iter().filter(|key| !existing.contains(*key)).collect();
    assert!(undocumented.is_empty() && invented.is_empty(), "undocumented {undocumented:?}, invented {invented:?}");
}
