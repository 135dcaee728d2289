//! The walk: registry, targeting, localizer, consent pre-filter, cross-reference.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::time::{Instant, timeout_at};

use super::draft::{Draft, excluded};
use super::error::SelectError;
use super::http::HttpService;
use super::pixm::Pixm;
use super::seam::{ConsentFilter, CrossReference, Localizer, Resolution, Resolutions, SeamError};
use super::service::Service;
use super::table::{IdentityTable, NodeTable};
use super::{Decision, Member, Selection, StepReport};
use crate::budget::Budget;
use crate::config::{ConsentMode, IdentitySettings, LocalizationFailure, LocalizationMode, ServiceSettings, Settings};
use crate::ids::{EhrId, NodeId};
use crate::intake::Targeting;
use crate::plan::{PatientReference, Scope};
use crate::registry::{Endpoint, Registry};
use crate::status::EndpointStatus;

/// Decides whom to ask. One for the life of the process.
pub struct Selector {
    registry: Arc<Registry>,
    localizer: Option<Box<dyn Localizer>>,
    on_failure: LocalizationFailure,
    consent: Option<Box<dyn ConsentFilter>>,
    crossref: Box<dyn CrossReference>,
    /// Localizer and cross-reference are the same managers: what the one learns the other need not ask.
    localizing_resolves: bool,
    turn: AtomicUsize,
}

impl Selector {
    /// What the settings say, reaching services with `client`: one that follows no redirects and retries nothing.
    #[must_use]
    pub fn new(settings: &Settings, client: &reqwest::Client) -> Self {
        let http = |service: &ServiceSettings| HttpService(Service { client: client.clone(), settings: service.clone() });
        let crossref: Box<dyn CrossReference> = match &settings.identity {
            IdentitySettings::Static(rows) => Box::new(IdentityTable::new(rows)),
            IdentitySettings::Pixm(pixm) => Box::new(Pixm::new(pixm, client)),
        };
        let localizer: Option<Box<dyn Localizer>> = match &settings.localization.mode {
            LocalizationMode::None => None,
            LocalizationMode::Static(rows) => Some(Box::new(NodeTable::new(rows))),
            LocalizationMode::Pixm(pixm) => Some(Box::new(Pixm::new(pixm, client))),
            LocalizationMode::Http(service) => Some(Box::new(http(service))),
        };
        let consent: Option<Box<dyn ConsentFilter>> = match &settings.consent.mode {
            ConsentMode::None => None,
            ConsentMode::Static(rows) => Some(Box::new(NodeTable::new(rows))),
            ConsentMode::Http(service) => Some(Box::new(http(service))),
        };
        let same =
            matches!((&settings.localization.mode, &settings.identity), (LocalizationMode::Pixm(_), IdentitySettings::Pixm(_)));
        let mut selector = Selector::with(settings.registry.clone(), crossref);
        selector.localizer = localizer;
        selector.on_failure = settings.localization.on_failure;
        selector.consent = consent;
        selector.localizing_resolves = same;
        selector
    }

    /// A registry and a cross-reference, without localizer and consent pre-filter.
    #[must_use]
    pub fn with(registry: Arc<Registry>, crossref: Box<dyn CrossReference>) -> Self {
        Selector {
            registry,
            localizer: None,
            on_failure: LocalizationFailure::Closed,
            consent: None,
            crossref,
            localizing_resolves: false,
            turn: AtomicUsize::new(0),
        }
    }

    /// The same with a localizer.
    #[must_use]
    pub fn localized_by(mut self, localizer: Box<dyn Localizer>, on_failure: LocalizationFailure) -> Self {
        self.localizer = Some(localizer);
        self.on_failure = on_failure;
        self.localizing_resolves = false;
        self
    }

    /// The same with a consent pre-filter.
    #[must_use]
    pub fn filtered_by(mut self, consent: Box<dyn ConsentFilter>) -> Self {
        self.consent = Some(consent);
        self
    }

    /// Is a localizer configured? Without a patient it has nothing to say.
    #[must_use]
    pub fn localizes(&self) -> bool {
        self.localizer.is_some()
    }

