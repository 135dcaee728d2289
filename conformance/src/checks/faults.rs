//! A node that fails is missed loudly (§11.4, N37, CP-30). Needs `--hook-break` and `--hook-mend`.

use std::collections::BTreeSet;

use crate::answer::Answer;
use crate::catalogue::{Check, check};
use crate::checks::completeness::complete_fits;
use crate::checks::members::outcome_fits;
use crate::rows::same_rows;
use crate::session::{Faulted, Session};
use crate::verdict::{Finding, Verdict, applies, ensure};

pub(crate) const CHECKS: &[Check] = &[
    check!(
        "CP-30.5",
        4,
        "§11.4, N37",
        nothing_rather_than_a_part,
        "by default a failing node fails the query: 504 or 424, no rows",
        "an allergy kept at the hospital that is down is taken not to exist",
    ),
    check!(
        "CP-30.6",
        4,
        "§11.4, N37",
        envelope_survives,
        "the failing answer still carries the whole report, complete false, a message and a code",
        "nobody can see which hospital is down, and whether a part would do",
    ),
    check!(
        "CP-30.7",
        4,
        "§11.4, N37",
        partial_names_what_is_missing,
        "partial gives the rows of the others under 200 and reports the failing node",
        "the emergency view that may show a part shows nothing, or hides what is missing",
    ),
    check!(
        "CP-30.8",
        4,
        "§11.4",
        whole_again,
        "once the node works again the whole record is answered again",
        "one outage leaves the federation incomplete for good",
    ),
    check!(
        "CP-31.5",
        4,
        "§11.5, N38",
        failing_in_time,
        "an answer about a failing node comes within the declared overall budget",
        "one slow hospital holds up every screen",
    ),
    check!(
        "CP-12.3",
        4,
        "§11.4, CP-12",
        outcome_under_faults,
        "the OperationOutcome names the failing node",
        "viewers that read FHIR show a part of a record as the whole",
    ),
];

const FAILING: [&str; 3] = ["offline", "time-out", "node-error"];

/// The answer under the default strategy, and whether anything failed at all.
fn failing(faulted: &Faulted) -> Result<Answer, Finding> {
    let answer = faulted.default.result_set()?;
    let failed = answer.endpoints()?.iter().any(|line| FAILING.contains(&line.status.as_str()));
    applies!(
        failed || faulted.default.status != 200,
        "after --hook-break no endpoint failed: it must break a node with the patient"
    );
    Ok(answer)
}

async fn nothing_rather_than_a_part(session: &Session) -> Verdict {
    for faulted in session.faulted().await? {
        let answer = failing(faulted)?;
        let statuses: BTreeSet<String> = answer.endpoints()?.into_iter().map(|line| line.status).collect();
        let due = if statuses.contains("offline") || statuses.contains("time-out") { 504 } else { 424 };
        faulted.default.expect(&[due])?;
        ensure!(answer.rows.is_empty(), "{} rows came with the failure", answer.rows.len());
    }
    Ok(())
}

async fn envelope_survives(session: &Session) -> Verdict {
    let declared = session.members().await?.len();
    for faulted in session.faulted().await? {
        let answer = failing(faulted)?;
        ensure!(!answer.complete()?, "complete is true in a failing answer");
        let lines = answer.endpoints()?;
        ensure!(lines.len() == declared, "{} endpoints are reported, {declared} are declared", lines.len());
        let silent = lines.iter().find(|line| FAILING.contains(&line.status.as_str()) && line.error.is_null());
        ensure!(silent.is_none(), "{:?} failed and no error says how", silent.map(|line| &line.id));
        let said = answer.message.as_deref().is_some_and(|text| !text.is_empty()) && answer.code.is_some();
        ensure!(said, "the failing answer has no message or no code");
        ensure!(answer.columns == session.plain().await?.columns, "columns[] of the failing answer are others");
    }
    Ok(())
}

async fn partial_names_what_is_missing(session: &Session) -> Verdict {
    let offered = session.declared().await?.flag("/completeness/best_effort");
    for faulted in session.faulted().await? {
        failing(faulted)?;
        if !offered {
            faulted.partial.expect(&[400])?;
            continue;
        }
        let answer = faulted.partial.answer()?;
        complete_fits("under partial", &answer)?;
        let mut due = Vec::new();
        for endpoint in answer.with_status("active")? {
            let ask = crate::client::Ask::new(session.uids()).header(crate::session::ENDPOINT, endpoint);
            due.extend(session.ask(ask).await?.answer()?.texts());
        }
        same_rows("a part against its endpoints one by one", &due, &answer.texts())?;
        ensure!(!answer.complete()?, "a part is called complete");
    }
    Ok(())
}

async fn whole_again(session: &Session) -> Verdict {
    for faulted in session.faulted().await? {
        failing(faulted)?;
        let after = faulted.after.answer()?;
        same_rows("after mending against before", &session.plain().await?.texts(), &after.texts())?;
    }
    Ok(())
}

async fn failing_in_time(session: &Session) -> Verdict {
    let overall = session.declared().await?.at("/timeout/overall_ms").as_u64().unwrap_or_default();
    for faulted in session.faulted().await? {
        failing(faulted)?;
        for reply in [&faulted.default, &faulted.partial] {
            let taken = reply.elapsed.as_millis();
            ensure!(taken <= u128::from(overall) + 2000, "answered after {taken} ms with a budget of {overall} ms");
        }
    }
    Ok(())
}

async fn outcome_under_faults(session: &Session) -> Verdict {
    for faulted in session.faulted().await? {
        outcome_fits("the failing answer", &failing(faulted)?)?;
        if faulted.partial.status == 200 {
            outcome_fits("the partial answer", &faulted.partial.answer()?)?;
        }
    }
    Ok(())
}
