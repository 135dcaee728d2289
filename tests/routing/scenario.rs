//! One scenario of an app that knows a single CDR, run against the CDR alone and through the gateway. The answers differ only in
//! what is documented.

use std::collections::BTreeSet;

use http::StatusCode;

use crate::calls::{Answer, COMPOSITION, Call, UUID, ask, call, federation, gateway, routed};

const FOLDER: &str =
    r#"{"_type":"FOLDER","name":{"_type":"DV_TEXT","value":"root"},"archetype_node_id":"openEHR-EHR-FOLDER.generic.v1"}"#;
const STATUS: &str = r#"{"_type":"EHR_STATUS","archetype_node_id":"openEHR-EHR-EHR_STATUS.generic.v1","name":{"_type":"DV_TEXT","value":"Status"},"subject":{"_type":"PARTY_SELF"},"is_queryable":true,"is_modifiable":true}"#;

/// The answer without what differs from run to run: the ids a node invents, its address, the time.
fn normalised(answer: &Answer, node_url: &str) -> String {
    let text = format!("{answer:?}").replace(node_url, "NODE");
    let (mut plain, mut rest) = (String::new(), text.as_str());
    while let Some(first) = rest.chars().next() {
        let invented = rest.get(..36).filter(|id| *id != UUID && uuid::Uuid::try_parse(id).is_ok());
        let time = rest.get(..24).filter(|time| time.ends_with('Z') && chrono::DateTime::parse_from_rfc3339(time).is_ok());
        let skipped = match (invented, time) {
            (Some(id), _) => id.len(),
            (None, Some(time)) => time.len(),
            (None, None) => {
                plain.push(first);
                rest = &rest[first.len_utf8()..];
                continue;
            }
        };
        plain.push_str("SOME");
        rest = &rest[skipped..];
    }
    plain
}

/// What the app remembers: the composition it made first, and the last version it was shown.
#[derive(Clone, Default)]
struct Notes {
    composition: String,
    last: String,
}

impl Notes {
    fn fill(&self, text: &str) -> String {
        let object = |uid: &str| uid.split("::").next().unwrap_or_default().to_owned();
        let text = text.replace("{uid}", &self.composition).replace("{object}", &object(&self.composition));
        text.replace("{last}", &self.last).replace("{last-object}", &object(&self.last))
    }

    fn filled(&self, step: &Call) -> Call {
        Call {
            path: self.fill(&step.path),
            headers: step.headers.iter().map(|(name, value)| (*name, self.fill(value))).collect(),
            body: self.fill(&step.body),
            ..step.clone()
        }
    }

    fn take(&mut self, step: &Call, answer: &Answer) {
        let uid = answer.etag().trim_matches('"').to_owned();
        if answer.status == StatusCode::CREATED && step.path.ends_with("/composition") {
            self.composition.clone_from(&uid);
        }
        if !uid.is_empty() {
            self.last = uid;
        }
    }
}

