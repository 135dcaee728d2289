//! Settings of the services that know patients: cross-reference, localizer, consent (§5, §14, §13.2).

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use url::Url;

use crate::ids::{EhrId, NodeId};
use crate::node::Credentials;
use crate::sensitive::PatientReference;

/// Which local `ehr_id` is a patient at a node?
#[derive(Clone, Debug)]
pub enum IdentitySettings {
    /// A table in the configuration. For development.
    Static(Vec<StaticIdentity>),
    /// IHE PIXm ITI-83.
    Pixm(PixmSettings),
}

/// One row of `[[identity.static]]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaticIdentity {
    /// The patient.
    pub patient: PatientReference,
    /// Where.
    pub node: NodeId,
    /// Under which id.
    pub ehr_id: EhrId,
}

/// The Patient Identifier Cross-reference Managers; each node belongs to one at most.
#[derive(Clone, Debug)]
pub struct PixmSettings {
    /// The managers.
    pub managers: Vec<PixmManager>,
}

/// One manager and the nodes it knows.
#[derive(Clone, Debug)]
pub struct PixmManager {
    /// How it is reached: its FHIR base.
    pub service: ServiceSettings,
    /// How it is asked.
    pub form: PixmForm,
    /// The `targetSystem` of each node's `ehr_id`s. No two nodes share one.
    pub domains: BTreeMap<NodeId, String>,
    /// Namespaces of clients → assigning authorities of this manager; others are taken as they are.
    pub namespaces: BTreeMap<String, String>,
}

/// The two forms of `$ihe-pix`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PixmForm {
    /// `GET`: what every manager offers. The identifier is in the URL, and so in the access log of whoever is on the way.
    #[default]
    Get,
    /// `POST` of a `Parameters` resource: the identifier stays in the body.
    Post,
}

/// An HTTP service of ours.
#[derive(Clone, Debug)]
pub struct ServiceSettings {
    /// Where it is. For a manager the FHIR base, ending with `/`.
    pub url: Url,
    /// How long one answer may take; cut to the request's budget.
    pub timeout: Duration,
    /// How large one answer may be.
    pub max_answer_bytes: usize,
    /// Who we are to it.
    pub credentials: Credentials,
}

impl ServiceSettings {
    /// Two seconds: such services answer from an index; a longer wait only eats the nodes' time.
    pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(2);
    /// A patient has some tens of identifiers of some hundred bytes.
    pub const DEFAULT_MAX_ANSWER_BYTES: usize = 256 * 1024;

    /// The defaults, without credentials.
    #[must_use]
    pub fn at(url: Url) -> Self {
        ServiceSettings {
            url,
            timeout: Self::DEFAULT_TIMEOUT,
            max_answer_bytes: Self::DEFAULT_MAX_ANSWER_BYTES,
            credentials: Credentials::None,
        }
    }
}

/// Where might this patient have data? (§14)
#[derive(Clone, Debug)]
pub struct LocalizationSettings {
    /// Who says.
    pub mode: LocalizationMode,
    /// What if it cannot.
    pub on_failure: LocalizationFailure,
}

/// The localizers.
#[derive(Clone, Debug)]
pub enum LocalizationMode {
    /// None: every member is asked.
    None,
    /// A table.
    Static(Vec<PatientNodes>),
    /// The members whose PIXm domain knows the patient.
    Pixm(PixmSettings),
    /// A service behind a small JSON contract (`docs/identity.md`).
    Http(ServiceSettings),
}

/// A patient and nodes: candidates of a localizer, refusals of a consent table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatientNodes {
    /// The patient.
    pub patient: PatientReference,
    /// The nodes.
    pub nodes: BTreeSet<NodeId>,
}

/// What happens when a configured localizer cannot say (§14.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LocalizationFailure {
    /// Nobody is asked; the answer is empty and says why.
    #[default]
    Closed,
    /// Every member is asked.
    AskAll,
    /// The query fails.
    Fail,
}

/// May this patient's data at a node be asked for? (§13.2, N27a)
#[derive(Clone, Debug)]
pub struct ConsentSettings {
    /// Who says, before any node is asked. Nodes enforce consent in any case (N27).
    pub mode: ConsentMode,
}

/// The consent pre-filters.
#[derive(Clone, Debug)]
pub enum ConsentMode {
    /// None: the nodes decide.
    None,
    /// A table of refusals.
    Static(Vec<PatientNodes>),
    /// A service behind a small JSON contract (`docs/identity.md`).
    Http(ServiceSettings),
}

impl Default for LocalizationSettings {
    fn default() -> Self {
        LocalizationSettings { mode: LocalizationMode::None, on_failure: LocalizationFailure::Closed }
    }
}

impl Default for ConsentSettings {
    fn default() -> Self {
        ConsentSettings { mode: ConsentMode::None }
    }
}
