//! What must hold.

use super::{Call, Literal, Parameter, Path, Span, Text, Value, flat};

/// The comparison operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

impl Comparison {
    /// The operator as written.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Comparison::Equal => "=",
            Comparison::NotEqual => "!=",
            Comparison::Less => "<",
            Comparison::LessOrEqual => "<=",
            Comparison::Greater => ">",
            Comparison::GreaterOrEqual => ">=",
        }
    }
}

/// The `WHERE` clause.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// All of them; two members or more, none of them an `And`.
    And(Vec<Condition>),
    /// Any of them; two members or more, none of them an `Or`.
    Or(Vec<Condition>),
    /// `NOT …`
    Not(Box<Condition>),
    /// `EXISTS path`
    Exists {
        /// The path.
        path: Path,
        /// All of it.
        span: Span,
    },
    /// `path op value` or `call op value`
    Compare {
        /// The left side.
        left: Operand,
        /// The operator.
        operator: Comparison,
        /// The right side.
        right: Value,
        /// All of it.
        span: Span,
    },
    /// `path LIKE pattern`
    Like {
        /// The left side.
        path: Path,
        /// A string or a parameter.
        pattern: LikePattern,
        /// All of it.
        span: Span,
    },
    /// `path MATCHES {…}`
    Matches {
        /// The left side.
        path: Path,
        /// What it must match.
        set: MatchSet,
        /// All of it.
        span: Span,
    },
}

impl Condition {
    /// Both; sets of the same kind become one.
    #[must_use]
    pub fn and(self, other: Condition) -> Condition {
        Condition::all(vec![self, other])
    }

    /// Either; sets of the same kind become one.
    #[must_use]
    pub fn or(self, other: Condition) -> Condition {
        Condition::any(vec![self, other])
    }

    pub(crate) fn all(members: Vec<Condition>) -> Condition {
        Condition::And(flat(members, |flat, one| match one {
            Condition::And(inner) => flat.extend(inner),
            other => flat.push(other),
        }))
    }

    pub(crate) fn any(members: Vec<Condition>) -> Condition {
        Condition::Or(flat(members, |flat, one| match one {
            Condition::Or(inner) => flat.extend(inner),
            other => flat.push(other),
        }))
    }
}

/// The left side of a comparison.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// A path.
    Path(Path),
    /// A call.
    Call(Call),
}

/// The right side of `LIKE`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum LikePattern {
    /// A pattern.
    Text(Literal),
    /// A parameter.
    Parameter(Parameter),
}

/// The right side of `MATCHES`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum MatchSet {
    /// `{a, b, c}`, at least one.
    Values(Vec<MatchItem>),
    /// `TERMINOLOGY('expand', …)` without braces.
    Terminology(Call),
    /// `{terminology://…}`, as written.
    Uri(Text),
}

/// A member of a `MATCHES` list.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum MatchItem {
    /// A literal.
    Literal(Literal),
    /// A parameter.
    Parameter(Parameter),
    /// `TERMINOLOGY(…)`
    Terminology(Call),
}
