//! Pages are right or refused (§11.6.2, §11.6.4, N39).

use serde_json::Value;

use crate::answer::Answer;
use crate::catalogue::{Check, check};
use crate::client::{Ask, Reply, Request};
use crate::query::{Query, START, UID};
use crate::rows::same_order;
use crate::session::{CURSOR, Session};
use crate::verdict::{Finding, Verdict, applies, ensure};

pub(crate) const CHECKS: &[Check] = &[
    check!(
        "CP-32.5",
        5,
        "§11.6.2, N39",
        offset_as_declared,
        "OFFSET over several nodes is refused or right, as declared",
        "the second page misses results that no page shows",
    ),
    check!(
        "CP-32.6",
        5,
        "§11.6.2, N39",
        offset_bounded,
        "a page beyond the declared window is refused, not approximated",
        "a far page is silently wrong",
    ),
    check!(
        "CP-32.7",
        5,
        "§11.6.4",
        cursor,
        "pages of a cursor are slices of one result, and expire honestly",
        "a page turned during an update skips results",
    ),
];

const TOTAL: &str = "c/context/start_time/value DESC, c/uid/value ASC";

fn ordered(session: &Session) -> Query {
    session.about_patient(format!("{UID} AS uid, {START} AS at")).order(TOTAL)
}

fn slice(whole: &[String], offset: usize, limit: usize) -> Vec<String> {
    whole.iter().skip(offset).take(limit).cloned().collect()
}

async fn whole(session: &Session) -> Result<Vec<String>, Finding> {
    session.two_holders().await?;
    let whole = session.answer(&ordered(session)).await?.texts();
    applies!(whole.len() >= 3, "the patient has {} rows, three are needed", whole.len());
    Ok(whole)
}

async fn offset_as_declared(session: &Session) -> Verdict {
    let declared = session.declared().await?;
    let strategy = declared.text("/paging/offset_strategy").unwrap_or_default().to_owned();
    let whole = whole(session).await?;
    for (limit, offset) in [(1_usize, 1_usize), (2, 1), (whole.len(), 2)] {
        let count = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
        let in_text = session.query(&ordered(session).limit(count(limit)).offset(count(offset))).await?;
        let in_body = session.ask(Ask::new(ordered(session)).member("fetch", limit).member("offset", offset)).await?;
        for reply in [in_text, in_body] {
            page_fits(&strategy, &reply, &slice(&whole, offset, limit))?;
        }
    }
    Ok(())
}

/// `reject` refuses, `window` serves; any other strategy may do either, but never something else.
fn page_fits(strategy: &str, reply: &Reply, due: &[String]) -> Verdict {
    match (strategy, reply.status) {
        ("window", _) | (_, 200) => {
            ensure!(strategy != "reject", "{}: declared as refused", reply.shown());
            same_order("a page against the slice of the whole order", due, &reply.answer()?.texts())
        }
        _ => reply.expect(&[400]),
    }
}

async fn offset_bounded(session: &Session) -> Verdict {
    let declared = session.declared().await?;
    let strategy = declared.text("/paging/offset_strategy").unwrap_or_default();
    applies!(strategy == "window", "the declared strategy is {strategy}, not window");
    let max = declared.at("/paging/max_window").as_u64();
    let Some(max) = max else {
        return Err(Finding::failed("OPTIONS declares the strategy window and no paging.max_window"));
    };
    session.two_holders().await?;
    for query in [
        ordered(session).limit(1).offset(max),
        ordered(session).limit(max).offset(1),
        ordered(session).limit(5).offset(u64::MAX / 2),
    ] {
        session.query(&query).await?.expect(&[400, 422])?;
    }
    Ok(())
}

async fn cursor(session: &Session) -> Verdict {
    let declared = session.declared().await?;
    let strategy = declared.text("/paging/offset_strategy").unwrap_or_default();
    applies!(strategy == "cursor", "the declared strategy is {strategy}, not cursor");
    let whole = whole(session).await?;
    let opened = session.ask(Ask::new(ordered(session).limit(2)).header(CURSOR, "open")).await?.answer()?;
    same_order("the first page", &slice(&whole, 0, 2), &opened.texts())?;
    let handle = handle(&opened)?;
    let turned = Ask::new(ordered(session).limit(2).offset(1)).header(CURSOR, handle.as_str());
    same_order("the page at 1", &slice(&whole, 1, 2), &session.ask(turned).await?.answer()?.texts())?;
    let page = session.send(Request::get(format!("/federation/cursors/{handle}?offset=2&fetch=1"))).await?;
    same_order("the page at 2", &slice(&whole, 2, 1), &page.answer()?.texts())?;
    let other = Ask::new(session.uids().order(UID).limit(2)).header(CURSOR, handle.as_str());
    session.ask(other).await?.expect(&[400])?;
    let freed = session.send(Request::new(reqwest::Method::DELETE, format!("/federation/cursors/{handle}"))).await?;
    freed.expect(&[200, 204])?;
    session.send(Request::get(format!("/federation/cursors/{handle}?offset=0&fetch=1"))).await?.expect(&[404, 410])
}

fn handle(answer: &Answer) -> Result<String, Finding> {
    let cursor = answer.federation()?.get("cursor").cloned().unwrap_or_default();
    ensure!(cursor.get("expires_at").is_some_and(Value::is_string), "meta.federation.cursor has no expires_at");
    let handle = cursor.get("handle").and_then(Value::as_str).map(str::to_owned);
    handle.ok_or_else(|| Finding::failed("meta.federation.cursor has no handle"))
}
