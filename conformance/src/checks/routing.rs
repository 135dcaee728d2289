//! One record, one node (§12, N22–N24, N31, N36, N41, N42; tracks 6, 9 and 11).

use reqwest::Method;
use serde_json::Value;

use crate::catalogue::{Check, check};
use crate::client::{Reply, Request};
use crate::session::{ENDPOINT, Session};
use crate::verdict::{Finding, Verdict, applies, ensure};

pub(crate) const CHECKS: &[Check] = &[
    check!(
        "CP-14.1",
        6,
        "§12, N22",
        follow_up_read,
        "a version found by a query is read by its uid, from a node that has it",
        "a document in the list cannot be opened",
    ),
    check!(
        "CP-15.1",
        6,
        "§12.4, N23",
        write_without_target,
        "a write that settles on no node is 400, and no node sees it",
        "a note is written into some hospital's record, nobody knows whose",
    ),
    check!(
        "CP-15.2",
        6,
        "§12.4, N42",
        write_to_a_copy,
        "a change of a version whose controlling system is not here is 409",
        "the copy is changed and the original stays as it was",
    ),
    check!(
        "CP-24.1",
        9,
        "§12, N24",
        acting_endpoint,
        "every routed answer names the endpoint that acted, and its system",
        "nobody can tell where a document came from",
    ),
    check!(
        "CP-33.1",
        11,
        "§12, N36",
        ehr_by_id,
        "an ehr_id leads to the one node that holds it",
        "a known record cannot be opened",
    ),
    check!(
        "CP-33.2",
        11,
        "§12, N36",
        unrouted_ehr_id,
        "an ehr_id nobody holds is 404 on a read and never rows in a query",
        "a mistyped record number opens somebody's record",
    ),
    check!(
        "CP-33.3",
        11,
        "§12, N36",
        collision,
        "an ehr_id that two nodes claim is 409, naming them",
        "two patients' records are one on the screen",
    ),
    check!(
        "CP-33.4",
        11,
        "§12, N36",
        held_elsewhere,
        "an EHR is not created under an ehr_id that another node holds: 409",
        "two patients' records share one number from then on",
    ),
    check!(
        "CP-34.1",
        9,
        "§12.6, N31",
        definitions,
        "definitions come from one chosen node; without a choice it is 400",
        "a list of forms mixes those of different hospitals",
    ),
];

/// A body no repository accepts: nothing is ever written by these checks.
const UNACCEPTABLE: &str = "{\"_type\": \"NOT_A_RECORD\"}";

fn acting(reply: &Reply) -> Result<String, Finding> {
    let named = reply.list(ENDPOINT);
    ensure!(named.len() == 1, "{}: {ENDPOINT} names {named:?}", reply.shown());
    Ok(named.into_iter().next().unwrap_or_default())
}

async fn served(session: &Session) -> Verdict {
    let declared = session.declared().await?.text("/its_rest/ehr").unwrap_or_default();
    applies!(declared != "unsupported", "declared unsupported: its_rest.ehr");
    Ok(())
}

async fn follow_up_read(session: &Session) -> Verdict {
    served(session).await?;
    let (ehr, _) = session.ehr().await?;
    let uid = session.directed().await?.strings(0).into_iter().next();
    let Some(uid) = uid else { return Err(Finding::not_applicable("the patient has no composition with a uid")) };
    let reply = session.send(Request::get(format!("/v1/ehr/{ehr}/composition/{uid}"))).await?;
    reply.expect(&[200])?;
    let found = reply.json()?.pointer("/uid/value").and_then(Value::as_str).map(str::to_owned);
    ensure!(found.as_deref() == Some(uid.as_str()), "asked for {uid}, and {found:?} came");
    acting(&reply).map(drop)
}

async fn write_without_target(session: &Session) -> Verdict {
    served(session).await?;
    let recordings = if session.journals.is_empty() { Vec::new() } else { session.record().await? };
    let nobody = uuid::Uuid::new_v4();
    let writes = [
        Request::new(Method::POST, "/v1/ehr"),
        Request::new(Method::PUT, format!("/v1/ehr/{nobody}")),
        Request::new(Method::POST, format!("/v1/ehr/{nobody}/composition")),
    ];
    for write in writes {
        let reply = session.send(write.json(UNACCEPTABLE)).await?;
        reply.expect(&[400])?;
        ensure!(reply.header(ENDPOINT).is_none(), "{}: an endpoint acted on it", reply.shown());
    }
    for recording in &recordings {
        let received = String::from_utf8_lossy(&recording.received(&session.client).await?).into_owned();
        ensure!(!received.contains("NOT_A_RECORD"), "a write without a target reached {:?}", recording.endpoint());
    }
    Ok(())
}

