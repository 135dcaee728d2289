//! The patient, named one way or the other, becomes the right local record (track 2).

use crate::catalogue::{Check, check};
use crate::client::{Ask, Request};
use crate::query::{NAMESPACE, Query, SUBJECT, UID, literal};
use crate::rows::same_rows;
use crate::session::{ENDPOINT, Session};
use crate::verdict::{Finding, Verdict, applies, ensure};

pub(crate) const CHECKS: &[Check] = &[
    check!(
        "CP-3.1",
        2,
        "§5, N3",
        no_local_id_needed,
        "the client never needs a local ehr_id: every holder is found by the patient's identifier",
        "a clinician must know which hospitals hold a record before finding it",
    ),
    check!(
        "CP-3.2",
        2,
        "§5, N3",
        namespace_decides,
        "the same identifier in another namespace is another patient",
        "one patient's record is shown under another patient's name",
    ),
    check!(
        "CP-3.3",
        2,
        "§12, N3",
        ehr_by_subject,
        "GET /ehr?subject_id= finds the EHR at the endpoint that is named, is 409 where several know the patient, 404 where none does",
        "the app that opens a record by the patient's number opens one of several, at random",
    ),
    check!(
        "CP-36.1",
        2,
        "§5, N4",
        unresolved_is_not_asked,
        "an endpoint without a resolved ehr_id is never asked",
        "a node that does not know the patient learns that somebody looks for one",
    ),
    check!(
        "CP-38.1",
        2,
        "§7.1, N33",
        both_carriers,
        "the patient as subject of the EHR and as subject of an entry gives the same rows",
        "an app that names the patient in the entry misses records others see",
    ),
    check!(
        "CP-5.1",
        2,
        "§14, N8",
        not_localized_is_no_gap,
        "localization is declared, and its failure is visible where it fails closed",
        "a federation that could not look for the patient looks like one that found nothing",
    ),
    check!(
        "CP-5.2",
        2,
        "§14",
        no_patient_no_guess,
        "a query without a patient is answered only where its set of nodes is defined",
        "a question about everybody is answered from whichever nodes happened to be asked",
    ),
];

async fn no_local_id_needed(session: &Session) -> Verdict {
    let [first, second] = session.two_holders().await?;
    let query = session.about_patient("e/ehr_id/value AS ehr").distinct();
    let at = |endpoint: String| session.ask(Ask::new(query.clone()).header(ENDPOINT, endpoint));
    let (first, second) = (at(first).await?.answer()?, at(second).await?.answer()?);
    ensure!(first.rows.len() == 1 && second.rows.len() == 1, "an endpoint answers about several EHRs of one patient");
    let both = session.answer(&query).await?;
    for ehr in [first.texts(), second.texts()].concat() {
        ensure!(both.texts().contains(&ehr), "the undirected answer misses the EHR of a holder");
    }
    Ok(())
}

async fn namespace_decides(session: &Session) -> Verdict {
    let Some(second) = &session.arguments.second_namespace else {
        return Err(Finding::not_applicable("no --second-namespace was given"));
    };
    let query = Query::select(format!("{UID} AS uid")).and(format!("{SUBJECT} = {}", literal(&session.arguments.patient)));
    let other = session.answer(&query.and(format!("{NAMESPACE} = {}", literal(second)))).await?;
    let here = session.plain().await?.texts();
    let shared = other.texts().iter().filter(|row| here.contains(row)).count();
    ensure!(shared == 0, "{shared} rows of the patient are answered to the identifier in another namespace");
    Ok(())
}

async fn unresolved_is_not_asked(session: &Session) -> Verdict {
    for line in session.unknown().await?.endpoints()? {
        let asked = !line.latency_ms.is_null() || !line.row_count.is_null();
        ensure!(!asked, "{} is reported {} about an unknown patient, with latency_ms or row_count", line.id, line.status);
    }
    if session.journals.is_empty() {
        return Ok(());
    }
    let recordings = session.record().await?;
    session.answer(&session.about(format!("{UID} AS uid"), &session.unknown_patient)).await?;
    for recording in recordings {
        let received = String::from_utf8_lossy(&recording.received(&session.client).await?).to_ascii_lowercase();
        ensure!(!received.contains("/query/aql"), "a node was sent a query about a patient it does not know");
    }
    Ok(())
}

