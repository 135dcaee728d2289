//! One CDR of the federation: ITS-REST over HTTP on a loopback port, answering from a repository in memory.

mod answer;
mod checks;
mod composition;
mod contribution;
mod definition;
mod dialect;
mod directory;
mod ehr;
mod error;
mod query;
mod request;
mod status;
mod system;
#[cfg(test)]
mod tests;
mod version;

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use axum::Router;
use axum::routing::{get, options, post};

use crate::eval::Settings;
use crate::model::{Commit, Repository};
use crate::wire::{Faults, Journal, Server};
use definition::Definitions;
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
struct Shared {
    config: RwLock<NodeConfig>,
    repository: RwLock<Repository>,
    definitions: Mutex<Definitions>,
}

impl Shared {
    fn config(&self) -> NodeConfig {
        self.config.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn read(&self) -> RwLockReadGuard<'_, Repository> {
        self.repository.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn definitions(&self) -> MutexGuard<'_, Definitions> {
        self.definitions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Repository> {
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
        let (config, repository) = (RwLock::new(config), RwLock::new(repository));
        let shared = Arc::new(Shared { config, repository, definitions: Mutex::default() });
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
    let v1 = Router::new()
        .merge(query_routes(base))
        .merge(ehr_routes(base))
        .merge(version_routes(base))
        .merge(definition_routes(base));
    v1.fallback(system::nothing_there).layer(axum::extract::DefaultBodyLimit::max(MAX_BODY)).with_state(shared)
}

fn query_routes(base: &str) -> Router<Arc<Shared>> {
    let path = |rest: &str| format!("{base}/v1{rest}");
    Router::new()
        .route(&path(""), options(system::describe))
        .route(&path("/"), options(system::describe))
        .route(&path("/query/aql"), post(query::by_post).get(query::by_get))
        .route(&path("/query/{name}"), post(query::stored_by_post).get(query::stored_by_get))
        .route(&path("/query/{name}/{version}"), post(query::version_by_post).get(query::version_by_get))
}

fn ehr_routes(base: &str) -> Router<Arc<Shared>> {
    let path = |rest: &str| format!("{base}/v1/ehr{rest}");
    let composition = get(composition::read).put(composition::update).delete(composition::delete);
    let directory = get(directory::read).post(directory::create).put(directory::update).delete(directory::delete);
    Router::new()
        .route(&path(""), post(ehr::create).get(ehr::by_subject))
        .route(&path("/{ehr_id}"), get(ehr::read).put(ehr::create_with_id))
        .route(&path("/{ehr_id}/ehr_status"), get(status::read).put(status::update))
        .route(&path("/{ehr_id}/ehr_status/{uid}"), get(status::read_version))
        .route(&path("/{ehr_id}/composition"), post(composition::create))
        .route(&path("/{ehr_id}/composition/{uid}"), composition)
        .route(&path("/{ehr_id}/directory"), directory)
        .route(&path("/{ehr_id}/directory/{uid}"), get(directory::read_version))
        .route(&path("/{ehr_id}/contribution"), post(contribution::create))
        .route(&path("/{ehr_id}/contribution/{uid}"), get(contribution::read))
}

fn version_routes(base: &str) -> Router<Arc<Shared>> {
    let status = |rest: &str| format!("{base}/v1/ehr/{{ehr_id}}/versioned_ehr_status{rest}");
    let composition = |rest: &str| format!("{base}/v1/ehr/{{ehr_id}}/versioned_composition/{{object}}{rest}");
    Router::new()
        .route(&status(""), get(status::object))
        .route(&status("/revision_history"), get(status::revisions))
        .route(&status("/version"), get(status::version))
        .route(&status("/version/{uid}"), get(status::version_by_uid))
        .route(&composition(""), get(composition::object))
        .route(&composition("/revision_history"), get(composition::revisions))
        .route(&composition("/version"), get(composition::version))
        .route(&composition("/version/{uid}"), get(composition::version_by_uid))
}

fn definition_routes(base: &str) -> Router<Arc<Shared>> {
    let path = |rest: &str| format!("{base}/v1/definition{rest}");
    Router::new()
        .route(&path("/template/adl1.4"), post(definition::upload_template).get(definition::list_templates))
        .route(&path("/template/adl1.4/{id}"), get(definition::read_template))
        .route(&path("/query/{name}"), get(definition::list_queries).put(definition::store_query))
        .route(&path("/query/{name}/{version}"), get(definition::read_query).put(definition::store_query_version))
}

/// The circumstances of a commit made now over HTTP.
fn commit_now() -> Commit {
    Commit {
        time: chrono::Utc::now().format("%Y-%m-%dT%H:%M:%S%.3fZ").to_string(),
        committer: "Sandbox client".into(),
        contribution: uuid::Uuid::new_v4().to_string(),
    }
}
