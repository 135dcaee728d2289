//! Dispatch: one future per endpoint, joined all.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tokio::time::{Instant, timeout_at};

use super::question::{Unreadable, read};
use super::{Outcome, Question};
use crate::budget::Budget;
use crate::combine::cut::{AskWhole, CutVerdict};
use crate::combine::rows::{NodeRows, RowBudget};
use crate::error::ErrorCode;
use crate::ids::EhrId;
use crate::node::{ComposeFailure, ComposedQuery, NodeAnswer, NodeClient, NodeFailure, Permit, Permits, Withheld};
use crate::plan::Cut;
use crate::registry::{Endpoint, NodeOrdering};
use crate::select::{Decision, Member};
use crate::status::EndpointStatus;

/// Bodies from this size on are read on a thread of their own, about 0.2 ms of work; smaller ones where they arrive.
const READ_ELSEWHERE_BYTES: usize = 128 * 1024;

/// What ends a fan-out without outcomes, since no answer made of them would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FanOutError {
    /// The last gate found the patient identifier in a composed request.
    #[error(
        "the query would carry the patient identifier to a node; nothing was sent. Name the patient once, in the predicate on the subject, and nowhere else"
    )]
    Withheld(#[from] Withheld),
    /// The nodes together answered more rows than one query may hold.
    #[error(
        "the endpoints answered more rows than `limits.max_rows` ({most}) allows. Ask for fewer with LIMIT, or of fewer endpoints"
    )]
    TooManyRows {
        /// The setting's value.
        most: usize,
    },
}

impl FanOutError {
    /// The code of the answer.
    #[must_use]
    pub fn code(&self) -> ErrorCode {
        match self {
            FanOutError::Withheld(_) => ErrorCode::IdentifierLeak,
            FanOutError::TooManyRows { .. } => ErrorCode::LimitExceeded,
        }
    }
}

/// Asks many endpoints one question.
pub struct Fanout {
    client: NodeClient,
    permits: Arc<Permits>,
    max_rows: usize,
}

/// Everything about one fan-out that its endpoints share.
struct Round<'a, Q> {
    fanout: &'a Fanout,
    question: Arc<Q>,
    budget: Budget,
    rows: Arc<RowBudget>,
}

/// One endpoint to be asked, and what it is sent first.
struct Ask {
    endpoint: Arc<Endpoint>,
    ehr_id: Option<EhrId>,
    cut: Cut,
    query: Option<ComposedQuery>,
}

/// The rows of an endpoint.
struct Answered {
    rows: NodeRows,
    asked_whole: Option<AskWhole>,
}

/// Why an endpoint has no rows.
enum Short {
    Failed(NodeFailure),
    Unreadable(Unreadable),
    Withheld(Withheld),
}

impl Fanout {
    /// A fan-out over this client, within the bounds that all requests to nodes share, and of at most `max_rows` rows
    /// (`limits.max_rows`).
    #[must_use]
    pub fn new(client: NodeClient, permits: Arc<Permits>, max_rows: usize) -> Self {
        Fanout { client, permits, max_rows }
    }

    /// Asks every endpoint the selection says to ask, and reports every member, by endpoint id.
    ///
    /// It ends within the budget, but for the reading of bodies already received. Every request is composed and seen by the
    /// gate before the first one leaves.
    ///
    /// # Errors
    /// When no answer could be right; see [`FanOutError`].
    pub async fn ask<Q: Question>(
        &self,
        members: Vec<Member>,
        question: Arc<Q>,
        budget: Budget,
    ) -> Result<Vec<Outcome>, FanOutError> {
        let round = Round { fanout: self, question, budget, rows: RowBudget::new(self.max_rows) };
        let mut outcomes = Vec::with_capacity(members.len());
        let mut asks = Vec::new();
        for Member { endpoint, decision } in members {
            match decision {
                Decision::Ask(ehr_id) => asks.push(round.prepare(endpoint, ehr_id)?),
                Decision::Settled { status, reason } => outcomes.push(Outcome::not_asked(endpoint, status, reason, false)),
                Decision::Unknown { reason } => {
                    outcomes.push(Outcome::not_asked(endpoint, EndpointStatus::NotResolved, Some(reason), true));
                }
            }
        }
        let mut under_way: FuturesUnordered<_> = asks.into_iter().map(|ask| round.ask(ask)).collect();
        while let Some(outcome) = under_way.next().await {
            outcomes.push(outcome?);
        }
        outcomes.sort_unstable_by(|a, b| a.endpoint.id.cmp(&b.endpoint.id));
        Ok(outcomes)
    }
}

