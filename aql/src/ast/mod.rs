//! The tree of an AQL query.
//!
//! Every node carries the [`Span`] of the text it was read from. Spans are not part of what a query says: two trees are
//! equal when they mean the same text, wherever it stood. A node that was made and not read has [`Span::NONE`].
//!
//! AND and OR are flat: `a AND b AND c` is one [`Condition::And`] of three members, and a set never holds a set of its
//! own kind. Literals and names keep their spelling (`1.50`, `007`, `"x"`, `'\u20AC'`); decode them when comparing.

mod condition;
mod from;
mod path;
mod select;
mod span;
mod value;

pub use condition::{Comparison, Condition, LikePattern, MatchItem, MatchSet, Operand};
pub use from::{ClassContainment, ClassExpression, Containment, Contains, VersionPredicate};
pub use path::{NodeId, NodeIdKind, NodeName, ObjectPath, Path, Predicate, PredicateComparison, PredicateValue, Step};
pub use select::{Aggregate, AggregateFunction, Column, ColumnValue, Select, Top, TopDirection};
pub use span::Span;
pub use value::{Call, Literal, LiteralKind, Name, Parameter, Text, Value};

/// A whole query: `SELECT … FROM … [WHERE …] [ORDER BY …] [LIMIT …]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Query {
    /// `FROM ENDPOINT p ["a"]` or `FROM ORGANISATION o ["x"]`, lifted from in front of the containment (federation
    /// specification §8.1). Printed only when present; plain AQL never has one.
    pub directive: Option<Directive>,
    /// What is selected.
    pub select: Select,
    /// What is searched.
    pub from: Containment,
    /// What must hold.
    pub condition: Option<Condition>,
    /// The sort keys, most significant first; empty when there is no `ORDER BY`.
    pub order_by: Vec<OrderKey>,
    /// `LIMIT n [OFFSET k]`.
    pub limit: Option<Limit>,
}

/// The targeting directive of a federated query (§8.1): `ENDPOINT p ["id", …] CONTAINS …`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Directive {
    /// What the ids name.
    pub kind: DirectiveKind,
    /// The variable through which endpoint attributes are selected (`p/id`).
    pub variable: Option<Name>,
    /// The ids, decoded, in the order written.
    pub ids: Vec<DirectiveId>,
    /// Where it stands.
    pub span: Span,
}

/// What a directive's ids name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DirectiveKind {
    /// `ENDPOINT`
    Endpoint,
    /// `ORGANISATION` (also spelled `ORGANIZATION`)
    Organisation,
}

/// One id of a directive.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DirectiveId {
    /// The id, without its quotes.
    pub id: String,
    /// Where it stands.
    pub span: Span,
}

/// A count of rows as written: digits of any length.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Count {
    /// The digits.
    pub digits: String,
    /// Where they stand.
    pub span: Span,
}

impl Count {
    /// The count as a number; `None` when it does not fit in 64 bits.
    #[must_use]
    pub fn value(&self) -> Option<u64> {
        self.digits.parse().ok()
    }
}

impl From<u64> for Count {
    fn from(count: u64) -> Self {
        Count { digits: count.to_string(), span: Span::NONE }
    }
}

/// The members, each put into the result by `push`, which replaces a set of the same kind by what it holds.
fn flat<T>(members: Vec<T>, push: fn(&mut Vec<T>, T)) -> Vec<T> {
    let mut result = Vec::with_capacity(members.len());
    for member in members {
        push(&mut result, member);
    }
    result
}

/// A sort key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OrderKey {
    /// What is sorted by: a path, or a bare name that may be an alias of a column.
    pub path: Path,
    /// `true` for `DESC` and `DESCENDING`.
    pub descending: bool,
    /// All of it.
    pub span: Span,
}

/// `LIMIT n [OFFSET k]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Limit {
    /// How many rows.
    pub count: Count,
    /// How many are skipped first.
    pub offset: Option<Count>,
    /// All of it.
    pub span: Span,
}
