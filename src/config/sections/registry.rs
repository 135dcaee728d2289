//! `[registry]` and the membership tables, inline or in a file of their own.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::super::document::{self, Table, Value};
use super::super::fault::{FaultKind, Judge};
use super::super::keys::MEMBERSHIP;
use super::super::reader::{self, Reader};
use super::super::settings::{EgressSettings, Settings, TimeoutSettings};
use super::super::unknown;
use super::service::{check_egress, credentials};
use crate::ids::{EndpointId, NodeId, OrganisationId, SystemId};
use crate::registry::{Endpoint, Membership, Node, NodeOrdering, Organisation, Registry};

/// Reads the file `registry.file` names, if it does, and puts its tables where inline ones would be.
pub(crate) fn membership_file(root: &mut Table, judge: &Judge) {
    let Some(file) = named_file(root, judge) else { return };
    for (key, entry) in document::read(&file, judge) {
        if !MEMBERSHIP.iter().any(|known| known.name == key) {
            unknown::fault(judge, &entry.key_place, &key, &key, MEMBERSHIP.iter());
            continue;
        }
        match root.get(&key) {
            None => drop(root.insert(key, entry)),
            Some(inline) => {
                let reason = format!("`[[{key}]]` is written here and in the file that `registry.file` names");
                judge.fault(FaultKind::Conflict, &inline.item.place, &key, reason, "Keep the membership in one place");
            }
        }
    }
}

fn named_file(root: &Table, judge: &Judge) -> Option<Arc<Path>> {
    let found = reader::root(root, judge);
    let registry = found.reader().table("registry");
    let registry = registry.reader();
    // A wrong type is reported when the section is read.
    registry.has("file").then(|| quiet_text(root)).flatten()?;
    let file = judge.beside(&registry.place("file"), registry.filled("file")?);
    if let Some(key) = MEMBERSHIP.iter().find(|key| root.contains_key(key.name)) {
        let reason = format!("`registry.file` is written, and so is `[[{}]]`", key.name);
        registry.conflict("file", reason, "Keep the membership in the file or inline, not both");
    }
    Some(Arc::from(file))
}

fn quiet_text(root: &Table) -> Option<()> {
    let Value::Table(registry) = &root.get("registry")?.item.value else { return None };
    matches!(registry.get("file")?.item.value, Value::Text(_)).then_some(())
}

pub(super) fn capability_max_age(root: Reader<'_>) -> Duration {
    let found = root.table("registry");
    let section = found.reader();
    let _judged = section.text("file");
    let remedy = "Write the membership into `registry.file` or inline";
    if section.filled("fhir_bundle_file").is_some() {
        section.not_yet_served("fhir_bundle_file", "membership from a FHIR Bundle", remedy);
    }
    if section.filled("mcsd_url").is_some() {
        section.not_yet_served("mcsd_url", "membership from mCSD", remedy);
    }
    section.duration("capability_max_age_ms").unwrap_or_else(|| Settings::default().capability_max_age)
}

/// The membership, and all ids other sections may refer to.
pub(super) struct Members {
    pub(super) registry: Registry,
    /// Every declared node, also those whose declaration has other faults.
    pub(super) nodes: BTreeSet<NodeId>,
}

pub(super) fn members(root: Reader<'_>, egress: &EgressSettings) -> Members {
    let (organisations, organisation_ids) = organisations(root);
    let (nodes, node_ids) = nodes(root);
    let mut seen = Ids::default();
    let mut urls = BTreeMap::new();
    let mut endpoints = Vec::new();
    for row in root.rows("endpoint") {
        let row = row.reader();
        let id = seen.id(row, "id");
        if let Some(endpoint) = endpoint(row, id, &nodes, (&node_ids, &organisation_ids), egress) {
            same_url(row, &endpoint, &mut urls);
            endpoints.push(endpoint);
        }
    }
    Members { registry: Registry::new(endpoints, organisations), nodes: node_ids }
}

/// Two endpoints at one address would count one repository twice.
fn same_url(row: Reader<'_>, endpoint: &Endpoint, urls: &mut BTreeMap<String, EndpointId>) {
    if let Some(other) = urls.insert(endpoint.url.to_string(), endpoint.id.clone()) {
        let reason = format!("endpoint `{other}` has the same address");
        row.conflict("url", reason, "Give each endpoint an address of its own");
    }
}

/// Ids already given.
#[derive(Default)]
struct Ids(BTreeSet<String>);

impl Ids {
    /// The id of a row: well formed, and not given before.
    fn id<'a>(&mut self, row: Reader<'a>, name: &str) -> Option<&'a str> {
        let id = row.required(name)?;
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:@+".contains(&byte);
        if id.len() > 128 || !id.bytes().all(plain) {
            // Ids travel in header lists and AQL texts.
            row.invalid(name, "the id is not a plain word", "Use at most 128 letters, digits and - . _ ~ : @ +");
            return None;
        }
        if !self.0.insert(id.to_owned()) {
            row.conflict(name, format!("the id `{id}` is given twice"), "Give each row an id of its own");
            return None;
        }
        Some(id)
    }
}

fn organisations(root: Reader<'_>) -> (Vec<Organisation>, BTreeSet<OrganisationId>) {
    let mut seen = Ids::default();
    let mut organisations = Vec::new();
    for row in root.rows("organisation") {
        let row = row.reader();
        let (id, name) = (seen.id(row, "id"), row.filled("name"));
        if let Some(id) = id {
            organisations.push(Organisation { id: OrganisationId::new(id), name: name.unwrap_or(id).to_owned() });
        }
    }
    (organisations, seen.0.into_iter().map(OrganisationId::new).collect())
}

