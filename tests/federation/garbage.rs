//! Whatever a client sends is answered with a status of the client's making and a code: never a panic, never a 5xx of ours.

use http::Method;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::json;

use crate::harness::{Answer, World, four, times};

fn run<T: std::fmt::Debug>(cases: u32, strategy: &impl Strategy<Value = T>, test: impl Fn(&World, &tokio::runtime::Runtime, T)) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let world = runtime.block_on(four(120).start());
    let config = Config { cases: cases * times(), failure_persistence: None, ..Config::default() };
    TestRunner::new(config)
        .run(strategy, |value| {
            test(&world, &runtime, value);
            Ok(())
        })
        .unwrap();
    let well = runtime.block_on(world.query(&world.uids_of(0)).send());
    well.is_answer(true, &["active"; 4]);
    let _inside = runtime.enter();
    drop(world);
}

/// Refused with a code; or understood, and then answered.
fn is_the_clients(answer: &Answer) {
    match answer.status() {
        200 => {}
        400..500 => assert!(!answer.code().is_empty(), "{}", answer.text),
        status => panic!("{status}: {}", answer.text),
    }
}

#[test]
fn any_bytes() {
    run(150, &prop::collection::vec(any::<u8>(), 0..300), |world, runtime, body| {
        let answer = runtime.block_on(world.request(Method::POST, "/v1/query/aql").body(body).send());
        let code = if answer.code() == "invalid-request" { "invalid-request" } else { "invalid-json" };
        answer.is_refusal(400, code);
    });
}

fn any_json() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(|value| json!(value)),
        any::<i64>().prop_map(|value| json!(value)),
        any::<f64>().prop_map(|value| json!(value)),
        "\\PC{0,12}".prop_map(|value| json!(value)),
    ];
    let name = prop_oneof![
        3 => prop::sample::select(vec!["q", "query_parameters", "offset", "fetch", "ehr_id"]).prop_map(str::to_owned),
        1 => "\\PC{0,6}",
    ];
    leaf.prop_recursive(3, 20, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|items| json!(items)),
            prop::collection::btree_map(name.clone(), inner, 0..5).prop_map(|members| json!(members)),
        ]
    })
}

#[test]
fn any_json_text() {
    run(200, &any_json(), |world, runtime, body| {
        let ask = world.request(Method::POST, "/v1/query/aql").body(body.to_string());
        is_the_clients(&runtime.block_on(ask.send()));
    });
}

/// Pieces that make up queries, in any order.
fn any_aql() -> impl Strategy<Value = String> {
    let pieces = vec![
        "SELECT",
        "DISTINCT",
        "TOP 3",
        "c/uid/value",
        "e/ehr_id/value",
        "COUNT(*)",
        "SUM(c/x)",
        "*",
        ",",
        "AS",
        "x",
        "FROM",
        "EHR e",
        "CONTAINS",
        "COMPOSITION c",
        "OBSERVATION o[a]",
        "[",
        "]",
        "(",
        ")",
        "WHERE",
        "{who}",
        "AND",
        "OR",
        "NOT",
        "EXISTS",
        "LIKE",
        "MATCHES",
        "{",
        "}",
        "=",
        "!=",
        "'x'",
        "'",
        "\"",
        "\\",
        "$p",
        "1",
        "-1.5e9",
        "ORDER BY",
        "DESC",
        "LIMIT",
        "OFFSET",
        "99999999999999999999",
        "--",
        "ENDPOINT p [\"hospital-a\"]",
        "ORGANISATION",
        "TERMINOLOGY('a','b','c')",
        "e/ehr_status/subject/external_ref/id/value",
        "\u{0}",
        "\u{e9}",
        "/",
        "::",
    ];
    let sane = "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE {who} ";
    let tail = prop::collection::vec(prop::sample::select(pieces), 0..14).prop_map(|pieces| pieces.join(" "));
    (any::<bool>(), tail).prop_map(move |(begun, tail)| if begun { format!("{sane}{tail}") } else { tail })
}

#[test]
fn any_aql_text() {
    run(300, &(any_aql(), any::<bool>()), |world, runtime, (aql, get)| {
        let aql = aql.replace("{who}", &world.who(0));
        let encoded: String = aql.bytes().map(|byte| format!("%{byte:02X}")).collect();
        let ask = if get { world.request(Method::GET, &format!("/v1/query/aql?q={encoded}")) } else { world.query(&aql) };
        let answer = runtime.block_on(ask.send());
        // A query that is sent may still be one that the nodes refuse: then it is they who failed.
        if answer.status() == 424 {
            assert!(answer.statuses().contains(&"node-error"), "{}", answer.text);
        } else {
            is_the_clients(&answer);
        }
    });
}

#[test]
fn any_headers() {
    let name = prop::sample::select(vec![
        "openehr-federation-endpoint",
        "openehr-federation-organisation",
        "openehr-federation-completeness",
        "openehr-federation-dedup",
        "prefer",
        "openehr-ehr-id",
        "accept",
        "via",
        "content-type",
        "openehr-federation-cursor",
        "x-request-id",
        "openehr-anything",
    ]);
    let value = prop_oneof![2 => "[ -~]{0,30}", 1 => "[a-z0-9,;=\" -]{0,20}", 1 => Just(",".repeat(3000)), 1 => Just("hospital-a".to_owned())];
    run(200, &prop::collection::vec((name, value), 0..5), |world, runtime, headers| {
        let aql = world.uids_of(0);
        let ask = headers.iter().fold(world.query(&aql), |ask, (name, value)| ask.header(name, value));
        is_the_clients(&runtime.block_on(ask.send()));
    });
}

#[test]
fn any_path_and_query_string() {
    let path = prop::collection::vec(
        prop_oneof![
            "[a-z0-9._~-]{0,8}",
            Just("v1".to_owned()),
            Just("query".to_owned()),
            Just("aql".to_owned()),
            Just("ehr".to_owned()),
            Just("%2e%2e".to_owned()),
            Just("%00".to_owned()),
            Just("%ff".to_owned())
        ],
        0..6,
    );
    let query = prop::option::of("[a-z0-9=&%+$_]{0,30}");
    let method = prop::sample::select(vec![
        Method::GET,
        Method::POST,
        Method::PUT,
        Method::DELETE,
        Method::OPTIONS,
        Method::HEAD,
        Method::PATCH,
    ]);
    run(250, &(method, path, query), |world, runtime, (method, path, query)| {
        let path = format!("/{}{}", path.join("/"), query.map(|query| format!("?{query}")).unwrap_or_default());
        let head = method == Method::HEAD;
        let answer = runtime.block_on(world.request(method, &path).send());
        assert!(answer.status() < 500 || answer.status() == 501, "{path}: {} {}", answer.status, answer.text);
        assert!(
            answer.status() < 400
                || head
                || !answer.code().is_empty()
                || answer.headers.contains_key("openehr-federation-endpoint"),
            "{path}: {} {}",
            answer.status,
            answer.text
        );
    });
}
