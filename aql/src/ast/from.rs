//! What is searched.

use super::{Name, Predicate, PredicateComparison, Span, flat};

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
