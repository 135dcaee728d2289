//! Nodes over real sockets.

use reqwest::{Client, Response, StatusCode};

use super::{Dialect, Node, NodeConfig};
use crate::model::{Commit, Repository, VersionUid, ehr_status};
use crate::synthetic::clinical::{blood_pressure, encounter};
use crate::value::Json;

const ALL: &str = "SELECT c/uid/value AS uid, c/name/value FROM EHR e CONTAINS COMPOSITION c";

async fn node(dialect: Dialect) -> Node {
    let mut held = Repository::new("north.example.org");
    let commit = Commit { time: "2024-01-01T00:00:00Z".into(), committer: "Dr Lark".into(), contribution: "c".into() };
    for id in ["ann", "bob"] {
        held.create_ehr(id.into(), ehr_status(Some((id, "urn:x"))), format!("status-{id}"), &commit).unwrap();
    }
    for (ehr, object, systolic) in [("ann", "a1", "120"), ("ann", "a2", "142.50"), ("bob", "b1", "99")] {
        let data = encounter("2024-01-01", "Dr Lark", vec![blood_pressure("2024-01-01", Some(systolic), None)]);
        held.create_composition(ehr, object.into(), data, &commit).unwrap();
    }
    Node::start(NodeConfig::new("node-a", dialect), held).await.unwrap()
}

async fn ask(node: &Node, body: &str) -> Response {
    let url = format!("{}/v1/query/aql", node.url());
    Client::new().post(url).header("content-type", "application/json").body(body.to_owned()).send().await.unwrap()
}

async fn asked(node: &Node, q: &str) -> (StatusCode, String) {
    let body = Json::object([("q", Json::text(q))]).to_string();
    let response = ask(node, &body).await;
    (response.status(), response.text().await.unwrap())
}

fn rows(body: &str) -> String {
    body.parse::<Json>().unwrap().get("rows").map_or("none".into(), Json::to_string)
}

