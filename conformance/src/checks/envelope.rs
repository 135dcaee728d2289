//! The answer's shape is the gateway's own (§9, N17, N40).

use serde_json::{Value, json};

use crate::catalogue::{Check, check};
use crate::client::Ask;
use crate::query::{START, UID, endpoints};
use crate::session::{ENDPOINT, Session};
use crate::verdict::{Verdict, ensure};

pub(crate) const CHECKS: &[Check] = &[
    check!(
        "CP-35.1",
        1,
        "§9, N40",
        one_unprefixed_member,
        "everything about the federation is in the one member meta.federation",
        "apps cannot find out whether the record they show is whole",
    ),
    check!(
        "CP-35.2",
        1,
        "§9, N17",
        columns_of_the_client,
        "columns[] is written from the client's query: alias or #<i>, and the path as written",
        "a value is shown under another value's heading",
    ),
    check!(
        "CP-35.3",
        1,
        "§9, N17",
        same_columns_without_rows,
        "the same query has the same columns[] whoever answers it",
        "a table's headings change with the hospital that answered first",
    ),
    check!(
        "CP-35.4",
        1,
        "§9",
        contributing_headers,
        "response headers list the contributing endpoints and their systems",
        "an auditor cannot tell from the exchange where a record came from",
    ),
    check!(
        "CP-7.1",
        1,
        "§5.4, N5",
        subject_is_put_back,
        "selecting the subject gives the identifier that was asked with, in every row",
        "rows lose the name of the patient they belong to",
    ),
    check!(
        "CP-7.2",
        1,
        "§5.4, N17",
        nothing_unasked,
        "what was not selected is no column, sort keys and uids included",
        "apps that read by position show the wrong value",
    ),
    check!(
        "CP-37.1",
        3,
        "§9.3, N12",
        endpoint_attributes,
        "attributes of the directive's variable are the registry's",
        "a value is shown as another hospital's",
    ),
    check!(
        "CP-37.2",
        3,
        "§9.3, N12",
        rows_name_their_endpoint,
        "each endpoint id stands in as many rows as the endpoint is reported to have given",
        "rows are attributed to a hospital they do not come from",
    ),
];

async fn one_unprefixed_member(session: &Session) -> Verdict {
    for (sample, answer) in session.samples().await? {
        let federation = answer.federation()?;
        answer.complete()?;
        answer.endpoints()?;
        for member in ["timeout", "dedup"] {
            ensure!(federation.get(member).is_some_and(Value::is_object), "{sample}: meta.federation.{member} is no object");
        }
        let stray = answer.meta.as_object().into_iter().flatten().map(|(name, _)| name.trim_start_matches('_'));
        let known = ["complete", "endpoints", "timeout", "dedup", "cursor", "localization", "consent", "operation_outcome"];
        let stray: Vec<&str> = stray.filter(|name| known.contains(name)).collect();
        ensure!(stray.is_empty(), "{sample}: flat on meta: {stray:?}");
        ensure!(answer.meta.get("_federation").is_none(), "{sample}: meta._federation is prefixed");
    }
    Ok(())
}

async fn columns_of_the_client(session: &Session) -> Verdict {
    let query = session.about_patient(format!("{UID} AS uid, {START}")).order(UID).limit(2);
    let answer = session.answer(&query).await?;
    let wanted = [json!({"name": "uid", "path": UID}), json!({"name": "#1", "path": START})];
    ensure!(answer.columns == wanted, "columns[] is {}, not {}", Value::from(answer.columns), json!(wanted));
    Ok(())
}

async fn same_columns_without_rows(session: &Session) -> Verdict {
    let [(_, plain), others @ ..] = session.samples().await?;
    for (sample, answer) in others {
        ensure!(answer.columns == plain.columns, "{sample}: columns[] differs from the same query about the patient");
    }
    Ok(())
}

