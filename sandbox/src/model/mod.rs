//! What a CDR holds: EHRs, their status, versioned compositions and folders.
//!
//! Every version is kept as the `ORIGINAL_VERSION` a client may query (`VERSION v`), with the committed object as its
//! `data`. Versions are shared, not copied, when records of several nodes are laid together.

mod build;
mod ehr;
mod repository;
#[cfg(test)]
mod tests;
mod uid;

pub(crate) use build::typed;
pub use build::{Commit, ehr_status};
pub use ehr::{Ehr, Version, VersionedObject};
pub use repository::{ModelError, Repository};
pub use uid::VersionUid;
