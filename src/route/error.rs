//! Why a request about one record is not answered by a node.

use std::sync::Arc;

use crate::error::ErrorCode;
use crate::ids::SystemId;
use crate::node::NodeFailure;
use crate::plan::hygiene::Leak;
use crate::queries::{DefinitionFault, NameFault, StoreFault};
use crate::registry::Endpoint;
use crate::status::EndpointStatus;

use super::commit::CommitFault;
use super::path::AmbiguousPath;

/// A refusal of ours; a node's own is passed through. The texts are fit for the client.
#[derive(Debug, thiserror::Error)]
pub enum RouteError {
    /// No such resource in ITS-REST.
    #[error("There is no such resource here. The paths served are those of ITS-REST 1.1.0 below `v1`.")]
    NotFound,
    /// The resource has other methods.
    #[error("This resource has the methods {allow}.")]
    MethodNotAllowed {
        /// For `Allow`.
        allow: String,
    },
    /// DEMOGRAPHIC, ADMIN (N32).
    #[error("This part of ITS-REST is not served by a federation. Ask the node itself.")]
    NotServed,
    /// The path could mean another one to a node.
    #[error("The path is refused: {0}.")]
    Path(#[from] AmbiguousPath),
    /// A query parameter nobody knows.
    #[error("A query parameter is neither one of ITS-REST nor in `routing.pass_query_parameters`, so it is not sent to a node.")]
    UnknownParameter,
    /// The patient, where a node would be told.
    #[error(
        "`subject_id` and `subject_namespace` are served on `GET /ehr` only; the patient's identifier is never sent to a node."
    )]
    SubjectParameter,
    /// The patient, in what else would be sent.
    #[error("The request is not sent: {0}.")]
    Leak(#[from] Leak),
    /// A parameter that must be there once.
    #[error("`{0}` must be given exactly once.")]
    ParameterCount(&'static str),
    /// The patient without namespace.
    #[error("`subject_namespace` is missing, and no `federation.default_namespace` is declared.")]
    MissingNamespace,
    /// A targeting header that cannot be read.
    #[error("The targeting header is not a list of ids, or both targeting headers are there.")]
    TargetHeader,
    /// A target that is not in the registry.
    #[error("A targeted id is not in the registry. `OPTIONS` on the base path lists the ids.")]
    UnknownTarget,
    /// More than one target for one record.
    #[error("{count} endpoints are targeted, and this request goes to one. Name one in `openEHR-federation-endpoint`.")]
    SeveralTargets {
        /// How many.
        count: usize,
    },
    /// Nothing says where this goes.
    #[error("{what} needs a target. Name one endpoint in `openEHR-federation-endpoint`.")]
    TargetRequired {
        /// What.
        what: &'static str,
    },
    /// A template for several endpoints, where that is off.
    #[error(
        "A template goes to one endpoint here (`federation.fan_out_template_upload` is off). Name one in `openEHR-federation-endpoint`."
    )]
    UploadToSeveral,
    /// `*`, and nobody is there.
    #[error("No endpoint is in service.")]
    NobodyInService,
    /// A target for what the gateway itself holds.
    #[error("Stored queries are held by the gateway here, for all endpoints; leave the target out.")]
    HeldHere,
    /// No such definition.
    #[error("There is no stored query of this name and version.")]
    NoStoredQuery,
    /// The name or version of a stored query.
    #[error(transparent)]
    QueryName(#[from] NameFault),
    /// Its text.
    #[error(transparent)]
    Definition(#[from] DefinitionFault),
    /// Its place.
    #[error(transparent)]
    Store(#[from] StoreFault),
    /// More definitions than one report compares.
    #[error(
        "More than {most} stored queries have names that begin so, and a report compares that many at most. Narrow it by `name`, the \
         beginning of their names."
    )]
    DriftTooWide {
        /// How many one report compares.
        most: usize,
    },
    /// Another formalism.
    #[error("Stored queries are AQL: `query_type` must be `AQL` or absent.")]
    QueryType,
    /// A body that is no definition.
    #[error("The body is neither the AQL as UTF-8 text nor a JSON object with the AQL as `q`.")]
    DefinitionBody,
    /// Of another media type.
    #[error("A stored query is sent as text/plain, or as application/json with the AQL as `q`.")]
    DefinitionMediaType,
    /// The target is out of service.
    #[error("Endpoint `{}` is not in service.", .0.id)]
    OutOfService(Arc<Endpoint>),
    /// A write whose EHR no step settles.
    #[error(
        "No node is known to hold this ehr_id, and a write is never tried out. Name its endpoint in `openEHR-federation-endpoint`."
    )]
    UnsettledWrite,
    /// No node holds the EHR.
    #[error("No node of this federation holds this ehr_id.")]
    NobodyHolds,
    /// Some nodes could not be asked whether they hold it.
    #[error("Whether a node holds this ehr_id is not known: {} did not answer ({status}). Ask again later, or name the endpoint.", ids(.endpoints))]
    HolderUnknown {
        /// Those that did not say.
        endpoints: Vec<Arc<Endpoint>>,
        /// What became of each of them, in the same order.
        each: Vec<EndpointStatus>,
        /// `node-error` when all of them answered with failures.
        status: EndpointStatus,
    },
    /// Two nodes claim the EHR (N36).
    #[error("More than one node claims this ehr_id: {}. Name the endpoint you mean, and have the operator look into it.", ids(.0))]
    Collision(Vec<Arc<Endpoint>>),
    /// `PUT /ehr/{ehr_id}` of an id that another node has.
    #[error("The ehr_id is held by endpoint {} already.", ids(.0))]
    Held(Vec<Arc<Endpoint>>),
    /// A versioned write that would go to another system than the controlling one (N42).
    #[error("The version is controlled by system `{system}`{}: {why}.", at(.endpoint))]
    Controlling {
        /// The version's `creating_system_id`.
        system: SystemId,
        /// An endpoint of it, when there is one.
        endpoint: Option<Arc<Endpoint>>,
        /// What is in the way.
        why: &'static str,
    },
    /// The versions of one commit are controlled by several systems.
    #[error("The versions built on are controlled by several systems ({}); commit to each of them alone.", list(.0.iter().map(SystemId::as_str)))]
    SeveralControlling(Vec<SystemId>),
    /// The patient is known at several nodes.
    #[error("The patient has an EHR at several nodes: {}. Name one in `openEHR-federation-endpoint`.", ids(.0))]
    AmbiguousPatient(Vec<Arc<Endpoint>>),
    /// The patient is known nowhere.
    #[error("No node of this federation is known to hold an EHR of this patient.")]
    PatientNowhere,
    /// The cross-reference could not say.
    #[error("Where the patient has an EHR is not known: the cross-reference could not answer for {}. Ask again later.", ids(.0))]
    CrossReference(Vec<Arc<Endpoint>>),
    /// A commit that cannot be routed.
    #[error("{0}.")]
    Commit(#[from] CommitFault),
    /// A body that has to be looked into and is too large for it.
    #[error("The body is larger than {limit} bytes (`server.max_body_bytes`), and this one must be read whole here.")]
    BodyTooLarge {
        /// The setting's value.
        limit: usize,
    },
    /// The client's body ended early.
    #[error("The body ended before its end.")]
    BodyBrokenOff,
    /// Our own bound kept the request from leaving.
    #[error("As many requests are under way to endpoint `{}` as `limits` allows, and none ended in time. Ask again later.", .0.id)]
    NoPermit(Arc<Endpoint>),
    /// The node did not answer, or not with HTTP.
    #[error("Endpoint `{}`: {failure}.", .endpoint.id)]
    Node {
        /// The endpoint.
        endpoint: Arc<Endpoint>,
        /// What happened.
        failure: NodeFailure,
    },
}

