//! Order and distinctness are the federation's, not a node's (§11.6.1, N9, N13, N39; track 5).

use crate::answer::Answer;
use crate::catalogue::{Check, check};
use crate::client::Ask;
use crate::query::{START, UID};
use crate::rows::{disorder, instant, number, same_order, same_rows};
use crate::session::Session;
use crate::verdict::{Finding, Verdict, applies, ensure};

pub(crate) const CHECKS: &[Check] = &[
    check!(
        "CP-8.1",
        5,
        "§7, N13, N14",
        distinct,
        "DISTINCT holds over the whole federation, and loses no value",
        "one finding is counted once for each hospital that holds a copy",
    ),
    check!(
        "CP-8.2",
        5,
        "§11.6.1, N13",
        ordered_by_time,
        "ORDER BY a time orders the rows of all nodes together, by instant",
        "the latest result is not at the top",
    ),
    check!(
        "CP-8.3",
        5,
        "§11.6.1, N13",
        ordered_by_number,
        "ORDER BY a number orders the rows of all nodes together, by value",
        "the highest value is not at the top",
    ),
    check!(
        "CP-8.4",
        5,
        "§11.6.1, N13",
        descending,
        "descending is ascending turned round",
        "newest-first and oldest-first lists show different things",
    ),
    check!(
        "CP-8.5",
        5,
        "§7, §11.6.1, N13",
        distinct_top,
        "DISTINCT, ORDER BY and LIMIT together give the first different rows of all",
        "a list of the first findings misses some that another hospital's copies pushed out",
    ),
    check!(
        "CP-32.1",
        5,
        "§11.6.1, N39",
        global_top,
        "LIMIT n gives the first n rows of the whole order",
        "the latest result of another hospital is cut away",
    ),
    check!(
        "CP-32.2",
        5,
        "§11.6.1, N39",
        repeatable,
        "the same query gives the same rows in the same order, ties included",
        "a row jumps about, or is read twice and another never",
    ),
    check!(
        "CP-32.3",
        5,
        "§11.6.1, N17",
        hidden_keys,
        "an order by something that is not selected is the same order",
        "a list without its date column is in no order",
    ),
    check!(
        "CP-32.4",
        5,
        "ITS-REST query",
        fetch_is_limit,
        "fetch and offset of the body are LIMIT and OFFSET; disagreeing ones are 400",
        "pages of an app overlap or leave gaps",
    ),
];

/// Rows in their whole order: by time, then by uid, so that equal places are equal rows.
async fn whole_order(session: &Session) -> Result<Answer, Finding> {
    let answer = session.answer(&session.about_patient(format!("{UID} AS uid, {START} AS at")).order(TOTAL)).await?;
    applies!(answer.rows.len() >= 2, "the patient has {} rows, two are needed", answer.rows.len());
    let instants: Vec<_> = answer.strings(1).iter().filter_map(|text| instant(text)).collect();
    let place = disorder(&instants, |left, right| right.cmp(left));
    ensure!(place.is_none(), "latest first: row {} is earlier than the next", place.unwrap_or_default() + 1);
    Ok(answer)
}

const TOTAL: &str = "c/context/start_time/value DESC, c/uid/value ASC";

async fn distinct(session: &Session) -> Verdict {
    let all = session.plain().await?.texts();
    let distinct_uids = session.answer(&session.uids().distinct()).await?;
    let mut due = all.clone();
    due.sort();
    due.dedup();
    same_rows("DISTINCT against the rows without repetition", &due, &distinct_uids.texts())?;
    let select = format!("{} AS number", session.arguments.number_path);
    let distinct = session.answer(&session.number_query(select).distinct()).await?;
    let mut found = exact(&distinct.column(0));
    let before = found.len();
    found.dedup();
    ensure!(found.len() == before, "DISTINCT gave {} numbers twice", before - found.len());
    let mut values = exact(&session.numbers().await?.column(1));
    values.dedup();
    same_rows("DISTINCT numbers against the numbers without repetition", &values, &found)
}

/// The numbers among the cells in their one plain spelling, sorted.
fn exact(cells: &[&str]) -> Vec<String> {
    let plain = |cell: &&str| number(cell).map(|number| number.normalized().to_plain_string());
    let mut exact: Vec<String> = cells.iter().filter_map(plain).collect();
    exact.sort();
    exact
}

async fn ordered_by_time(session: &Session) -> Verdict {
    let answer = session.answer(&session.about_patient(format!("{START} AS at")).order(START)).await?;
    let instants: Vec<_> = answer.strings(0).iter().filter_map(|text| instant(text)).collect();
    applies!(instants.len() >= 2, "the patient has {} compositions with a start time", instants.len());
    let place = disorder(&instants, Ord::cmp);
    ensure!(place.is_none(), "row {} is later than the next", place.unwrap_or_default() + 1);
    Ok(())
}

