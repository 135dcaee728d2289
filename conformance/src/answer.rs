//! A RESULT_SET as a client reads it; cells stay the bytes that came.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::verdict::Finding;

/// The body of an answered query, or of a fan-out that failed.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Answer {
    pub(crate) q: Option<String>,
    pub(crate) name: Option<String>,
    pub(crate) columns: Vec<Value>,
    pub(crate) rows: Vec<Vec<Box<RawValue>>>,
    pub(crate) meta: Value,
    pub(crate) message: Option<String>,
    pub(crate) code: Option<String>,
}

/// One member of the federation in the report of one query (§11.1).
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Line {
    pub(crate) id: String,
    pub(crate) status: String,
    #[serde(default)]
    pub(crate) error: Value,
    #[serde(default)]
    pub(crate) latency_ms: Value,
    #[serde(default)]
    pub(crate) row_count: Value,
    #[serde(default)]
    pub(crate) node_id: Value,
    #[serde(default)]
    pub(crate) system_id: Value,
    #[serde(default)]
    pub(crate) organisation: Value,
}

impl Line {
    /// Did node selection put it in scope? (§11.1)
    pub(crate) fn in_scope(&self) -> bool {
        !["excluded", "not-localized"].contains(&self.status.as_str())
    }

    pub(crate) fn is(&self, status: &str) -> bool {
        self.status == status
    }
}

impl Answer {
    /// `meta.federation`.
    pub(crate) fn federation(&self) -> Result<&Value, Finding> {
        let federation = self.meta.get("federation").filter(|value| value.is_object());
        federation.ok_or_else(|| Finding::failed("the answer has no object meta.federation"))
    }

    /// `meta.federation.complete`.
    pub(crate) fn complete(&self) -> Result<bool, Finding> {
        let complete = self.federation()?.get("complete").and_then(Value::as_bool);
        complete.ok_or_else(|| Finding::failed("meta.federation.complete is no boolean"))
    }

    /// `meta.federation.endpoints[]`.
    pub(crate) fn endpoints(&self) -> Result<Vec<Line>, Finding> {
        let endpoints = self.federation()?.get("endpoints").cloned().unwrap_or_default();
        serde_json::from_value(endpoints)
            .map_err(|error| Finding::failed(format!("meta.federation.endpoints[] cannot be read: {error}")))
    }

    /// The ids of the endpoints with this status.
    pub(crate) fn with_status(&self, status: &str) -> Result<Vec<String>, Finding> {
        Ok(self.endpoints()?.into_iter().filter(|line| line.is(status)).map(|line| line.id).collect())
    }

    /// The rows as the text of their cells, in their order.
    pub(crate) fn texts(&self) -> Vec<String> {
        self.rows.iter().map(|row| row.iter().map(|cell| cell.get()).collect::<Vec<_>>().join(", ")).collect()
    }

    /// One column's cells, as text.
    pub(crate) fn column(&self, index: usize) -> Vec<&str> {
        self.rows.iter().filter_map(|row| row.get(index)).map(|cell| cell.get()).collect()
    }

    /// One column's cells that are strings, decoded.
    pub(crate) fn strings(&self, index: usize) -> Vec<String> {
        self.column(index).iter().filter_map(|cell| serde_json::from_str(cell).ok()).collect()
    }
}
