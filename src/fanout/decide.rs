//! May there be an answer, and is it complete? (§11.1 to §11.4, N37, CP-30)

use crate::error::ErrorCode;
use crate::intake::Completeness;
use crate::status::EndpointStatus;

use super::Outcome;

/// What the statuses of all members come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Did every endpoint in scope reach `active`?
    pub complete: bool,
    /// Why there must not be rows; `None` for an answer.
    pub failure: Option<ErrorCode>,
}

/// Decides over all members of the registry.
#[must_use]
pub fn decide(outcomes: &[Outcome], completeness: Completeness) -> Decision {
    judge(outcomes.iter().map(|outcome| (outcome.status, outcome.unresolved_by_outage)), completeness)
}

/// Who was asked and did not answer outweighs who answered with a failure: it is an unknown, and asking again is cheap
/// (§11.4). Those who answered "not here" or "not to you" never fail a query (§11.3), but a cross-reference that could not
/// answer does: its outage must not look like an empty record.
/// Why a member with this status fails a query under `all`; `None` when it does not (§11.1). A `not-resolved` does so only when
/// the cross-reference could not answer.
#[must_use]
pub fn failure(status: EndpointStatus, unresolved_by_outage: bool) -> Option<ErrorCode> {
    match status {
        EndpointStatus::Offline | EndpointStatus::TimeOut => Some(ErrorCode::EndpointUnavailable),
        EndpointStatus::NodeError => Some(ErrorCode::EndpointFailed),
        EndpointStatus::NotResolved => unresolved_by_outage.then_some(ErrorCode::CrossReferenceFailed),
        EndpointStatus::Active | EndpointStatus::ConsentDenied | EndpointStatus::Excluded | EndpointStatus::NotLocalized => None,
    }
}

/// Which of several failures the answer names: an unanswered node is an unknown, so it comes first (§11.4).
const PRECEDENCE: [ErrorCode; 3] = [ErrorCode::EndpointUnavailable, ErrorCode::EndpointFailed, ErrorCode::CrossReferenceFailed];

fn judge(members: impl Iterator<Item = (EndpointStatus, bool)>, completeness: Completeness) -> Decision {
    let mut complete = true;
    let mut found = [false; PRECEDENCE.len()];
    for (status, unresolved_by_outage) in members {
        complete &= status == EndpointStatus::Active || !status.in_scope();
        let failure = failure(status, unresolved_by_outage);
        PRECEDENCE.iter().zip(&mut found).for_each(|(code, found)| *found |= failure == Some(*code));
    }
    let first = PRECEDENCE.into_iter().zip(found).find_map(|(code, found)| found.then_some(code));
    Decision { complete, failure: first.filter(|_| completeness == Completeness::All) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTAGE: (EndpointStatus, bool) = (EndpointStatus::NotResolved, true);

    fn plain(status: EndpointStatus) -> (EndpointStatus, bool) {
        (status, false)
    }

    /// The consequence table of §11.1, one member at a time: (clears `complete`?, fails with).
    const TABLE: [((EndpointStatus, bool), bool, Option<ErrorCode>); 9] = [
        ((EndpointStatus::Active, false), false, None),
        ((EndpointStatus::Offline, false), true, Some(ErrorCode::EndpointUnavailable)),
        ((EndpointStatus::TimeOut, false), true, Some(ErrorCode::EndpointUnavailable)),
        ((EndpointStatus::NodeError, false), true, Some(ErrorCode::EndpointFailed)),
        ((EndpointStatus::NotResolved, false), true, None),
        (OUTAGE, true, Some(ErrorCode::CrossReferenceFailed)),
        ((EndpointStatus::ConsentDenied, false), true, None),
        ((EndpointStatus::Excluded, false), false, None),
        ((EndpointStatus::NotLocalized, false), false, None),
    ];

    /// `504` before `424`, a node's failure before the cross-reference's.
    fn weight(failure: Option<ErrorCode>) -> usize {
        [None, Some(ErrorCode::CrossReferenceFailed), Some(ErrorCode::EndpointFailed), Some(ErrorCode::EndpointUnavailable)]
            .iter()
            .position(|known| *known == failure)
            .unwrap()
    }

    #[test]
    fn cp30_every_combination_of_statuses_follows_the_table() {
        for chosen in 0_u32..1 << TABLE.len() {
            let members: Vec<_> = TABLE.iter().enumerate().filter(|(i, _)| chosen & (1 << i) != 0).map(|(_, row)| row).collect();
            let expected_complete = !members.iter().any(|row| row.1);
            let expected_failure = members.iter().map(|row| row.2).max_by_key(|failure| weight(*failure)).flatten();
            let all = judge(members.iter().map(|row| row.0), Completeness::All);
            assert_eq!(all, Decision { complete: expected_complete, failure: expected_failure }, "{members:?}");
            let partial = judge(members.iter().map(|row| row.0), Completeness::Partial);
            assert_eq!(partial, Decision { complete: expected_complete, failure: None }, "{members:?}");
        }
    }

    #[test]
    fn cp12_found_nowhere_and_nobody_in_scope_are_answers() {
        let nowhere = judge([plain(EndpointStatus::NotResolved); 3].into_iter(), Completeness::All);
        assert_eq!(nowhere, Decision { complete: false, failure: None });
        let nobody = judge([plain(EndpointStatus::NotLocalized); 3].into_iter(), Completeness::All);
        assert_eq!(nobody, Decision { complete: true, failure: None });
    }
}
