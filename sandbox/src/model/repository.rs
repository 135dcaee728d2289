//! Everything one node holds, and the only ways it changes.

use std::collections::HashMap;
use std::sync::Arc;

use super::build::{Commit, ehr, ehr_object, version};
use super::{Ehr, VersionUid, VersionedObject};
use crate::value::Json;

/// Why a change is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// An EHR of this id is there.
    #[error("an EHR of this id exists")]
    EhrExists,
    /// An EHR about this subject is there.
    #[error("an EHR about this subject exists")]
    SubjectExists,
    /// No such EHR.
    #[error("there is no EHR of this id")]
    NoEhr,
    /// No such object in that EHR.
    #[error("there is no object of this id in this EHR")]
    NoObject,
    /// The object id is taken.
    #[error("an object of this id exists")]
    ObjectExists,
    /// The version named is not the newest.
    #[error("the preceding version is not the latest, which is {0}")]
    Stale(VersionUid),
    /// It was deleted before.
    #[error("the object is deleted")]
    Deleted,
}

/// What one CDR holds.
#[derive(Clone, Debug)]
pub struct Repository {
    /// The openEHR system id.
    pub system_id: String,
    ehrs: Vec<Ehr>,
    index: HashMap<String, usize>,
    /// Subjects by id and namespace.
    subjects: HashMap<(String, String), usize>,
}

impl Repository {
    /// An empty repository of this system.
    pub fn new(system_id: impl Into<String>) -> Self {
        Repository { system_id: system_id.into(), ehrs: Vec::new(), index: HashMap::new(), subjects: HashMap::new() }
    }

    /// The EHRs, in the order created.
    #[must_use]
    pub fn ehrs(&self) -> &[Ehr] {
        &self.ehrs
    }

    /// The EHR of this id. Laid-together records may hold several of one id; this is the first.
    #[must_use]
    pub fn ehr(&self, id: &str) -> Option<&Ehr> {
        self.index.get(id).and_then(|at| self.ehrs.get(*at))
    }

    /// The EHR about this subject.
    #[must_use]
    pub fn ehr_of_subject(&self, id: &str, namespace: &str) -> Option<&Ehr> {
        let at = self.subjects.get(&(id.to_owned(), namespace.to_owned()));
        at.and_then(|at| self.ehrs.get(*at)).filter(|ehr| ehr.subject() == Some((id, namespace)))
    }

    fn ehr_mut(&mut self, id: &str) -> Result<&mut Ehr, ModelError> {
        self.index.get(id).and_then(|at| self.ehrs.get_mut(*at)).ok_or(ModelError::NoEhr)
    }

    /// Takes an EHR as it is, keeping one of the same id that is there: for laying records together.
    pub fn adopt(&mut self, ehr: Ehr) {
        self.index.entry(ehr.id.clone()).or_insert(self.ehrs.len());
        self.ehrs.push(ehr);
        self.note_subject(self.ehrs.len() - 1);
    }

    /// Remembers whom the EHR at this place is about.
    fn note_subject(&mut self, at: usize) {
        if let Some((id, namespace)) = self.ehrs.get(at).and_then(Ehr::subject) {
            let subject = (id.to_owned(), namespace.to_owned());
            self.subjects.insert(subject, at);
        }
    }

    /// Creates an EHR.
    ///
    /// # Errors
    /// The id or the subject is taken.
    pub fn create_ehr(&mut self, id: String, status: Json, status_object: String, commit: &Commit) -> Result<&Ehr, ModelError> {
        if self.index.contains_key(&id) {
            return Err(ModelError::EhrExists);
        }
        let new = ehr(id, &self.system_id, status, status_object, commit);
        if let Some((subject, namespace)) = new.subject()
            && self.ehr_of_subject(subject, namespace).is_some()
        {
            return Err(ModelError::SubjectExists);
        }
        self.adopt(new);
        self.ehrs.last().ok_or(ModelError::NoEhr)
    }

    /// Commits a new composition as version 1 of `object`, created here.
    ///
    /// # Errors
    /// The EHR is unknown, or the object id is taken.
    pub fn create_composition(
        &mut self,
        ehr: &str,
        object: String,
        data: Json,
        commit: &Commit,
    ) -> Result<VersionUid, ModelError> {
        let uid = VersionUid::new(object, self.system_id.clone(), 1);
        self.import_composition(ehr, uid, data, commit)
    }

    /// Takes a version made elsewhere under its own uid, as a copy or as the next version of what is held.
    ///
    /// # Errors
    /// The EHR is unknown, or that version or a later one is held.
    pub fn import_composition(
        &mut self,
        ehr: &str,
        uid: VersionUid,
        data: Json,
        commit: &Commit,
    ) -> Result<VersionUid, ModelError> {
        let ehr = self.ehr_mut(ehr)?;
        match ehr.composition_mut(&uid.object) {
            None => {
                let versions = vec![version(uid.clone(), None, Some(data), commit)];
                ehr.adopt(vec![VersionedObject { id: uid.object.clone(), origin: "".into(), versions }]);
            }
            Some(held) => {
                let latest = held.latest().map(|latest| latest.uid.clone());
                if latest.as_ref().is_some_and(|latest| latest.version >= uid.version) {
                    return Err(ModelError::ObjectExists);
                }
                held.versions.push(version(uid.clone(), latest.as_ref(), Some(data), commit));
            }
        }
        Ok(uid)
    }

