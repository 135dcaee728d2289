//! One CDR of the federation: ITS-REST over HTTP on a loopback port, answering from a repository in memory.

mod answer;
mod checks;
mod composition;
mod dialect;
mod ehr;
mod error;
mod query;
mod request;
mod system;
#[cfg(test)]
mod tests;

use std::io;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use axum::Router;
use axum::routing::{get, options, post};

use crate::eval::Settings;
use crate::model::{Commit, Repository};
use crate::wire::{Faults, Journal, Server};
pub use dialect::Dialect;
pub(crate) use request::pairs as query_pairs;

/// The largest body a node reads.
const MAX_BODY: usize = 256 * 1024 * 1024;

/// What a node is.
#[derive(Clone, Debug)]
pub struct NodeConfig {
    /// Its name in the federation.
    pub id: String,
    /// The product it behaves like.
    pub dialect: Dialect,
    /// How it evaluates; the dialect's way by default.
    pub settings: Settings,
    /// The product it says it is, in `OPTIONS`.
    pub product: String,
    /// The version it says it is.
    pub version: String,
}

impl NodeConfig {
    /// A node of this name and dialect.
    pub fn new(id: impl Into<String>, dialect: Dialect) -> Self {
        let (settings, product) = (dialect.settings(), dialect.product().to_owned());
        NodeConfig { id: id.into(), dialect, settings, product, version: env!("CARGO_PKG_VERSION").into() }
    }
}

/// What the handlers share.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) config: RwLock<NodeConfig>,
    pub(super) repository: RwLock<Repository>,
}

impl Shared {
    pub(super) fn config(&self) -> NodeConfig {
        self.config.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn read(&self) -> RwLockReadGuard<'_, Repository> {
        self.repository.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn write(&self) -> RwLockWriteGuard<'_, Repository> {
        self.repository.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A running node; it stops when dropped.
#[derive(Debug)]
pub struct Node {
    id: String,
    base: &'static str,
    server: Server,
    shared: Arc<Shared>,
}

impl Node {
    /// Starts a node over what it holds. Needs a tokio runtime.
    ///
    /// # Errors
    /// No port can be had.
    pub async fn start(config: NodeConfig, repository: Repository) -> io::Result<Node> {
        let (id, base) = (config.id.clone(), config.dialect.base());
        let shared = Arc::new(Shared { config: RwLock::new(config), repository: RwLock::new(repository) });
        let server = Server::start(router(Arc::clone(&shared), base)).await?;
        Ok(Node { id, base, server, shared })
    }

    /// Its name in the federation.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The openEHR id of its system.
    #[must_use]
    pub fn system_id(&self) -> String {
        self.shared.read().system_id.clone()
    }

    /// The node's `{base}`: `/v1/query/aql` is below it.
    #[must_use]
    pub fn url(&self) -> String {
        format!("{}{}", self.server.url(), self.base)
    }

    /// What it received.
    #[must_use]
    pub fn journal(&self) -> &Journal {
        self.server.journal()
    }

    /// What goes wrong with it.
    #[must_use]
    pub fn faults(&self) -> &Faults {
        self.server.faults()
    }

    /// The server below, to take it down and bring it back.
    #[must_use]
    pub fn server(&self) -> &Server {
        &self.server
    }

    /// What it holds, as it is now.
    #[must_use]
    pub fn snapshot(&self) -> Repository {
        self.shared.read().clone()
    }

    /// Changes what it holds, behind the back of its interface.
    pub fn change<T>(&self, change: impl FnOnce(&mut Repository) -> T) -> T {
        change(&mut self.shared.write())
    }

    /// Changes how it evaluates and introduces itself, while it runs. The base path stays that of the dialect it began with.
    pub fn reconfigure(&self, change: impl FnOnce(&mut NodeConfig)) {
        change(&mut self.shared.config.write().unwrap_or_else(PoisonError::into_inner));
    }
}

fn router(shared: Arc<Shared>, base: &str) -> Router {
    let path = |rest: &str| format!("{base}/v1{rest}");
    Router::new()
        .route(&path(""), options(system::describe))
        .route(&path("/"), options(system::describe))
        .route(&path("/query/aql"), post(query::by_post).get(query::by_get))
        .route(&path("/ehr"), post(ehr::create).get(ehr::by_subject))
        .route(&path("/ehr/{ehr_id}"), get(ehr::read).put(ehr::create_with_id))
        .route(&path("/ehr/{ehr_id}/composition"), post(composition::create))
        .route(
            &path("/ehr/{ehr_id}/composition/{uid}"),
            get(composition::read).put(composition::update).delete(composition::delete),
        )
        .layer(axum::extract::DefaultBodyLimit::max(MAX_BODY))
        .with_state(shared)
}

/// The circumstances of a commit made now over HTTP.
pub(super) fn commit_now() -> Commit {
    Commit {
        time: chrono::Utc::now().format("%Y-%m-%dT%H:%M:%S%.3fZ").to_string(),
        committer: "Sandbox client".into(),
        contribution: uuid::Uuid::new_v4().to_string(),
    }
}
