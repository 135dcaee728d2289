//! A localizer: `POST {url}` with `{"patient": {"namespace", "value"}}` answers `{"nodes": [node_id, …]}`.

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

type Places = Arc<RwLock<HashMap<Identifier, Vec<String>>>>;

/// A running localizer; it stops when dropped.
#[derive(Debug)]
pub struct Localizer {
    server: Server,
    places: Places,
}

impl Localizer {
    /// Starts one that knows nobody: every patient is nowhere. Needs a tokio runtime.
    ///
    /// # Errors
    /// No port can be had.
    pub async fn start() -> io::Result<Localizer> {
        let places = Places::default();
        let router = Router::new().route("/localize", post(answer)).with_state(Arc::clone(&places));
        Ok(Localizer { server: Server::start(router).await?, places })
    }

    /// Where it is asked.
    #[must_use]
    pub fn url(&self) -> String {
        format!("{}/localize", self.server.url())
    }

    /// The server below: journal, faults, up and down.
    #[must_use]
    pub fn server(&self) -> &Server {
        &self.server
    }

    /// Says where a patient might have data.
    pub fn place(&self, patient: &Identifier, nodes: Vec<String>) {
        self.places.write().unwrap_or_else(PoisonError::into_inner).insert(patient.clone(), nodes);
    }
}

async fn answer(State(places): State<Places>, body: Bytes) -> Response {
    let Some(patient) = Json::parse(&body).ok().as_ref().and_then(patient) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let places = places.read().unwrap_or_else(PoisonError::into_inner);
    let nodes = places.get(&patient).into_iter().flatten().map(|node| Json::text(node.as_str())).collect();
    let body = Json::object([("nodes", Json::Array(nodes))]).to_bytes();
    ([(header::CONTENT_TYPE, "application/json")], body).into_response()
}
