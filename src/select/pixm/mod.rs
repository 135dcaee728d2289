//! IHE PIXm, ITI-83 Get Corresponding Identifiers: `$ihe-pix` as cross-reference, and as a localizer derived from it.
//!
//! Each manager is asked once, all of them at the same time. What a manager says of one domain is taken only when it is
//! beyond doubt: one identifier, well formed. A patient it does not know is an answer; anything else that is no answer is
//! [`Resolution::Unanswered`], because an outage must not look like an empty record.

mod fhir;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bytes::Bytes;
use futures_util::FutureExt;
use futures_util::future::{BoxFuture, join_all};
use reqwest::header::{ACCEPT, CONTENT_TYPE};
use reqwest::{RequestBuilder, StatusCode};
use tokio::time::Instant;
use zeroize::Zeroizing;

use super::seam::{Candidates, CrossReference, Localizer, Resolution, Resolutions, SeamError};
use super::service::Service;
use crate::config::{PixmForm, PixmManager, PixmSettings};
use crate::ids::{EhrId, NodeId};
use crate::plan::PatientReference;

const FHIR_JSON: &str = "application/fhir+json";

/// Characters that mean something in a FHIR token, so that an identifier with one of them could be read as another.
const TOKEN_SYNTAX: [char; 4] = ['|', ',', '$', '\\'];

/// The managers of a federation.
#[derive(Clone)]
pub struct Pixm {
    managers: Arc<[Manager]>,
}

struct Manager {
    service: Service,
    form: PixmForm,
    domains: BTreeMap<NodeId, String>,
    namespaces: BTreeMap<String, String>,
}

impl Pixm {
    /// Managers reached with this client, which must follow no redirects.
    #[must_use]
    pub fn new(settings: &PixmSettings, client: &reqwest::Client) -> Self {
        let manager = |manager: &PixmManager| Manager {
            service: Service { client: client.clone(), settings: manager.service.clone() },
            form: manager.form,
            domains: manager.domains.clone(),
            namespaces: manager.namespaces.clone(),
        };
        Pixm { managers: settings.managers.iter().map(manager).collect() }
    }

    async fn resolutions(&self, patient: &PatientReference, nodes: &BTreeSet<NodeId>, deadline: Instant) -> Resolutions {
        let no_domain = |node: &NodeId| (node.clone(), Resolution::Unanswered(SeamError::NoDomain(node.clone())));
        let mut resolutions: Resolutions = nodes.iter().map(no_domain).collect();
        let answers = self.managers.iter().map(|manager| manager.resolutions(patient, nodes, deadline));
        for answer in join_all(answers).await {
            resolutions.extend(answer);
        }
        resolutions
    }
}

impl Manager {
    /// One call for all of `nodes` that are this manager's.
    async fn resolutions(&self, patient: &PatientReference, nodes: &BTreeSet<NodeId>, deadline: Instant) -> Resolutions {
        let asked: BTreeMap<&NodeId, &str> =
            self.domains.iter().filter(|(node, _)| nodes.contains(*node)).map(|(node, domain)| (node, domain.as_str())).collect();
        if asked.is_empty() {
            return Resolutions::new();
        }
        let found = match self.ask(patient, &asked, deadline).await {
            Ok(found) => found,
            Err(error) => return each(&asked, |_, _| Resolution::Unanswered(error.clone())),
        };
        each(&asked, |node, domain| resolution(node, found.get(domain)))
    }

    /// Every identifier of the patient, by domain.
    async fn ask(
        &self,
        patient: &PatientReference,
        asked: &BTreeMap<&NodeId, &str>,
        deadline: Instant,
    ) -> Result<Identifiers, SeamError> {
        let request = self.request(patient, asked)?;
        match self.service.exchange(request, deadline).await? {
            (StatusCode::OK, body) => identifiers(&body),
            (StatusCode::NOT_FOUND, body) if says_unknown(&body) => Ok(Identifiers::new()),
            (status, _) => Err(SeamError::Status(status.as_u16())),
        }
    }

    fn request(&self, patient: &PatientReference, asked: &BTreeMap<&NodeId, &str>) -> Result<RequestBuilder, SeamError> {
        let source = self.source_identifier(patient)?;
        let url = self.service.settings.url.join("Patient/$ihe-pix").map_err(|_| SeamError::Unaskable)?;
        let client = &self.service.client;
        let request = match self.form {
            PixmForm::Get => {
                let targets = asked.values().map(|domain| ("targetSystem", *domain));
                let query: Vec<(&str, &str)> = std::iter::once(("sourceIdentifier", source.as_str())).chain(targets).collect();
                client.get(url).query(&query)
            }
            PixmForm::Post => {
                let question = fhir::Question::new(&source, asked.values().copied());
                let body = serde_json::to_vec(&question).map_err(|_| SeamError::Unaskable)?;
                client.post(url).header(CONTENT_TYPE, FHIR_JSON).body(body)
            }
        };
        Ok(request.header(ACCEPT, FHIR_JSON))
    }

