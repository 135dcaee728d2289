//! One patient's record, as queries walk it.

use std::collections::HashMap;
use std::sync::Arc;

use super::VersionUid;
use crate::value::Json;

/// One version of an object.
#[derive(Clone, Debug)]
pub struct Version {
    /// Its identity.
    pub uid: VersionUid,
    /// When it was committed, ISO 8601.
    pub committed: String,
    /// The contribution that brought it.
    pub contribution: String,
    /// The `ORIGINAL_VERSION`, without `data` when it is a deletion.
    pub object: Json,
}

impl Version {
    /// The committed object; `None` when this version is a deletion.
    #[must_use]
    pub fn data(&self) -> Option<&Json> {
        self.object.get("data")
    }
}

/// An object and its versions, oldest first.
#[derive(Clone, Debug)]
pub struct VersionedObject {
    /// The object's id.
    pub id: String,
    /// Where it is held, when records of several nodes lie together; empty else.
    pub origin: Arc<str>,
    /// The versions, at least one.
    pub versions: Vec<Arc<Version>>,
}

impl VersionedObject {
    /// The newest version.
    #[must_use]
    pub fn latest(&self) -> Option<&Version> {
        self.versions.last().map(Arc::as_ref)
    }

    /// The newest version's object; `None` when that is a deletion.
    #[must_use]
    pub fn current(&self) -> Option<&Json> {
        self.latest().and_then(Version::data)
    }
}

/// One patient's record at one node, or several such records laid together.
#[derive(Clone, Debug)]
pub struct Ehr {
    /// The `ehr_id`.
    pub id: String,
    /// Where it is held, when records of several nodes lie together; empty else.
    pub origin: Arc<str>,
    /// The `EHR` object: `ehr_id`, `system_id`, `time_created`, `ehr_status` in full.
    pub object: Json,
    /// The versions of its `EHR_STATUS`.
    pub status: VersionedObject,
    /// Its compositions, in the order created.
    pub(super) compositions: Vec<VersionedObject>,
    /// Where each stands, by object id; the first, when copies lie together.
    pub(super) places: HashMap<String, usize>,
    /// Its folder tree.
    pub directory: Option<VersionedObject>,
    /// Its contributions by id, as committed.
    pub contributions: Vec<(String, Json)>,
}

impl Ehr {
    /// Its compositions, in the order created.
    #[must_use]
    pub fn compositions(&self) -> &[VersionedObject] {
        &self.compositions
    }

    /// The composition of this object id; the first, when copies lie together.
    #[must_use]
    pub fn composition(&self, object: &str) -> Option<&VersionedObject> {
        self.places.get(object).and_then(|at| self.compositions.get(*at))
    }

    pub(super) fn composition_mut(&mut self, object: &str) -> Option<&mut VersionedObject> {
        self.places.get(object).and_then(|at| self.compositions.get_mut(*at))
    }

    /// Takes compositions as they are, also copies of what is held.
    pub fn adopt(&mut self, compositions: Vec<VersionedObject>) {
        for composition in compositions {
            self.places.entry(composition.id.clone()).or_insert(self.compositions.len());
            self.compositions.push(composition);
        }
    }

    /// The subject's id and namespace, when the status names one.
    #[must_use]
    pub fn subject(&self) -> Option<(&str, &str)> {
        let reference = self.status.current()?.at(&["subject", "external_ref"])?;
        Some((reference.text_at(&["id", "value"])?, reference.text_at(&["namespace"])?))
    }
}
