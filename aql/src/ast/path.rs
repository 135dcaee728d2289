//! Paths, and what stands between their brackets.

use super::{Comparison, Literal, Name, Parameter, Span, Text};

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