fn nodes(root: Reader<'_>) -> (BTreeMap<NodeId, Arc<Node>>, BTreeSet<NodeId>) {
    let mut seen = Ids::default();
    let mut systems = BTreeMap::new();
    let mut nodes = BTreeMap::new();
    for row in root.rows("node") {
        let row = row.reader();
        let id = seen.id(row, "id").map(NodeId::new);
        if let Some(node) = node(row, id, &mut systems) {
            nodes.insert(node.id.clone(), Arc::new(node));
        }
    }
    (nodes, seen.0.into_iter().map(NodeId::new).collect())
}

/// Reads a whole row even without an id, so that its other faults are found too.
fn node(row: Reader<'_>, id: Option<NodeId>, systems: &mut BTreeMap<String, NodeId>) -> Option<Node> {
    if row.has("dialect") {
        row.not_yet_served("dialect", "a node's dialect of its own", "Leave it out");
    }
    let creating = row.list("creating_system_ids").unwrap_or_default();
    let (system_id, product, version) = (row.required("system_id"), row.filled("product"), row.filled("version"));
    let (id, system_id) = (id?, system_id?);
    controls(row, "system_id", system_id, &id, systems);
    for (creating_id, _) in creating.iter().filter(|(creating_id, _)| *creating_id != system_id) {
        controls(row, "creating_system_ids", creating_id, &id, systems);
    }
    Some(Node {
        system_id: SystemId::new(system_id),
        creating_system_ids: creating.into_iter().map(|(creating_id, _)| SystemId::new(creating_id)).collect(),
        product: product.map(str::to_owned),
        version: version.map(str::to_owned),
        id,
    })
}

/// A system whose versions two nodes control could be written to at either.
fn controls(row: Reader<'_>, name: &str, system: &str, node: &NodeId, systems: &mut BTreeMap<String, NodeId>) {
    if let Some(other) = systems.insert(system.to_owned(), node.clone()).filter(|other| other != node) {
        let reason = format!("node `{other}` has this system id too");
        row.conflict(name, reason, "A system is controlled by one node: remove it from the other");
    }
}

/// Reads a whole row even without an id, so that its other faults are found too.
fn endpoint(
    row: Reader<'_>,
    id: Option<&str>,
    nodes: &BTreeMap<NodeId, Arc<Node>>,
    (node_ids, organisation_ids): (&BTreeSet<NodeId>, &BTreeSet<OrganisationId>),
    egress: &EgressSettings,
) -> Option<Endpoint> {
    let node = row.required("node").map(NodeId::new).filter(|node| refers(row, "node", node, node_ids));
    let organisation =
        row.required("organisation").map(OrganisationId::new).filter(|id| refers(row, "organisation", id, organisation_ids));
    let url =
        row.required("url").and_then(|_| row.base_url("url")).inspect(|url| check_egress(row, url, egress, "clinical data"));
    let status = row.text("status").unwrap_or("active");
    let orderings = [("trusted", NodeOrdering::Trusted), ("exact", NodeOrdering::Exact), ("untrusted", NodeOrdering::Untrusted)];
    let ordering = row.choice("ordering", &orderings).unwrap_or(NodeOrdering::Trusted);
    let codes = row.list("consent_refusal_codes").unwrap_or_default();
    let (per_node, credentials) = (row.duration("per_node_ms"), credentials(row));
    Some(Endpoint {
        id: EndpointId::new(id?),
        node: nodes.get(&node?)?.clone(),
        organisation: organisation?,
        url: url?,
        membership: if status == "active" { Membership::Active } else { Membership::Suspended(status.to_owned()) },
        per_node,
        ordering,
        consent_refusal_codes: codes.into_iter().map(|(code, _)| code.to_owned()).collect(),
        credentials,
    })
}

/// Does the id name a row? Reported when not, with the nearest that does.
fn refers<T: Ord + std::fmt::Display>(row: Reader<'_>, name: &str, id: &T, known: &BTreeSet<T>) -> bool {
    if known.contains(id) {
        return true;
    }
    row.conflict(name, format!("there is no {name} `{}`", reader::shown(&id.to_string())), names(name, known));
    false
}

/// The remedy for a reference that leads nowhere.
pub(super) fn names<T: std::fmt::Display>(what: &str, known: &BTreeSet<T>) -> String {
    let shown: Vec<String> = known.iter().take(8).map(|id| format!("`{id}`")).collect();
    if shown.is_empty() {
        return format!("Declare it in `[[{what}]]`");
    }
    let more = if known.len() > shown.len() { ", …" } else { "" };
    format!("Declare it in `[[{what}]]`, or write one of {}{more}", shown.join(", "))
}

/// A limit of an endpoint beyond both per-node limits would shorten nothing.
pub(super) fn check_limits(root: Reader<'_>, timeouts: &TimeoutSettings) {
    let longest = timeouts.per_node.max(timeouts.async_per_node);
    for row in root.rows("endpoint") {
        let row = row.reader();
        // Read for its value only: faults of the key were reported with its endpoint.
        let limit = if row.has("per_node_ms") { row.duration("per_node_ms") } else { None };
        if limit.is_some_and(|limit| limit > longest) {
            let reason = "this is longer than `timeouts.per_node_ms` and `timeouts.async_per_node_ms`, and may only shorten";
            row.conflict("per_node_ms", reason, "Shorten it, or leave it out");
        }
    }
}
