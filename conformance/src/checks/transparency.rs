//! An app written for one CDR works unchanged (track 1).

use serde_json::Value;

use crate::catalogue::{Check, check};
use crate::client::{Ask, Request};
use crate::query::{Query, SUBJECT, UID};
use crate::rows::same_rows;
use crate::session::Session;
use crate::verdict::{Verdict, applies, ensure};

pub(crate) const CHECKS: &[Check] = &[
    check!(
        "CP-1.1",
        1,
        "§7, N1",
        plain_query,
        "an ordinary query that names a patient is answered with a RESULT_SET of rows",
        "an app written for one repository shows nothing of the federation's records",
    ),
    check!(
        "CP-1.2",
        1,
        "§7, N1",
        get_form,
        "the GET form gives the rows of the POST form",
        "two screens of one app show different records of one patient",
    ),
    check!(
        "CP-1.3",
        1,
        "§7, N1",
        parameters,
        "a query parameter stands for the identifier as the literal does",
        "apps that bind the patient as a parameter see nothing, or see somebody else",
    ),
    check!(
        "CP-1.4",
        1,
        "§7, N1",
        union_of_endpoints,
        "the answer is exactly the rows of the endpoints asked one by one",
        "records are lost or doubled between the repositories and the screen",
    ),
    check!(
        "CP-4.1",
        1,
        "§7.1, N2",
        ehr_id_at_the_node,
        "what a node is sent is keyed on its own ehr_id",
        "a node is asked about a patient it cannot know, or about everybody",
    ),
    check!(
        "CP-22.1",
        9,
        "N29",
        both_ehr_forms,
        "EHR e[ehr_id/value='…'] and WHERE e/ehr_id/value = '…' give the same rows",
        "one of two equal ways to open a known record opens nothing",
    ),
    check!(
        "CP-22.2",
        9,
        "N29, §7.1",
        patient_and_ehr,
        "a query that names the patient and an ehr_id is about that EHR alone",
        "one of two conditions is dropped, and another record is shown",
    ),
];

async fn plain_query(session: &Session) -> Verdict {
    let reply = session.query(&session.uids()).await?;
    let kind = reply.header("content-type").unwrap_or_default().to_owned();
    ensure!(kind.starts_with("application/json"), "the answer's Content-Type is {kind:?}");
    let answer = session.plain().await?;
    ensure!(!answer.rows.is_empty(), "no rows came about --patient: name one with compositions at two nodes or more");
    ensure!(answer.rows.iter().all(|row| row.len() == answer.columns.len()), "a row is not as wide as columns[]");
    ensure!(answer.q.as_deref() == Some(session.uids().to_string().as_str()), "q is not the client's own text");
    ensure!(answer.message.is_none() && answer.code.is_none(), "an answer under 200 carries an error's message or code");
    Ok(())
}

async fn get_form(session: &Session) -> Verdict {
    let text = session.uids().to_string();
    let encoded: String = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
    let got = session.send(Request::get(format!("/v1/query/aql?q={encoded}"))).await?.answer()?;
    same_rows("GET against POST", &session.plain().await?.texts(), &got.texts())
}

async fn parameters(session: &Session) -> Verdict {
    let query = session.in_namespace(Query::select(format!("{UID} AS uid")).and(format!("{SUBJECT} = $patient_id")));
    let ask = Ask::new(query).member("query_parameters", serde_json::json!({ "patient_id": session.arguments.patient }));
    let bound = session.ask(ask).await?.answer()?;
    same_rows("a parameter against the literal", &session.plain().await?.texts(), &bound.texts())
}

async fn union_of_endpoints(session: &Session) -> Verdict {
    let plain = session.plain().await?;
    let mut rows = Vec::new();
    for endpoint in plain.with_status("active")? {
        rows.extend(session.ask(Ask::new(session.uids()).header(crate::session::ENDPOINT, endpoint)).await?.answer()?.texts());
    }
    same_rows("the federation against its endpoints one by one", &rows, &plain.texts())
}

async fn ehr_id_at_the_node(session: &Session) -> Verdict {
    let recordings = session.record().await?;
    let answer = session.answer(&session.uids()).await?;
    let active = answer.with_status("active")?;
    for recording in &recordings {
        let received = String::from_utf8_lossy(&recording.received(&session.client).await?).into_owned();
        let asked = received.contains("SELECT") || received.contains("select");
        ensure!(!asked || received.contains("ehr_id/value"), "a node was sent a query that names no ehr_id/value");
        let expected = recording.endpoint().is_some_and(|endpoint| active.iter().any(|id| id == endpoint));
        ensure!(asked || !expected, "{} is reported active and received no query", recording.endpoint().unwrap_or_default());
    }
    Ok(())
}

async fn both_ehr_forms(session: &Session) -> Verdict {
    let (ehr, endpoint) = session.ehr().await?;
    let select = Query::select(format!("{UID} AS uid"));
    let in_from = select.clone().from(format!("EHR e[ehr_id/value='{ehr}'] CONTAINS COMPOSITION c"));
    let in_from = session.answer(&in_from).await?;
    let in_where = session.answer(&select.and(format!("e/ehr_id/value = '{ehr}'"))).await?;
    same_rows("the two forms of one ehr_id", &in_from.texts(), &in_where.texts())?;
    let due = session.ask(Ask::new(session.uids()).header(crate::session::ENDPOINT, endpoint)).await?.answer()?;
    applies!(!due.rows.is_empty(), "the endpoint of this ehr_id has no rows of the patient");
    same_rows("an ehr_id against the patient at its endpoint", &due.texts(), &in_where.texts())?;
    let columns = |columns: &[Value]| columns.first().and_then(|column| column.get("name").cloned());
    ensure!(columns(&in_from.columns) == columns(&in_where.columns), "the two forms name their column differently");
    Ok(())
}

async fn patient_and_ehr(session: &Session) -> Verdict {
    session.two_holders().await?;
    let (ehr, endpoint) = session.ehr().await?;
    let due = session.ask(Ask::new(session.uids()).header(crate::session::ENDPOINT, endpoint)).await?.answer()?;
    let both = session.query(&session.uids().and(format!("e/ehr_id/value = '{ehr}'"))).await?;
    if both.status != 400 {
        same_rows("the patient and one EHR against that EHR", &due.texts(), &both.answer()?.texts())?;
    }
    let strange = session.query(&session.uids().and(format!("e/ehr_id/value = '{}'", uuid::Uuid::new_v4()))).await?;
    strange.expect(&[200, 400, 404])?;
    ensure!(strange.status != 200 || strange.answer()?.rows.is_empty(), "rows came of an EHR that is not the patient's");
    Ok(())
}
