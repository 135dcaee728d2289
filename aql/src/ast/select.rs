//! What is selected.

use super::{Call, Count, Literal, Name, Path, Span};

/// The `SELECT` clause.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Select {
    /// `DISTINCT`
    pub distinct: bool,
    /// `TOP n [FORWARD | BACKWARD]`, deprecated.
    pub top: Option<Top>,
    /// The columns, at least one.
    pub columns: Vec<Column>,
    /// From `SELECT` to the last column.
    pub span: Span,
}

/// `TOP n [FORWARD | BACKWARD]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Top {
    /// The count.
    pub count: Count,
    /// The direction, when written.
    pub direction: Option<TopDirection>,
}

/// From which end `TOP` takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TopDirection {
    /// `FORWARD`
    Forward,
    /// `BACKWARD`
    Backward,
}

/// One selected column.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Column {
    /// What it gives.
    pub value: ColumnValue,
    /// `AS alias`.
    pub alias: Option<Name>,
    /// Value and alias.
    pub span: Span,
}

/// What a column gives.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ColumnValue {
    /// A path.
    Path(Path),
    /// A constant.
    Literal(Literal),
    /// An aggregate over the rows.
    Aggregate(Aggregate),
    /// A function of the row.
    Call(Call),
}

/// `COUNT(…)`, `MIN(…)` and their like.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Aggregate {
    /// Which.
    pub function: AggregateFunction,
    /// `DISTINCT` inside `COUNT`.
    pub distinct: bool,
    /// The path; `None` for `COUNT(*)`.
    pub path: Option<Path>,
    /// The whole call.
    pub span: Span,
}

/// The aggregate functions of AQL 1.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AggregateFunction {
    /// `COUNT`
    Count,
    /// `MIN`
    Min,
    /// `MAX`
    Max,
    /// `SUM`
    Sum,
    /// `AVG`
    Avg,
}

impl AggregateFunction {
    /// The name in upper case.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            AggregateFunction::Count => "COUNT",
            AggregateFunction::Min => "MIN",
            AggregateFunction::Max => "MAX",
            AggregateFunction::Sum => "SUM",
            AggregateFunction::Avg => "AVG",
        }
    }
}
