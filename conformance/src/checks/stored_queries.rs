//! Stored queries kept at the gateway (§12.7, N44, CP-40).

use reqwest::Method;
use serde_json::json;

use crate::catalogue::{Check, check};
use crate::client::Request;
use crate::query::{Query, SUBJECT, UID};
use crate::rows::same_rows;
use crate::session::Session;
use crate::verdict::{Verdict, applies, ensure};

pub(crate) const CHECKS: &[Check] = &[
    check!(
        "CP-40.1",
        9,
        "§12.7, N44",
        registry,
        "a stored query is kept under its version, cannot be changed, and fans out under its name",
        "a screen built on a stored query shows one hospital's record as all",
    ),
    check!(
        "CP-40.2",
        9,
        "§12.7, N44",
        literal_subject,
        "a definition that names a patient as a literal is refused",
        "a patient's identifier is kept and read by everyone who may list queries",
    ),
];

async fn served(session: &Session) -> Verdict {
    let offered = session.declared().await?.flag("/definition/stored_query_registry");
    applies!(offered, "declared unsupported: definition.stored_query_registry is false");
    Ok(())
}

fn name() -> String {
    format!("org.example.conformance::probe_{}", uuid::Uuid::new_v4().simple())
}

async fn registry(session: &Session) -> Verdict {
    served(session).await?;
    applies!(session.arguments.allow_writes, "it would leave a stored query behind: --allow-writes was not given");
    let name = name();
    let definition = format!("/v1/definition/query/{name}/1.0.0");
    let query = session.in_namespace(Query::select(format!("{UID} AS uid")).and(format!("{SUBJECT} = $patient_id"))).to_string();
    let put = || session.send(Request::new(Method::PUT, definition.clone()).json(query.clone()).text_plain());
    put().await?.expect(&[200, 201])?;
    put().await?.expect(&[409])?;
    session.send(Request::get(definition.clone())).await?.expect(&[200])?;
    let body = json!({ "query_parameters": { "patient_id": session.arguments.patient } }).to_string();
    for path in [format!("/v1/query/{name}/1.0.0"), format!("/v1/query/{name}")] {
        let answer = session.send(Request::new(Method::POST, path).json(body.clone())).await?.answer()?;
        let named = answer.name.as_deref().unwrap_or_default().to_owned();
        ensure!(named.contains(&name), "name is {named:?}, not {name}");
        same_rows("a stored query against its text", &session.plain().await?.texts(), &answer.texts())?;
    }
    Ok(())
}

async fn literal_subject(session: &Session) -> Verdict {
    served(session).await?;
    let definition = Request::new(Method::PUT, format!("/v1/definition/query/{}/1.0.0", name()));
    let reply = session.send(definition.json(session.uids().to_string()).text_plain()).await?;
    reply.expect(&[400])
}
