//! A consent service: `POST {url}` with `{"patient": {…}, "nodes": [node_id, …]}` answers `{"denied": [node_id, …]}`.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, PoisonError, RwLock};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use http::{StatusCode, header};

use super::{Identifier, patient};
use crate::value::Json;
use crate::wire::Server;

type Denials = Arc<RwLock<HashMap<Identifier, Vec<String>>>>;

/// A running consent service; it stops when dropped.
#[derive(Debug)]
pub struct ConsentService {
    server: Server,
    denials: Denials,
}

impl ConsentService {
    /// Starts one that denies nothing. Needs a tokio runtime.
    ///
    /// # Errors
    /// No port can be had.
    pub async fn start() -> io::Result<ConsentService> {
        let denials = Denials::default();
        let router = Router::new().route("/consent", post(answer)).with_state(Arc::clone(&denials));
        Ok(ConsentService { server: Server::start(router).await?, denials })
    }

    /// Where it is asked.
    #[must_use]
    pub fn url(&self) -> String {
        format!("{}/consent", self.server.url())
    }

    /// The server below: journal, faults, up and down.
    #[must_use]
    pub fn server(&self) -> &Server {
        &self.server
    }

    /// Says at which nodes a patient's data may not be asked for.
    pub fn deny(&self, patient: &Identifier, nodes: Vec<String>) {
        self.denials.write().unwrap_or_else(PoisonError::into_inner).insert(patient.clone(), nodes);
    }
}

async fn answer(State(denials): State<Denials>, body: Bytes) -> Response {
    let parsed = Json::parse(&body).ok();
    let asked = parsed.as_ref().and_then(|body| Some((patient(body)?, body.get("nodes")?.as_array()?)));
    let Some((patient, nodes)) = asked else { return StatusCode::BAD_REQUEST.into_response() };
    let denials = denials.read().unwrap_or_else(PoisonError::into_inner);
    let denied = denials.get(&patient).map(Vec::as_slice).unwrap_or_default();
    let denied = nodes.iter().filter(|node| node.as_text().is_some_and(|node| denied.iter().any(|one| one == node))).cloned();
    let body = Json::object([("denied", Json::Array(denied.collect()))]).to_bytes();
    ([(header::CONTENT_TYPE, "application/json")], body).into_response()
}