impl<Q: Question> Round<'_, Q> {
    fn prepare(&self, endpoint: Arc<Endpoint>, ehr_id: Option<EhrId>) -> Result<Ask, Withheld> {
        let whole = endpoint.ordering == NodeOrdering::Untrusted || self.question.spec().pushed_limit.is_none();
        let cut = if whole { Cut::Whole } else { Cut::Pushed };
        let query = self.compose(&endpoint, ehr_id.as_ref(), cut)?;
        Ok(Ask { endpoint, ehr_id, cut, query })
    }

    fn compose(&self, endpoint: &Endpoint, ehr_id: Option<&EhrId>, cut: Cut) -> Result<Option<ComposedQuery>, Withheld> {
        match self.fanout.client.compose(endpoint, &self.question.text(ehr_id, cut), self.question.gate()) {
            Ok(query) => Ok(Some(query)),
            Err(ComposeFailure::Withheld(withheld)) => Err(withheld),
            Err(ComposeFailure::Unusable) => Ok(None),
        }
    }

    async fn ask(&self, mut ask: Ask) -> Result<Outcome, FanOutError> {
        let asked_at = Instant::now();
        let deadline = self.budget.node_deadline(ask.endpoint.per_node);
        let permit = timeout_at(deadline, self.fanout.permits.acquire(&ask.endpoint.id)).await;
        let outcome = match permit {
            Ok(Some(permit)) => {
                let dispatched_at = Instant::now();
                let result = self.rows(&mut ask, deadline, permit).await;
                Outcome::asked(ask.endpoint, dispatched_at.elapsed(), result)?
            }
            Ok(None) | Err(_) => Outcome::no_permit(ask.endpoint, asked_at.elapsed()),
        };
        Ok(self.marked(outcome))
    }

    /// Whoever is outstanding when the overall budget ends is `time-out`, however far it had got (§11.5).
    fn marked(&self, outcome: Outcome) -> Outcome {
        let expired = Instant::now() >= self.budget.deadline();
        match outcome.status {
            EndpointStatus::Offline if expired => Outcome { status: EndpointStatus::TimeOut, ..outcome },
            _ => outcome,
        }
    }

    /// The rows of one endpoint: by its own cut where that can be relied on, else whole. The permit covers both requests.
    async fn rows(&self, ask: &mut Ask, deadline: Instant, _permit: Permit) -> Result<Answered, Short> {
        let query = ask.query.take();
        let (rows, verdict) = match self.once(&ask.endpoint, query, ask.cut, deadline).await {
            Err(Short::Unreadable(Unreadable::TooManyRows { most })) if ask.endpoint.ordering == NodeOrdering::Untrusted => {
                return Err(too_many_without_limit(most));
            }
            other => other?,
        };
        let CutVerdict::AskWhole(reason) = verdict else { return Ok(Answered { rows, asked_whole: None }) };
        drop(rows); // gives its share of the row budget back
        let query = self.compose(&ask.endpoint, ask.ehr_id.as_ref(), Cut::Whole).map_err(Short::Withheld)?;
        match self.once(&ask.endpoint, query, Cut::Whole, deadline).await {
            Ok((rows, _)) => Ok(Answered { rows, asked_whole: Some(reason) }),
            Err(Short::Unreadable(Unreadable::TooManyRows { most })) => Err(too_many_without_limit(most)),
            Err(other) => Err(other),
        }
    }

    async fn once(
        &self,
        endpoint: &Endpoint,
        query: Option<ComposedQuery>,
        cut: Cut,
        deadline: Instant,
    ) -> Result<(NodeRows, CutVerdict), Short> {
        let query = query.ok_or(Short::Failed(NodeFailure::NotComposed))?;
        match self.fanout.client.send(endpoint, query, deadline, self.question.gate()).await.map_err(Short::Failed)? {
            NodeAnswer::NoRows => Ok((NodeRows::none(self.question.spec().node_width), CutVerdict::Usable)),
            NodeAnswer::ResultSet(body) => self.read(body, cut, endpoint.ordering).await.map_err(Short::Unreadable),
        }
    }

    async fn read(&self, body: Bytes, cut: Cut, ordering: NodeOrdering) -> Result<(NodeRows, CutVerdict), Unreadable> {
        if body.len() < READ_ELSEWHERE_BYTES {
            return read(self.question.spec(), body, cut, ordering, &self.rows);
        }
        let (question, rows) = (Arc::clone(&self.question), Arc::clone(&self.rows));
        let reading = tokio::task::spawn_blocking(move || read(question.spec(), body, cut, ordering, &rows));
        reading.await.unwrap_or_else(|_| Err(Unreadable::Unusable("the answer could not be read".to_owned())))
    }
}

fn too_many_without_limit(most: usize) -> Short {
    Short::Unreadable(Unreadable::Unusable(format!(
        "its order cannot be relied on, so it was asked without LIMIT, and answered more rows than `limits.max_rows` ({most}) leaves room for"
    )))
}

impl Outcome {
    fn not_asked(endpoint: Arc<Endpoint>, status: EndpointStatus, error: Option<String>, unresolved_by_outage: bool) -> Self {
        Outcome { endpoint, status, error, latency: None, rows: None, asked_whole: None, unresolved_by_outage }
    }

    /// Nothing is known of the endpoint: our own bound kept the request from leaving.
    fn no_permit(endpoint: Arc<Endpoint>, waited: Duration) -> Self {
        let error = format!(
            "not contacted: {} ms passed with as many requests under way as `limits.max_inflight_per_endpoint` or `limits.max_inflight` allows",
            waited.as_millis()
        );
        let latency = Some(Duration::ZERO);
        Outcome { latency, ..Outcome::not_asked(endpoint, EndpointStatus::Offline, Some(error), false) }
    }

    fn asked(endpoint: Arc<Endpoint>, latency: Duration, result: Result<Answered, Short>) -> Result<Self, FanOutError> {
        let (status, error) = match result {
            Ok(Answered { rows, asked_whole }) => {
                let blank = Outcome::not_asked(endpoint, EndpointStatus::Active, None, false);
                return Ok(Outcome { latency: Some(latency), rows: Some(rows), asked_whole, ..blank });
            }
            Err(Short::Failed(failure)) => (failure.status(), failure.to_string()),
            Err(Short::Unreadable(Unreadable::Unusable(why))) => (EndpointStatus::NodeError, format!("HTTP 200: {why}")),
            Err(Short::Unreadable(Unreadable::TooManyRows { most })) => return Err(FanOutError::TooManyRows { most }),
            Err(Short::Withheld(withheld)) => return Err(withheld.into()),
        };
        Ok(Outcome { latency: Some(latency), ..Outcome::not_asked(endpoint, status, Some(error), false) })
    }
}