impl RouteError {
    /// The code of the catalogue.
    #[must_use]
    pub fn code(&self) -> ErrorCode {
        match self {
            RouteError::NotFound | RouteError::NoStoredQuery => ErrorCode::NotFound,
            RouteError::QueryName(_) => ErrorCode::InvalidQueryName,
            RouteError::Definition(fault) => fault.code(),
            RouteError::Store(fault) => fault.code(),
            RouteError::MethodNotAllowed { .. } => ErrorCode::MethodNotAllowed,
            RouteError::NotServed => ErrorCode::NotServed,
            RouteError::Path(_)
            | RouteError::UnknownParameter
            | RouteError::ParameterCount(_)
            | RouteError::BodyBrokenOff
            | RouteError::HeldHere
            | RouteError::QueryType
            | RouteError::DefinitionBody
            | RouteError::Commit(CommitFault::Malformed(_) | CommitFault::NoVersionUid) => ErrorCode::InvalidRequest,
            RouteError::SubjectParameter | RouteError::Leak(_) => ErrorCode::IdentifierLeak,
            RouteError::DriftTooWide { .. } => ErrorCode::LimitExceeded,
            RouteError::MissingNamespace => ErrorCode::MissingNamespace,
            RouteError::TargetHeader => ErrorCode::InvalidHeader,
            RouteError::UnknownTarget => ErrorCode::UnknownTarget,
            RouteError::SeveralTargets { .. } | RouteError::TargetRequired { .. } | RouteError::UploadToSeveral => {
                ErrorCode::TargetRequired
            }
            RouteError::OutOfService(_) | RouteError::NobodyInService | RouteError::NobodyHolds | RouteError::PatientNowhere => {
                ErrorCode::NoDestination
            }
            RouteError::UnsettledWrite => ErrorCode::UnroutableEhrId,
            RouteError::Collision(_) => ErrorCode::EhrIdCollision,
            RouteError::Held(_) => ErrorCode::EhrIdHeld,
            RouteError::Controlling { .. } | RouteError::SeveralControlling(_) => ErrorCode::ControllingSystem,
            RouteError::AmbiguousPatient(_) => ErrorCode::AmbiguousPatient,
            RouteError::CrossReference(_) => ErrorCode::CrossReferenceFailed,
            RouteError::Commit(CommitFault::MediaType) | RouteError::DefinitionMediaType => ErrorCode::UnsupportedMediaType,
            RouteError::BodyTooLarge { .. } => ErrorCode::BodyTooLarge,
            RouteError::NoPermit(_) => ErrorCode::Overloaded,
            RouteError::HolderUnknown { status, .. } => unanswered(*status),
            RouteError::Node { failure, .. } => unanswered(failure.status()),
        }
    }

