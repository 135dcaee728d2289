//! Runs the checks one after another, each within its time and all within theirs.

use std::time::{Duration, Instant};

use crate::arguments::{Arguments, ArgumentsError};
use crate::catalogue::{Check, all};
use crate::report::{Line, Report};
use crate::session::Session;
use crate::verdict::{Finding, Verdict};

/// The checks the command line asks for.
///
/// # Errors
/// When an `--only` names nothing there is.
pub fn chosen(arguments: &Arguments) -> Result<Vec<&'static Check>, ArgumentsError> {
    let all = all();
    let nothing = arguments.only.iter().find(|only| !all.iter().any(|check| check.matches(only)));
    if let Some(nothing) = nothing {
        return Err(ArgumentsError::Only(nothing.clone()));
    }
    let meant = |check: &&'static Check| arguments.only.is_empty() || arguments.only.iter().any(|only| check.matches(only));
    Ok(all.into_iter().filter(meant).collect())
}

/// Looks at the gateway.
///
/// # Errors
/// When the command line cannot be used. What is wrong with the gateway is in the report.
pub async fn run(arguments: Arguments) -> Result<Report, ArgumentsError> {
    let checks = chosen(&arguments)?;
    let session = Session::new(arguments)?;
    let started = Instant::now();
    let mut lines = Vec::new();
    for check in checks {
        let left = Duration::from_millis(session.arguments.total_ms).saturating_sub(started.elapsed());
        let limit = Duration::from_millis(session.arguments.check_ms).min(left);
        let begun = Instant::now();
        let verdict = clean(&session, bounded(check, &session, limit).await);
        lines.push(Line { check, verdict, elapsed: begun.elapsed() });
    }
    Ok(Report { gateway: session.base().to_owned(), lines })
}

async fn bounded(check: &Check, session: &Session, limit: Duration) -> Verdict {
    if limit.is_zero() {
        return Err(Finding::failed("not looked at: the whole run may take no longer (--total-ms)"));
    }
    let looked = tokio::time::timeout(limit, (check.run)(session)).await;
    looked.unwrap_or_else(|_| Err(Finding::failed(format!("no result within {} ms", limit.as_millis()))))
}

fn clean(session: &Session, verdict: Verdict) -> Verdict {
    verdict.map_err(|finding| match finding {
        Finding::Failed(text) => Finding::Failed(session.clean(&text)),
        Finding::NotApplicable(text) => Finding::NotApplicable(session.clean(&text)),
    })
}
