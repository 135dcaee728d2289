//! What is counted: requests by route, and what became of each endpoint. Labels are registry ids, routes and codes only.

use std::time::Duration;

use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;

use crate::fanout::Outcome;

/// Seconds from 1 ms to about 65 s.
fn buckets() -> Histogram {
    Histogram::new(exponential_buckets(0.001, 2.0, 17))
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    route: String,
    method: &'static str,
    status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct EndpointLabels {
    endpoint: String,
    status: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfEndpoint {
    endpoint: String,
}

/// The counters of one gateway.
pub(super) struct Metrics {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    endpoint_outcomes: Family<EndpointLabels, Counter>,
    endpoint_seconds: Family<OfEndpoint, Histogram, fn() -> Histogram>,
    collisions: Counter,
}

impl Metrics {
    pub(super) fn new() -> Self {
        let mut registry = Registry::with_prefix("tributary");
        let requests = Family::default();
        registry.register("requests", "Requests answered, by route, method and HTTP status", requests.clone());
        let endpoint_outcomes = Family::default();
        registry.register("endpoint_outcomes", "What became of each endpoint in federated queries", endpoint_outcomes.clone());
        let endpoint_seconds: Family<OfEndpoint, Histogram, fn() -> Histogram> = Family::new_with_constructor(buckets);
        registry.register("endpoint_seconds", "Time from asking an endpoint to its outcome", endpoint_seconds.clone());
        let collisions = Counter::default();
        registry.register("ehr_id_collisions", "Times that two nodes claimed one ehr_id", collisions.clone());
        Metrics { registry, requests, endpoint_outcomes, endpoint_seconds, collisions }
    }

    /// One request answered.
    pub(super) fn request(&self, route: &str, method: &'static str, status: u16) {
        self.requests.get_or_create(&RequestLabels { route: route.to_owned(), method, status }).inc();
    }

    /// One federated query's outcomes.
    pub(super) fn outcomes(&self, outcomes: &[Outcome]) {
        for outcome in outcomes {
            let endpoint = outcome.endpoint.id.to_string();
            if let Some(latency) = outcome.latency.filter(|latency| *latency > Duration::ZERO) {
                self.endpoint_seconds.get_or_create(&OfEndpoint { endpoint: endpoint.clone() }).observe(latency.as_secs_f64());
            }
            self.endpoint_outcomes.get_or_create(&EndpointLabels { endpoint, status: outcome.status.as_str() }).inc();
        }
    }

    /// All of it in the OpenMetrics text format; `collisions` is the count so far.
    pub(super) fn text(&self, collisions: u64) -> String {
        self.collisions.inner().store(collisions, std::sync::atomic::Ordering::Relaxed);
        let mut out = String::new();
        let _ = text::encode(&mut out, &self.registry); // writing to a String does not fail
        out
    }
}
