//! What stands between brackets. AQL has no parentheses there.

use std::fmt::{self, Display, Formatter};

use super::{behind, joined, wrapped};
use crate::ast::{NodeId, NodeName, Predicate, PredicateComparison, PredicateValue};

pub(super) fn bracketed(f: &mut Formatter<'_>, predicate: Option<&impl Display>) -> fmt::Result {
    predicate.map_or(Ok(()), |predicate| wrapped(f, "[", predicate, "]"))
}

impl Display for Predicate {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Predicate::And(members) if !members.iter().any(holds_or) => joined(f, members, " AND ", |f, one| one.fmt(f)),
            Predicate::And(_) => joined(f, &alternatives(self), " OR ", |f, set| joined(f, set, " AND ", |f, one| one.fmt(f))),
            Predicate::Or(members) => joined(f, members, " OR ", |f, one| one.fmt(f)),
            Predicate::Parameter(parameter) => parameter.fmt(f),
            Predicate::Node { id, name: None } => id.fmt(f),
            Predicate::Node { id, name: Some(name) } => {
                // Without a blank the comma would be read as a part of a URI.
                id.fmt(f)?;
                behind(f, if id.text.contains(':') { " , " } else { ", " }, Some(name))
            }
            Predicate::Comparison(comparison) => comparison.fmt(f),
            Predicate::Matches { path, regex } => {
                path.fmt(f)?;
                behind(f, " MATCHES ", Some(&regex.text))
            }
        }
    }
}

fn holds_or(predicate: &Predicate) -> bool {
    match predicate {
        Predicate::Or(_) => true,
        Predicate::And(members) => members.iter().any(holds_or),
        _ => false,
    }
}

/// The same predicate as an OR of ANDs. No text has an OR inside an AND; a tree that was made may, and is printed so that it
/// says the same.
fn alternatives(predicate: &Predicate) -> Vec<Vec<&Predicate>> {
    match predicate {
        Predicate::Or(members) => members.iter().flat_map(alternatives).collect(),
        Predicate::And(members) => members.iter().fold(vec![Vec::new()], |before, member| {
            let choices = alternatives(member);
            before.iter().flat_map(|set| choices.iter().map(|choice| [set.as_slice(), choice].concat())).collect()
        }),
        one => vec![vec![one]],
    }
}

impl Display for NodeId {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Display for NodeName {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            NodeName::Text(literal) => literal.fmt(f),
            NodeName::Parameter(parameter) => parameter.fmt(f),
            NodeName::Term(term) => f.write_str(&term.text),
            NodeName::Code(code) => code.fmt(f),
        }
    }
}

impl Display for PredicateComparison {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let PredicateComparison { path, operator, value, span: _ } = self;
        path.fmt(f)?;
        wrapped(f, " ", &operator.as_str(), " ")?;
        value.fmt(f)
    }
}

impl Display for PredicateValue {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            PredicateValue::Literal(literal) => literal.fmt(f),
            PredicateValue::Path(path) => path.fmt(f),
            PredicateValue::Parameter(parameter) => parameter.fmt(f),
            PredicateValue::Code(code) => code.fmt(f),
        }
    }
}
