//! WHERE, with as few parentheses as precedence allows: NOT before AND before OR.

use std::fmt::{self, Display, Formatter};

use super::{behind, joined, list, wrapped};
use crate::ast::{Condition, LikePattern, MatchItem, MatchSet, Operand};

impl Display for Condition {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Condition::And(members) => joined(f, members, " AND ", |f, one| member(f, one, matches!(one, Condition::Or(_)))),
            Condition::Or(members) => joined(f, members, " OR ", |f, one| one.fmt(f)),
            Condition::Not(inner) => {
                f.write_str("NOT ")?;
                member(f, inner, matches!(**inner, Condition::And(_) | Condition::Or(_)))
            }
            Condition::Exists { path, span: _ } => behind(f, "EXISTS ", Some(path)),
            Condition::Compare { left, operator, right, span: _ } => {
                left.fmt(f)?;
                wrapped(f, " ", &operator.as_str(), " ")?;
                right.fmt(f)
            }
            Condition::Like { path, pattern, span: _ } => {
                path.fmt(f)?;
                behind(f, " LIKE ", Some(pattern))
            }
            Condition::Matches { path, set, span: _ } => {
                path.fmt(f)?;
                behind(f, " MATCHES ", Some(set))
            }
        }
    }
}

fn member(f: &mut Formatter<'_>, condition: &Condition, wrap: bool) -> fmt::Result {
    if wrap { wrapped(f, "(", condition, ")") } else { condition.fmt(f) }
}

impl Display for Operand {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Operand::Path(path) => path.fmt(f),
            Operand::Call(call) => call.fmt(f),
        }
    }
}

impl Display for LikePattern {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            LikePattern::Text(literal) => literal.fmt(f),
            LikePattern::Parameter(parameter) => parameter.fmt(f),
        }
    }
}

impl Display for MatchSet {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            MatchSet::Values(items) => {
                f.write_str("{")?;
                list(f, items)?;
                f.write_str("}")
            }
            MatchSet::Terminology(call) => call.fmt(f),
            MatchSet::Uri(uri) => wrapped(f, "{", &uri.text, "}"),
        }
    }
}

impl Display for MatchItem {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            MatchItem::Literal(literal) => literal.fmt(f),
            MatchItem::Parameter(parameter) => parameter.fmt(f),
            MatchItem::Terminology(call) => call.fmt(f),
        }
    }
}
