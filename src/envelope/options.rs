//! `OPTIONS {base}/`: what this federation is and does (§7a.2, N30, CP-23).

use serde::Serialize;

use super::report::Timeout;
use crate::intake::DedupMode;
use crate::registry::{Endpoint, Membership};

/// The self-description. Needs no patient and tells nothing about one.
#[derive(Clone, Debug, Serialize)]
pub struct SelfDescription {
    federation: FederationDescription,
    endpoints: Vec<EndpointDescription>,
}

/// What a deployment declares about itself.
#[derive(Clone, Debug)]
pub struct Declaration<'a> {
    /// `federation.id`
    pub id: &'a str,
    /// The synchronous limits.
    pub timeout: Timeout,
    /// Is `partial` offered?
    pub best_effort: bool,
    /// `reject`, `window` or `cursor`.
    pub offset_strategy: &'static str,
    /// The bound of a window, when that is the strategy.
    pub max_window: Option<u64>,
    /// The aggregates recombined over several nodes.
    pub decomposable: Vec<&'static str>,
    /// `decompose` or `rows`.
    pub aggregate_strategy: &'static str,
    /// The de-duplication modes offered.
    pub dedup_modes: &'a [DedupMode],
    /// The localizer's mode.
    pub localization_mode: &'static str,
    /// What happens when it fails.
    pub localization_on_failure: &'static str,
    /// Does a template upload fan out?
    pub fan_out_template_upload: bool,
    /// Are stored queries kept here?
    pub stored_query_registry: bool,
    /// Are their definitions sent to the nodes?
    pub stored_query_fan_out: bool,
}

#[derive(Clone, Debug, Serialize)]
struct FederationDescription {
    id: String,
    spec_version: &'static str,
    aql: Aql,
    dedup: Dedup,
    timeout: Timeout,
    completeness: CompletenessDescription,
    paging: Paging,
    aggregates: Aggregates,
    definition: Definition,
    localization: Localization,
    #[serde(rename = "async")]
    asynchronous: Async,
    its_rest: ItsRest,
}

#[derive(Clone, Debug, Serialize)]
struct Aql {
    fan_out: bool,
}

#[derive(Clone, Debug, Serialize)]
struct Dedup {
    default: &'static str,
    modes: Vec<&'static str>,
    request_header: &'static str,
}

#[derive(Clone, Debug, Serialize)]
struct CompletenessDescription {
    default: &'static str,
    best_effort: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    opt_in: Option<OptIn>,
}

#[derive(Clone, Debug, Serialize)]
struct OptIn {
    header: &'static str,
    value: &'static str,
}

#[derive(Clone, Debug, Serialize)]
struct Paging {
    offset_strategy: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_window: Option<u64>,
}

#[derive(Clone, Debug, Serialize)]
struct Aggregates {
    decomposable: Vec<&'static str>,
    strategy: &'static str,
}

#[derive(Clone, Debug, Serialize)]
struct Definition {
    fan_out_template_upload: bool,
    stored_query_registry: bool,
    stored_query_fan_out: bool,
}

#[derive(Clone, Debug, Serialize)]
struct Localization {
    on_failure: &'static str,
    mode: &'static str,
}

#[derive(Clone, Debug, Serialize)]
struct Async {
    offered: bool,
}

#[derive(Clone, Debug, Serialize)]
struct ItsRest {
    query: &'static str,
    ehr: &'static str,
    definition: &'static str,
    demographic: &'static str,
}

/// One member, as membership has it; never a per-query status.
#[derive(Clone, Debug, Serialize)]
pub struct EndpointDescription {
    id: String,
    node_id: String,
    organisation: String,
    status: String,
    system_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    product: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
}

impl From<&Endpoint> for EndpointDescription {
    fn from(endpoint: &Endpoint) -> Self {
        EndpointDescription {
            id: endpoint.id.to_string(),
            node_id: endpoint.node.id.to_string(),
            organisation: endpoint.organisation.to_string(),
            status: match &endpoint.membership {
                Membership::Active => "active".to_owned(),
                Membership::Suspended(how) => how.clone(),
            },
            system_id: endpoint.node.system_id.to_string(),
            product: endpoint.node.product.clone(),
            version: endpoint.node.version.clone(),
        }
    }
}

impl SelfDescription {
    /// The description of a deployment and its members.
    pub fn new<'a>(declared: &Declaration<'_>, endpoints: impl Iterator<Item = &'a Endpoint>) -> Self {
        SelfDescription {
            federation: FederationDescription::from(declared),
            endpoints: endpoints.map(EndpointDescription::from).collect(),
        }
    }
}

impl From<&Declaration<'_>> for FederationDescription {
    fn from(declared: &Declaration<'_>) -> Self {
        FederationDescription {
            id: declared.id.to_owned(),
            spec_version: "0.9",
            aql: Aql { fan_out: true },
            dedup: Dedup {
                default: DedupMode::None.as_str(),
                modes: declared.dedup_modes.iter().map(|mode| mode.as_str()).collect(),
                request_header: "openEHR-federation-dedup",
            },
            timeout: declared.timeout,
            completeness: CompletenessDescription {
                default: "all-or-nothing",
                best_effort: declared.best_effort,
                opt_in: declared.best_effort.then_some(OptIn { header: "openEHR-federation-completeness", value: "partial" }),
            },
            paging: Paging { offset_strategy: declared.offset_strategy, max_window: declared.max_window },
            aggregates: Aggregates { decomposable: declared.decomposable.clone(), strategy: declared.aggregate_strategy },
            definition: Definition {
                fan_out_template_upload: declared.fan_out_template_upload,
                stored_query_registry: declared.stored_query_registry,
                stored_query_fan_out: declared.stored_query_fan_out,
            },
            localization: Localization { on_failure: declared.localization_on_failure, mode: declared.localization_mode },
            asynchronous: Async { offered: false },
            its_rest: ItsRest { query: "federated", ehr: "routed", definition: "routed-single-node", demographic: "unsupported" },
        }
    }
}
