//! Aggregates over several nodes are exact or refused (§11.6.3, N14, N39).

use bigdecimal::{BigDecimal, Zero};

use crate::answer::Answer;
use crate::catalogue::{Check, check};
use crate::client::{Ask, Reply};
use crate::query::{START, UID};
use crate::rows::{instant, is_mean, number, numbers};
use crate::session::{COMPLETENESS, ENDPOINT, Session};
use crate::verdict::{Finding, Verdict, applies, ensure};

pub(crate) const CHECKS: &[Check] = &[
    check!(
        "CP-10.1",
        5,
        "§11.6.3, N14, N39",
        count,
        "COUNT over several nodes is the number of rows, or refused",
        "a clinician reads one hospital's count as the patient's",
    ),
    check!(
        "CP-10.2",
        5,
        "§11.6.3, N14, N39",
        sum,
        "SUM over several nodes is exact, or refused",
        "a cumulative dose is wrong by what the other hospital gave",
    ),
    check!(
        "CP-10.3",
        5,
        "§11.6.3, N14, N39",
        extremes,
        "MIN and MAX over several nodes are the least and the greatest, or refused",
        "the peak value is another hospital's, and not shown",
    ),
    check!(
        "CP-10.4",
        5,
        "§11.6.3, N14, N39",
        mean,
        "AVG over several nodes is the true mean, or refused",
        "a mean of means is shown as the patient's mean",
    ),
    check!(
        "CP-10.5",
        5,
        "§11.6.3, N14",
        directed,
        "an aggregate directed to one endpoint is served as that endpoint computes it",
        "a question that has an exact answer is refused",
    ),
    check!(
        "CP-10.6",
        5,
        "§11.6.3",
        group_by,
        "GROUP BY is refused: AQL has none, and groups of several nodes would come twice",
        "one diagnosis is listed once for each hospital, with a part of its count",
    ),
    check!(
        "CP-10.7",
        5,
        "§11.6.3",
        under_partial,
        "an aggregate of a part is never served as the whole",
        "a count without the hospital that is down is read as the count",
    ),
    check!(
        "CP-10.8",
        5,
        "§11.6.3, §10",
        beside_dedup,
        "an aggregate beside de-duplication or DISTINCT is exact or refused",
        "imported copies are counted as further findings",
    ),
];

/// One aggregate over the patient's numbers: refused as declared, or its one value.
async fn aggregate(session: &Session, function: &str, path: &str) -> Result<Option<BigDecimal>, Finding> {
    session.two_holders().await?;
    let reply = session.query(&session.number_query(format!("{function}({path}) AS value"))).await?;
    let declared = session.declared().await?.lists("/aggregates/decomposable", function);
    outcome(function, &reply, declared)
}

fn outcome(function: &str, reply: &Reply, declared: bool) -> Result<Option<BigDecimal>, Finding> {
    if reply.status == 400 {
        ensure!(!declared, "{}: declared as served", reply.shown());
        let text = String::from_utf8_lossy(&reply.body).to_lowercase();
        let pointed = text.contains("endpoint") || text.contains("node");
        ensure!(pointed && text.contains("rows"), "{}: the two alternatives are not named", reply.shown());
        return Ok(None);
    }
    let answer = reply.answer()?;
    ensure!(answer.rows.len() == 1, "{function} gave {} rows: those are the nodes' aggregates", answer.rows.len());
    ensure!(declared, "{function} over several nodes is served and not declared in OPTIONS");
    value(&answer).map(Some)
}

fn value(answer: &Answer) -> Result<BigDecimal, Finding> {
    let cell = answer.column(0).first().copied().unwrap_or_default();
    number(cell).ok_or_else(|| Finding::failed(format!("the aggregate is no number: {cell}")))
}

async fn known_numbers(session: &Session) -> Result<Vec<BigDecimal>, Finding> {
    let known = numbers(&session.numbers().await?.column(1));
    applies!(known.len() >= 2, "the patient has {} numbers at {}", known.len(), session.arguments.number_path);
    Ok(known)
}

async fn count(session: &Session) -> Verdict {
    let rows = session.numbers().await?;
    let known = rows.column(1).iter().filter(|cell| **cell != "null").count();
    let path = &session.arguments.number_path;
    if let Some(found) = aggregate(session, "COUNT", "*").await? {
        ensure!(found == big(rows.rows.len()), "COUNT(*) is {found}, and {} rows are there", rows.rows.len());
    }
    if let Some(found) = aggregate(session, "COUNT", path).await? {
        ensure!(found == big(known), "COUNT is {found}, and {known} values are there");
    }
    Ok(())
}

fn big(count: usize) -> BigDecimal {
    BigDecimal::from(u64::try_from(count).unwrap_or(u64::MAX))
}