async fn ordered_by_number(session: &Session) -> Verdict {
    let path = &session.arguments.number_path;
    let answer = session.answer(&session.number_query(format!("{UID} AS uid, {path} AS number")).order(path.as_str())).await?;
    same_rows("an ordered answer against an unordered one", &session.numbers().await?.texts(), &answer.texts())?;
    let numbers = crate::rows::numbers(&answer.column(1));
    applies!(numbers.len() >= 2, "the patient has {} numbers at {path}", numbers.len());
    let place = disorder(&numbers, Ord::cmp);
    ensure!(place.is_none(), "number {} is greater than the next", place.unwrap_or_default() + 1);
    Ok(())
}

async fn descending(session: &Session) -> Verdict {
    let ordered = |direction: &str| session.about_patient(format!("{UID} AS uid")).order(format!("{UID} {direction}"));
    let up = session.answer(&ordered("ASC")).await?;
    let mut down = session.answer(&ordered("DESC")).await?.texts();
    applies!(up.rows.len() >= 2, "the patient has {} rows, two are needed", up.rows.len());
    down.reverse();
    same_order("descending turned round against ascending", &up.texts(), &down)
}

async fn global_top(session: &Session) -> Verdict {
    let whole = whole_order(session).await?.texts();
    let query = session.about_patient(format!("{UID} AS uid, {START} AS at")).order(TOTAL);
    for limit in [1, 2, whole.len() / 2, whole.len() - 1, whole.len(), whole.len() + 5] {
        let limit = limit.max(1);
        let asked = query.clone().limit(u64::try_from(limit).unwrap_or(u64::MAX));
        let page = session.answer(&asked).await?.texts();
        let due: Vec<String> = whole.iter().take(limit).cloned().collect();
        same_order(&format!("LIMIT {limit} against the whole order"), &due, &page)?;
    }
    Ok(())
}

async fn repeatable(session: &Session) -> Verdict {
    let tied = session.about_patient(format!("{UID} AS uid")).order("c/name/value");
    for query in [tied.clone(), tied.limit(3), session.uids()] {
        let first = session.answer(&query).await?.texts();
        for repeat in 2..=5 {
            let again = session.answer(&query).await?.texts();
            same_order(&format!("repeat {repeat} against the first"), &first, &again)?;
        }
    }
    Ok(())
}

async fn hidden_keys(session: &Session) -> Verdict {
    let whole = whole_order(session).await?;
    let shown: Vec<String> = whole.column(0).iter().map(|cell| (*cell).to_owned()).collect();
    let hidden = session.answer(&session.uids().order(TOTAL)).await?;
    same_order("the order by a hidden key against a shown one", &shown, &hidden.texts())?;
    let top = session.answer(&session.uids().order(TOTAL).limit(2)).await?;
    same_order("LIMIT 2 by a hidden key", &shown.iter().take(2).cloned().collect::<Vec<_>>(), &top.texts())
}

async fn fetch_is_limit(session: &Session) -> Verdict {
    let whole = whole_order(session).await?.texts();
    let query = session.about_patient(format!("{UID} AS uid, {START} AS at")).order(TOTAL);
    let fetched = session.ask(Ask::new(&query).member("fetch", 2)).await?.answer()?.texts();
    same_order("fetch: 2", &whole.iter().take(2).cloned().collect::<Vec<_>>(), &fetched)?;
    let agreeing = session.ask(Ask::new(query.clone().limit(2)).member("fetch", 2)).await?.answer()?.texts();
    same_order("fetch: 2 beside LIMIT 2", &fetched, &agreeing)?;
    let disagreeing = Ask::new(query.limit(2)).member("fetch", 3);
    session.ask(disagreeing).await?.expect(&[400])
}

async fn distinct_top(session: &Session) -> Verdict {
    let query = session.about_patient(format!("{START} AS at")).distinct().order(format!("{START} DESC"));
    let whole = session.answer(&query).await?.texts();
    applies!(whole.len() >= 2, "the patient has {} different times, two are needed", whole.len());
    let mut all = session.answer(&session.about_patient(format!("{START} AS at")).order(format!("{START} DESC"))).await?.texts();
    all.dedup();
    ensure!(all.len() >= whole.len(), "DISTINCT gave more rows than there are");
    for limit in [1, 2, whole.len() - 1] {
        let limit = limit.max(1);
        let page = session.answer(&query.clone().limit(u64::try_from(limit).unwrap_or(u64::MAX))).await?.texts();
        let due: Vec<String> = whole.iter().take(limit).cloned().collect();
        same_order(&format!("DISTINCT with LIMIT {limit} against the whole"), &due, &page)?;
    }
    Ok(())
}
