//! Every operation of ITS-REST and what becomes of it here: the one place that says so. `docs/routing.md` shows it and a test
//! holds the two together.

use super::path::Segments;

/// What the gateway does with an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Treatment {
    /// Asked of every node in scope (§7).
    FanOut,
    /// A new EHR: at the one endpoint targeted.
    NewEhr,
    /// A new EHR under an id of the client's: at the one endpoint targeted, when no other node holds the id.
    NewEhrWithId,
    /// The EHR of a patient: resolution input (§12).
    EhrOfSubject,
    /// Read at the node that holds the EHR.
    Read,
    /// The same; a version that is not there is asked of the system that created it.
    ReadVersion,
    /// A new object: at the node that holds the EHR.
    NewObject,
    /// A commit of several versions: as [`Treatment::NewObject`], or as [`Treatment::Update`] when it names preceding ones.
    Commit,
    /// A new version of one named by `If-Match`: at its controlling system.
    Update,
    /// The deletion of the version in the path: at its controlling system.
    DeleteVersion,
    /// Tags of an object or version: at the node that holds the EHR, or the version's controlling system.
    TagWrite,
    /// At the one endpoint targeted (§12.6).
    Definition,
    /// The same, or at several when template fan-out is on.
    TemplateUpload,
    /// At the gateway's own registry when it is on, else as [`Treatment::Definition`].
    StoredQueryDefinition,
    /// `501`: never federated (N32).
    NotServed,
}

impl Treatment {
    /// What the table in the docs says.
    #[must_use]
    pub fn shown(self) -> &'static str {
        match self {
            Treatment::FanOut => "fan-out",
            Treatment::NewEhr => "the targeted endpoint",
            Treatment::NewEhrWithId => "the targeted endpoint, unless another node holds the id",
            Treatment::EhrOfSubject => "cross-referenced, then the node that knows the patient",
            Treatment::Read => "the node that holds the EHR",
            Treatment::ReadVersion => "the node that holds the EHR, else the version's creating system",
            Treatment::NewObject => "the node that holds the EHR",
            Treatment::Commit => "the controlling system of the preceding versions, else the node that holds the EHR",
            Treatment::Update => "the controlling system of the version in `If-Match`",
            Treatment::DeleteVersion => "the controlling system of the version in the path",
            Treatment::TagWrite => "the controlling system of a version, else the node that holds the EHR",
            Treatment::Definition => "the targeted endpoint",
            Treatment::TemplateUpload => "the targeted endpoint, or each of several",
            Treatment::StoredQueryDefinition => "the gateway's registry, else the targeted endpoint",
            Treatment::NotServed => "`501`",
        }
    }
}

/// One operation.
#[derive(Debug, PartialEq, Eq)]
pub struct Operation {
    /// The method; `GET` serves `HEAD` too.
    pub method: &'static str,
    /// The path below `{base}/v1`; `{…}` stands for one segment, `{*}` at the end for any number.
    pub template: &'static str,
    /// What becomes of it.
    pub treatment: Treatment,
}

macro_rules! operations {
    ($($method:literal $template:literal $treatment:ident,)+) => {
        &[$(Operation { method: $method, template: $template, treatment: Treatment::$treatment },)+]
    };
}

