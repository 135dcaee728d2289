//! What the deployment says of itself, and what it does not serve (§7a.2, N28, N30, N32).

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::Value;

use crate::catalogue::{Check, check};
use crate::client::Request;
use crate::session::{DEDUP, Session};
use crate::verdict::{Verdict, ensure};

pub(crate) const CHECKS: &[Check] = &[
    check!(
        "CP-21.1",
        9,
        "N28",
        any_base,
        "the gateway answers below the base it was given, without redirecting",
        "apps configured with one address are sent to another",
    ),
    check!(
        "CP-23.1",
        9,
        "§7a.2, N30",
        schema,
        "OPTIONS {base}/ declares the federation by the schema",
        "an app cannot know what this federation promises",
    ),
    check!(
        "CP-23.2",
        9,
        "§7a.2, N30",
        members,
        "OPTIONS lists every endpoint once, with node, organisation, system and membership",
        "an app cannot name a hospital to ask",
    ),
    check!(
        "CP-23.3",
        9,
        "§7a.2",
        mandatory_is_not_declared,
        "what every gateway must do is not declared as a choice",
        "apps stop using direction where a gateway seems not to offer it",
    ),
    check!(
        "CP-23.4",
        9,
        "§7a.2, ITS-REST System",
        system_description,
        "OPTIONS {base}/v1/ stays ITS-REST's own description, and OPTIONS below it names the methods",
        "an ordinary client's capability check breaks",
    ),
    check!(
        "CP-25.1",
        9,
        "N32",
        demographic,
        "DEMOGRAPHIC is not federated: 501",
        "demographic data of one hospital is taken for the federation's",
    ),
];

async fn any_base(session: &Session) -> Verdict {
    for request in [Request::new(Method::OPTIONS, "/"), Request::new(Method::OPTIONS, "/v1/"), Request::get("/v1/query/aql")] {
        let reply = session.send(request).await?;
        ensure!(!(300..400).contains(&reply.status), "{}: a redirect", reply.shown());
    }
    session.send(Request::new(Method::OPTIONS, "/")).await?.expect(&[200])
}

/// What a declared value must be.
enum Is {
    Text,
    Flag,
    Millis,
    Texts,
    Exactly(&'static str),
    OneOf(&'static [&'static str]),
}

const SCHEMA: &[(&str, Is)] = &[
    ("/id", Is::Text),
    ("/spec_version", Is::Text),
    ("/aql/fan_out", Is::Flag),
    ("/dedup/default", Is::Exactly("none")),
    ("/dedup/modes", Is::Texts),
    ("/dedup/request_header", Is::Exactly(DEDUP)),
    ("/timeout/per_node_ms", Is::Millis),
    ("/timeout/overall_ms", Is::Millis),
    ("/timeout/policy", Is::Exactly("abandon-and-mark")),
    ("/completeness/default", Is::Exactly("all-or-nothing")),
    ("/completeness/best_effort", Is::Flag),
    ("/paging/offset_strategy", Is::Text),
    ("/aggregates/decomposable", Is::Texts),
    ("/definition/fan_out_template_upload", Is::Flag),
    ("/definition/stored_query_registry", Is::Flag),
    ("/localization/on_failure", Is::OneOf(&["closed", "ask-all", "fail"])),
    ("/localization/mode", Is::Text),
    ("/async/offered", Is::Flag),
    ("/its_rest/query", Is::Exactly("federated")),
    ("/its_rest/ehr", Is::Text),
    ("/its_rest/definition", Is::Text),
    ("/its_rest/demographic", Is::Exactly("unsupported")),
];

impl Is {
    fn met_by(&self, value: &Value) -> bool {
        match self {
            Is::Text => value.as_str().is_some_and(|text| !text.is_empty()),
            Is::Flag => value.is_boolean(),
            Is::Millis => value.as_u64().is_some_and(|millis| millis > 0),
            Is::Texts => value.as_array().is_some_and(|list| list.iter().all(Value::is_string)),
            Is::Exactly(wanted) => value.as_str() == Some(wanted),
            Is::OneOf(wanted) => value.as_str().is_some_and(|text| wanted.contains(&text)),
        }
    }
}

