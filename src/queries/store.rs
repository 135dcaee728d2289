//! The definitions: in memory for reading, on disk for keeping.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use super::disk::Disk;
use super::name::{QueryName, Version, VersionPrefix};
use crate::error::ErrorCode;

/// Definitions held at most. A federation has some hundred; each is at most as large as a request's body.
const MAX_DEFINITIONS: usize = 10_000;

/// A definition.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct StoredQuery {
    /// The qualified name.
    pub name: String,
    /// The formalism.
    #[serde(rename = "type")]
    pub kind: String,
    /// The whole version.
    pub version: String,
    /// When it was stored, as ISO 8601.
    pub saved: String,
    /// The text, as it was stored.
    pub q: String,
}

/// Why a definition is not kept or found.
#[derive(Debug, thiserror::Error)]
pub enum StoreFault {
    /// This version exists (immutable).
    #[error("Version {0} of this stored query exists, and a version never changes. Store it under another.")]
    Exists(Version),
    /// No version after this one.
    #[error("There is no version after {0}; name one.")]
    NoNextVersion(Version),
    /// As many as may be.
    #[error("The registry holds {MAX_DEFINITIONS} definitions, the most it may.")]
    Full,
    /// The file cannot be read or written. The chain is for the log.
    #[error("The registry's file cannot be used.")]
    Disk(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl StoreFault {
    /// The code of the catalogue.
    #[must_use]
    pub fn code(&self) -> ErrorCode {
        match self {
            StoreFault::Exists(_) => ErrorCode::QueryExists,
            StoreFault::NoNextVersion(_) => ErrorCode::InvalidQueryName,
            StoreFault::Full => ErrorCode::LimitExceeded,
            StoreFault::Disk(_) => ErrorCode::Internal,
        }
    }
}

type Definitions = BTreeMap<(QueryName, Version), Arc<StoredQuery>>;

/// The registry. Cheap to clone; clones are the same registry.
#[derive(Clone, Debug)]
pub struct QueryStore(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    definitions: RwLock<Definitions>,
    /// Whoever stores holds this: what is free when looked at must be free when written.
    storing: Mutex<Option<Disk>>,
}

impl QueryStore {
    /// A registry that is gone with the process.
    #[must_use]
    pub fn in_memory() -> Self {
        QueryStore::of(Definitions::new(), None)
    }

    /// A registry kept in this file, which is made when there is none. Blocks.
    ///
    /// # Errors
    /// The file cannot be used, or another process has it open.
    pub fn open(file: &Path) -> Result<Self, StoreFault> {
        let disk = Disk::open(file)?;
        let definitions = disk.all()?;
        Ok(QueryStore::of(definitions, Some(disk)))
    }

    fn of(definitions: Definitions, disk: Option<Disk>) -> Self {
        QueryStore(Arc::new(Inner { definitions: RwLock::new(definitions), storing: Mutex::new(disk) }))
    }

    /// Stores a definition under a version, or under the next one; a text that is the latest version's is that version. When this
    /// returns, the definition is kept. Blocks while it is written.
    ///
    /// # Errors
    /// [`StoreFault`]
    pub fn store(
        &self,
        name: QueryName,
        version: Option<Version>,
        q: &str,
        saved: String,
    ) -> Result<Arc<StoredQuery>, StoreFault> {
        let storing = self.0.storing.lock().unwrap_or_else(PoisonError::into_inner);
        let version = match (version, self.latest(&name)) {
            (Some(version), _) => version,
            (None, None) => Version::FIRST,
            (None, Some((_, latest))) if latest.q == q => return Ok(latest),
            (None, Some((version, _))) => version.next().ok_or(StoreFault::NoNextVersion(version))?,
        };
        let key = (name, version);
        {
            let known = self.0.definitions.read().unwrap_or_else(PoisonError::into_inner);
            if known.contains_key(&key) {
                return Err(StoreFault::Exists(version));
            }
            if known.len() >= MAX_DEFINITIONS {
                return Err(StoreFault::Full);
            }
        }
        let (name, version) = (key.0.as_str().to_owned(), version.to_string());
        let definition = Arc::new(StoredQuery { name, kind: "AQL".to_owned(), version, saved, q: q.to_owned() });
        if let Some(disk) = &*storing {
            disk.keep(&definition)?;
        }
        self.0.definitions.write().unwrap_or_else(PoisonError::into_inner).insert(key, Arc::clone(&definition));
        Ok(definition)
    }

    /// The definition of this name whose version is the highest that fits.
    #[must_use]
    pub fn find(&self, name: &QueryName, prefix: VersionPrefix) -> Option<Arc<StoredQuery>> {
        self.versions(name, |version| prefix.fits(version)).map(|(_, definition)| definition)
    }

    /// Every version of every name that begins so, in order.
    #[must_use]
    pub fn list(&self, beginning: &str) -> Vec<Arc<StoredQuery>> {
        let known = self.0.definitions.read().unwrap_or_else(PoisonError::into_inner);
        known
            .iter()
            .filter(|((name, _), _)| name.as_str().starts_with(beginning))
            .map(|(_, definition)| Arc::clone(definition))
            .collect()
    }

    fn latest(&self, name: &QueryName) -> Option<(Version, Arc<StoredQuery>)> {
        self.versions(name, |_| true)
    }

    fn versions(&self, name: &QueryName, wanted: impl Fn(Version) -> bool) -> Option<(Version, Arc<StoredQuery>)> {
        let known = self.0.definitions.read().unwrap_or_else(PoisonError::into_inner);
        let lowest = Version { major: 0, minor: 0, patch: 0 };
        let highest = Version { major: u32::MAX, minor: u32::MAX, patch: u32::MAX };
        let mut of_name = known.range((name.clone(), lowest)..=(name.clone(), highest)).rev();
        of_name.find(|((_, version), _)| wanted(*version)).map(|((_, version), definition)| (*version, Arc::clone(definition)))
    }
}