/// The operations of ITS-REST 1.1.0. Of several templates that fit a path the first counts.
pub const OPERATIONS: &[Operation] = operations! {
    "GET" "/query/aql" FanOut,
    "POST" "/query/aql" FanOut,
    "GET" "/query/{name}" FanOut,
    "POST" "/query/{name}" FanOut,
    "GET" "/query/{name}/{version}" FanOut,
    "POST" "/query/{name}/{version}" FanOut,
    "POST" "/ehr" NewEhr,
    "GET" "/ehr" EhrOfSubject,
    "PUT" "/ehr/{ehr_id}" NewEhrWithId,
    "GET" "/ehr/{ehr_id}" Read,
    "GET" "/ehr/{ehr_id}/ehr_status" Read,
    "PUT" "/ehr/{ehr_id}/ehr_status" Update,
    "GET" "/ehr/{ehr_id}/ehr_status/{version_uid}" ReadVersion,
    "GET" "/ehr/{ehr_id}/versioned_ehr_status" Read,
    "GET" "/ehr/{ehr_id}/versioned_ehr_status/revision_history" Read,
    "GET" "/ehr/{ehr_id}/versioned_ehr_status/version" Read,
    "GET" "/ehr/{ehr_id}/versioned_ehr_status/version/{version_uid}" ReadVersion,
    "POST" "/ehr/{ehr_id}/composition" NewObject,
    "GET" "/ehr/{ehr_id}/composition/{uid_based_id}" ReadVersion,
    "PUT" "/ehr/{ehr_id}/composition/{uid_based_id}" Update,
    "DELETE" "/ehr/{ehr_id}/composition/{uid_based_id}" DeleteVersion,
    "GET" "/ehr/{ehr_id}/versioned_composition/{versioned_object_uid}" Read,
    "GET" "/ehr/{ehr_id}/versioned_composition/{versioned_object_uid}/revision_history" Read,
    "GET" "/ehr/{ehr_id}/versioned_composition/{versioned_object_uid}/version" Read,
    "GET" "/ehr/{ehr_id}/versioned_composition/{versioned_object_uid}/version/{version_uid}" ReadVersion,
    "POST" "/ehr/{ehr_id}/directory" NewObject,
    "PUT" "/ehr/{ehr_id}/directory" Update,
    "DELETE" "/ehr/{ehr_id}/directory" Update,
    "GET" "/ehr/{ehr_id}/directory" Read,
    "GET" "/ehr/{ehr_id}/directory/{version_uid}" ReadVersion,
    "POST" "/ehr/{ehr_id}/contribution" Commit,
    "GET" "/ehr/{ehr_id}/contribution/{contribution_uid}" Read,
    "GET" "/ehr/{ehr_id}/tags" Read,
    "GET" "/ehr/{ehr_id}/composition/{uid_based_id}/tags" ReadVersion,
    "PUT" "/ehr/{ehr_id}/composition/{uid_based_id}/tags" TagWrite,
    "DELETE" "/ehr/{ehr_id}/composition/{uid_based_id}/tags/{key}" TagWrite,
    "GET" "/ehr/{ehr_id}/ehr_status/{uid_based_id}/tags" ReadVersion,
    "PUT" "/ehr/{ehr_id}/ehr_status/{uid_based_id}/tags" TagWrite,
    "DELETE" "/ehr/{ehr_id}/ehr_status/{uid_based_id}/tags/{key}" TagWrite,
    "POST" "/definition/template/adl1.4" TemplateUpload,
    "GET" "/definition/template/adl1.4" Definition,
    "GET" "/definition/template/adl1.4/{template_id}" Definition,
    "GET" "/definition/template/adl1.4/{template_id}/example" Definition,
    "POST" "/definition/template/adl2" TemplateUpload,
    "GET" "/definition/template/adl2" Definition,
    "GET" "/definition/template/adl2/{template_id}" Definition,
    "GET" "/definition/template/adl2/{template_id}/example" Definition,
    "GET" "/definition/template/adl2/{template_id}/{version}" Definition,
    "GET" "/definition/query/{qualified_query_name}" StoredQueryDefinition,
    "PUT" "/definition/query/{qualified_query_name}" StoredQueryDefinition,
    "GET" "/definition/query/{qualified_query_name}/{version}" StoredQueryDefinition,
    "PUT" "/definition/query/{qualified_query_name}/{version}" StoredQueryDefinition,
    "*" "/demographic/{*}" NotServed,
    "*" "/admin/{*}" NotServed,
};

