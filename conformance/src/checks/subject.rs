//! What cannot be reduced to one patient is refused (§7.1, N2).

use crate::catalogue::{Check, check};
use crate::query::{Query, SUBJECT, UID, literal};
use crate::rows::same_rows;
use crate::session::Session;
use crate::verdict::Verdict;

pub(crate) const CHECKS: &[Check] = &[
    check!(
        "CP-2.1",
        10,
        "§7.1, N2",
        irreducible,
        "a subject under OR, NOT, LIKE, MATCHES, EXISTS or another operator than = is 400",
        "a question about several patients is answered about one, or about all",
    ),
    check!(
        "CP-2.2",
        10,
        "§7.1, N2",
        two_patients,
        "two different identifiers are 400; the same one twice is one",
        "two patients' records are mixed under one name",
    ),
    check!(
        "CP-2.3",
        10,
        "§5.4, N7",
        elsewhere,
        "an identifier that would travel to a node in another place is 400",
        "a hospital learns who is looked for, though it does not know the patient",
    ),
];

/// Conditions that name the patient and settle on nobody.
pub(crate) fn irreducible_conditions(identifier: &str) -> Vec<String> {
    let id = literal(identifier);
    vec![
        format!("({SUBJECT} = {id} OR c/name/value = 'x')"),
        format!("({SUBJECT} = {id} OR {SUBJECT} = 'another-patient')"),
        format!("NOT {SUBJECT} = {id}"),
        format!("{SUBJECT} != {id}"),
        format!("{SUBJECT} > {id}"),
        format!("{SUBJECT} <= {id}"),
        format!("{SUBJECT} LIKE {id}"),
        format!("{SUBJECT} LIKE '*'"),
        format!("{SUBJECT} MATCHES {{{id}}}"),
        format!("{SUBJECT} MATCHES {{{id}, 'another-patient'}}"),
        format!("EXISTS {SUBJECT}"),
        format!("NOT EXISTS {SUBJECT}"),
    ]
}

/// Conditions beside the patient's own that carry the identifier to where a node would read it.
pub(crate) fn leaking_conditions(identifier: &str) -> Vec<String> {
    let id = literal(identifier);
    let middle = (0..=identifier.len() / 2).rev().find(|at| identifier.is_char_boundary(*at)).unwrap_or_default();
    let (head, tail) = identifier.split_at(middle);
    let mut conditions = vec![
        format!("c/name/value = {id}"),
        format!("c/name/value != {id}"),
        format!("c/name/value LIKE {}", literal(&format!("*{identifier}*"))),
        format!("c/name/value MATCHES {{'x', {id}}}"),
        format!("(c/name/value = 'x' OR c/name/value = {id})"),
        format!("c/feeder_audit/originating_system_item_ids/id = {id}"),
    ];
    if !head.is_empty() {
        conditions.push(format!("c/name/value = CONCAT({}, {})", literal(head), literal(tail)));
    }
    conditions
}

async fn irreducible(session: &Session) -> Verdict {
    for condition in irreducible_conditions(&session.arguments.patient) {
        let query = session.in_namespace(Query::select(UID).only(condition));
        session.query(&query).await?.expect(&[400])?;
    }
    Ok(())
}

async fn two_patients(session: &Session) -> Verdict {
    let second = |identifier: &str| session.uids().and(format!("{SUBJECT} = {}", literal(identifier)));
    session.query(&second(&session.unknown_patient)).await?.expect(&[400])?;
    let twice = session.answer(&second(&session.arguments.patient)).await?;
    same_rows("the same identifier twice against once", &session.plain().await?.texts(), &twice.texts())
}

async fn elsewhere(session: &Session) -> Verdict {
    for condition in leaking_conditions(&session.arguments.patient) {
        session.query(&session.uids().and(condition)).await?.expect(&[400])?;
    }
    Ok(())
}