#[tokio::test]
async fn a_standard_node_answers_a_result_set() {
    let node = node(Dialect::Standard).await;
    let (status, body) = asked(&node, &format!("{ALL} WHERE e/ehr_id/value = 'bob'")).await;
    assert_eq!(status, StatusCode::OK);
    let body: Json = body.parse().unwrap();
    assert_eq!(
        body.get("columns").unwrap().to_string(),
        r##"[{"name":"uid","path":"c/uid/value"},{"name":"#1","path":"c/name/value"}]"##
    );
    assert_eq!(body.get("rows").unwrap().to_string(), r#"[["b1::north.example.org::1","Encounter"]]"#);
    assert_eq!(body.text_at(&["meta", "_type"]), Some("RESULTSET"));
}

#[tokio::test]
async fn parameters_bind_by_post_and_by_get() {
    let node = node(Dialect::Standard).await;
    let body = r#"{"q":"SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE e/ehr_id/value = $ehr","query_parameters":{"ehr":"bob"}}"#;
    assert_eq!(rows(&ask(&node, body).await.text().await.unwrap()), r#"[["b1::north.example.org::1"]]"#);
    let url = format!(
        "{}/v1/query/aql?q=SELECT%20c/uid/value%20FROM%20EHR%20e%20CONTAINS%20COMPOSITION+c%20WHERE%20e/ehr_id/value%20%3D%20%24ehr&ehr=ann&fetch=1&offset=1",
        node.url()
    );
    let text = reqwest::get(url).await.unwrap().text().await.unwrap();
    assert_eq!(rows(&text), r#"[["a2::north.example.org::1"]]"#);
    let missing = ask(&node, r#"{"q":"SELECT c FROM COMPOSITION c WHERE c/name/value = $x"}"#).await;
    assert_eq!(missing.status(), StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn the_ehr_id_of_a_request_narrows_it_where_the_product_reads_it() {
    let scoped = |node: &Node| {
        let url = format!("{}/v1/query/aql", node.url());
        let body = Json::object([("q", Json::text(ALL))]).to_string();
        Client::new().post(url).header("openehr-ehr-id", "bob").body(body).send()
    };
    for (dialect, count) in [(Dialect::Standard, 1), (Dialect::BetterLike, 1), (Dialect::EhrbaseLike, 3)] {
        let node = node(dialect).await;
        let body: Json = scoped(&node).await.unwrap().text().await.unwrap().parse().unwrap();
        assert_eq!(body.get("rows").and_then(Json::as_array).unwrap().len(), count, "{dialect:?}");
    }
}

#[tokio::test]
async fn an_ehrbase_like_node_refuses_what_ehrbase_refuses() {
    let node = node(Dialect::EhrbaseLike).await;
    for refused in [
        "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c NOT CONTAINS OBSERVATION o",
        "SELECT c/uid/value FROM COMPOSITION c WHERE EXISTS c/context",
        "SELECT LENGTH(c/name/value) FROM COMPOSITION c",
        "SELECT c/name/value FROM COMPOSITION c ORDER BY c/uid/value",
        "SELECT c/name/value AS n FROM COMPOSITION c ORDER BY n",
        "SELECT e FROM EHR e",
        "SELECT TOP 1 c/name/value FROM COMPOSITION c",
        "SELECT c/name/value FROM COMPOSITION c WHERE c/uid/value = 'a1::south.example.org::1'",
        "SELECT c/name/value FROM COMPOSITION c WHERE c/name/value = c/uid/value",
    ] {
        let (status, body) = asked(&node, refused).await;
        assert_eq!((status, body.contains(r#""error":"Bad Request""#)), (StatusCode::BAD_REQUEST, true), "{refused}: {body}");
    }
    let (status, body) = asked(
        &node,
        "SELECT c/uid/value AS k FROM COMPOSITION c WHERE c/uid/value = 'a1::north.example.org::1' ORDER BY c/uid/value",
    )
    .await;
    assert_eq!((status, rows(&body)), (StatusCode::OK, r#"[["a1::north.example.org::1"]]"#.into()));
    assert!(body.contains(r#""_executed_aql":"SELECT"#) && body.contains(r#"{"path":"c/uid/value","name":"k"}"#), "{body}");
}

#[tokio::test]
async fn an_ehrbase_like_node_folds_columns_of_one_alias() {
    let node = node(Dialect::EhrbaseLike).await;
    let (_, body) = asked(&node, "SELECT c/uid/value AS k, c/name/value AS k FROM COMPOSITION c").await;
    assert!(body.contains(r#""columns":[{"path":"c/name/value","name":"k"},{"path":"c/name/value","name":"k"}]"#), "{body}");
    let (_, body) = asked(&node, "SELECT c/uid/value AS k, c/name/value AS k FROM COMPOSITION c WHERE c/name/value = 'x'").await;
    assert!(body.contains(r#""columns":[{"path":"c/name/value","name":"k"}],"rows":[]"#), "{body}");
}

#[tokio::test]
async fn a_gopenehr_like_node_answers_rows_alone_unsorted_and_calls_bad_aql_its_own_failure() {
    let node = node(Dialect::GopenehrLike).await;
    let systolic = "o/data/events/data/items[at0004]/value";
    let (_, body) =
        asked(&node, &format!("SELECT {systolic}, 1 FROM OBSERVATION o ORDER BY {systolic}/magnitude DESC LIMIT 1")).await;
    assert_eq!(body, r#"{"rows":[[{"_type": "DV_QUANTITY", "magnitude": 120, "units": "mm[Hg]"}, 1]]}"#);
    assert_eq!(asked(&node, "SELECT FROM").await.0, StatusCode::INTERNAL_SERVER_ERROR);
    assert_eq!(rows(&asked(&node, "SELECT c/feeder_audit FROM COMPOSITION c").await.1), "[]");
    assert_eq!(ask(&node, &format!(r#"{{"q":"{ALL}","offset":1}}"#)).await.status(), StatusCode::NOT_IMPLEMENTED);
}

#[tokio::test]
async fn a_better_like_node_leaves_out_rows_when_there_are_none() {
    let node = node(Dialect::BetterLike).await;
    let (_, body) = asked(&node, "SELECT c/name/value FROM COMPOSITION c WHERE c/name/value = 'x'").await;
    assert_eq!(rows(&body), "none");
    assert!(body.contains(r#""path":"/name/value""#), "{body}");
}

#[tokio::test]
async fn a_record_is_created_written_changed_and_deleted() {
    let (node, client) = (node(Dialect::Standard).await, Client::new());
    let base = format!("{}/v1/ehr", node.url());
    let created = client.put(format!("{base}/cee")).send().await.unwrap();
    assert_eq!((created.status(), created.headers()["etag"].to_str().unwrap()), (StatusCode::CREATED, "\"cee\""));
    assert_eq!(client.put(format!("{base}/cee")).send().await.unwrap().status(), StatusCode::CONFLICT);
    let text = encounter("2024-02-02", "Dr Wren", vec![]).to_string().replace("2024-02-02", "2024-02-02T10:00:00.120Z");
    let written = client.post(format!("{base}/cee/composition")).body(text.clone()).send().await.unwrap();
    assert_eq!(written.status(), StatusCode::CREATED);
    let uid = written.headers()["etag"].to_str().unwrap().trim_matches('"').to_owned();
    let object = VersionUid::parse(&uid).unwrap().object;
    let read = client.get(format!("{base}/cee/composition/{object}")).send().await.unwrap().text().await.unwrap();
    assert!(read.contains("2024-02-02T10:00:00.120Z") && read.contains(&uid), "{read}");
    let put = |preceding: &str| {
        client
            .put(format!("{base}/cee/composition/{object}"))
            .header("if-match", format!("\"{preceding}\""))
            .body(text.clone())
            .send()
    };
    let second = put(&uid).await.unwrap();
    assert_eq!(second.status(), StatusCode::NO_CONTENT);
    let latest = second.headers()["etag"].to_str().unwrap().to_owned();
    let stale = put(&uid).await.unwrap();
    assert_eq!((stale.status(), stale.headers()["etag"].to_str().unwrap()), (StatusCode::PRECONDITION_FAILED, latest.as_str()));
    let delete = |uid: &str| client.delete(format!("{base}/cee/composition/{uid}")).send();
    assert_eq!(delete(&uid).await.unwrap().status(), StatusCode::CONFLICT);
    assert_eq!(delete(latest.trim_matches('"')).await.unwrap().status(), StatusCode::NO_CONTENT);
    let gone = client.get(format!("{base}/cee/composition/{object}")).send().await.unwrap();
    assert_eq!(gone.status(), StatusCode::NO_CONTENT);
}

#[tokio::test]
async fn options_tell_product_and_version() {
    for (dialect, member) in [(Dialect::Standard, "solution_version"), (Dialect::GopenehrLike, "version")] {
        let node = node(dialect).await;
        for slash in ["", "/"] {
            let url = format!("{}/v1{slash}", node.url());
            let body: Json =
                Client::new().request(reqwest::Method::OPTIONS, url).send().await.unwrap().text().await.unwrap().parse().unwrap();
            assert!(body.text_at(&[member]).is_some(), "{body}");
        }
    }
}

async fn text(request: reqwest::RequestBuilder) -> (u16, String) {
    let response = request.send().await.unwrap();
    (response.status().as_u16(), response.text().await.unwrap())
}

#[tokio::test]
async fn a_status_has_versions_and_a_history() {
    let (node, client) = (node(Dialect::Standard).await, Client::new());
    let base = format!("{}/v1/ehr/ann", node.url());
    let (status, body) = text(client.get(format!("{base}/ehr_status"))).await;
    assert!(status == 200 && body.contains("status-ann::north.example.org::1"), "{status} {body}");
    let changed = body.replace("\"is_queryable\":true", "\"is_queryable\":false");
    let put = |tag: &str| client.put(format!("{base}/ehr_status")).header("if-match", format!("\"{tag}\"")).body(changed.clone());
    assert_eq!(text(put("status-ann::north.example.org::1")).await.0, 204);
    assert_eq!(text(put("status-ann::north.example.org::1")).await.0, 412);
    let (_, history) = text(client.get(format!("{base}/versioned_ehr_status/revision_history"))).await;
    assert_eq!(history.matches("REVISION_HISTORY_ITEM").count(), 2, "{history}");
    let first = format!("{base}/versioned_ehr_status/version?version_at_time=2024-06-01T00:00:00Z");
    assert!(text(client.get(first)).await.1.contains("\"is_queryable\":true"));
    let (_, second) = text(client.get(format!("{base}/ehr_status/status-ann::north.example.org::2"))).await;
    assert!(second.contains("\"is_queryable\":false"), "{second}");
    let (_, rows) = asked(&node, "SELECT e/ehr_status/is_queryable FROM EHR e WHERE e/ehr_id/value = 'ann'").await;
    assert_eq!(self::rows(&rows), "[[false]]");
}

#[tokio::test]
async fn a_composition_has_versions_and_a_history() {
    let (node, client) = (node(Dialect::Standard).await, Client::new());
    let base = format!("{}/v1/ehr/ann/versioned_composition/a1", node.url());
    assert!(text(client.get(&base)).await.1.contains("VERSIONED_COMPOSITION"));
    assert!(text(client.get(format!("{base}/version"))).await.1.starts_with(r#"{"_type":"ORIGINAL_VERSION""#));
    assert_eq!(text(client.get(format!("{base}/version/a1::north.example.org::1"))).await.0, 200);
    assert_eq!(text(client.get(format!("{base}/version/a1::north.example.org::2"))).await.0, 404);
    assert!(text(client.get(format!("{base}/revision_history"))).await.1.contains("a1::north.example.org::1"));
}

#[tokio::test]
async fn a_directory_is_made_walked_changed_and_deleted() {
    let (node, client) = (node(Dialect::Standard).await, Client::new());
    let url = format!("{}/v1/ehr/ann/directory", node.url());
    let folder = |name: &str, inner: &str| {
        format!(
            r#"{{"_type":"FOLDER","name":{{"_type":"DV_TEXT","value":"{name}"}},"archetype_node_id":"openEHR-EHR-FOLDER.generic.v1"{inner}}}"#
        )
    };
    let items = r#","items":[{"_type":"OBJECT_REF","id":{"_type":"HIER_OBJECT_ID","value":"a2"},"namespace":"local","type":"VERSIONED_COMPOSITION"}]"#;
    let tree = folder("root", &format!(r#","folders":[{}]"#, folder("episode", items)));
    let made = client.post(&url).body(tree.clone()).send().await.unwrap();
    assert_eq!(made.status(), 201);
    let first = made.headers()["etag"].to_str().unwrap().to_owned();
    assert_eq!(text(client.post(&url).body(tree.clone())).await.0, 409);
    assert!(text(client.get(format!("{url}?path=episode"))).await.1.contains("OBJECT_REF"));
    assert_eq!(text(client.get(format!("{url}?path=nothing"))).await.0, 404);
    let (_, body) = asked(
        &node,
        "SELECT f/name/value, c/uid/value FROM EHR e CONTAINS FOLDER f[name/value='episode'] CONTAINS COMPOSITION c",
    )
    .await;
    assert_eq!(rows(&body), r#"[["episode","a2::north.example.org::1"]]"#);
    let changed = client.put(&url).header("if-match", &first).body(tree).send().await.unwrap();
    assert_eq!(changed.status(), 204);
    let second = changed.headers()["etag"].to_str().unwrap().to_owned();
    assert_eq!(text(client.delete(&url).header("if-match", &first)).await.0, 412);
    assert_eq!(text(client.delete(&url).header("if-match", &second)).await.0, 204);
    assert_eq!(text(client.get(&url)).await.0, 204);
}

#[tokio::test]
async fn a_contribution_commits_all_or_nothing() {
    let (node, client) = (node(Dialect::Standard).await, Client::new());
    let base = format!("{}/v1/ehr/ann", node.url());
    let data = encounter("2024-02-02", "Dr Wren", vec![]);
    let version = |preceding: &str, change: &str, data: &str| {
        format!(
            r#"{{"_type":"ORIGINAL_VERSION"{preceding},"lifecycle_state":{{"value":"complete"}},"commit_audit":{{"change_type":{{"value":"{change}"}}}}{data}}}"#
        )
    };
    let new = version("", "creation", &format!(r#","data":{data}"#));
    let gone = |uid: &str| version(&format!(r#","preceding_version_uid":{{"value":"{uid}"}}"#), "deleted", "");
    let body = |second: &str| {
        format!(
            r#"{{"versions":[{new},{second}],"audit":{{"change_type":{{"value":"creation"}},"committer":{{"name":"Dr Wren"}}}}}}"#
        )
    };
    let post = |body: String| client.post(format!("{base}/contribution")).header("content-type", "application/json").body(body);
    let count = "SELECT COUNT(*) FROM EHR e CONTAINS COMPOSITION c WHERE e/ehr_id/value = 'ann'";
    assert_eq!(text(post(body(&gone("a1::north.example.org::7")))).await.0, 409);
    assert_eq!(rows(&asked(&node, count).await.1), "[[2]]");
    let committed = post(body(&gone("a1::north.example.org::1"))).send().await.unwrap();
    assert_eq!(committed.status(), 201);
    assert_eq!(rows(&asked(&node, count).await.1), "[[2]]", "one came, one went");
    let uid = committed.headers()["etag"].to_str().unwrap().trim_matches('"').to_owned();
    let (status, kept) = text(client.get(format!("{base}/contribution/{uid}"))).await;
    assert!(status == 200 && kept.contains("a1::north.example.org::2") && kept.contains("time_committed"), "{kept}");
}

#[tokio::test]
async fn templates_are_kept_as_sent() {
    let (node, client) = (node(Dialect::Standard).await, Client::new());
    let url = format!("{}/v1/definition/template/adl1.4", node.url());
    let opt = "<template><template_id><value>Vital Signs</value></template_id></template>";
    assert_eq!(text(client.post(&url).body(opt)).await.0, 201);
    assert_eq!(text(client.post(&url).body(opt)).await.0, 409);
    assert_eq!(text(client.get(format!("{url}/Vital%20Signs"))).await, (200, opt.into()));
    assert!(text(client.get(&url)).await.1.contains(r#""template_id":"Vital Signs""#));
    assert_eq!(text(client.post(&url).body("<x/>")).await.0, 400);
}

#[tokio::test]
async fn stored_queries_have_versions_and_run() {
    let (node, client) = (node(Dialect::Standard).await, Client::new());
    let definition = format!("{}/v1/definition/query/org.example::by_ehr", node.url());
    let aql = "SELECT c/uid/value FROM EHR e CONTAINS COMPOSITION c WHERE e/ehr_id/value = $ehr";
    for (version, status) in [("/1.0.0", 200), ("/1.0.0", 409), ("/1.1.0", 200), ("/2.0.0", 200), ("/x", 400), ("", 200)] {
        assert_eq!(text(client.put(format!("{definition}{version}")).body(aql)).await.0, status, "{version}");
    }
    assert_eq!(text(client.put(&definition).body("SELECT")).await.0, 400);
    assert_eq!(text(client.get(&definition)).await.1.matches("\"saved\"").count(), 4);
    assert!(text(client.get(format!("{definition}/1"))).await.1.contains(r#""version":"1.1.0""#));
    let run = format!("{}/v1/query/org.example::by_ehr", node.url());
    let (status, body) = text(client.post(format!("{run}/1")).body(r#"{"query_parameters":{"ehr":"bob"}}"#)).await;
    assert_eq!((status, rows(&body)), (200, r#"[["b1::north.example.org::1"]]"#.into()));
    assert!(body.contains(r#""name":"org.example::by_ehr""#), "{body}");
    assert_eq!(rows(&text(client.get(format!("{run}?ehr=bob"))).await.1), r#"[["b1::north.example.org::1"]]"#);
    assert_eq!(text(client.get(format!("{run}/9?ehr=bob"))).await.0, 404);
}

#[tokio::test]
async fn a_path_that_leads_nowhere_is_404_and_a_method_that_does_not_fit_is_405() {
    let (node, client) = (node(Dialect::Standard).await, Client::new());
    let (status, body) = text(client.get(format!("{}/v1/nothing", node.url()))).await;
    assert!(status == 404 && body.contains("message"), "{body}");
    let refused = client.delete(format!("{}/v1/ehr/ann", node.url())).send().await.unwrap();
    assert_eq!(refused.status(), 405);
    assert!(refused.headers()["allow"].to_str().unwrap().contains("PUT"));
}

#[tokio::test]
async fn a_node_changes_its_ways_while_it_runs() {
    let node = node(Dialect::Standard).await;
    let query = "SELECT o/data/events/data/items[at0004]/value/magnitude AS m FROM OBSERVATION o ORDER BY m DESC LIMIT 1";
    assert_eq!(rows(&asked(&node, query).await.1), "[[142.50]]");
    node.reconfigure(|config| config.settings.ignores_limit = true);
    assert_eq!(rows(&asked(&node, query).await.1), "[[142.50],[120],[99]]");
    node.reconfigure(|config| config.settings.ignores_order = true);
    assert_eq!(rows(&asked(&node, query).await.1), "[[120],[142.50],[99]]");
}