async fn schema(session: &Session) -> Verdict {
    let declared = session.declared().await?;
    let wrong: Vec<String> = SCHEMA
        .iter()
        .filter(|(pointer, is)| !is.met_by(declared.at(pointer)))
        .map(|(pointer, _)| format!("federation{} is {}", pointer.replace('/', "."), declared.at(pointer)))
        .collect();
    ensure!(wrong.is_empty(), "{}", wrong.join("; "));
    ensure!(declared.lists("/dedup/modes", "none"), "dedup.modes does not list none");
    let opted =
        declared.text("/completeness/opt_in/header").is_some_and(|name| name.eq_ignore_ascii_case(crate::session::COMPLETENESS))
            && declared.text("/completeness/opt_in/value") == Some("partial");
    ensure!(opted == declared.flag("/completeness/best_effort"), "completeness.opt_in does not go with best_effort");
    let (per_node, overall) = (declared.at("/timeout/per_node_ms").as_u64(), declared.at("/timeout/overall_ms").as_u64());
    ensure!(per_node <= overall, "per_node_ms is longer than overall_ms");
    Ok(())
}

async fn members(session: &Session) -> Verdict {
    let members = session.members().await?;
    ensure!(!members.is_empty(), "no endpoint is declared");
    let ids: BTreeSet<&str> = members.iter().map(|member| member.id.as_str()).collect();
    ensure!(ids.len() == members.len(), "an endpoint id is declared twice");
    for member in &members {
        let whole = [&member.node_id, &member.organisation, &member.system_id, &member.status].iter().all(|text| text.is_some());
        ensure!(whole, "{}: node_id, organisation, system_id or status is missing", member.id);
        let per_query = ["offline", "time-out", "node-error", "not-resolved", "consent-denied", "excluded", "not-localized"];
        let status = member.status.as_deref().unwrap_or_default();
        ensure!(!per_query.contains(&status), "{}: the status {status} is one of a query, not of membership", member.id);
    }
    Ok(())
}

async fn mandatory_is_not_declared(session: &Session) -> Verdict {
    let declared = session.declared().await?;
    for name in ["endpoint_directive", "endpoint_header"] {
        let found = ["", "/aql"].iter().any(|place| !declared.at(&format!("{place}/{name}")).is_null());
        ensure!(!found, "OPTIONS declares {name}");
    }
    Ok(())
}

async fn system_description(session: &Session) -> Verdict {
    let system = session.send(Request::new(Method::OPTIONS, "/v1/")).await?;
    system.expect(&[200])?;
    let body = system.json()?;
    ensure!(body.get("federation").is_none(), "OPTIONS {{base}}/v1/ carries the federation's self-description");
    let known = ["solution", "solution_version", "vendor", "restapi_specs_version", "conformance_profile", "endpoints"];
    ensure!(known.iter().any(|name| body.get(name).is_some()), "{}: none of ITS-REST's members", system.shown());
    let below = session.send(Request::new(Method::OPTIONS, "/v1/query/aql")).await?;
    below.expect(&[200, 204])?;
    let allowed = below.list("allow");
    ensure!(["GET", "POST"].iter().all(|method| allowed.iter().any(|name| name == method)), "Allow is {allowed:?}");
    Ok(())
}

async fn demographic(session: &Session) -> Verdict {
    let nobody = uuid::Uuid::new_v4();
    let requests = [
        Request::get(format!("/v1/demographic/person/{nobody}")),
        Request::get(format!("/v1/demographic/versioned_party/{nobody}")),
        Request::new(Method::POST, "/v1/demographic/person").json("{}"),
    ];
    for request in requests {
        session.send(request).await?.expect(&[501])?;
    }
    Ok(())
}
