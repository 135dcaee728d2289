//! The `http` localizer and the `http` consent pre-filter: small JSON contracts, so that a regional registry can be put
//! behind them. `docs/identity.md` has them for those who write the other side.

use std::collections::BTreeSet;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use reqwest::StatusCode;
use reqwest::header::{ACCEPT, CONTENT_TYPE};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use super::seam::{Candidates, ConsentFilter, Localizer, SeamError};
use super::service::Service;
use crate::ids::NodeId;
use crate::plan::PatientReference;

/// A localizer or a consent service behind HTTP.
pub(crate) struct HttpService(pub(crate) Service);

/// What both are asked.
#[derive(Serialize)]
struct Question<'a> {
    patient: Patient<'a>,
    /// Whom the question is about; the localizer knows for itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<&'a BTreeSet<NodeId>>,
}

#[derive(Serialize)]
struct Patient<'a> {
    namespace: &'a str,
    value: &'a str,
}

/// What the localizer answers. Members not listed are let be, here and below.
#[derive(Deserialize)]
struct Located {
    nodes: Vec<String>,
}

/// What the consent service answers.
#[derive(Deserialize)]
struct Refused {
    denied: Vec<String>,
}

impl HttpService {
    async fn ask<A: DeserializeOwned>(
        &self,
        patient: &PatientReference,
        nodes: Option<&BTreeSet<NodeId>>,
        deadline: Instant,
    ) -> Result<A, SeamError> {
        let patient = Patient { namespace: patient.namespace.expose(), value: patient.value.expose() };
        let body = serde_json::to_vec(&Question { patient, nodes }).map_err(|_| SeamError::Unaskable)?;
        let request = self.0.client.post(self.0.settings.url.clone());
        let request = request.header(CONTENT_TYPE, "application/json").header(ACCEPT, "application/json").body(body);
        match self.0.exchange(request, deadline).await? {
            (StatusCode::OK, body) => {
                serde_json::from_slice(&body).map_err(|_| SeamError::Malformed("it is not the JSON agreed upon"))
            }
            (status, _) => Err(SeamError::Status(status.as_u16())),
        }
    }
}

/// Those of the named that we have.
fn ours(named: Vec<String>, nodes: &BTreeSet<NodeId>) -> BTreeSet<NodeId> {
    named.into_iter().map(NodeId::new).filter(|node| nodes.contains(node)).collect()
}

impl Localizer for HttpService {
    fn mode(&self) -> &'static str {
        "http"
    }

    fn candidates<'a>(
        &'a self,
        patient: &'a PatientReference,
        _nodes: &'a BTreeSet<NodeId>,
        deadline: Instant,
    ) -> BoxFuture<'a, Result<Candidates, SeamError>> {
        async move {
            let located: Located = self.ask(patient, None, deadline).await?;
            Ok(Candidates { nodes: located.nodes.into_iter().map(NodeId::new).collect(), resolved: None })
        }
        .boxed()
    }
}

impl ConsentFilter for HttpService {
    fn mode(&self) -> &'static str {
        "http"
    }

    fn denied<'a>(
        &'a self,
        patient: &'a PatientReference,
        nodes: &'a BTreeSet<NodeId>,
        deadline: Instant,
    ) -> BoxFuture<'a, Result<BTreeSet<NodeId>, SeamError>> {
        async move {
            let refused: Refused = self.ask(patient, Some(nodes), deadline).await?;
            Ok(ours(refused.denied, nodes))
        }
        .boxed()
    }
}

#[cfg(test)]
mod tests;