async fn sum(session: &Session) -> Verdict {
    let due: BigDecimal = known_numbers(session).await?.iter().sum();
    let found = aggregate(session, "SUM", &session.arguments.number_path).await?;
    ensure!(found.as_ref().is_none_or(|found| *found == due), "SUM is {found:?}, and the values add up to {due}");
    Ok(())
}

async fn extremes(session: &Session) -> Verdict {
    let known = known_numbers(session).await?;
    for (function, due) in [("MIN", known.iter().min()), ("MAX", known.iter().max())] {
        let found = aggregate(session, function, &session.arguments.number_path).await?;
        ensure!(found.is_none() || found.as_ref() == due, "{function} is {found:?}, and of the values it is {due:?}");
    }
    extreme_times(session).await
}

async fn mean(session: &Session) -> Verdict {
    let known = known_numbers(session).await?;
    let sum: BigDecimal = known.iter().sum();
    let found = aggregate(session, "AVG", &session.arguments.number_path).await?;
    let right = found.as_ref().is_none_or(|found| is_mean(found, &sum, known.len()));
    ensure!(right, "AVG is {found:?}, and the values' mean is {sum} / {}", known.len());
    Ok(())
}

async fn directed(session: &Session) -> Verdict {
    let holder = session.holder().await?;
    let rows = session.directed().await?.rows.len();
    let query = session.about_patient(format!("COUNT({UID}) AS n"));
    let answer = session.ask(Ask::new(query).header(ENDPOINT, holder.as_str())).await?.answer()?;
    ensure!(answer.rows.len() == 1, "COUNT at one endpoint gave {} rows", answer.rows.len());
    let found = value(&answer)?;
    ensure!(found == big(rows), "COUNT at {holder} is {found}, and it has {rows} rows");
    Ok(())
}

async fn group_by(session: &Session) -> Verdict {
    let text = format!("{} GROUP BY c/name/value", session.about_patient(format!("c/name/value, COUNT({UID})")));
    session.ask(Ask::new(text)).await?.expect(&[400])
}

async fn under_partial(session: &Session) -> Verdict {
    session.two_holders().await?;
    let query = session.about_patient(format!("COUNT({UID}) AS n"));
    let reply = session.ask(Ask::new(query).header(COMPLETENESS, "partial")).await?;
    if reply.status == 400 {
        return Ok(());
    }
    let answer = reply.answer()?;
    let failed = answer.endpoints()?.iter().any(|line| ["offline", "time-out", "node-error"].contains(&line.status.as_str()));
    ensure!(!failed, "an aggregate is served although an endpoint failed");
    ensure!(value(&answer)? == big(session.plain().await?.rows.len()), "COUNT under partial is not the number of rows");
    Ok(())
}

async fn beside_dedup(session: &Session) -> Verdict {
    session.two_holders().await?;
    let mut uids = session.plain().await?.texts();
    uids.sort();
    uids.dedup();
    let exact = |reply: &Reply, what: &str| {
        if reply.status == 400 {
            return Ok(());
        }
        let found = value(&reply.answer()?)?;
        ensure!(found == big(uids.len()), "{what} is {found}, and there are {} different versions", uids.len());
        ensure!(!found.is_zero() || uids.is_empty(), "{what} is 0");
        Ok(())
    };
    let query = session.about_patient(format!("COUNT(DISTINCT {UID}) AS n"));
    exact(&session.query(&query).await?, "COUNT(DISTINCT …)")?;
    if session.declared().await?.lists("/dedup/modes", "version-identity") {
        let query = session.about_patient(format!("COUNT({UID}) AS n"));
        let ask = Ask::new(query).header(crate::session::DEDUP, "version-identity");
        exact(&session.ask(ask).await?, "COUNT beside version-identity")?;
    }
    Ok(())
}

/// The same for times, which are least and greatest by instant.
async fn extreme_times(session: &Session) -> Verdict {
    let times = session.answer(&session.about_patient(format!("{START} AS at"))).await?.strings(0);
    let instants: Vec<_> = times.iter().filter_map(|text| instant(text)).collect();
    if instants.len() != times.len() {
        return Ok(()); // some are partial or in basic form: which is least is not this harness's to say
    }
    for (function, due) in [("MIN", instants.iter().min()), ("MAX", instants.iter().max())] {
        let reply = session.query(&session.about_patient(format!("{function}({START}) AS at"))).await?;
        if reply.status == 400 {
            continue;
        }
        let answer = reply.answer()?;
        ensure!(answer.rows.len() == 1, "{function} of times gave {} rows", answer.rows.len());
        let found = answer.strings(0).first().and_then(|text| instant(text));
        ensure!(found.as_ref() == due, "{function} of times is {found:?}, and of the values it is {due:?}");
    }
    Ok(())
}
