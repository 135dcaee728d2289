//! The stored-query registry: definitions held by the gateway, under names and versions that never change their meaning
//! (§12.7, N44, CP-40).
//!
//! All definitions are in memory, where queries find them without waiting; with a store configured each is on disk before
//! its `PUT` is answered. There is no deletion: a version that was used once must mean the same tomorrow.

mod definition;
mod disk;
mod name;
mod store;
#[cfg(test)]
mod tests;

pub use definition::{DefinitionFault, check_definition, for_nodes, says_the_same};
pub use name::{NameFault, QueryName, Version, VersionPrefix};
pub use store::{QueryStore, StoreFault, StoredQuery};
