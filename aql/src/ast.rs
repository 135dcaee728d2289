//! The tree of an AQL query.
//!
//! Every node carries the [`Span`] of the text it was read from. Spans are not part of what a query says: two trees are
//! equal when they mean the same text, wherever it stood. A node that was made and not read has [`Span::NONE`].
//!
//! AND and OR are flat: `a AND b AND c` is one [`Condition::And`] of three members, and a set never holds a set of its
//! own kind. Literals and names keep their spelling (`1.50`, `007`, `"x"`, `'\u20AC'`); decode them when comparing.

use std::fmt;

/// A range of bytes in the query text; equal to every other span, so that trees compare by what they say.
#[derive(Clone, Copy, Debug, Default)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span of a node that was made, not read.
    pub const NONE: Span = Span { start: 0, end: 0 };

    /// The smallest span that covers both; [`Span::NONE`] is neutral.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        match (self.is_none(), other.is_none()) {
            (true, _) => other,
            (_, true) => self,
            _ => Span { start: self.start.min(other.start), end: self.end.max(other.end) },
        }
    }

    /// Was the node made and not read?
    #[must_use]
    pub fn is_none(self) -> bool {
        self.start == 0 && self.end == 0
    }
}

impl PartialEq for Span {
    fn eq(&self, _: &Span) -> bool {
        true
    }
}

impl Eq for Span {}

impl std::hash::Hash for Span {
    fn hash<H: std::hash::Hasher>(&self, _: &mut H) {}
}

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

/// A call of a function: a built-in, `TERMINOLOGY`, or any other name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Call {
    /// The function's name as written; compare it ignoring ASCII case.
    pub name: Name,
    /// The arguments.
    pub arguments: Vec<Value>,
    /// The whole call.
    pub span: Span,
}

/// A variable, class, step, alias or function name, as written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Name {
    /// The text.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

impl Name {
    /// A name that was made, not read.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Name { text: text.into(), span: Span::NONE }
    }

    /// Do both name the same thing? Names of AQL ignore ASCII case.
    #[must_use]
    pub fn is(&self, other: &str) -> bool {
        self.text.eq_ignore_ascii_case(other)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// What `FROM` searches: a class, with what it contains, or a set of such.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Containment {
    /// A class expression and what stands behind its `CONTAINS`.
    Class(Box<ClassContainment>),
    /// All of them; two members or more, none of them an `And`.
    And(Vec<Containment>),
    /// Any of them; two members or more, none of them an `Or`.
    Or(Vec<Containment>),
}

impl Containment {
    /// Both; sets of the same kind become one.
    #[must_use]
    pub fn and(self, other: Containment) -> Containment {
        Containment::all(vec![self, other])
    }

    /// Either; sets of the same kind become one.
    #[must_use]
    pub fn or(self, other: Containment) -> Containment {
        Containment::any(vec![self, other])
    }

    pub(crate) fn all(members: Vec<Containment>) -> Containment {
        Containment::And(flat(members, |flat, one| match one {
            Containment::And(inner) => flat.extend(inner),
            other => flat.push(other),
        }))
    }

    pub(crate) fn any(members: Vec<Containment>) -> Containment {
        Containment::Or(flat(members, |flat, one| match one {
            Containment::Or(inner) => flat.extend(inner),
            other => flat.push(other),
        }))
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

/// `class [[NOT] CONTAINS …]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ClassContainment {
    /// The class.
    pub class: ClassExpression,
    /// What it contains, or must not contain.
    pub contains: Option<Contains>,
    /// The class expression alone, without what it contains.
    pub span: Span,
}

/// `[NOT] CONTAINS …`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Contains {
    /// `NOT CONTAINS`
    pub negated: bool,
    /// What is contained.
    pub inner: Containment,
}

/// A class with its variable and predicate.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ClassExpression {
    /// `EHR e[…]`, `OBSERVATION o[…]`, …
    Class {
        /// The class name as written.
        name: Name,
        /// The variable.
        variable: Option<Name>,
        /// The predicate.
        predicate: Option<Predicate>,
    },
    /// `VERSION v[…]`
    Version {
        /// The variable.
        variable: Option<Name>,
        /// The predicate.
        predicate: Option<VersionPredicate>,
    },
}

