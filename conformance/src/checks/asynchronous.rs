//! Waiting longer, where it is offered (§11.7).

use std::time::Duration;

use reqwest::Method;

use crate::catalogue::{Check, check};
use crate::client::{Ask, Request};
use crate::rows::same_rows;
use crate::session::Session;
use crate::verdict::{Finding, Verdict, ensure};

pub(crate) const CHECKS: &[Check] = &[check!(
    "CP-31.6",
    4,
    "§11.7",
    respond_async,
    "Prefer: respond-async is a job that ends in the same answer, or is ignored where it is not offered",
    "a long question never ends, or ends in another answer",
)];

async fn respond_async(session: &Session) -> Verdict {
    let offered = session.declared().await?.flag("/async/offered");
    let reply = session.ask(Ask::new(session.uids()).header("Prefer", "respond-async")).await?;
    let due = session.plain().await?.texts();
    if reply.status == 200 {
        return same_rows("an asynchronous wish answered at once", &due, &reply.answer()?.texts());
    }
    ensure!(offered, "{}: async is not declared in OPTIONS", reply.shown());
    reply.expect(&[202])?;
    let location = reply.header("content-location").unwrap_or_default().to_owned();
    let Some(at) = location.find("/federation/jobs/") else {
        return Err(Finding::failed(format!("{}: Content-Location is {location:?}", reply.shown())));
    };
    let job = location.get(at..).unwrap_or_default().to_owned();
    for _ in 0..200 {
        let poll = session.send(Request::get(job.clone())).await?;
        if poll.status != 202 {
            same_rows("a job's answer against the synchronous one", &due, &poll.answer()?.texts())?;
            return session.send(Request::new(Method::DELETE, job)).await.map(drop);
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    Err(Finding::failed("the job did not end within 20 s"))
}