/// Query parameters of ITS-REST that a routed request may have. The patient's (`subject_id`, `subject_namespace`) are not
/// among them: they never reach a node.
pub const QUERY_PARAMETERS: &[&str] =
    &["version_at_time", "path", "tag_key", "tag_value", "tag_target_path", "type", "detail_level", "version", "query_type"];

/// What the table says of a request.
#[derive(Debug, PartialEq, Eq)]
pub enum Lookup {
    /// An operation.
    Found(&'static Operation),
    /// The path is known, the method is not; these are, for `Allow`.
    OtherMethods(String),
    /// No such path.
    Unknown,
}

/// Looks a request up; `path` is what follows `{base}/v1`.
#[must_use]
pub fn find(method: &str, path: &Segments<'_>) -> Lookup {
    let method = if method == "HEAD" { "GET" } else { method };
    let Some(first) = OPERATIONS.iter().find(|operation| path.fits(operation.template)) else { return Lookup::Unknown };
    let of_path = || OPERATIONS.iter().filter(|operation| operation.template == first.template);
    if let Some(found) = of_path().find(|operation| operation.method == method || operation.method == "*") {
        return Lookup::Found(found);
    }
    let mut methods: Vec<&str> = of_path().map(|operation| operation.method).collect();
    if methods.contains(&"GET") {
        methods.push("HEAD");
    }
    methods.push("OPTIONS");
    Lookup::OtherMethods(methods.join(", "))
}

/// The table of `docs/routing.md`.
#[must_use]
pub fn shown() -> String {
    let mut table = String::from("| method | path below `{base}/v1` | goes to |\n|---|---|---|\n");
    for Operation { method, template, treatment } in OPERATIONS {
        let method = if *method == "*" { "any" } else { method };
        table.push_str(&format!("| `{method}` | `{template}` | {} |\n", treatment.shown()));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(method: &str, path: &str) -> Lookup {
        find(method, &Segments::parse(path).unwrap())
    }

    #[test]
    fn the_docs_show_the_table() {
        let docs = include_str!("../../docs/routing.md");
        assert!(docs.contains(&shown()), "docs/routing.md must contain:\n{}", shown());
    }

    #[test]
    fn paths_find_their_operation() {
        let cases = [
            ("GET", "/ehr", Some(Treatment::EhrOfSubject)),
            ("HEAD", "/ehr/1", Some(Treatment::Read)),
            ("GET", "/definition/template/adl2/t/example", Some(Treatment::Definition)),
            ("GET", "/definition/template/adl2/t/1.0.0", Some(Treatment::Definition)),
            ("GET", "/ehr/1/composition/a::b::1", Some(Treatment::ReadVersion)),
            ("PATCH", "/demographic/person/1/tags", Some(Treatment::NotServed)),
            ("DELETE", "/admin/ehr/all", Some(Treatment::NotServed)),
            ("GET", "/demographic", Some(Treatment::NotServed)),
            ("GET", "/ehr/1/nothing", None),
            ("GET", "/ehr/", None),
            ("GET", "/ehr//ehr_status", None),
        ];
        for (method, path, expected) in cases {
            let found = match look(method, path) {
                Lookup::Found(operation) => Some(operation.treatment),
                Lookup::OtherMethods(_) | Lookup::Unknown => None,
            };
            assert_eq!(found, expected, "{method} {path}");
        }
    }

    #[test]
    fn a_known_path_names_its_methods() {
        assert_eq!(look("PATCH", "/ehr"), Lookup::OtherMethods("POST, GET, HEAD, OPTIONS".to_owned()));
        assert_eq!(look("OPTIONS", "/ehr/1/directory"), Lookup::OtherMethods("POST, PUT, DELETE, GET, HEAD, OPTIONS".to_owned()));
        assert_eq!(look("GET", "/ehr/1/composition"), Lookup::OtherMethods("POST, OPTIONS".to_owned()));
    }
}
