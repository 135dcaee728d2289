//! A refusal is an ITS-REST error that says what to do (§11.2).

use reqwest::Method;
use serde_json::{Value, json};

use crate::catalogue::{Check, check};
use crate::client::{Ask, Reply, Request};
use crate::session::{COMPLETENESS, ENDPOINT, Session};
use crate::verdict::{Verdict, ensure};

pub(crate) const CHECKS: &[Check] = &[
    check!(
        "CP-12.4",
        4,
        "§11.2, ITS-REST Error",
        error_bodies,
        "every error body has message, a stable code and validationErrors",
        "an app can only say that something went wrong",
    ),
    check!(
        "CP-12.5",
        4,
        "§11.2",
        bad_requests,
        "what is wrong with a request is 400, and never 5xx",
        "a typing mistake looks like an outage of the federation",
    ),
    check!(
        "CP-12.6",
        4,
        "§11.2",
        hostile_sizes,
        "what is too deep, too long or nowhere is refused, and the gateway stays up",
        "one odd request takes the federation away from everyone",
    ),
];

fn bad(session: &Session) -> Vec<(&'static str, Request)> {
    let ask = || Ask::new(session.uids());
    let post = |body: &str| Request::new(Method::POST, "/v1/query/aql").json(body);
    vec![
        ("no AQL", Ask::new("SELECT").request()),
        ("an unknown variable", Ask::new(session.about_patient("x/uid/value")).request()),
        ("no JSON", post("{\"q\": ")),
        ("an array", post("[]")),
        ("no q", post("{}")),
        ("q is a number", post("{\"q\": 1}")),
        (
            "a null parameter",
            Ask::new(session.uids().and("c/name/value != $p")).member("query_parameters", json!({"p": null})).request(),
        ),
        ("a missing parameter", Ask::new(session.uids().and("c/name/value != $p")).request()),
        ("a negative fetch", ask().member("fetch", -1).request()),
        ("a textual offset", ask().member("offset", "x").request()),
        ("an unknown endpoint", ask().header(ENDPOINT, "no-such-endpoint").request()),
        ("an odd completeness", ask().header(COMPLETENESS, "maybe").request()),
    ]
}

fn is_error(reply: &Reply) -> Verdict {
    let body = reply.json()?;
    let text = |name: &str| body.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    ensure!(!text("message").is_empty(), "{}: no message", reply.shown());
    ensure!(!text("code").is_empty(), "{}: no code", reply.shown());
    ensure!(body.get("validationErrors").is_some_and(Value::is_array), "{}: no validationErrors", reply.shown());
    Ok(())
}

async fn error_bodies(session: &Session) -> Verdict {
    for (_, request) in bad(session) {
        let reply = session.send(request).await?;
        if reply.status >= 400 {
            is_error(&reply)?;
        }
    }
    is_error(&session.send(Request::get(format!("/v1/demographic/person/{}", uuid::Uuid::new_v4()))).await?)?;
    is_error(&session.send(Request::new(Method::POST, "/v1/ehr").json("{\"_type\": \"NOT_AN_EHR_STATUS\"}")).await?)
}

async fn bad_requests(session: &Session) -> Verdict {
    for (what, request) in bad(session) {
        let reply = session.send(request).await?;
        ensure!(reply.status == 400, "{what}: {}", reply.shown());
    }
    Ok(())
}

async fn hostile_sizes(session: &Session) -> Verdict {
    let (open, close) = ("(".repeat(20_000), ")".repeat(20_000));
    let deep = session.uids().and(format!("{open}c/name/value != 'x'{close}"));
    let long = session.uids().and(format!("c/name/value != '{}'", "x".repeat(3 << 20)));
    let many = session.uids().and(vec!["c/name/value != 'x'"; 20_000].join(" AND "));
    let nested = format!("{{\"q\": {}{}}}", "[".repeat(50_000), "]".repeat(50_000));
    for (what, request) in [
        ("deep parentheses", Ask::new(deep).request()),
        ("a long literal", Ask::new(long).request()),
        ("many conditions", Ask::new(many).request()),
        ("deep JSON", Request::new(Method::POST, "/v1/query/aql").json(nested)),
    ] {
        let reply = session.send(request).await?;
        ensure!(reply.status == 200 || (400..500).contains(&reply.status), "{what}: answered {}", reply.status);
    }
    session.send(Request::new(Method::DELETE, "/v1/query/aql")).await?.expect(&[405])?;
    session.send(Request::get("/v1/nowhere")).await?.expect(&[404, 501])?;
    session.answer(&session.uids()).await.map(drop)
}
