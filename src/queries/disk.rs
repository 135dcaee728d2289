//! The file: one table, a definition a row, each durable before it is known.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use redb::{Database, ReadableDatabase, ReadableTable, TableDefinition};

use super::name::{QueryName, Version};
use super::store::{StoreFault, StoredQuery};

/// `name version` to the definition as JSON.
const DEFINITIONS: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("stored_queries");

/// An open file.
#[derive(Debug)]
pub(super) struct Disk(Database);

impl Disk {
    pub(super) fn open(file: &Path) -> Result<Self, StoreFault> {
        let database = Database::create(file).map_err(fault)?;
        let writing = database.begin_write().map_err(fault)?;
        writing.open_table(DEFINITIONS).map_err(fault)?;
        writing.commit().map_err(fault)?;
        Ok(Disk(database))
    }

    /// Everything in the file.
    pub(super) fn all(&self) -> Result<BTreeMap<(QueryName, Version), Arc<StoredQuery>>, StoreFault> {
        let reading = self.0.begin_read().map_err(fault)?;
        let table = reading.open_table(DEFINITIONS).map_err(fault)?;
        let mut all = BTreeMap::new();
        for row in table.iter().map_err(fault)? {
            let (_, bytes) = row.map_err(fault)?;
            let definition: StoredQuery = serde_json::from_slice(bytes.value()).map_err(fault)?;
            let name = QueryName::parse(&definition.name).map_err(fault)?;
            let version = Version::parse(&definition.version).map_err(fault)?;
            all.insert((name, version), Arc::new(definition));
        }
        Ok(all)
    }

    /// Writes one definition; it is on disk when this returns.
    pub(super) fn keep(&self, definition: &StoredQuery) -> Result<(), StoreFault> {
        let key = format!("{} {}", definition.name, definition.version);
        let bytes = serde_json::to_vec(definition).map_err(fault)?;
        let writing = self.0.begin_write().map_err(fault)?;
        writing.open_table(DEFINITIONS).map_err(fault)?.insert(key.as_str(), bytes.as_slice()).map_err(fault)?;
        writing.commit().map_err(fault)
    }
}

fn fault(error: impl std::error::Error + Send + Sync + 'static) -> StoreFault {
    StoreFault::Disk(Box::new(error))
}
