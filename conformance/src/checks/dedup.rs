//! Copies are suppressed only on request (§10, CP-9).

use serde_json::Value;

use crate::catalogue::{Check, check};
use crate::client::Ask;
use crate::query::{START, UID};
use crate::rows::{same_order, same_rows};
use crate::session::{DEDUP, Session};
use crate::verdict::{Verdict, applies, ensure};

pub(crate) const CHECKS: &[Check] = &[
    check!(
        "CP-9.1",
        5,
        "§10, N15",
        none_by_default,
        "without a wish nothing is suppressed, and every answer says so",
        "a record that looks like a copy disappears and nobody knows",
    ),
    check!(
        "CP-9.2",
        5,
        "§10, N15",
        version_identity,
        "version-identity keeps one of each version, no fewer, and says what it suppressed",
        "an imported result is counted twice, or a changed one is lost",
    ),
    check!(
        "CP-9.3",
        5,
        "§10",
        dedup_and_limit,
        "LIMIT counts the rows that stay",
        "a page of copies shows fewer results than it promises",
    ),
    check!(
        "CP-9.4",
        5,
        "§10",
        undeclared_modes,
        "a mode that is not declared is 400",
        "a wish for fewer copies is ignored and taken for granted",
    ),
];

fn mode(answer: &crate::answer::Answer) -> Option<&str> {
    answer.meta.pointer("/federation/dedup/mode").and_then(Value::as_str)
}

async fn none_by_default(session: &Session) -> Verdict {
    for (sample, answer) in session.samples().await? {
        ensure!(mode(answer) == Some("none"), "{sample}: dedup.mode is {:?}", mode(answer));
        let suppressed = answer.meta.pointer("/federation/dedup/suppressed_rows").and_then(Value::as_u64).unwrap_or_default();
        ensure!(suppressed == 0, "{sample}: {suppressed} rows are suppressed by default");
    }
    let said = session.ask(Ask::new(session.uids()).header(DEDUP, "none")).await?.answer()?;
    same_rows("`none` against no header", &session.plain().await?.texts(), &said.texts())
}

async fn offered(session: &Session) -> Verdict {
    let offered = session.declared().await?.lists("/dedup/modes", "version-identity");
    applies!(offered, "declared unsupported: dedup.modes does not list version-identity");
    Ok(())
}

async fn version_identity(session: &Session) -> Verdict {
    offered(session).await?;
    let all = session.plain().await?.texts();
    let mut due = all.clone();
    due.sort();
    due.dedup();
    let answer = session.ask(Ask::new(session.uids()).header(DEDUP, "version-identity")).await?.answer()?;
    ensure!(mode(&answer) == Some("version-identity"), "dedup.mode is {:?}", mode(&answer));
    same_rows("version-identity against the versions without repetition", &due, &answer.texts())?;
    let dedup = answer.meta.pointer("/federation/dedup").cloned().unwrap_or_default();
    let suppressed = dedup.get("suppressed_rows").and_then(Value::as_u64).unwrap_or_default();
    let copies = u64::try_from(all.len() - due.len()).unwrap_or(u64::MAX);
    ensure!(suppressed == copies, "suppressed_rows is {suppressed}, and {copies} rows were copies");
    let named = dedup.get("suppressed_endpoints").and_then(Value::as_array).is_some_and(|list| !list.is_empty());
    ensure!(named == (copies > 0), "suppressed_endpoints does not name where the {copies} copies came from");
    Ok(())
}

async fn dedup_and_limit(session: &Session) -> Verdict {
    offered(session).await?;
    let query =
        session.about_patient(format!("{UID} AS uid, {START} AS at")).order("c/context/start_time/value DESC, c/uid/value ASC");
    let whole = session.ask(Ask::new(&query).header(DEDUP, "version-identity")).await?.answer()?.texts();
    applies!(whole.len() >= 2, "the patient has {} versions, two are needed", whole.len());
    for limit in [1, whole.len() - 1] {
        let asked = query.clone().limit(u64::try_from(limit).unwrap_or(u64::MAX));
        let page = session.ask(Ask::new(asked).header(DEDUP, "version-identity")).await?.answer()?.texts();
        same_order("LIMIT beside version-identity", &whole.iter().take(limit).cloned().collect::<Vec<_>>(), &page)?;
    }
    Ok(())
}

async fn undeclared_modes(session: &Session) -> Verdict {
    let declared = session.declared().await?;
    for value in ["content-hash", "yes", "version-identity"] {
        if !declared.lists("/dedup/modes", value) {
            session.ask(Ask::new(session.uids()).header(DEDUP, value)).await?.expect(&[400])?;
        }
    }
    Ok(())
}
