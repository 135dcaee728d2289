//! What is refused, where it is said to be, and why.

use super::*;

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
        ("[federation]\nstored_queries = false\nstored_query_fan_out = true", "`federation.stored_queries` is off"),
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
fn an_unknown_key_is_told_the_nearest_or_where_it_belongs() {
    let cases = [
        ("[timeouts]\noveral_ms = 1", "Did you mean `overall_ms`?"),
        ("[time_outs]\n", "Did you mean `timeouts`?"),
        ("[server]\nmax_rows = 1", "It belongs in [limits]"),
        ("[server]\nzzz = 1", "the nearest key there is here is `"),
        ("[server]\nlisten.port = 1", "a table, not text"),
    ];
    for (text, says) in cases {
        let faults = load_with(text, &[]).unwrap_err().to_string();
        assert!(faults.contains(says), "{text}: {faults}");
    }
}
