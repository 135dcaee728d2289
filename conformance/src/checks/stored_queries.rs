//! Stored queries kept at the gateway (§12.7, N44, CP-40).

use reqwest::Method;
use serde_json::json;

use crate::catalogue::{Check, check};
use crate::client::{Reply, Request};
use crate::query::{NAMESPACE, Query, SUBJECT, UID};
use crate::rows::same_rows;
use crate::session::Session;
use crate::verdict::{Finding, Verdict, applies, ensure};

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
    check!(
        "CP-40.3",
        9,
        "§12.7, N44",
        literal_namespace,
        "a definition may fix the identifier's namespace: a namespace is no patient",
        "every screen must know the namespace its stored query was written for",
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

async fn put(session: &Session, definition: &str, query: &Query) -> Result<Reply, Finding> {
    session.send(Request::new(Method::PUT, definition).json(query.to_string()).text_plain()).await
}

async fn registry(session: &Session) -> Verdict {
    served(session).await?;
    applies!(session.arguments.allow_writes, "it would leave a stored query behind: --allow-writes was not given");
    let name = name();
    let definition = format!("/v1/definition/query/{name}/1.0.0");
    let mut query = Query::select(format!("{UID} AS uid")).and(format!("{SUBJECT} = $patient_id"));
    let mut values = json!({ "patient_id": session.arguments.patient });
    if let (Some(namespace), Some(values)) = (&session.arguments.namespace, values.as_object_mut()) {
        query = query.and(format!("{NAMESPACE} = $namespace"));
        values.insert("namespace".to_owned(), json!(namespace));
    }
    put(session, &definition, &query).await?.expect(&[200, 201])?;
    put(session, &definition, &query).await?.expect(&[409])?;
    session.send(Request::get(definition)).await?.expect(&[200])?;
    let body = json!({ "query_parameters": values }).to_string();
    for path in [format!("/v1/query/{name}/1.0.0"), format!("/v1/query/{name}")] {
        let answer = session.send(Request::new(Method::POST, path).json(body.clone())).await?.answer()?;
        let named = answer.name.as_deref().unwrap_or_default().to_owned();
        ensure!(named.contains(&name), "name is {named:?}, not {name}");
        same_rows("a stored query against its text", &session.plain().await?.texts(), &answer.texts())?;
    }
    Ok(())
}

async fn literal_namespace(session: &Session) -> Verdict {
    served(session).await?;
    applies!(session.arguments.allow_writes, "it would leave a stored query behind: --allow-writes was not given");
    applies!(session.arguments.namespace.is_some(), "no --namespace was given");
    let query = session.in_namespace(Query::select(format!("{UID} AS uid")).and(format!("{SUBJECT} = $patient_id")));
    put(session, &format!("/v1/definition/query/{}/1.0.0", name()), &query).await?.expect(&[200, 201])
}

async fn literal_subject(session: &Session) -> Verdict {
    served(session).await?;
    let definition = Request::new(Method::PUT, format!("/v1/definition/query/{}/1.0.0", name()));
    let reply = session.send(definition.json(session.uids().to_string()).text_plain()).await?;
    reply.expect(&[400])
}