/// Every resource of one record, with what a client does wrong.
fn scenario(system: &str) -> Vec<Call> {
    let ehr = |rest: &str| format!("/ehr/{UUID}{rest}");
    let commit = |change: &str, preceding: &str, data: &str| {
        format!(
            r#"{{"_type":"CONTRIBUTION","versions":[{{"_type":"ORIGINAL_VERSION","commit_audit":{{"change_type":{{"value":"{change}"}}}}{preceding},"data":{data}}}],"audit":{{"_type":"AUDIT_DETAILS"}}}}"#
        )
    };
    let preceding = r#","preceding_version_uid":{"_type":"OBJECT_VERSION_ID","value":"{last}"}"#;
    vec![
        call("PUT", ehr("")),
        call("PUT", ehr("")),
        call("GET", ehr("")),
        call("HEAD", ehr("")),
        call("GET", ehr("/ehr_status")),
        call("PUT", ehr("/ehr_status"))
            .sending(STATUS)
            .having("if-match", "\"{last}\"")
            .having("prefer", "return=representation"),
        call("GET", ehr("/ehr_status/{last}")),
        call("GET", ehr("/versioned_ehr_status")),
        call("GET", ehr("/versioned_ehr_status/version")),
        call("GET", ehr("/versioned_ehr_status/version/{last}")),
        call("GET", ehr("/versioned_ehr_status/revision_history")),
        call("POST", ehr("/composition")).sending("{}"),
        call("POST", ehr("/composition")).sending(COMPOSITION).having("prefer", "return=representation"),
        call("GET", ehr("/composition/{uid}")),
        call("GET", ehr("/composition/{object}")),
        call("PUT", ehr("/composition/{object}")).sending(COMPOSITION).having("if-match", format!("\"{{object}}::{system}::7\"")),
        call("PUT", ehr("/composition/{object}")).sending(COMPOSITION).having("if-match", "\"{uid}\""),
        call("GET", ehr("/versioned_composition/{object}")),
        call("GET", ehr("/versioned_composition/{object}/version")),
        call("GET", ehr("/versioned_composition/{object}/version/{uid}")),
        call("GET", ehr("/versioned_composition/{object}/revision_history")),
        call("GET", ehr("/composition/{object}?version_at_time=2001-01-01T00:00:00Z")),
        call("POST", ehr("/contribution")).sending(commit("creation", "", COMPOSITION)),
        call("GET", ehr("/contribution/{last}")),
        call("GET", ehr("/composition/{object}")),
        call("POST", ehr("/contribution")).sending(commit("modification", preceding, COMPOSITION)),
        call("GET", ehr("/composition/{object}")),
        call("POST", ehr("/directory")).sending(FOLDER),
        call("GET", ehr("/directory")),
        call("PUT", ehr("/directory")).sending(FOLDER).having("if-match", "\"{last}\""),
        call("GET", ehr("/directory/{last}")),
        call("DELETE", ehr("/directory")).having("if-match", "\"{last}\""),
        call("GET", ehr("/directory")),
        call("DELETE", ehr("/composition/{uid}")),
        call("DELETE", ehr(&format!("/composition/{{object}}::{system}::3"))),
        call("GET", ehr("/composition/{object}")),
        call("GET", ehr("/composition/none")),
        call("GET", ehr("/tags")),
    ]
}

#[tokio::test]
async fn track9_an_app_for_one_cdr_gets_the_same_answers_through_the_gateway() {
    let (alone, behind) = (federation(1).await, federation(3).await);
    let gateway = gateway(&behind);
    let (mut direct_notes, mut notes, mut statuses) = (Notes::default(), Notes::default(), BTreeSet::new());
    for (number, step) in scenario(&alone.nodes()[0].system_id()).iter().enumerate() {
        let mut through = notes.filled(step);
        if step.method == "PUT" && step.path == format!("/ehr/{UUID}") {
            through = through.having("openehr-federation-endpoint", "hospital-a");
        }
        let (direct, _) = ask(&alone.nodes()[0].url(), &direct_notes.filled(step)).await;
        let through = routed(&gateway, &through).await;
        let expected = normalised(&direct, &alone.nodes()[0].url());
        assert_eq!(normalised(&through, &behind.nodes()[0].url()), expected, "step {number}: {step:?}");
        direct_notes.take(step, &direct);
        notes.take(step, &through);
        statuses.insert(direct.status.as_u16());
    }
    assert_eq!(statuses, BTreeSet::from([200, 201, 204, 400, 404, 409, 412]), "the scenario sees each of these");
    assert!(behind.nodes()[0].journal().contains(COMPOSITION), "the body arrived as it was sent");
    let strangers: BTreeSet<String> =
        behind.nodes()[1..].iter().flat_map(|node| node.journal().requests()).map(|request| request.target).collect();
    assert_eq!(strangers.len(), 1, "the others were asked whether they hold the EHR and nothing else: {strangers:?}");
}
