//! Every member is reported, and says what became of it (§11.1, N16).

use std::collections::BTreeMap;

use serde_json::Value;

use crate::answer::Answer;
use crate::catalogue::{Check, check};
use crate::session::Session;
use crate::verdict::{Verdict, ensure};

pub(crate) const CHECKS: &[Check] = &[
    check!(
        "CP-11.1",
        4,
        "§11.1, N16",
        every_member_once,
        "every declared endpoint is reported exactly once, sorted by id",
        "a hospital that was not asked is not missed by anyone",
    ),
    check!(
        "CP-11.2",
        4,
        "§11.1, N16",
        statuses,
        "statuses are the specification's, with an error where the endpoint fell short",
        "a hospital that failed looks like one with nothing to say",
    ),
    check!(
        "CP-11.3",
        4,
        "§9.5, §11.5, N38",
        latency_when_dispatched,
        "latency_ms is there exactly when a request was dispatched",
        "nobody can tell the hospitals that were asked from those that were not",
    ),
    check!(
        "CP-11.4",
        4,
        "§9.5",
        row_counts,
        "row_count says what each endpoint gave, and adds up",
        "rows lost on the way are noticed by nobody",
    ),
    check!(
        "CP-12.1",
        4,
        "§11.3, N6",
        found_nowhere,
        "a patient known nowhere is 200, no rows, every endpoint in scope not-resolved, complete false",
        "a patient without records looks like a broken federation, or like a wrong address",
    ),
    check!(
        "CP-12.2",
        4,
        "§11.4, CP-12",
        operation_outcome,
        "an incomplete answer carries a FHIR OperationOutcome with an issue for each endpoint that fell short",
        "viewers that read FHIR show a part of a record as the whole",
    ),
    check!(
        "CP-13.1",
        2,
        "§4, N10",
        one_registry,
        "the report and OPTIONS agree on node, system and organisation of every endpoint",
        "records are filed under the wrong hospital",
    ),
];

async fn every_member_once(session: &Session) -> Verdict {
    let mut declared: Vec<String> = session.members().await?.into_iter().map(|member| member.id).collect();
    declared.sort();
    for (sample, answer) in session.samples().await? {
        let reported: Vec<String> = answer.endpoints()?.into_iter().map(|line| line.id).collect();
        ensure!(reported == declared, "{sample}: endpoints[] is {reported:?}, the declared members are {declared:?}");
    }
    Ok(())
}

const STATUSES: [&str; 8] =
    ["active", "offline", "time-out", "node-error", "not-resolved", "consent-denied", "excluded", "not-localized"];

async fn statuses(session: &Session) -> Verdict {
    for (sample, answer) in session.samples().await? {
        for line in answer.endpoints()? {
            ensure!(STATUSES.contains(&line.status.as_str()), "{sample}: {} has the status {}", line.id, line.status);
            let explained = !["offline", "time-out", "node-error", "not-resolved"].contains(&line.status.as_str());
            ensure!(explained || !line.error.is_null(), "{sample}: {} is {} without an error", line.id, line.status);
            ensure!(!line.is("active") || line.error.is_null(), "{sample}: {} is active with an error", line.id);
        }
    }
    let [.., (_, directed)] = session.samples().await?;
    let astray = directed.endpoints()?.into_iter().find(|line| !line.is("excluded") && !line.is("active"));
    ensure!(astray.is_none(), "a query directed to one endpoint reports another as {:?}", astray.map(|line| line.status));
    Ok(())
}

async fn latency_when_dispatched(session: &Session) -> Verdict {
    for (sample, answer) in session.samples().await? {
        for line in answer.endpoints()? {
            let (timed, status) = (line.latency_ms.is_number(), line.status.as_str());
            let due = match status {
                "active" | "offline" | "time-out" | "node-error" => true,
                "not-resolved" | "excluded" | "not-localized" => false,
                _ => timed,
            };
            ensure!(timed == due, "{sample}: {} is {status} {} latency_ms", line.id, if timed { "with" } else { "without" });
        }
    }
    Ok(())
}

async fn row_counts(session: &Session) -> Verdict {
    let [(_, plain), _, (_, directed)] = session.samples().await?;
    for answer in [plain, directed] {
        let mut sum = 0;
        for line in answer.endpoints()? {
            let count = line.row_count.as_u64();
            ensure!(
                count.is_some() == line.is("active"),
                "{} is {} and its row_count is {}",
                line.id,
                line.status,
                line.row_count
            );
            sum += count.unwrap_or_default();
        }
        let rows = u64::try_from(answer.rows.len()).unwrap_or(u64::MAX);
        ensure!(sum == rows, "the row_counts add up to {sum}, and {rows} rows came of a query that drops none");
    }
    Ok(())
}

