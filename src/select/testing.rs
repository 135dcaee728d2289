//! A service on loopback that answers as scripted and keeps what it was asked.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use http_body_util::BodyExt;
use tokio::time::Instant;
use url::Url;

use crate::config::ServiceSettings;
use crate::node::client::{ClientSettings, build};
use crate::plan::PatientReference;
use crate::select::service::Service;
use crate::sensitive::Sensitive;

/// One request, as it came.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) line: String,
    pub(crate) authorization: Option<String>,
    pub(crate) body: String,
}

/// What the service does.
#[derive(Clone)]
pub(crate) enum Script {
    /// Answers this status and body.
    Answer(u16, String),
    /// Answers a redirect to this place.
    Redirect(Url),
    /// Sends headers and the beginning of a body, and no more.
    Stall,
    /// Never answers.
    Mute,
}

/// The service.
pub(crate) struct Stub {
    pub(crate) url: Url,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Stub {
    pub(crate) async fn answering(status: u16, body: impl Into<String>) -> Self {
        Stub::start(Script::Answer(status, body.into())).await
    }

    pub(crate) async fn start(script: Script) -> Self {
        let asked = Arc::new(Mutex::new(Vec::new()));
        let journal = asked.clone();
        let handler = move |request: Request| {
            let (script, journal) = (script.clone(), journal.clone());
            async move {
                let asked = Stub::note(request).await;
                journal.lock().unwrap().push(asked);
                act(script).await
            }
        };
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/fhir/", listener.local_addr().unwrap()).parse().unwrap();
        tokio::spawn(async move { axum::serve(listener, Router::new().fallback(handler)).await });
        Stub { url, asked }
    }

    async fn note(request: Request) -> Asked {
        let (head, body) = request.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        Asked {
            line: format!("{} {}", head.method, head.uri),
            authorization: head.headers.get("authorization").map(|value| value.to_str().unwrap().to_owned()),
            body: String::from_utf8(body.to_vec()).unwrap(),
        }
    }

    /// What was asked so far.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }
}

async fn act(script: Script) -> Response {
    match script {
        Script::Answer(status, body) => Response::builder().status(status).body(Body::from(body)).unwrap(),
        Script::Redirect(to) => Response::builder().status(307).header("location", to.as_str()).body(Body::empty()).unwrap(),
        Script::Stall => {
            let begun = futures_util::stream::iter([Ok::<_, std::io::Error>("{")]);
            let stalled = futures_util::StreamExt::chain(begun, futures_util::stream::pending());
            Response::new(Body::from_stream(stalled))
        }
        Script::Mute => std::future::pending().await,
    }
}

pub(crate) fn client() -> reqwest::Client {
    build(&ClientSettings::default()).unwrap()
}

pub(crate) fn service(url: Url) -> Service {
    Service { client: client(), settings: ServiceSettings::at(url) }
}

pub(crate) fn patient(namespace: &str, value: &str) -> PatientReference {
    PatientReference { namespace: Sensitive::new(namespace.to_owned()), value: Sensitive::new(value.to_owned()) }
}

/// Later than any answer of a test takes.
pub(crate) fn in_good_time() -> Instant {
    Instant::now() + Duration::from_secs(60)
}