async fn both_carriers(session: &Session) -> Verdict {
    let below = &session.arguments.entry_contains;
    let variable = below.split_whitespace().nth(1).map(|name| name.split('[').next().unwrap_or(name).to_owned());
    let Some(entry) = variable else {
        return Err(Finding::not_applicable("--entry-contains names no variable"));
    };
    let by_ehr = session.answer(&session.uids().containing(below)).await?;
    applies!(!by_ehr.rows.is_empty(), "the patient has no {below}");
    let subject = format!("{entry}/subject/identifiers");
    let query = Query::select(format!("{UID} AS uid")).containing(below);
    let query = query.and(format!("{subject}/id = {}", literal(&session.arguments.patient)));
    let query = match &session.arguments.namespace {
        Some(namespace) => query.and(format!("{subject}/issuer = {}", literal(namespace))),
        None => query,
    };
    let by_entry = session.answer(&query).await?;
    same_rows("the entry's subject against the EHR's", &by_ehr.texts(), &by_entry.texts())
}

async fn not_localized_is_no_gap(session: &Session) -> Verdict {
    let declared = session.declared().await?;
    let on_failure = declared.text("/localization/on_failure");
    ensure!(on_failure.is_some(), "OPTIONS does not declare localization.on_failure");
    let plain = session.plain().await?;
    let federation = plain.federation()?;
    let failed = federation.pointer("/localization/error").is_some_and(|error| !error.is_null());
    if failed && on_failure == Some("closed") {
        ensure!(plain.rows.is_empty(), "localization failed and rows came although it fails closed");
        ensure!(federation.get("operation_outcome").is_some(), "localization failed and operation_outcome does not say so");
    }
    Ok(())
}

async fn no_patient_no_guess(session: &Session) -> Verdict {
    let declared = session.declared().await?;
    let mode = declared.text("/localization/mode").unwrap_or_default();
    let query = Query::select(format!("{UID} AS uid")).order(UID).limit(1);
    let reply = session.query(&query).await?;
    match mode {
        "none" => {
            let answer = reply.answer()?;
            let active = answer.endpoints()?.iter().filter(|line| line.in_scope()).count();
            ensure!(active > 0, "with no localizer a query without a patient asks every member: none was in scope");
            Ok(())
        }
        _ => reply.expect(&[400]),
    }
}

async fn ehr_by_subject(session: &Session) -> Verdict {
    let Some(namespace) = &session.arguments.namespace else {
        return Err(Finding::not_applicable("no --namespace was given, and GET /ehr needs one"));
    };
    let encoded = |text: &str| text.bytes().map(|byte| format!("%{byte:02X}")).collect::<String>();
    let lookup = |id: &str| Request::get(format!("/v1/ehr?subject_id={}&subject_namespace={}", encoded(id), encoded(namespace)));
    session.send(lookup(&session.unknown_patient)).await?.expect(&[404])?;
    let [first, second] = session.two_holders().await?;
    let several = session.send(lookup(&session.arguments.patient)).await?;
    several.expect(&[409])?;
    let text = String::from_utf8_lossy(&several.body).into_owned();
    ensure!(text.contains(&first) && text.contains(&second), "{}: the endpoints are not named", several.shown());
    let (ehr, endpoint) = session.ehr().await?;
    let one = session.send(lookup(&session.arguments.patient).header(ENDPOINT, endpoint)).await?;
    one.expect(&[200])?;
    let found = one.json()?.pointer("/ehr_id/value").and_then(serde_json::Value::as_str).map(str::to_owned);
    ensure!(found.as_deref() == Some(ehr.as_str()), "the EHR is {ehr}, and {found:?} came");
    Ok(())
}
