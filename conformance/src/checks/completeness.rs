//! Complete or not, and in time (§11.4, §11.5, N37, N38; track 4).

use std::time::Duration;

use serde_json::Value;

use crate::answer::Answer;
use crate::catalogue::{Check, check};
use crate::client::Ask;
use crate::rows::same_rows;
use crate::session::{COMPLETENESS, Session};
use crate::verdict::{Verdict, ensure};

pub(crate) const CHECKS: &[Check] = &[
    check!(
        "CP-30.1",
        4,
        "§11.4, N37",
        complete_says_what_the_statuses_say,
        "complete is true exactly when every endpoint in scope is active",
        "a part of a record is shown as the whole of it",
    ),
    check!(
        "CP-30.2",
        4,
        "§11.4, N37",
        all_is_the_default,
        "openEHR-federation-completeness: all is accepted and changes nothing",
        "careful clients that insist on the whole record are refused",
    ),
    check!(
        "CP-30.3",
        4,
        "§11.4, N37",
        partial_as_declared,
        "partial is served where it is declared and refused with 400 where not",
        "a client that asked for a part is given it as the whole, or the other way round",
    ),
    check!(
        "CP-30.4",
        4,
        "§11.4, N37",
        other_values,
        "any other value of the completeness header is 400",
        "a mistyped wish is taken for another one",
    ),
    check!(
        "CP-31.1",
        4,
        "§11.5, N38",
        declared_is_in_force,
        "without a wish of the client the declared limits are in force and reported",
        "a client cannot tell a slow federation from a broken one",
    ),
    check!(
        "CP-31.2",
        4,
        "§11.5, N38",
        wait_shortens,
        "Prefer: wait shortens the budget, and the effective one is reported",
        "an emergency screen waits as long as any other",
    ),
    check!(
        "CP-31.3",
        4,
        "§11.5, N38",
        wait_does_not_lengthen,
        "Prefer: wait never lengthens the budget",
        "one client's patience holds the federation's connections",
    ),
    check!(
        "CP-31.4",
        4,
        "§11.5, N38",
        answered_in_time,
        "an answer comes within the declared overall budget",
        "a screen stays empty past every promise",
    ),
];

/// What is taken to combine and to travel, beside the budget.
const COMBINING: Duration = Duration::from_secs(2);

/// Ends the check unless `complete` agrees with the statuses.
pub(crate) fn complete_fits(sample: &str, answer: &Answer) -> Verdict {
    let whole = answer.endpoints()?.iter().filter(|line| line.in_scope()).all(|line| line.is("active"));
    ensure!(answer.complete()? == whole, "{sample}: complete is {}, and by the statuses it is {whole}", !whole);
    Ok(())
}

async fn complete_says_what_the_statuses_say(session: &Session) -> Verdict {
    for (sample, answer) in session.samples().await? {
        complete_fits(sample, answer)?;
        let failing =
            answer.endpoints()?.into_iter().find(|line| ["offline", "time-out", "node-error"].contains(&line.status.as_str()));
        ensure!(failing.is_none(), "{sample}: 200 under `all` although {:?}", failing.map(|line| (line.id, line.status)));
    }
    Ok(())
}

async fn all_is_the_default(session: &Session) -> Verdict {
    let answer = session.ask(Ask::new(session.uids()).header(COMPLETENESS, "all")).await?.answer()?;
    same_rows("`all` against no header", &session.plain().await?.texts(), &answer.texts())
}

async fn partial_as_declared(session: &Session) -> Verdict {
    let offered = session.declared().await?.flag("/completeness/best_effort");
    let reply = session.ask(Ask::new(session.uids()).header(COMPLETENESS, "partial")).await?;
    if !offered {
        return reply.expect(&[400]);
    }
    let answer = reply.answer()?;
    complete_fits("under partial", &answer)?;
    same_rows("`partial` with nothing missing against `all`", &session.plain().await?.texts(), &answer.texts())
}

async fn other_values(session: &Session) -> Verdict {
    for value in ["some", "all, partial", "partially"] {
        session.ask(Ask::new(session.uids()).header(COMPLETENESS, value)).await?.expect(&[400])?;
    }
    Ok(())
}

fn effective(answer: &Answer, member: &str) -> Result<u64, crate::verdict::Finding> {
    let millis = answer.federation()?.pointer(&format!("/timeout/{member}")).and_then(Value::as_u64);
    millis.ok_or_else(|| crate::verdict::Finding::failed(format!("meta.federation.timeout.{member} is no number")))
}

async fn declared_is_in_force(session: &Session) -> Verdict {
    let declared = session.declared().await?;
    let plain = session.plain().await?;
    for member in ["per_node_ms", "overall_ms"] {
        let (in_force, promised) = (effective(plain, member)?, declared.at(&format!("/timeout/{member}")));
        ensure!(promised.as_u64() == Some(in_force), "timeout.{member} is {in_force} in the answer and {promised} in OPTIONS");
    }
    let policy = plain.federation()?.pointer("/timeout/policy").and_then(Value::as_str);
    ensure!(policy == declared.text("/timeout/policy"), "timeout.policy is {policy:?} in the answer");
    Ok(())
}

async fn wait_shortens(session: &Session) -> Verdict {
    let declared = effective(session.plain().await?, "overall_ms")?;
    let reply = session.ask(Ask::new(session.uids()).header("Prefer", "wait=1")).await?;
    reply.expect(&[200, 504])?;
    let in_force = effective(&reply.result_set()?, "overall_ms")?;
    ensure!(in_force <= declared.min(1000), "after Prefer: wait=1 the reported overall_ms is {in_force} (declared {declared})");
    let late = reply.elapsed > Duration::from_secs(1) + COMBINING;
    ensure!(!late, "Prefer: wait=1 was answered after {} ms", reply.elapsed.as_millis());
    Ok(())
}

async fn wait_does_not_lengthen(session: &Session) -> Verdict {
    let declared = effective(session.plain().await?, "overall_ms")?;
    let answer = session.ask(Ask::new(session.uids()).header("Prefer", "wait=86400")).await?.answer()?;
    let in_force = effective(&answer, "overall_ms")?;
    ensure!(in_force == declared, "after Prefer: wait=86400 the reported overall_ms is {in_force} (declared {declared})");
    Ok(())
}

async fn answered_in_time(session: &Session) -> Verdict {
    let overall = effective(session.plain().await?, "overall_ms")?;
    let reply = session.query(&session.uids()).await?;
    let late = reply.elapsed > Duration::from_millis(overall) + COMBINING;
    ensure!(!late, "answered after {} ms with a budget of {overall} ms", reply.elapsed.as_millis());
    let lines = reply.answer()?.endpoints()?;
    let slow = lines
        .iter()
        .find(|line| line.latency_ms.as_f64().is_some_and(|millis| millis > Duration::from_millis(overall).as_secs_f64() * 1e3));
    ensure!(slow.is_none(), "{:?} is reported slower than the overall budget", slow.map(|line| &line.id));
    Ok(())
}
