//! Every key there is, once: what is not here is an unknown key, and `docs/configuration.md` is checked against it.

/// A key and what it holds.
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) shape: Shape,
}

/// What a key holds.
#[derive(Clone, Copy)]
pub(crate) enum Shape {
    Text,
    Integer,
    Boolean,
    /// A list of texts.
    List,
    /// A table of these keys.
    Table(&'static [Key]),
    /// Tables of these keys, one after another.
    Rows(&'static [Key]),
    /// A table of texts under names the operator chooses.
    Map,
}

const fn text(name: &'static str) -> Key {
    Key { name, shape: Shape::Text }
}
const fn integer(name: &'static str) -> Key {
    Key { name, shape: Shape::Integer }
}
const fn boolean(name: &'static str) -> Key {
    Key { name, shape: Shape::Boolean }
}
const fn list(name: &'static str) -> Key {
    Key { name, shape: Shape::List }
}
const fn map(name: &'static str) -> Key {
    Key { name, shape: Shape::Map }
}
const fn table(name: &'static str, keys: &'static [Key]) -> Key {
    Key { name, shape: Shape::Table(keys) }
}
const fn rows(name: &'static str, keys: &'static [Key]) -> Key {
    Key { name, shape: Shape::Rows(keys) }
}

/// Credentials towards a node or a service.
const CREDENTIALS: &[Key] = &[
    text("type"),
    text("username"),
    text("password"),
    text("password_file"),
    text("token"),
    text("token_file"),
    text("token_url"),
    text("client_id"),
    text("scope"),
    text("audience"),
];

const PIXM_MANAGER: &[Key] = &[
    text("url"),
    integer("timeout_ms"),
    text("form"),
    integer("max_answer_bytes"),
    table("auth", CREDENTIALS),
    map("domains"),
    map("namespaces"),
];

const PIXM: &[Key] = &[
    text("url"),
    integer("timeout_ms"),
    text("form"),
    integer("max_answer_bytes"),
    table("auth", CREDENTIALS),
    map("domains"),
    map("namespaces"),
    rows("manager", PIXM_MANAGER),
];

const PATIENT_AT_NODES: &[Key] = &[text("namespace"), text("value"), list("nodes")];

/// The membership tables: they may stand in the configuration or in a file of their own.
pub(crate) const MEMBERSHIP: &[Key] = &[
    rows("organisation", &[text("id"), text("name")]),
    rows(
        "node",
        &[text("id"), text("system_id"), list("creating_system_ids"), text("product"), text("version"), text("dialect")],
    ),
    rows(
        "endpoint",
        &[
            text("id"),
            text("node"),
            text("organisation"),
            text("url"),
            text("status"),
            integer("per_node_ms"),
            text("ordering"),
            list("consent_refusal_codes"),
            table("auth", CREDENTIALS),
        ],
    ),
];

/// The keys of `[section]`s, in the order of the documentation; the membership tables follow them.
const SECTIONS: &[Key] = &[
    table(
        "server",
        &[
            text("listen"),
            text("base_path"),
            text("public_url"),
            integer("max_body_bytes"),
            table("tls", &[text("cert_file"), text("key_file"), text("client_ca_file")]),
        ],
    ),
    table("admin", &[text("listen"), boolean("allow_remote")]),
    table(
        "federation",
        &[
            text("id"),
            text("alias"),
            text("default_namespace"),
            boolean("fan_out_template_upload"),
            boolean("stored_queries"),
            boolean("stored_query_fan_out"),
            boolean("explain"),
        ],
    ),
    table(
        "timeouts",
        &[integer("per_node_ms"), integer("overall_ms"), integer("async_per_node_ms"), integer("async_overall_ms")],
    ),
    table("completeness", &[boolean("best_effort")]),
    table("paging", &[text("offset_strategy"), integer("max_window"), integer("cursor_ttl_ms")]),
    table("aggregates", &[list("decomposable"), text("strategy")]),
    table("routing", &[list("pass_query_parameters")]),
    table("dedup", &[list("modes")]),
    table(
        "limits",
        &[
            integer("max_rows"),
            integer("max_node_bytes"),
            integer("max_inflight_per_endpoint"),
            integer("max_inflight"),
            integer("max_jobs_per_caller"),
            integer("max_cursors_per_caller"),
        ],
    ),
    table("cooldown", &[text("mode"), integer("retry_interval_ms"), integer("max_retry_interval_ms")]),
    table(
        "egress",
        &[
            boolean("require_https"),
            text("private_addresses"),
            list("allowed_addresses"),
            list("denied_addresses"),
            text("ca_file"),
        ],
    ),
    table("registry", &[text("file"), text("fhir_bundle_file"), text("mcsd_url"), integer("capability_max_age_ms")]),
    table(
        "identity",
        &[
            text("crossref"),
            rows("static", &[text("namespace"), text("value"), text("node"), text("ehr_id")]),
            table("pixm", PIXM),
        ],
    ),
    table(
        "localization",
        &[
            text("mode"),
            text("on_failure"),
            integer("timeout_ms"),
            text("url"),
            integer("max_answer_bytes"),
            table("auth", CREDENTIALS),
            rows("static", PATIENT_AT_NODES),
        ],
    ),
    table(
        "consent",
        &[
            text("mode"),
            text("url"),
            integer("timeout_ms"),
            integer("max_answer_bytes"),
            table("auth", CREDENTIALS),
            rows("static", PATIENT_AT_NODES),
        ],
    ),
    table("auth", &[text("mode"), boolean("allow_anonymous")]),
    table("store", &[text("backend"), text("path"), text("url")]),
    table("telemetry", &[text("log_format"), text("otlp_endpoint")]),
];

/// The key of this name among those of the outermost table.
pub(crate) fn root() -> impl Iterator<Item = &'static Key> + Clone {
    SECTIONS.iter().chain(MEMBERSHIP)
}

/// Every key, dotted, with tables and rows before what is in them.
#[cfg(test)]
pub(crate) fn all() -> Vec<String> {
    fn walk(prefix: &str, keys: impl Iterator<Item = &'static Key>, found: &mut Vec<String>) {
        for key in keys {
            let name = format!("{prefix}{}", key.name);
            found.push(name.clone());
            if let Shape::Table(inner) | Shape::Rows(inner) = key.shape {
                walk(&format!("{name}."), inner.iter(), found);
            }
        }
    }
    let mut found = Vec::new();
    walk("", root(), &mut found);
    found
}
