//! Faults and the journal, over real sockets.

use std::time::Duration;

use axum::Router;
use axum::routing::{get, post};
use reqwest::Client;

use super::search::Readings;
use super::{Fault, On, Rule, Server};

const ANSWER: &str = r#"{"columns":[],"rows":[[1,"a"],[2,"b"]]}"#;

async fn server() -> Server {
    Server::start(Router::new().route("/", get(|| async { ANSWER }).post(|| async { ANSWER }))).await.unwrap()
}

async fn body(server: &Server) -> Option<String> {
    reqwest::get(server.url()).await.ok()?.text().await.ok()
}

#[tokio::test]
async fn faults_strike_as_often_as_they_are_told() {
    let server = server().await;
    server.faults().next(2, Fault::Status(503, "{}".into()));
    server.faults().add(Rule { fault: Fault::EmptyObject, on: On::Calls, after: 1, times: Some(1) });
    let mut seen = Vec::new();
    for _ in 0..5 {
        let response = reqwest::get(server.url()).await.unwrap();
        seen.push((response.status().as_u16(), response.text().await.unwrap().len()));
    }
    assert_eq!(seen, [(503, 2), (503, 2), (200, ANSWER.len()), (200, 2), (200, ANSWER.len())]);
}

#[tokio::test]
async fn answers_are_spoilt_in_every_way() {
    let server = server().await;
    for (fault, expected) in [
        (Fault::MalformedJson, &ANSWER[..ANSWER.len() / 2]),
        (Fault::RowsNotArrays, r#"{"columns":[],"rows":[{"cells":[1,"a"]},{"cells":[2,"b"]}]}"#),
        (Fault::ShortRows, r#"{"columns":[],"rows":[[1],[2]]}"#),
        (Fault::ReversedRows, r#"{"columns":[],"rows":[[2,"b"],[1,"a"]]}"#),
        (Fault::EmptyObject, "{}"),
        (Fault::Body("x".into()), "x"),
        (Fault::Drip { bytes: 7, every: Duration::from_millis(1) }, ANSWER),
        (Fault::Delay(Duration::from_millis(1)), ANSWER),
        (Fault::NoContent, ""),
    ] {
        server.faults().always(fault.clone());
        assert_eq!(body(&server).await.as_deref(), Some(expected), "{fault:?}");
    }
    server.faults().always(Fault::ConsentRefusal("consent-denied".into()));
    let refused = reqwest::get(server.url()).await.unwrap();
    assert_eq!(refused.status(), 403);
    assert!(refused.text().await.unwrap().contains(r#""code":"consent-denied""#));
}

#[tokio::test]
async fn connections_break_and_the_server_lives_on() {
    let server = server().await;
    for fault in [Fault::Reset, Fault::ResetMidBody, Fault::CloseOnAccept] {
        server.faults().always(fault.clone());
        assert_eq!(body(&server).await, None, "{fault:?}");
    }
    server.faults().clear();
    assert_eq!(body(&server).await.as_deref(), Some(ANSWER));
}

#[tokio::test]
async fn a_hanging_answer_never_ends() {
    let server = server().await;
    for fault in [Fault::HangBeforeHeaders, Fault::HangMidBody] {
        server.faults().always(fault.clone());
        let ended = tokio::time::timeout(Duration::from_millis(150), body(&server)).await;
        assert!(ended.is_err(), "{fault:?} answered {ended:?}");
    }
}

#[tokio::test]
async fn an_oversize_answer_is_well_formed_and_as_large_as_asked() {
    let server = server().await;
    server.faults().always(Fault::Oversize(300_000));
    let body = body(&server).await.unwrap();
    assert!(body.len() >= 300_000 && crate::value::Json::parse(body.as_bytes()).is_ok(), "{} bytes", body.len());
}

#[tokio::test]
async fn a_server_goes_down_and_comes_back_at_its_address() {
    let server = server().await;
    assert!(body(&server).await.is_some());
    server.go_down().await;
    assert_eq!(body(&server).await, None);
    server.come_back().await.unwrap();
    assert!(body(&server).await.is_some());
}

#[tokio::test]
async fn a_redirect_is_answered_as_one() {
    let server = server().await;
    server.faults().always(Fault::Redirect("http://127.0.0.1:1/elsewhere".into()));
    let client = Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
    let response = client.get(server.url()).send().await.unwrap();
    assert_eq!(response.status(), 307);
    assert_eq!(response.headers()["location"], "http://127.0.0.1:1/elsewhere");
}

#[tokio::test]
async fn the_journal_keeps_requests_as_they_stood_on_the_wire() {
    let server = Server::start(Router::new().route("/a/{b}", post(|| async { "" }))).await.unwrap();
    let client = Client::new();
    for body in ["first", "second"] {
        let request = client.post(format!("{}/a/x%2Fy?q=1%202", server.url())).header("openEHR-Thing", "a").body(body);
        request.send().await.unwrap().text().await.unwrap();
    }
    server.faults().always(Fault::Reset);
    assert!(client.post(format!("{}/a/b", server.url())).body("never answered").send().await.is_err());
    let requests = server.journal().requests();
    let targets: Vec<&str> = requests.iter().map(|request| request.target.as_str()).collect();
    assert_eq!(targets, ["/a/x%2Fy?q=1%202", "/a/x%2Fy?q=1%202", "/a/b"]);
    assert_eq!(requests[1].text(), "second");
    assert_eq!(requests[0].header("OPENEHR-THING"), Some("a"));
    assert!(server.journal().contains("never answered"));
    assert!(!server.journal().contains("third"));
    assert!(server.journal().contains_fragment("it was never so", 5), "never is part of both");
    assert!(!server.journal().contains_fragment("it was never so", 7));
    server.journal().switch_off();
    assert!(server.journal().contains("third"), "a journal with gaps proves nothing");
}

#[tokio::test]
async fn a_text_split_by_chunks_is_found_joined() {
    let server = server().await;
    let halves = ["TRB-58", "3920-1"].map(Ok::<_, std::io::Error>);
    let body = reqwest::Body::wrap_stream(futures_util::stream::iter(halves));
    Client::new().post(server.url()).body(body).send().await.unwrap();
    assert!(server.journal().contains("TRB-583920-1"));
}

#[test]
fn a_text_is_found_under_every_encoding() {
    let marker = "TRB-583920-Å1";
    for carried in [
        "x=TRB-583920-Å1&",
        "x=trb-583920-å1&",
        "x=TRB%2D583920%2D%C3%851",
        "x=TRB%252D583920%252D%25C3%25851",
        r#"{"q":"TRB\u002d583920-\u00c51"}"#,
        "TRB&#45;583920-&#xC5;1",
        "5452422d3538333932302dc38531",
        "VFJCLTU4MzkyMC3DhTE=",
        "eHg6VFJCLTU4MzkyMC3DhTE6eXl5",
        "OlRSQi01ODM5MjAtw4Ux",
    ] {
        assert!(Readings::of(carried.as_bytes()).find(marker).is_some(), "{carried}");
    }
    assert_eq!(Readings::of("TRB-583921-Å1".as_bytes()).find(marker), None);
    assert_eq!(Readings::of(b"anything").find(""), None);
}
