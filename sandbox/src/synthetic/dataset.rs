//! What a federation holds: members with their records, and the patients these are about.

use std::sync::Arc;

use crate::model::{Commit, Ehr, Repository, VersionUid, ehr_status};
use crate::node::Dialect;
use crate::value::Json;

/// One member: a node with one endpoint, managed by one organisation.
#[derive(Clone, Debug)]
pub struct Member {
    /// The node (`node-a`).
    pub node_id: String,
    /// Its endpoint (`hospital-a`).
    pub endpoint_id: String,
    /// The organisation (`org-a`).
    pub organisation: String,
    /// The product it behaves like.
    pub dialect: Dialect,
    /// What it holds; its `system_id` is in here.
    pub repository: Repository,
}

/// A patient's record at one member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holding {
    /// The member's place in [`Dataset::members`].
    pub member: usize,
    /// The node.
    pub node_id: String,
    /// The local `ehr_id`.
    pub ehr_id: String,
}

/// A patient, and where there is a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patient {
    /// The namespace of the identifier.
    pub namespace: String,
    /// The identifier.
    pub value: String,
    /// The records, by member.
    pub holdings: Vec<Holding>,
}

/// What a federation holds.
#[derive(Clone, Debug, Default)]
pub struct Dataset {
    /// The members, by endpoint id.
    pub members: Vec<Member>,
    /// The patients.
    pub patients: Vec<Patient>,
}

/// The namespace the invented patients are identified in.
pub(super) const NAMESPACE: &str = "urn:oid:2.999.1";

impl Dataset {
    /// Members without records: `node-a` with `hospital-a`, and so on.
    #[must_use]
    pub fn of_members(count: usize) -> Dataset {
        let name = |index: usize| match char::from_u32('a' as u32 + index as u32) {
            Some(letter) if count <= 26 => letter.to_string(),
            _ => format!("{index:03}"),
        };
        let member = |index: usize| {
            let name = name(index);
            Member {
                node_id: format!("node-{name}"),
                endpoint_id: format!("hospital-{name}"),
                organisation: format!("org-{name}"),
                dialect: Dialect::Standard,
                repository: Repository::new(format!("cdr-{name}.example.org")),
            }
        };
        Dataset { members: (0..count).map(member).collect(), patients: Vec::new() }
    }

    /// Adds a patient who has a record, still empty, at these members under these ids. Each record's subject is a number of
    /// that member's own; the patient's identifier is in none of them.
    pub fn add_patient(&mut self, value: &str, records: &[(usize, String)], commit: &Commit) -> usize {
        let mut holdings = Vec::with_capacity(records.len());
        for (index, ehr_id) in records {
            let Some(member) = self.members.get_mut(*index) else { continue };
            let number = format!("MRN{:06}", member.repository.ehrs().len() + 1);
            let status = ehr_status(Some((&number, &format!("urn:oid:2.999.9.{}", index + 1))));
            let object = format!("status-{ehr_id}");
            if member.repository.create_ehr(ehr_id.clone(), status, object, commit).is_ok() {
                holdings.push(Holding { member: *index, node_id: member.node_id.clone(), ehr_id: ehr_id.clone() });
            }
        }
        self.patients.push(Patient { namespace: NAMESPACE.into(), value: value.into(), holdings });
        self.patients.len() - 1
    }

    /// Puts a version into a patient's record at a member; `false` when there is no such record or it holds that version.
    /// A member that shows every version as its own gets it under its own system id.
    pub fn put(&mut self, patient: usize, member: usize, uid: VersionUid, data: Json, commit: &Commit) -> bool {
        let holding = self.patients.get(patient).and_then(|patient| patient.holdings.iter().find(|held| held.member == member));
        let (Some(holding), Some(member)) = (holding, self.members.get_mut(member)) else { return false };
        let system = if member.dialect.restores_system() { member.repository.system_id.clone() } else { uid.system };
        let uid = VersionUid { system, ..uid };
        member.repository.import_composition(&holding.ehr_id, uid, data, commit).is_ok()
    }
}

/// A patient's records laid together: one, about the patient as the federation knows them.
pub(crate) fn one_record(id: &str, patient: &Patient, records: Vec<Ehr>) -> Option<Ehr> {
    let mut records = records.into_iter();
    let mut whole = about(id, patient, records.next()?);
    for record in records {
        whole.adopt(record.compositions().to_vec());
        whole.directory = whole.directory.or(record.directory);
    }
    Some(whole)
}

/// A record under another id, about the patient as the federation knows them.
pub(crate) fn about(id: &str, patient: &Patient, mut record: Ehr) -> Ehr {
    let subject = ehr_status(Some((&patient.value, &patient.namespace))).get("subject").cloned().unwrap_or(Json::Null);
    for version in &mut record.status.versions {
        let version = Arc::make_mut(version);
        if let Some(mut data) = version.object.get("data").cloned() {
            data.set("subject", subject.clone());
            version.object.set("data", data);
        }
    }
    if let Some(status) = record.status.current().cloned() {
        record.object.set("ehr_status", status);
    }
    record.object.set("ehr_id", crate::model::typed("HIER_OBJECT_ID", id));
    record.id = id.into();
    record
}