    /// Commits the next version of a composition; without data, its deletion.
    ///
    /// # Errors
    /// The EHR or the object is unknown or deleted, or `preceding` is not the latest version.
    pub fn change_composition(
        &mut self,
        ehr: &str,
        preceding: &VersionUid,
        data: Option<Json>,
        commit: &Commit,
    ) -> Result<VersionUid, ModelError> {
        let system = self.system_id.clone();
        let held = self.ehr_mut(ehr)?.composition_mut(&preceding.object);
        change(held.ok_or(ModelError::NoObject)?, preceding, data, &system, commit)
    }

    /// Commits the next version of an EHR's status.
    ///
    /// # Errors
    /// The EHR is unknown, or `preceding` is not the latest version.
    pub fn change_status(
        &mut self,
        ehr: &str,
        preceding: &VersionUid,
        data: Json,
        commit: &Commit,
    ) -> Result<VersionUid, ModelError> {
        let system = self.system_id.clone();
        let at = self.index.get(ehr).copied().ok_or(ModelError::NoEhr)?;
        let ehr = self.ehr_mut(ehr)?;
        let uid = change(&mut ehr.status, preceding, Some(data), &system, commit)?;
        let created = ehr.object.text_at(&["time_created", "value"]).unwrap_or_default().to_owned();
        ehr.object = ehr_object(&ehr.id, &system, &created, &ehr.status);
        self.note_subject(at);
        Ok(uid)
    }

    /// Commits the folder tree: the first version, the next, or without data its deletion.
    ///
    /// # Errors
    /// The EHR is unknown; there is a tree and no `preceding`, or the other way round; `preceding` is not the latest version.
    pub fn change_directory(
        &mut self,
        ehr: &str,
        object: String,
        preceding: Option<&VersionUid>,
        data: Option<Json>,
        commit: &Commit,
    ) -> Result<VersionUid, ModelError> {
        let system = self.system_id.clone();
        let ehr = self.ehr_mut(ehr)?;
        match (&mut ehr.directory, preceding) {
            (Some(held), Some(preceding)) => change(held, preceding, data, &system, commit),
            (Some(held), None) if held.current().is_some() => Err(ModelError::ObjectExists),
            (None, Some(_)) => Err(ModelError::NoObject),
            (_, None) => {
                let uid = VersionUid::new(object.clone(), system, 1);
                let versions = vec![version(uid.clone(), None, data, commit)];
                ehr.directory = Some(VersionedObject { id: object, origin: "".into(), versions });
                Ok(uid)
            }
        }
    }

    /// Keeps a contribution, to be read back.
    ///
    /// # Errors
    /// The EHR is unknown, or the id is taken.
    pub fn keep_contribution(&mut self, ehr: &str, id: String, contribution: Json) -> Result<(), ModelError> {
        let ehr = self.ehr_mut(ehr)?;
        if ehr.contributions.iter().any(|(held, _)| *held == id) {
            return Err(ModelError::ObjectExists);
        }
        ehr.contributions.push((id, contribution));
        Ok(())
    }

    /// Puts an EHR back as it was, undoing what was done to it since.
    pub fn restore(&mut self, ehr: Ehr) {
        if let Ok(held) = self.ehr_mut(&ehr.id.clone()) {
            *held = ehr;
        }
    }

    /// Does it hold records of several nodes laid together?
    #[must_use]
    pub fn is_laid_together(&self) -> bool {
        self.index.len() < self.ehrs.len() || self.ehrs.iter().any(|ehr| !ehr.origin.is_empty())
    }

    /// Marks everything as held at `origin`, for laying records together.
    #[must_use]
    pub fn with_origin(mut self, origin: &str) -> Self {
        let origin: Arc<str> = origin.into();
        for ehr in &mut self.ehrs {
            ehr.origin = Arc::clone(&origin);
            ehr.status.origin = Arc::clone(&origin);
            for held in ehr.compositions.iter_mut().chain(&mut ehr.directory) {
                held.origin = Arc::clone(&origin);
            }
        }
        self
    }
}

fn change(
    held: &mut VersionedObject,
    preceding: &VersionUid,
    data: Option<Json>,
    system: &str,
    commit: &Commit,
) -> Result<VersionUid, ModelError> {
    let latest = held.latest().ok_or(ModelError::NoObject)?;
    if latest.data().is_none() {
        return Err(ModelError::Deleted);
    }
    if latest.uid != *preceding {
        return Err(ModelError::Stale(latest.uid.clone()));
    }
    let uid = VersionUid::new(held.id.clone(), system, preceding.version + 1);
    held.versions.push(version(uid.clone(), Some(preceding), data, commit));
    Ok(uid)
}
