//! The client may say whom to ask, in the query or beside it (§8, N35; track 3).

use crate::answer::Answer;
use crate::catalogue::{Check, check};
use crate::client::{Ask, Reply, Request};
use crate::query::{Query, endpoints, organisations};
use crate::rows::same_rows;
use crate::session::{ENDPOINT, ORGANISATION, Session};
use crate::verdict::{Finding, Verdict, applies, ensure};

pub(crate) const CHECKS: &[Check] = &[
    check!(
        "CP-6.1",
        3,
        "§8, N11",
        directed_without_localizer,
        "a directed query asks exactly the named endpoints, whatever localization would say",
        "a clinician who asks a certain hospital gets another one's record, or none",
    ),
    check!(
        "CP-28.1",
        3,
        "§8, N35",
        header_and_directive,
        "the header and FROM ENDPOINT give the same rows from the same endpoints",
        "two ways to name a hospital give two records",
    ),
    check!(
        "CP-28.2",
        3,
        "§8, N35",
        by_organisation,
        "an organisation, by header or directive, means exactly its endpoints",
        "part of a trust's records is left out without a word",
    ),
    check!(
        "CP-28.3",
        3,
        "§8, N35",
        both_equal,
        "directive and header naming one set are served, whatever order or case of the header's name",
        "careful clients that say it twice are refused",
    ),
    check!(
        "CP-28.4",
        3,
        "§8, N35",
        conflict,
        "directive and header naming different sets are 400, and both sets are named",
        "one of two contradicting wishes is followed silently",
    ),
    check!(
        "CP-28.5",
        3,
        "§8, N35",
        unknown_ids,
        "an id that is not in the registry is 400, an address is no id",
        "a mistyped hospital looks like a hospital without records",
    ),
    check!(
        "CP-28.6",
        3,
        "§8, N35",
        query_parameter,
        "?endpoint= is not targeting",
        "an address copied from somewhere silently narrows the record",
    ),
    check!(
        "CP-28.7",
        3,
        "§8",
        words_in_a_literal,
        "ENDPOINT and ORGANISATION inside a string literal are a string",
        "a record that mentions the words changes whom the federation asks",
    ),
];

/// Exactly these were in scope, and all others are `excluded`.
fn asked_only(what: &str, answer: &Answer, named: &[&str]) -> Verdict {
    for line in answer.endpoints()? {
        let due = named.contains(&line.id.as_str());
        ensure!(line.in_scope() == due, "{what}: {} is {}", line.id, line.status);
        ensure!(due || line.is("excluded"), "{what}: {} was not named and is {}", line.id, line.status);
    }
    Ok(())
}

async fn by_header(session: &Session, ids: &str) -> Result<Answer, Finding> {
    session.ask(Ask::new(session.uids()).header(ENDPOINT, ids)).await?.answer()
}

async fn directed_without_localizer(session: &Session) -> Verdict {
    for member in session.members().await?.iter().filter(|member| member.status.as_deref() == Some("active")) {
        let answer = by_header(session, &member.id).await?;
        asked_only("directed by header", &answer, &[&member.id])?;
    }
    Ok(())
}

async fn header_and_directive(session: &Session) -> Verdict {
    let [first, second] = session.two_holders().await?;
    for named in [vec![first.as_str()], vec![first.as_str(), second.as_str()]] {
        let header = by_header(session, &named.join(", ")).await?;
        let directive = session.answer(&session.uids().directed(endpoints(named.iter().copied()))).await?;
        asked_only("by header", &header, &named)?;
        asked_only("by directive", &directive, &named)?;
        same_rows("the directive against the header", &header.texts(), &directive.texts())?;
    }
    Ok(())
}

