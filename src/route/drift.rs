//! `{base}/federation/drift`: what each node has of the registry's definitions. Reads, repairs nothing.

use std::sync::Arc;

use futures_util::future::join_all;
use serde::Serialize;

use super::Routing;
use super::error::RouteError;
use super::outcome::Outcome;
use crate::budget::Budget;
use crate::queries::{StoredQuery, for_nodes, says_the_same};
use crate::registry::{Endpoint, Membership};
use crate::status::EndpointStatus;

/// Definitions one report compares at most: each is one request to every node.
const MOST: usize = 500;

/// How the nodes' stored queries compare with the registry's.
#[derive(Debug, Serialize)]
pub struct Drift {
    /// How many definitions were compared.
    compared: usize,
    /// Those that say whom to ask, which are at no node.
    not_distributed: Vec<Named>,
    endpoints: Vec<EndpointDrift>,
}

#[derive(Debug, Serialize)]
struct Named {
    name: String,
    version: String,
}

/// One endpoint's part.
#[derive(Debug, Serialize)]
struct EndpointDrift {
    id: String,
    /// As in a query's report.
    status: &'static str,
    /// Has it every definition, each with the registry's meaning? Left out when it did not say of every one.
    #[serde(skip_serializing_if = "Option::is_none")]
    in_step: Option<bool>,
    missing: Vec<Named>,
    differing: Vec<Named>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl From<&Arc<StoredQuery>> for Named {
    fn from(query: &Arc<StoredQuery>) -> Self {
        Named { name: query.name.clone(), version: query.version.clone() }
    }
}

impl Routing {
    /// Compares the definitions whose names begin so, at every endpoint.
    ///
    /// # Errors
    /// No registry is held here, or there are too many definitions for one report.
    pub async fn drift(&self, beginning: &str, budget: &Budget) -> Result<Drift, RouteError> {
        let queries = self.queries.as_ref().ok_or(RouteError::NotServed)?;
        let all = queries.store.list(beginning).into_iter();
        let (plain, directed): (Vec<_>, Vec<_>) = all.partition(|held| for_nodes(&held.q).is_some());
        if plain.len() > MOST {
            return Err(RouteError::DriftTooWide { most: MOST });
        }
        let endpoints = join_all(self.registry.endpoints().map(|endpoint| self.drift_of(endpoint, &plain, budget))).await;
        Ok(Drift { compared: plain.len(), not_distributed: directed.iter().map(Named::from).collect(), endpoints })
    }

    /// One after the other, so that a node is not flooded; the first that it does not answer ends its part.
    async fn drift_of(&self, endpoint: &Arc<Endpoint>, queries: &[Arc<StoredQuery>], budget: &Budget) -> EndpointDrift {
        let mut drift = EndpointDrift::of(endpoint);
        if let Membership::Suspended(why) = &endpoint.membership {
            let outcome = Outcome::failed(endpoint, EndpointStatus::Excluded, format!("not in service: {why}"));
            return drift.unsaid(outcome);
        }
        for query in queries {
            match self.held(endpoint, query, budget).await {
                Ok(Some(text)) if says_the_same(&text, &query.q) => {}
                Ok(Some(_)) => drift.differing.push(query.into()),
                Ok(None) => drift.missing.push(query.into()),
                Err(outcome) => return drift.unsaid(outcome),
            }
        }
        drift.in_step = Some(drift.missing.is_empty() && drift.differing.is_empty());
        drift
    }
}

impl EndpointDrift {
    fn of(endpoint: &Endpoint) -> Self {
        EndpointDrift {
            id: endpoint.id.to_string(),
            status: EndpointStatus::Active.as_str(),
            in_step: None,
            missing: Vec::new(),
            differing: Vec::new(),
            error: None,
        }
    }

    /// It did not say of every definition; what it said stays.
    fn unsaid(self, outcome: Outcome) -> Self {
        EndpointDrift { status: outcome.status, error: outcome.error, ..self }
    }
}
