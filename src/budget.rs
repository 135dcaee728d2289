//! The time one request may take (§11.5, N38).

use std::time::Duration;

use tokio::time::Instant;

/// Fixed when a request is taken in, and only ever narrowed on the way down.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    started: Instant,
    overall: Duration,
    per_node: Duration,
}

impl Budget {
    /// Starts the clock: `overall` for the whole request, `per_node` for any one endpoint.
    #[must_use]
    pub fn start(overall: Duration, per_node: Duration) -> Self {
        Budget { started: Instant::now(), overall, per_node: per_node.min(overall) }
    }

    /// The same clock with a shorter overall budget, as `Prefer: wait` asks; a longer wish changes nothing.
    #[must_use]
    pub fn shortened(self, wish: Duration) -> Self {
        let overall = self.overall.min(wish);
        Budget { overall, per_node: self.per_node.min(overall), ..self }
    }

    /// When waiting must end.
    #[must_use]
    pub fn deadline(&self) -> Instant {
        self.started + self.overall
    }

    /// When waiting for one endpoint asked now must end: its own limit, the per-node limit, or the deadline.
    #[must_use]
    pub fn node_deadline(&self, own_limit: Option<Duration>) -> Instant {
        let limit = own_limit.map_or(self.per_node, |own| own.min(self.per_node));
        (Instant::now() + limit).min(self.deadline())
    }

    /// The overall budget in force, for the report.
    #[must_use]
    pub fn overall(&self) -> Duration {
        self.overall
    }

    /// The per-node limit in force, for the report.
    #[must_use]
    pub fn per_node(&self) -> Duration {
        self.per_node
    }
}