async fn by_organisation(session: &Session) -> Verdict {
    let members = session.members().await?;
    let holder = session.holder().await?;
    let organisation = members.iter().find(|member| member.id == holder).and_then(|member| member.organisation.clone());
    let Some(organisation) = organisation else {
        return Err(Finding::failed(format!("OPTIONS declares no organisation of {holder}")));
    };
    let of_it = |id: &str| members.iter().any(|member| member.id == id && member.organisation.as_deref() == Some(&organisation));
    let header = session.ask(Ask::new(session.uids()).header(ORGANISATION, organisation.as_str())).await?.answer()?;
    let directive = session.answer(&session.uids().directed(organisations([organisation.as_str()]))).await?;
    for (what, answer) in [("by header", &header), ("by directive", &directive)] {
        // Of several endpoints of one node, or of one out of service, not all need be asked: nobody else may be.
        let lines = answer.endpoints()?;
        let astray = lines.iter().find(|line| line.in_scope() && !of_it(&line.id));
        ensure!(astray.is_none(), "{what}: {:?} is not of {organisation} and was in scope", astray.map(|line| &line.id));
        let held = lines.iter().any(|line| line.id == holder && line.is("active"));
        ensure!(held || lines.iter().any(|line| line.is("active")), "{what}: no endpoint of {organisation} was asked");
    }
    same_rows("the directive against the header", &header.texts(), &directive.texts())
}

async fn both_equal(session: &Session) -> Verdict {
    let [first, second] = session.two_holders().await?;
    let query = session.uids().directed(endpoints([first.as_str(), second.as_str()]));
    let name = ENDPOINT.to_ascii_uppercase();
    let answer = session.ask(Ask::new(&query).header(name, format!("{second},{first}"))).await?.answer()?;
    asked_only("directive and header", &answer, &[&first, &second])
}

async fn conflict(session: &Session) -> Verdict {
    let [first, second] = session.two_holders().await?;
    let query = session.uids().directed(endpoints([first.as_str()]));
    let reply = session.ask(Ask::new(&query).header(ENDPOINT, second.as_str())).await?;
    reply.expect(&[400])?;
    let body = String::from_utf8_lossy(&reply.body);
    ensure!(body.contains(first.as_str()) && body.contains(second.as_str()), "{}: not both sets are named", reply.shown());
    Ok(())
}

async fn unknown_ids(session: &Session) -> Verdict {
    let holder = session.holder().await?;
    let asks = [
        Ask::new(session.uids()).header(ENDPOINT, "no-such-endpoint"),
        Ask::new(session.uids()).header(ENDPOINT, format!("{holder}, no-such-endpoint")),
        Ask::new(session.uids()).header(ORGANISATION, "no-such-organisation"),
        Ask::new(session.uids()).header(ENDPOINT, "http://127.0.0.1:1/"),
        Ask::new(session.uids().directed(endpoints(["no-such-endpoint"]))),
        Ask::new(session.uids().directed(organisations(["no-such-organisation"]))),
    ];
    for ask in asks {
        session.ask(ask).await?.expect(&[400])?;
    }
    Ok(())
}

async fn query_parameter(session: &Session) -> Verdict {
    let [first, _] = session.two_holders().await?;
    let text: String = session.uids().to_string().bytes().map(|byte| format!("%{byte:02X}")).collect();
    let reply: Reply = session.send(Request::get(format!("/v1/query/aql?endpoint={first}&q={text}"))).await?;
    if reply.status == 400 {
        return Ok(()); // refusing an unknown parameter is no targeting either
    }
    same_rows("?endpoint= against nothing", &session.plain().await?.texts(), &reply.answer()?.texts())
}

async fn words_in_a_literal(session: &Session) -> Verdict {
    let holder = session.holder().await?;
    let plain = session.plain().await?;
    applies!(!plain.rows.is_empty(), "the patient has no rows");
    for word in [endpoints([holder.as_str()]), organisations(["x"]), "FROM ENDPOINT p [\"x\"] CONTAINS EHR e".to_owned()] {
        let query: Query = session.uids().and(format!("c/name/value != {}", crate::query::literal(&word)));
        let answer = session.answer(&query).await?;
        same_rows("words in a literal against none", &plain.texts(), &answer.texts())?;
    }
    Ok(())
}
