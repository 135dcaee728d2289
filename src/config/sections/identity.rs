//! `[identity]`, `[localization]`, `[consent]`: the services that know patients. No fault shows a patient's identifier.

use std::collections::{BTreeMap, BTreeSet};

use super::super::fault::FaultKind;
use super::super::reader::{Reader, shown};
use super::super::settings::{
    ConsentMode, ConsentSettings, EgressSettings, IdentitySettings, LocalizationFailure, LocalizationMode, LocalizationSettings,
    PatientNodes, PixmForm, PixmManager, PixmSettings, ServiceSettings, StaticIdentity,
};
use super::registry::{Members, names};
use super::service::service;
use crate::ids::{EhrId, NodeId};
use crate::sensitive::PatientReference;
use crate::sensitive::Sensitive;

/// Words of `identity.crossref`.
#[derive(Clone, Copy)]
enum Crossref {
    Static,
    Pixm,
}

pub(super) fn identity(root: Reader<'_>, members: &Members, pixm: Option<&PixmSettings>) -> IdentitySettings {
    let found = root.table("identity");
    let section = found.reader();
    let rows = static_identities(section, members);
    match section.choice("crossref", &[("static", Crossref::Static), ("pixm", Crossref::Pixm)]) {
        Some(Crossref::Pixm) => {
            let settings = wanted_pixm(section, "crossref", pixm);
            every_node_has_a_domain(section, members, &settings);
            IdentitySettings::Pixm(settings)
        }
        Some(Crossref::Static) | None => IdentitySettings::Static(rows),
    }
}

fn static_identities(section: Reader<'_>, members: &Members) -> Vec<StaticIdentity> {
    let mut seen: BTreeMap<(String, String, NodeId), ()> = BTreeMap::new();
    let mut rows = Vec::new();
    for row in section.rows("static") {
        let row = row.reader();
        let node = row.required("node").map(NodeId::new).filter(|node| known_node(row, "node", node, members));
        let (namespace, value, ehr_id) = (row.required("namespace"), row.required("value"), ehr_id(row));
        let (Some(namespace), Some(value), Some(node), Some(ehr_id)) = (namespace, value, node, ehr_id) else { continue };
        if seen.insert((namespace.to_owned(), value.to_owned(), node.clone()), ()).is_some() {
            let reason = format!("this patient has another row for node `{node}`");
            row.conflict("ehr_id", reason, "A patient has one EHR at a node: keep one row");
        }
        rows.push(StaticIdentity { patient: patient(namespace, value), node, ehr_id });
    }
    rows
}

fn ehr_id(row: Reader<'_>) -> Option<EhrId> {
    let id = row.required("ehr_id")?;
    if EhrId::is_plain(id) {
        return Some(EhrId::new(id));
    }
    row.invalid("ehr_id", "this is no ehr_id", "Write the EHR's id, usually a UUID");
    None
}

fn patient(namespace: &str, value: &str) -> PatientReference {
    PatientReference { namespace: Sensitive::new(namespace.to_owned()), value: Sensitive::new(value.to_owned()) }
}

fn known_node(row: Reader<'_>, name: &str, node: &NodeId, members: &Members) -> bool {
    let known = members.nodes.contains(node);
    if !known {
        row.conflict(name, format!("there is no node `{}`", shown(node.as_str())), names("node", &members.nodes));
    }
    known
}

/// `[identity.pixm]`: the table itself is one manager when it has a `url`, each `[[identity.pixm.manager]]` another.
pub(super) fn pixm(root: Reader<'_>, members: &Members, egress: &EgressSettings) -> Option<PixmSettings> {
    let identity = root.table("identity");
    let found = identity.reader().table("pixm");
    let section = found.reader();
    let mut managers = Vec::new();
    let mut taken = Taken::default();
    if section.has("url") || (section.present() && !section.has("manager")) {
        managers.extend(manager(section, members, egress, &mut taken));
    }
    for row in section.rows("manager") {
        managers.extend(manager(row.reader(), members, egress, &mut taken));
    }
    section.present().then_some(PixmSettings { managers })
}

/// Nodes and domains that have their manager.
#[derive(Default)]
struct Taken {
    nodes: BTreeSet<NodeId>,
    domains: BTreeSet<String>,
}

fn manager(section: Reader<'_>, members: &Members, egress: &EgressSettings, taken: &mut Taken) -> Option<PixmManager> {
    let url = section.required("url").and_then(|_| section.base_url("url"));
    let form = section.choice("form", &[("get", PixmForm::Get), ("post", PixmForm::Post)]).unwrap_or_default();
    let namespaces = section.map("namespaces").into_iter().map(|(from, (to, _))| (from.to_owned(), to.to_owned())).collect();
    let domains = domains(section, members, taken);
    let service = service(section, url, egress)?;
    Some(PixmManager { service, form, domains, namespaces })
}

fn domains(section: Reader<'_>, members: &Members, taken: &mut Taken) -> BTreeMap<NodeId, String> {
    let mut domains = BTreeMap::new();
    let written = section.map("domains");
    if written.is_empty() {
        section.fault(FaultKind::Missing, "domains", "the manager knows no node's domain", "Write a `targetSystem` per node id");
    }
    for (node, (domain, place)) in written {
        let key = format!("{}.{}", section.key("domains"), shown(node));
        let node = NodeId::new(node);
        let conflict = |reason: String, remedy: String| section.judge.fault(FaultKind::Conflict, place, &key, reason, remedy);
        if !members.nodes.contains(&node) {
            conflict("there is no such node".to_owned(), names("node", &members.nodes));
        } else if !taken.nodes.insert(node.clone()) {
            conflict("another manager knows this node too".to_owned(), "Leave each node to one manager".to_owned());
        } else if !taken.domains.insert(domain.to_owned()) {
            // An identifier found in it could be either node's.
            conflict("another node has the same domain".to_owned(), "Give each node a domain of its own".to_owned());
        }
        domains.insert(node, domain.to_owned());
    }
    domains
}

