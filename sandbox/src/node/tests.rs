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