    /// Whom to ask, and why the rest is not (§4, §5, §14). Never waits beyond the budget.
    ///
    /// # Errors
    /// [`SelectError`]: nobody can be asked, the direction leads nowhere, or the node set is not defined.
    pub async fn select(&self, scope: &Scope, targeting: &Targeting, budget: &Budget) -> Result<Selection, SelectError> {
        match scope {
            Scope::Patient(patient) => self.select_patient(patient, targeting, budget).await,
            Scope::Ehr(ehr_id) => self.select_ehr(ehr_id, targeting, None),
            Scope::Population => self.select_population(targeting),
        }
    }

    /// Whom to ask for one EHR known by its local id: the endpoints directed at, else the node that holds it, as the
    /// routing of a read settled it (§12, N36).
    ///
    /// # Errors
    /// Several nodes could hold it and `holder` is none.
    pub fn select_ehr(&self, ehr_id: &EhrId, targeting: &Targeting, holder: Option<&NodeId>) -> Result<Selection, SelectError> {
        let mut draft = self.open(targeting)?;
        if *targeting == Targeting::Undirected {
            let open = draft.open_nodes();
            let Some(holder) = holder.or_else(|| open.first().filter(|_| open.len() == 1)) else {
                return Err(SelectError::EhrUnsettled);
            };
            draft.settle(|endpoint| (endpoint.node.id != *holder).then(|| excluded("another node holds this EHR".to_owned())));
        }
        self.one_per_node(&mut draft, targeting);
        draft.settle(|_| Some(Decision::Ask(Some(ehr_id.clone()))));
        Ok(draft.take())
    }

    /// Consent and cross-reference for these endpoints: what a request that names a patient and no query needs.
    pub async fn resolve(&self, patient: &PatientReference, endpoints: &[Arc<Endpoint>], budget: &Budget) -> Vec<Member> {
        let mut draft = Draft::new(endpoints.iter().cloned());
        self.consent(&mut draft, patient, budget.deadline()).await;
        self.cross_reference(&mut draft, patient, None, budget.deadline()).await;
        draft.take().members
    }

    /// Registry and targeting: those still open could be asked.
    fn open(&self, targeting: &Targeting) -> Result<Draft, SelectError> {
        let mut draft = Draft::new(self.registry.endpoints().cloned());
        draft.target(targeting, &self.registry)?;
        draft.in_service()?;
        Ok(draft)
    }

    /// Endpoints named one by one are asked as named.
    fn one_per_node(&self, draft: &mut Draft, targeting: &Targeting) {
        match targeting {
            Targeting::Undirected | Targeting::Organisations(_) => {
                draft.one_per_node(self.turn.fetch_add(1, Ordering::Relaxed));
            }
            Targeting::Endpoints(_) => {}
        }
    }

    fn select_population(&self, targeting: &Targeting) -> Result<Selection, SelectError> {
        if *targeting == Targeting::Undirected && self.localizer.is_some() {
            return Err(SelectError::PatientRequired);
        }
        let mut draft = self.open(targeting)?;
        self.one_per_node(&mut draft, targeting);
        draft.settle(|_| Some(Decision::Ask(None)));
        Ok(draft.take())
    }

    async fn select_patient(
        &self,
        patient: &PatientReference,
        targeting: &Targeting,
        budget: &Budget,
    ) -> Result<Selection, SelectError> {
        let deadline = budget.deadline();
        let mut draft = self.open(targeting)?;
        let mut resolved = None;
        if *targeting == Targeting::Undirected {
            resolved = self.localize(&mut draft, patient, deadline).await?;
        }
        self.one_per_node(&mut draft, targeting);
        self.consent(&mut draft, patient, deadline).await;
        self.cross_reference(&mut draft, patient, resolved, deadline).await;
        Ok(draft.take())
    }