fn wanted_pixm(section: Reader<'_>, name: &str, pixm: Option<&PixmSettings>) -> PixmSettings {
    if let Some(pixm) = pixm {
        return pixm.clone();
    }
    let reason = format!("`{}` is `pixm`, and there is no `[identity.pixm]`", section.key(name));
    section.conflict(name, reason, "Write its `url` and `domains`");
    PixmSettings { managers: Vec::new() }
}

/// Without a domain a node's records could never be found, and would look as if there were none.
fn every_node_has_a_domain(section: Reader<'_>, members: &Members, pixm: &PixmSettings) {
    if pixm.managers.is_empty() {
        return;
    }
    let known: BTreeSet<&NodeId> = pixm.managers.iter().flat_map(|manager| manager.domains.keys()).collect();
    let asked: BTreeSet<&NodeId> = members.registry.endpoints().map(|endpoint| &endpoint.node.id).collect();
    for node in asked.difference(&known) {
        let reason = format!("node `{node}` has an endpoint, and no domain under `identity.pixm`");
        section.conflict("pixm", reason, format!("Write `{node} = \"<its targetSystem>\"` under the `domains` of its manager"));
    }
}

/// Words of `localization.mode` and `consent.mode`.
#[derive(Clone, Copy)]
enum Mode {
    None,
    Static,
    Pixm,
    Http,
}

pub(super) fn localization(
    root: Reader<'_>,
    members: &Members,
    pixm: Option<&PixmSettings>,
    egress: &EgressSettings,
) -> LocalizationSettings {
    let found = root.table("localization");
    let section = found.reader();
    let failures =
        [("closed", LocalizationFailure::Closed), ("ask-all", LocalizationFailure::AskAll), ("fail", LocalizationFailure::Fail)];
    let on_failure = section.choice("on_failure", &failures).unwrap_or_default();
    let modes = [("none", Mode::None), ("static", Mode::Static), ("pixm", Mode::Pixm), ("http", Mode::Http)];
    let rows = patient_nodes(section, members);
    let http = http_service(section, egress);
    let mode = match section.choice("mode", &modes) {
        Some(Mode::Static) if section.has("static") => LocalizationMode::Static(rows),
        // Without rows of its own the localizer knows what the static cross-reference knows.
        Some(Mode::Static) => LocalizationMode::Static(from_identities(root, members)),
        Some(Mode::Pixm) => LocalizationMode::Pixm(in_time(wanted_pixm(section, "mode", pixm), section)),
        Some(Mode::Http) => wanted_service(section, http).map_or(LocalizationMode::None, LocalizationMode::Http),
        Some(Mode::None) | None => LocalizationMode::None,
    };
    LocalizationSettings { mode, on_failure }
}

/// The managers as a localizer: no slower than `localization.timeout_ms`, when that is written.
fn in_time(mut pixm: PixmSettings, section: Reader<'_>) -> PixmSettings {
    if let Some(timeout) = section.duration("timeout_ms") {
        pixm.managers.iter_mut().for_each(|manager| manager.service.timeout = manager.service.timeout.min(timeout));
    }
    pixm
}

fn from_identities(root: Reader<'_>, members: &Members) -> Vec<PatientNodes> {
    let found = root.table("identity");
    let rows = static_identities(found.reader(), members);
    rows.into_iter().map(|row| PatientNodes { patient: row.patient, nodes: BTreeSet::from([row.node]) }).collect()
}

pub(super) fn consent(root: Reader<'_>, members: &Members, egress: &EgressSettings) -> ConsentSettings {
    let found = root.table("consent");
    let section = found.reader();
    let rows = patient_nodes(section, members);
    let http = http_service(section, egress);
    let mode = match section.choice("mode", &[("none", Mode::None), ("static", Mode::Static), ("http", Mode::Http)]) {
        Some(Mode::Static) => ConsentMode::Static(rows),
        Some(Mode::Http) => wanted_service(section, http).map_or(ConsentMode::None, ConsentMode::Http),
        Some(Mode::None | Mode::Pixm) | None => ConsentMode::None,
    };
    ConsentSettings { mode }
}

/// The service of a section, whether its mode is `http` or not: what is written is judged.
fn http_service(section: Reader<'_>, egress: &EgressSettings) -> Option<ServiceSettings> {
    let url = section.filled("url").and_then(|_| section.url("url"));
    service(section, url, egress)
}

fn wanted_service(section: Reader<'_>, service: Option<ServiceSettings>) -> Option<ServiceSettings> {
    if service.is_none() && section.filled("url").is_none() {
        let reason = format!("`{}` is `http`, and there is no `{}`", section.key("mode"), section.key("url"));
        section.conflict("mode", reason, "Write the service's `url`");
    }
    service
}

fn patient_nodes(section: Reader<'_>, members: &Members) -> Vec<PatientNodes> {
    let mut rows = Vec::new();
    for row in section.rows("static") {
        let row = row.reader();
        let (namespace, value) = (row.required("namespace"), row.required("value"));
        if !row.has("nodes") {
            row.fault(FaultKind::Missing, "nodes", "the key is missing", "Write a list of node ids");
        }
        let nodes = row.list("nodes").unwrap_or_default().into_iter().map(|(node, _)| NodeId::new(node));
        let nodes = nodes.filter(|node| known_node(row, "nodes", node, members)).collect();
        if let (Some(namespace), Some(value)) = (namespace, value) {
            rows.push(PatientNodes { patient: patient(namespace, value), nodes });
        }
    }
    rows
}
