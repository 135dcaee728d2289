//! FROM.

use std::fmt::{self, Display, Formatter};

use super::{behind, joined, predicate, wrapped};
use crate::ast::{ClassContainment, ClassExpression, Containment, Contains, VersionPredicate};

/// As it stands behind FROM.
impl Display for Containment {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Containment::Class(one) => one.fmt(f),
            Containment::And(members) => joined(f, members, " AND ", member),
            Containment::Or(members) => joined(f, members, " OR ", member),
        }
    }
}

/// As it stands behind CONTAINS.
pub(super) fn contained(f: &mut Formatter<'_>, containment: &Containment) -> fmt::Result {
    match containment {
        Containment::Class(one) => one.fmt(f),
        Containment::And(_) | Containment::Or(_) => wrapped(f, "(", containment, ")"),
    }
}

/// As a member of a set.
fn member(f: &mut Formatter<'_>, containment: &Containment) -> fmt::Result {
    match containment {
        Containment::Class(one) if one.contains.is_none() => one.fmt(f),
        _ => wrapped(f, "(", containment, ")"),
    }
}

impl Display for ClassContainment {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let ClassContainment { class, contains, span: _ } = self;
        class.fmt(f)?;
        let Some(Contains { negated, inner }) = contains else { return Ok(()) };
        f.write_str(if *negated { " NOT CONTAINS " } else { " CONTAINS " })?;
        contained(f, inner)
    }
}

impl Display for ClassExpression {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let variable = match self {
            ClassExpression::Class { name, variable, .. } => {
                name.fmt(f)?;
                variable
            }
            ClassExpression::Version { variable, .. } => {
                f.write_str("VERSION")?;
                variable
            }
        };
        behind(f, " ", variable.as_ref())?;
        match self {
            ClassExpression::Class { predicate, .. } => predicate::bracketed(f, predicate.as_ref()),
            ClassExpression::Version { predicate, .. } => predicate::bracketed(f, predicate.as_ref()),
        }
    }
}

impl Display for VersionPredicate {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            VersionPredicate::Latest => f.write_str("LATEST_VERSION"),
            VersionPredicate::All => f.write_str("ALL_VERSIONS"),
            VersionPredicate::Comparison(comparison) => comparison.fmt(f),
        }
    }
}
