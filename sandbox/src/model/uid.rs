//! `object_id::creating_system_id::version_tree_id`.

use std::fmt;

/// The identity of one version of an object.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VersionUid {
    /// The object.
    pub object: String,
    /// The system that created this version.
    pub system: String,
    /// The version's number on the trunk.
    pub version: u32,
}

impl VersionUid {
    /// A version uid of these parts.
    pub fn new(object: impl Into<String>, system: impl Into<String>, version: u32) -> Self {
        VersionUid { object: object.into(), system: system.into(), version }
    }

    /// Reads one; `None` when the text has not exactly this form.
    #[must_use]
    pub fn parse(text: &str) -> Option<VersionUid> {
        let mut parts = text.split("::");
        let (object, system, version) = (parts.next()?, parts.next()?, parts.next()?);
        let whole = parts.next().is_none() && !object.is_empty() && !system.is_empty();
        let version = version.parse().ok().filter(|version| *version > 0)?;
        whole.then(|| VersionUid::new(object, system, version))
    }
}

impl fmt::Display for VersionUid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}::{}::{}", self.object, self.system, self.version)
    }
}
