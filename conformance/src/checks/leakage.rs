//! The identifier stays with the gateway (§5.4, N5, N7; track 10).

use reqwest::Method;
use serde_json::json;

use crate::catalogue::{Check, check};
use crate::checks::subject::{irreducible_conditions, leaking_conditions};
use crate::client::{Ask, Request};
use crate::identifier;
use crate::query::{Query, SUBJECT, UID, literal};
use crate::session::Session;
use crate::verdict::{Verdict, ensure};

pub(crate) const CHECKS: &[Check] = &[
    check!(
        "CP-2.4",
        10,
        "§5.4, N2, N5",
        served_queries_leak_nothing,
        "no byte a node receives of a served query holds the identifier",
        "every hospital of the federation learns whom the clinician looks for",
    ),
    check!(
        "CP-2.5",
        10,
        "§5.4, N7",
        refused_queries_leak_nothing,
        "no byte a node receives of a hostile query holds the identifier, in any spelling",
        "a crafted question carries the identifier to a hospital",
    ),
    check!(
        "CP-26.1",
        10,
        "§5.4, N7",
        errors_do_not_echo,
        "no error body or header repeats the identifier",
        "the identifier ends in the logs of every proxy and app on the way",
    ),
    check!(
        "CP-26.2",
        10,
        "§5.4, N5",
        answers_do_not_echo,
        "an answer to a query that binds the identifier as a parameter repeats it nowhere",
        "reports and audit trails that keep the envelope keep the identifier",
    ),
    check!(
        "CP-26.4",
        10,
        "§5.4, §12",
        bodies_untouched,
        "the body of a commit arrives byte for byte as it was sent",
        "a signed document's signature no longer holds",
    ),
    check!(
        "CP-26.3",
        10,
        "§13",
        credentials_stay,
        "the caller's token never reaches a node",
        "a hospital can act in the clinician's name elsewhere",
    ),
];

/// Queries with the identifier at an odd place: they may be served or refused, but must not carry it further.
fn odd_queries(session: &Session) -> Vec<String> {
    let id = literal(&session.arguments.patient);
    let plain = session.uids();
    let mut queries = vec![
        plain.clone().selecting(format!("{UID} AS uid, {id} AS who")).to_string(),
        plain.clone().selecting(format!("CONCAT({id}, '') AS who")).to_string(),
        format!("{plain} -- {}\n", session.arguments.patient),
        plain.clone().selecting(format!("{SUBJECT} AS who, {UID} AS uid")).order(SUBJECT).to_string(),
        session.about_patient(format!("{UID} AS uid")).from(format!("EHR e CONTAINS COMPOSITION c[name/value={id}]")).to_string(),
        session.in_namespace(Query::select(UID).only(format!("{id} = {SUBJECT}"))).to_string(),
    ];
    queries.extend(
        irreducible_conditions(&session.arguments.patient)
            .into_iter()
            .map(|it| session.in_namespace(Query::select(UID).only(it)).to_string()),
    );
    queries.extend(leaking_conditions(&session.arguments.patient).into_iter().map(|it| plain.clone().and(it).to_string()));
    queries
}

async fn served_queries_leak_nothing(session: &Session) -> Verdict {
    session.searchable()?;
    let recordings = session.record().await?;
    session.answer(&session.uids()).await?;
    session.answer(&session.about_patient(format!("{SUBJECT} AS who, {UID} AS uid")).order(UID).limit(2)).await?;
    let holder = session.holder().await?;
    session.ask(Ask::new(session.uids()).header(crate::session::ENDPOINT, holder)).await?.answer()?;
    session.nothing_leaked("a served query", &recordings).await
}

async fn refused_queries_leak_nothing(session: &Session) -> Verdict {
    session.searchable()?;
    let recordings = session.record().await?;
    let patient = &session.arguments.patient;
    for query in odd_queries(session) {
        session.ask(Ask::new(query)).await?;
    }
    session.ask(Ask::new(session.uids()).header("X-Patient", patient.as_str())).await?;
    session.ask(Ask::new(session.uids().and("c/name/value = $p")).member("query_parameters", json!({ "p": patient }))).await?;
    let subject = format!("/v1/ehr?subject_id={}&subject_namespace=x", encoded(patient));
    session.send(Request::get(subject)).await?;
    session.nothing_leaked("a hostile request", &recordings).await
}

fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

async fn errors_do_not_echo(session: &Session) -> Verdict {
    session.searchable()?;
    let patient = &session.arguments.patient;
    let id = literal(patient);
    let mut asks: Vec<Request> = odd_queries(session).into_iter().map(|query| Ask::new(query).request()).collect();
    let broken = [
        format!("SELECT {id} FROM"),
        format!("{} {id}", session.uids()),
        format!("{} ORDER {id}", session.uids()),
        patient.clone(),
    ];
    asks.extend(broken.into_iter().map(|query| Ask::new(query).request()));
    asks.push(Ask::new(session.uids()).member("query_parameters", json!({ "p": [patient] })).request());
    asks.push(Ask::new(session.uids()).member("fetch", patient.as_str()).request());
    asks.push(Ask::new(session.uids()).header(crate::session::ENDPOINT, patient.as_str()).request());
    asks.push(Request::new(Method::POST, "/v1/query/aql").json(format!("{{\"q\": {}", json!(patient))));
    asks.push(Request::get(format!("/v1/query/aql?q={}", encoded(&format!("SELECT {id}")))));
    let mut echoes = Vec::new();
    for request in asks {
        let reply = session.send(request).await?;
        if reply.status >= 400 && identifier::stands_in(patient, &reply.everything()) {
            echoes.push(reply.shown());
        }
    }
    ensure!(echoes.is_empty(), "{} errors repeat the identifier: {}", echoes.len(), echoes.join(" | "));
    Ok(())
}

async fn answers_do_not_echo(session: &Session) -> Verdict {
    session.searchable()?;
    let patient = &session.arguments.patient;
    let query = session.in_namespace(Query::select(format!("{UID} AS uid")).and(format!("{SUBJECT} = $patient_id")));
    let reply = session.ask(Ask::new(query).member("query_parameters", json!({ "patient_id": patient }))).await?;
    reply.answer()?;
    ensure!(!identifier::stands_in(patient, &reply.everything()), "{}: the identifier is repeated", reply.shown());
    let unknown = &session.unknown_patient;
    let nobody = session.about(UID, unknown);
    let meta = session.answer(&nobody).await?.meta.to_string();
    ensure!(
        unknown.len() < identifier::SHORTEST || !identifier::stands_in(unknown, meta.as_bytes()),
        "meta repeats the identifier"
    );
    Ok(())
}

async fn credentials_stay(session: &Session) -> Verdict {
    let recordings = session.record().await?;
    let token = session.arguments.headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("authorization"));
    let marker = uuid::Uuid::new_v4().simple().to_string();
    let ask = Ask::new(session.uids()).header("Cookie", format!("session={marker}"));
    let (secret, ask) = match token {
        Some((_, value)) => (value.split_whitespace().last().unwrap_or(value).to_owned(), ask),
        None => (marker.clone(), ask.header("Authorization", format!("Bearer {marker}"))),
    };
    session.ask(ask).await?;
    for recording in &recordings {
        let received = recording.received(&session.client).await?;
        for secret in [&secret, &marker] {
            ensure!(!identifier::stands_in(secret, &received), "the caller's token or cookie reached a node");
        }
    }
    Ok(())
}

/// A body no repository accepts, spelled as no serialiser would: what is read and written anew is noticed.
const ODDLY_SPELLED: &str = "{ \"_type\":\"NOT_A_RECORD\" ,\t\"n\" : 1.10e0,\"t\": \"\\u00e9\" }";

async fn bodies_untouched(session: &Session) -> Verdict {
    let recordings = session.record().await?;
    let (ehr, endpoint) = session.ehr().await?;
    let commit =
        Request::new(Method::POST, format!("/v1/ehr/{ehr}/composition")).header(crate::session::ENDPOINT, endpoint.as_str());
    session.send(commit.json(ODDLY_SPELLED)).await?;
    let mut arrived = false;
    for recording in &recordings {
        let received = recording.received(&session.client).await?;
        arrived |= received.windows(ODDLY_SPELLED.len()).any(|window| window == ODDLY_SPELLED.as_bytes());
    }
    ensure!(arrived, "no node received the body of a commit to {endpoint} as it was sent");
    Ok(())
}