    /// `system|value`, the system being the manager's name for the client's namespace.
    fn source_identifier(&self, patient: &PatientReference) -> Result<Zeroizing<String>, SeamError> {
        let namespace = patient.namespace.expose();
        let system = self.namespaces.get(namespace).unwrap_or(namespace);
        let value = patient.value.expose();
        let unfit = |text: &str| text.is_empty() || text.contains(TOKEN_SYNTAX) || text.contains(char::is_control);
        if unfit(system) || unfit(value) {
            return Err(SeamError::Unaskable);
        }
        Ok(Zeroizing::new(format!("{system}|{value}")))
    }
}

/// Distinct identifiers by domain.
type Identifiers = BTreeMap<String, BTreeSet<String>>;

fn each(asked: &BTreeMap<&NodeId, &str>, resolution: impl Fn(&NodeId, &str) -> Resolution) -> Resolutions {
    asked.iter().map(|(node, domain)| ((*node).clone(), resolution(node, domain))).collect()
}

fn resolution(node: &NodeId, found: Option<&BTreeSet<String>>) -> Resolution {
    let mut values = found.into_iter().flatten();
    match (values.next(), values.next()) {
        (None, _) => Resolution::NotKnown,
        (Some(value), None) if EhrId::is_plain(value) => Resolution::Known(EhrId::new(value.as_str())),
        (Some(_), None) => Resolution::Unanswered(SeamError::Malformed("an identifier is no ehr_id")),
        (Some(_), Some(_)) => Resolution::Unanswered(SeamError::Ambiguous(node.clone())),
    }
}

/// Reads a `Parameters` answer. An identifier without domain or value could be anybody's, so the answer is worth nothing.
fn identifiers(body: &Bytes) -> Result<Identifiers, SeamError> {
    const NOT_PARAMETERS: SeamError = SeamError::Malformed("it is no FHIR Parameters resource in JSON");
    let resource: fhir::Resource = serde_json::from_slice(body).map_err(|_| NOT_PARAMETERS)?;
    if resource.resource_type != "Parameters" {
        return Err(NOT_PARAMETERS);
    }
    let answer: fhir::Answer = serde_json::from_slice(body).map_err(|_| NOT_PARAMETERS)?;
    let mut found = Identifiers::new();
    for parameter in answer.parameter.into_iter().filter(|parameter| parameter.name == "targetIdentifier") {
        let identifier = parameter.value_identifier.map(|identifier| (identifier.system, identifier.value));
        let Some((Some(system), Some(value))) = identifier else {
            return Err(SeamError::Malformed("an identifier has no system or no value"));
        };
        found.entry(system).or_default().insert(value);
    }
    Ok(found)
}

/// Is this `404` the manager saying that it does not know the patient? A wrong address or a proxy answers `404` too, but
/// with a page or another code.
fn says_unknown(body: &Bytes) -> bool {
    if body.is_empty() {
        return true;
    }
    let of_fhir = |resource: fhir::Resource| resource.resource_type == "OperationOutcome";
    serde_json::from_slice(body).is_ok_and(of_fhir)
        && serde_json::from_slice::<fhir::Outcome>(body)
            .is_ok_and(|outcome| outcome.issue.iter().all(|issue| matches!(issue.code.as_str(), "" | "not-found" | "unknown")))
}

impl CrossReference for Pixm {
    fn resolve<'a>(
        &'a self,
        patient: &'a PatientReference,
        nodes: &'a BTreeSet<NodeId>,
        deadline: Instant,
    ) -> BoxFuture<'a, Resolutions> {
        self.resolutions(patient, nodes, deadline).boxed()
    }
}

impl Localizer for Pixm {
    fn mode(&self) -> &'static str {
        "pixm"
    }

    /// The nodes whose domain knows the patient. One that nobody could speak for makes the whole answer unknown.
    fn candidates<'a>(
        &'a self,
        patient: &'a PatientReference,
        nodes: &'a BTreeSet<NodeId>,
        deadline: Instant,
    ) -> BoxFuture<'a, Result<Candidates, SeamError>> {
        async move {
            let resolved = self.resolutions(patient, nodes, deadline).await;
            let mut candidates = BTreeSet::new();
            for (node, resolution) in &resolved {
                match resolution {
                    Resolution::Known(_) => drop(candidates.insert(node.clone())),
                    Resolution::NotKnown => {}
                    Resolution::Unanswered(error) => return Err(error.clone()),
                }
            }
            Ok(Candidates { nodes: candidates, resolved: Some(resolved) })
        }
        .boxed()
    }
}

#[cfg(test)]
mod tests;