async fn found_nowhere(session: &Session) -> Verdict {
    let answer = session.unknown().await?;
    ensure!(answer.rows.is_empty(), "{} rows came about a patient nobody knows", answer.rows.len());
    let lines = answer.endpoints()?;
    let in_scope: Vec<_> = lines.iter().filter(|line| line.in_scope()).collect();
    let strange = in_scope.iter().find(|line| !line.is("not-resolved"));
    ensure!(strange.is_none(), "{:?} is not not-resolved", strange.map(|line| (&line.id, &line.status)));
    ensure!(answer.complete()? == in_scope.is_empty(), "complete does not say that {} endpoints fell short", in_scope.len());
    ensure!(in_scope.is_empty() || outcome(answer).is_some(), "no operation_outcome goes with complete: false");
    Ok(())
}

fn outcome(answer: &Answer) -> Option<&Value> {
    answer.meta.pointer("/federation/operation_outcome").filter(|outcome| !outcome.is_null())
}

async fn operation_outcome(session: &Session) -> Verdict {
    for (sample, answer) in session.samples().await? {
        outcome_fits(sample, answer)?;
    }
    Ok(())
}

/// The codes of an issue this answer may use: FHIR R4 issue types that say what is missing.
const ISSUE_CODES: [&str; 9] =
    ["incomplete", "timeout", "transient", "forbidden", "not-found", "exception", "processing", "no-store", "security"];

/// Ends the check unless the OperationOutcome says exactly what is missing.
pub(crate) fn outcome_fits(sample: &str, answer: &Answer) -> Verdict {
    let lines = answer.endpoints()?;
    let short: Vec<_> = lines.iter().filter(|line| line.in_scope() && !line.is("active")).collect();
    let Some(outcome) = outcome(answer) else {
        ensure!(short.is_empty(), "{sample}: {} endpoints fell short and no operation_outcome says so", short.len());
        return Ok(());
    };
    ensure!(outcome.get("resourceType").and_then(Value::as_str) == Some("OperationOutcome"), "{sample}: not an OperationOutcome");
    let issues = outcome.get("issue").and_then(Value::as_array).cloned().unwrap_or_default();
    ensure!(!issues.is_empty(), "{sample}: an OperationOutcome needs an issue");
    let text = |issue: &Value, name: &str| issue.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    for issue in &issues {
        let severity = text(issue, "severity");
        ensure!(["fatal", "error", "warning", "information"].contains(&severity.as_str()), "{sample}: severity is {severity:?}");
        ensure!(ISSUE_CODES.contains(&text(issue, "code").as_str()), "{sample}: the issue's code is {:?}", text(issue, "code"));
    }
    for line in short {
        let named = issues.iter().filter(|issue| names(&text(issue, "diagnostics"), &line.id)).count();
        ensure!(named == 1, "{sample}: {named} issues name {}, which is {}", line.id, line.status);
    }
    Ok(())
}

/// Does the text name the id, and not merely another id that begins with it?
fn names(text: &str, id: &str) -> bool {
    text.split(|c: char| !(c.is_alphanumeric() || "-_.".contains(c))).any(|word| word.trim_end_matches('.') == id)
}

async fn one_registry(session: &Session) -> Verdict {
    let members = session.members().await?;
    let mut systems: BTreeMap<String, String> = BTreeMap::new();
    for member in &members {
        let (Some(node), Some(system)) = (member.node_id.clone(), member.system_id.clone()) else { continue };
        let before = systems.entry(node).or_insert_with(|| system.clone());
        ensure!(*before == system, "two endpoints of one node declare different system_ids: {before} and {system}");
    }
    for line in session.plain().await?.endpoints()? {
        let member = members.iter().find(|member| member.id == line.id);
        ensure!(member.is_some(), "{} is reported and not declared", line.id);
        let Some(member) = member else { continue };
        let pairs = [
            ("node_id", &line.node_id, &member.node_id),
            ("system_id", &line.system_id, &member.system_id),
            ("organisation", &line.organisation, &member.organisation),
        ];
        for (name, reported, declared) in pairs {
            let same = reported.as_str() == declared.as_deref() && declared.is_some();
            ensure!(same, "{}: {name} is reported as {reported} and declared as {declared:?}", line.id);
        }
    }
    Ok(())
}