    /// Leaves the candidates open. Answers what the cross-reference need not be asked again.
    async fn localize(
        &self,
        draft: &mut Draft,
        patient: &PatientReference,
        deadline: Instant,
    ) -> Result<Option<Resolutions>, SelectError> {
        let Some(localizer) = &self.localizer else { return Ok(None) };
        let nodes = draft.open_nodes();
        let started = Instant::now();
        let answer = timeout_at(deadline, localizer.candidates(patient, &nodes, deadline)).await;
        let answer = answer.unwrap_or_else(|_| Err(SeamError::TimedOut(deadline.saturating_duration_since(started))));
        let mut report = StepReport::new(localizer.mode());
        match answer {
            Ok(candidates) => {
                report.warning = unknown_nodes(&candidates.nodes, &self.registry);
                draft.localization = Some(report);
                draft.settle(|endpoint| (!candidates.nodes.contains(&endpoint.node.id)).then(|| not_localized(None)));
                Ok(candidates.resolved.filter(|_| self.localizing_resolves))
            }
            Err(error) => {
                let reason = error.to_string();
                tracing::warn!(mode = report.mode, error = reason, "localizer failed");
                report.error = Some(format!("the localizer failed: {reason}"));
                draft.localization = Some(report.clone());
                self.localization_failed(draft, reason, report.error).map(|()| None)
            }
        }
    }

    fn localization_failed(&self, draft: &mut Draft, reason: String, error: Option<String>) -> Result<(), SelectError> {
        match self.on_failure {
            LocalizationFailure::AskAll => Ok(()),
            LocalizationFailure::Closed => {
                draft.settle(|_| Some(not_localized(error.clone())));
                Ok(())
            }
            LocalizationFailure::Fail => {
                draft.settle(|_| Some(not_localized(error.clone())));
                Err(SelectError::LocalizationFailed { reason, selection: Box::new(draft.take()) })
            }
        }
    }

    /// Settles what may not be asked. A pre-filter that cannot say leaves the decision to the nodes (N27).
    async fn consent(&self, draft: &mut Draft, patient: &PatientReference, deadline: Instant) {
        let Some(filter) = &self.consent else { return };
        let nodes = draft.open_nodes();
        if nodes.is_empty() {
            return;
        }
        let started = Instant::now();
        let answer = timeout_at(deadline, filter.denied(patient, &nodes, deadline)).await;
        let answer = answer.unwrap_or_else(|_| Err(SeamError::TimedOut(deadline.saturating_duration_since(started))));
        let (denied, error) = match answer {
            Ok(denied) => (denied, None),
            Err(error) => {
                tracing::warn!(mode = filter.mode(), error = %error, "consent service failed");
                (BTreeSet::new(), Some(format!("the consent service could not say, so the nodes decide: {error}")))
            }
        };
        draft.consent = Some(StepReport { error, ..StepReport::new(filter.mode()) });
        draft.settle(|endpoint| {
            denied.contains(&endpoint.node.id).then(|| Decision::Settled {
                status: EndpointStatus::ConsentDenied,
                reason: Some("consent does not permit asking this node".to_owned()),
            })
        });
    }

    /// Settles all that is open.
    async fn cross_reference(
        &self,
        draft: &mut Draft,
        patient: &PatientReference,
        resolved: Option<Resolutions>,
        deadline: Instant,
    ) {
        let nodes = draft.open_nodes();
        let resolutions = match resolved {
            Some(resolved) => resolved,
            None if nodes.is_empty() => Resolutions::new(),
            None => {
                let started = Instant::now();
                let answer = timeout_at(deadline, self.crossref.resolve(patient, &nodes, deadline)).await;
                let timed_out = SeamError::TimedOut(deadline.saturating_duration_since(started));
                let unanswered = |node: &NodeId| (node.clone(), Resolution::Unanswered(timed_out.clone()));
                answer.unwrap_or_else(|_| nodes.iter().map(unanswered).collect())
            }
        };
        for (node, resolution) in &resolutions {
            if let Resolution::Unanswered(error) = resolution {
                tracing::warn!(node.id = %node, error = %error, "cross-reference failed");
            }
        }
        draft.resolve(&resolutions);
    }
}

fn not_localized(reason: Option<String>) -> Decision {
    Decision::Settled { status: EndpointStatus::NotLocalized, reason }
}

/// A localizer that names nodes which are no members knows of data that cannot be asked for here: the reader must know.
fn unknown_nodes(named: &BTreeSet<NodeId>, registry: &Registry) -> Option<String> {
    let unknown = named.iter().filter(|node| !registry.endpoints().any(|endpoint| endpoint.node.id == **node)).count();
    let (nodes, are) = if unknown == 1 { ("node", "is") } else { ("nodes", "are") };
    (unknown > 0).then(|| format!("the localizer named {unknown} {nodes} that {are} not in the registry and could not be asked"))
}