async fn contributing_headers(session: &Session) -> Verdict {
    let reply = session.query(&session.uids()).await?;
    let lines = reply.answer()?.endpoints()?;
    for (header, member) in [(ENDPOINT, "id"), ("openEHR-federation-system-id", "system_id")] {
        let named = reply.list(header);
        let name = |line: &crate::answer::Line| match member {
            "id" => line.id.clone(),
            _ => line.system_id.as_str().unwrap_or_default().to_owned(),
        };
        for line in lines.iter().filter(|line| line.is("active") && line.row_count.as_u64() != Some(0)) {
            ensure!(named.contains(&name(line)), "the header {header} does not name {} ({named:?})", name(line));
        }
        let strange = named.iter().find(|named| !lines.iter().any(|line| line.is("active") && name(line) == **named));
        ensure!(strange.is_none(), "the header {header} names {strange:?}, which is not active");
    }
    Ok(())
}

async fn subject_is_put_back(session: &Session) -> Verdict {
    let query = session.about_patient(format!("{} AS patient, {UID} AS uid", crate::query::SUBJECT));
    let answer = session.answer(&query).await?;
    let wanted = Value::from(session.arguments.patient.as_str());
    let strange =
        answer.column(0).iter().filter(|cell| serde_json::from_str::<Value>(cell).ok().as_ref() != Some(&wanted)).count();
    ensure!(strange == 0, "{strange} of {} rows do not carry the identifier that was asked with", answer.rows.len());
    let due = session.plain().await?.rows.len();
    ensure!(answer.rows.len() == due, "selecting the subject changed the number of rows from {due} to {}", answer.rows.len());
    Ok(())
}

async fn nothing_unasked(session: &Session) -> Verdict {
    let answer = session.answer(&session.about_patient(START).order(format!("{UID} DESC")).limit(3)).await?;
    let width = answer.rows.iter().map(Vec::len).find(|width| *width != 1);
    ensure!(
        answer.columns.len() == 1 && width.is_none(),
        "one value was selected; columns {} rows {width:?}",
        answer.columns.len()
    );
    Ok(())
}

async fn endpoint_attributes(session: &Session) -> Verdict {
    let holder = session.holder().await?;
    let member = session.members().await?.into_iter().find(|member| member.id == holder);
    ensure!(member.is_some(), "{holder} is reported and not declared in OPTIONS");
    let Some(member) = member else { return Ok(()) };
    let select = "p/id, p/endpoint_id, p/organisation, p/organization_id, p/system_id, c/uid/value";
    let query = session.about_patient(select).directed(endpoints([holder.as_str()]));
    let answer = session.answer(&query).await?;
    let organisation = member.organisation.unwrap_or_default();
    let wanted = [holder.clone(), holder, organisation.clone(), organisation, member.system_id.unwrap_or_default()];
    for (index, wanted) in wanted.iter().enumerate() {
        let cells = answer.strings(index);
        let right = cells.len() == answer.rows.len() && cells.iter().all(|cell| cell == wanted);
        ensure!(right, "column {} of SELECT {select} is not {wanted} in every row: {:?}", index + 1, cells.first());
    }
    Ok(())
}

async fn rows_name_their_endpoint(session: &Session) -> Verdict {
    let [first, second] = session.two_holders().await?;
    let query = session.about_patient("p/id AS at, c/uid/value AS uid").directed(endpoints([first.as_str(), second.as_str()]));
    let answer = session.answer(&query).await?;
    let cells = answer.strings(0);
    for line in answer.endpoints()?.into_iter().filter(|line| line.is("active")) {
        let alone = session.ask(Ask::new(session.uids()).header(ENDPOINT, line.id.as_str())).await?.answer()?.rows.len();
        let named = cells.iter().filter(|cell| **cell == line.id).count();
        ensure!(named == alone, "{} stands in {named} rows and has {alone} when asked alone", line.id);
    }
    Ok(())
}