    /// The endpoints it is about, for the acting-endpoint headers (CP-24).
    #[must_use]
    pub fn about(&self) -> &[Arc<Endpoint>] {
        match self {
            RouteError::OutOfService(endpoint) | RouteError::NoPermit(endpoint) | RouteError::Node { endpoint, .. } => {
                std::slice::from_ref(endpoint)
            }
            RouteError::Controlling { endpoint, .. } => endpoint.as_slice(),
            RouteError::HolderUnknown { endpoints, .. }
            | RouteError::Collision(endpoints)
            | RouteError::Held(endpoints)
            | RouteError::AmbiguousPatient(endpoints)
            | RouteError::CrossReference(endpoints) => endpoints,
            RouteError::NotFound
            | RouteError::MethodNotAllowed { .. }
            | RouteError::NotServed
            | RouteError::Path(_)
            | RouteError::UnknownParameter
            | RouteError::SubjectParameter
            | RouteError::Leak(_)
            | RouteError::ParameterCount(_)
            | RouteError::MissingNamespace
            | RouteError::TargetHeader
            | RouteError::UnknownTarget
            | RouteError::SeveralTargets { .. }
            | RouteError::TargetRequired { .. }
            | RouteError::UploadToSeveral
            | RouteError::NobodyInService
            | RouteError::HeldHere
            | RouteError::NoStoredQuery
            | RouteError::QueryName(_)
            | RouteError::Definition(_)
            | RouteError::Store(_)
            | RouteError::DriftTooWide { .. }
            | RouteError::QueryType
            | RouteError::DefinitionBody
            | RouteError::DefinitionMediaType
            | RouteError::UnsettledWrite
            | RouteError::NobodyHolds
            | RouteError::SeveralControlling(_)
            | RouteError::PatientNowhere
            | RouteError::Commit(_)
            | RouteError::BodyTooLarge { .. }
            | RouteError::BodyBrokenOff => &[],
        }
    }

    /// The value of `Allow`, when the method is what was wrong.
    #[must_use]
    pub fn allow(&self) -> Option<&str> {
        if let RouteError::MethodNotAllowed { allow } = self { Some(allow) } else { None }
    }
}

/// `504` for whom we do not know, `424` for who answered with a failure (§11.2).
fn unanswered(status: EndpointStatus) -> ErrorCode {
    match status {
        EndpointStatus::NodeError => ErrorCode::EndpointFailed,
        EndpointStatus::Active
        | EndpointStatus::Offline
        | EndpointStatus::TimeOut
        | EndpointStatus::NotResolved
        | EndpointStatus::ConsentDenied
        | EndpointStatus::Excluded
        | EndpointStatus::NotLocalized => ErrorCode::EndpointUnavailable,
    }
}

fn ids(endpoints: &[Arc<Endpoint>]) -> String {
    list(endpoints.iter().map(|endpoint| endpoint.id.as_str()))
}

fn list<'a>(ids: impl Iterator<Item = &'a str>) -> String {
    ids.map(|id| format!("`{id}`")).collect::<Vec<_>>().join(", ")
}

fn at(endpoint: &Option<Arc<Endpoint>>) -> String {
    endpoint.as_ref().map(|endpoint| format!(" at endpoint `{}`", endpoint.id)).unwrap_or_default()
}