async fn write_to_a_copy(session: &Session) -> Verdict {
    served(session).await?;
    let (ehr, _) = session.ehr().await?;
    let object = uuid::Uuid::new_v4();
    let write = Request::new(Method::PUT, format!("/v1/ehr/{ehr}/composition/{object}"));
    let write = write.header("If-Match", format!("\"{object}::nowhere.example.invalid::1\"")).json(UNACCEPTABLE);
    session.send(write).await?.expect(&[409])
}

async fn acting_endpoint(session: &Session) -> Verdict {
    served(session).await?;
    let (ehr, endpoint) = session.ehr().await?;
    let system = session.members().await?.into_iter().find(|member| member.id == endpoint).and_then(|member| member.system_id);
    let read = Request::get(format!("/v1/ehr/{ehr}"));
    let write =
        Request::new(Method::POST, format!("/v1/ehr/{ehr}/composition")).header(ENDPOINT, endpoint.as_str()).json(UNACCEPTABLE);
    for request in [read, write] {
        let reply = session.send(request).await?;
        let named = acting(&reply)?;
        ensure!(named == endpoint, "{}: {named} acted, and the EHR is at {endpoint}", reply.shown());
        let named = reply.header("openEHR-federation-system-id");
        ensure!(named.is_none() || named == system.as_deref(), "{}: the system is named as {named:?}", reply.shown());
    }
    Ok(())
}

async fn ehr_by_id(session: &Session) -> Verdict {
    served(session).await?;
    let (ehr, endpoint) = session.ehr().await?;
    let reply = session.send(Request::get(format!("/v1/ehr/{ehr}"))).await?;
    reply.expect(&[200])?;
    let found = reply.json()?.pointer("/ehr_id/value").and_then(Value::as_str).map(str::to_owned);
    ensure!(found.as_deref() == Some(ehr.as_str()), "asked for {ehr}, and {found:?} came");
    let named = acting(&reply)?;
    ensure!(named == endpoint, "{ehr} is at {endpoint}, and {named} answered");
    Ok(())
}

async fn unrouted_ehr_id(session: &Session) -> Verdict {
    let nobody = uuid::Uuid::new_v4();
    let query = crate::query::Query::select("c/uid/value AS uid").and(format!("e/ehr_id/value = '{nobody}'"));
    let reply = session.query(&query).await?;
    reply.expect(&[200, 400, 404])?;
    ensure!(reply.status != 200 || reply.result_set()?.rows.is_empty(), "rows came of an ehr_id nobody holds");
    served(session).await?;
    session.send(Request::get(format!("/v1/ehr/{nobody}"))).await?.expect(&[404])
}

async fn collision(session: &Session) -> Verdict {
    let Some(ehr) = &session.arguments.colliding_ehr_id else {
        return Err(Finding::not_applicable("no --colliding-ehr-id was given"));
    };
    let reply = session.send(Request::get(format!("/v1/ehr/{ehr}"))).await?;
    reply.expect(&[409])?;
    let text = String::from_utf8_lossy(&reply.body).into_owned();
    let named = session.members().await?.iter().filter(|member| text.contains(&member.id)).count();
    ensure!(named >= 2, "{}: the claimants are not named", reply.shown());
    Ok(())
}

async fn definitions(session: &Session) -> Verdict {
    let declared = session.declared().await?.text("/its_rest/definition").unwrap_or_default();
    applies!(declared != "unsupported", "declared unsupported: its_rest.definition");
    let list = || Request::get("/v1/definition/template/adl1.4");
    session.send(list()).await?.expect(&[400])?;
    let endpoint = session.holder().await?;
    let reply = session.send(list().header(ENDPOINT, endpoint.as_str())).await?;
    let named = acting(&reply)?;
    ensure!(named == endpoint, "{endpoint} was chosen, and {named} answered");
    Ok(())
}

async fn held_elsewhere(session: &Session) -> Verdict {
    served(session).await?;
    let (ehr, endpoint) = session.ehr().await?;
    let others = session.two_holders().await?.into_iter().find(|other| *other != endpoint);
    let other = others.unwrap_or_default();
    let create = Request::new(Method::PUT, format!("/v1/ehr/{ehr}")).header(ENDPOINT, other).json(UNACCEPTABLE);
    session.send(create).await?.expect(&[409])
}
