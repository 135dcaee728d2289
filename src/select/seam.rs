//! The three questions selection puts to others: where, may we, under which id. Each is a trait, so that a deployment's
//! service, a table and a test's script are the same to [`Selector`](super::Selector).
//!
//! All of them are told a patient identifier; none of them may log it, or put it into a [`SeamError`].

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use futures_util::future::BoxFuture;
use tokio::time::Instant;

use crate::ids::{EhrId, NodeId};
use crate::plan::PatientReference;

/// Where might this patient have data? (§14)
pub trait Localizer: Send + Sync {
    /// The configured mode, for the report.
    fn mode(&self) -> &'static str;

    /// The candidates, before `deadline`; `nodes` are those of interest. Naming others does no harm: those that are no members
    /// are reported, so a localizer does not leave them out.
    ///
    /// # Errors
    /// It could not say; never a guess, never a part.
    fn candidates<'a>(
        &'a self,
        patient: &'a PatientReference,
        nodes: &'a BTreeSet<NodeId>,
        deadline: Instant,
    ) -> BoxFuture<'a, Result<Candidates, SeamError>>;
}

/// What a localizer said.
#[derive(Debug, Default)]
pub struct Candidates {
    /// The nodes that might have data.
    pub nodes: BTreeSet<NodeId>,
    /// What the cross-reference would answer for them, when localizing already told.
    pub resolved: Option<Resolutions>,
}

/// May this patient's data at these nodes be asked for? (§13.2, N27a)
pub trait ConsentFilter: Send + Sync {
    /// The configured mode, for the report.
    fn mode(&self) -> &'static str;

    /// Those of `nodes` that may not be asked, before `deadline`.
    ///
    /// # Errors
    /// It could not say.
    fn denied<'a>(
        &'a self,
        patient: &'a PatientReference,
        nodes: &'a BTreeSet<NodeId>,
        deadline: Instant,
    ) -> BoxFuture<'a, Result<BTreeSet<NodeId>, SeamError>>;
}

/// Which local `ehr_id` is this patient? (§5)
pub trait CrossReference: Send + Sync {
    /// An answer for each of `nodes`, before `deadline`. A node left out counts as [`Resolution::Unanswered`].
    fn resolve<'a>(
        &'a self,
        patient: &'a PatientReference,
        nodes: &'a BTreeSet<NodeId>,
        deadline: Instant,
    ) -> BoxFuture<'a, Resolutions>;
}

/// An answer per node.
pub type Resolutions = BTreeMap<NodeId, Resolution>;

/// What the cross-reference said of one node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// The patient's EHR there.
    Known(EhrId),
    /// The patient has none there.
    NotKnown,
    /// It could not say.
    Unanswered(SeamError),
}

/// Why a service could not answer; the text is fit for the client and holds nothing of the question or the answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SeamError {
    /// No full answer in time.
    #[error("no answer within {} ms", .0.as_millis())]
    TimedOut(Duration),
    /// No connection, or one that broke.
    #[error("it cannot be reached")]
    Unreachable,
    /// An HTTP status that is no answer.
    #[error("it answered with HTTP status {0}")]
    Status(u16),
    /// More bytes than allowed.
    #[error("its answer is larger than `max_answer_bytes` ({0})")]
    TooLarge(usize),
    /// An answer that cannot be understood.
    #[error("its answer cannot be used: {0}")]
    Malformed(&'static str),
    /// More than one EHR of one patient at one node.
    #[error("it knows several identifiers of the patient in the domain of node `{0}`")]
    Ambiguous(NodeId),
    /// The identifier cannot be put into the question without changing its meaning.
    #[error("the patient identifier has a character that this query cannot carry")]
    Unaskable,
    /// Nobody is configured to answer for this node.
    #[error("no domain is configured for node `{0}`")]
    NoDomain(NodeId),
    /// Nobody answered for this node.
    #[error("it left node `{0}` out")]
    LeftOut(NodeId),
}
