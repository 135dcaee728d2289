//! `TRIBUTARY__…` laid over the files.

use super::*;

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
