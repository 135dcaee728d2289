//! What a client cannot see. Listed, so that a report never looks as if these had been looked at.

use crate::catalogue::{Check, check};
use crate::session::Session;
use crate::verdict::{Finding, Verdict};

pub(crate) const CHECKS: &[Check] = &[
    check!(
        "CP-16.1",
        7,
        "§13, N24",
        identity,
        "the caller's identity is conveyed to the node in a signed, short-lived statement",
        "a hospital cannot tell who looked at its record",
    ),
    check!(
        "CP-17.1",
        7,
        "§13, N25",
        onward,
        "the gateway authenticates to every node as itself",
        "anyone can ask a hospital's repository"
    ),
    check!("CP-18.1", 7, "§13, N26", node_duty, "nodes verify the gateway's statement", "a forged caller reads a record"),
    check!("CP-19.1", 7, "§13, N26", node_duty, "nodes audit who asked", "nobody can reconstruct who read a record"),
    check!(
        "CP-20.1",
        2,
        "§4, N10",
        connection_type,
        "the registry lists endpoints with the connection type openehr-rest-query",
        "members are asked over the wrong interface",
    ),
    check!("CP-27.1", 7, "§13.2, N27", node_duty, "nodes enforce consent", "a record is shown against the patient's will"),
    check!(
        "CP-29.1",
        6,
        "§10.3",
        dedup_and_writes,
        "a version left after de-duplication is changed at its controlling node only",
        "the copy is changed and the original stays as it was",
    ),
    check!(
        "CP-33a.1",
        11,
        "§4.3",
        admission,
        "a member whose ids collide with another's is not admitted",
        "two records share one number"
    ),
    check!(
        "CP-39.1",
        7,
        "§13.4",
        published,
        "the deployment publishes what §13.4 asks of it",
        "patients cannot find out who shares their records"
    ),
    check!(
        "CP-36.2",
        8,
        "§5.5",
        merges,
        "merged and split identities are followed (track 8, provisional)",
        "records of a merged patient are missed",
    ),
];

fn not_seen<T>(reason: &str) -> Result<T, Finding> {
    Err(Finding::not_applicable(format!("not observable from outside: {reason}")))
}

async fn identity(session: &Session) -> Verdict {
    let recordings = session.record().await?;
    session.answer(&session.uids()).await?;
    let mut conveyed = false;
    for recording in &recordings {
        let received = recording.received(&session.client).await?.to_ascii_lowercase();
        conveyed |= String::from_utf8_lossy(&received).contains("openehr-federation-client:");
    }
    if conveyed { Ok(()) } else { not_seen("no caller's statement in the journals; is there an authenticated caller?") }
}

async fn onward(_: &Session) -> Verdict {
    not_seen("it needs a node that demands credentials")
}

async fn node_duty(_: &Session) -> Verdict {
    not_seen("a duty of the nodes")
}

async fn connection_type(_: &Session) -> Verdict {
    not_seen("the directory behind the gateway is not a client's")
}

async fn dedup_and_writes(_: &Session) -> Verdict {
    not_seen("it would change a record; CP-15.2 looks at the refusal")
}

async fn admission(_: &Session) -> Verdict {
    not_seen("admission happens before a client asks")
}

async fn published(_: &Session) -> Verdict {
    not_seen("a publication, not an interface")
}

async fn merges(_: &Session) -> Verdict {
    not_seen("provisional, and it needs a merge in the cross-reference")
}