/// The predicate of a `VERSION`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum VersionPredicate {
    /// `[LATEST_VERSION]`
    Latest,
    /// `[ALL_VERSIONS]`
    All,
    /// `[commit_audit/time_committed/value > '…']`
    Comparison(PredicateComparison),
}

/// `variable[predicate]/step/step`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Path {
    /// The variable it starts from.
    pub variable: Name,
    /// A predicate on the variable itself.
    pub predicate: Option<Predicate>,
    /// The steps; empty for the variable alone.
    pub steps: Vec<Step>,
    /// The whole path.
    pub span: Span,
}

/// `step/step`, relative to where it stands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ObjectPath {
    /// The steps, at least one.
    pub steps: Vec<Step>,
    /// The whole path.
    pub span: Span,
}

/// One step of a path: an attribute and a predicate.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// The attribute's name.
    pub name: Name,
    /// The predicate.
    pub predicate: Option<Predicate>,
    /// Both.
    pub span: Span,
}

/// What stands between brackets. AND and OR are flat, as in conditions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Predicate {
    /// All of them; two members or more.
    And(Vec<Predicate>),
    /// Any of them; two members or more.
    Or(Vec<Predicate>),
    /// `$p` alone.
    Parameter(Parameter),
    /// `openEHR-EHR-COMPOSITION.encounter.v1[, name]`, `at0001[, name]`, `id1[, name]`
    Node {
        /// The archetype id or node code.
        id: NodeId,
        /// The name shorthand.
        name: Option<NodeName>,
    },
    /// `name/value = 'x'`
    Comparison(PredicateComparison),
    /// `name/value matches {/regex/}`
    Matches {
        /// The path.
        path: ObjectPath,
        /// The braces and all between them, as written.
        regex: Text,
    },
}

/// An archetype id or node code, as written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NodeId {
    /// Which form it has.
    pub kind: NodeIdKind,
    /// The text.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// The forms of a node id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeIdKind {
    /// `openEHR-EHR-OBSERVATION.blood_pressure.v2`
    Archetype,
    /// `at0001`
    AtCode,
    /// `id1`
    IdCode,
}

/// The name shorthand behind a node id.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum NodeName {
    /// A quoted name.
    Text(Literal),
    /// A parameter.
    Parameter(Parameter),
    /// `SNOMED-CT::123|rubric|`, as written.
    Term(Text),
    /// `at0002` or `id2`.
    Code(NodeId),
}

/// Text kept as written, with its place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Text {
    /// The text.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// `path op value` inside brackets.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PredicateComparison {
    /// The left side.
    pub path: ObjectPath,
    /// The operator.
    pub operator: Comparison,
    /// The right side.
    pub value: PredicateValue,
    /// All of it.
    pub span: Span,
}

/// The right side of a comparison inside brackets.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PredicateValue {
    /// A literal.
    Literal(Literal),
    /// A path relative to the same place.
    Path(ObjectPath),
    /// A parameter.
    Parameter(Parameter),
    /// `at0001` or `id1`.
    Code(NodeId),
}

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

/// A value: the right side of a comparison, or an argument of a call.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// A literal.
    Literal(Literal),
    /// A parameter.
    Parameter(Parameter),
    /// A path.
    Path(Path),
    /// A call.
    Call(Call),
}

/// `$name`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Parameter {
    /// The name, without the `$`.
    pub name: String,
    /// Where it stands.
    pub span: Span,
}

/// A literal as written: quotes, escapes, signs and digits kept.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Literal {
    /// Which form it has.
    pub kind: LiteralKind,
    /// The text as written, quotes included; the signs of a number are joined to it (`- 1` is `-1`).
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// The forms of a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LiteralKind {
    /// A quoted text that is no date or time.
    String,
    /// A quoted date.
    Date,
    /// A quoted time.
    Time,
    /// A quoted date and time.
    DateTime,
    /// `12`
    Integer,
    /// `1.5`
    Real,
    /// `1e5`
    ScientificInteger,
    /// `1.5e5`
    ScientificReal,
    /// `true`, `false`, in any case
    Boolean,
    /// `NULL`
    Null,
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
