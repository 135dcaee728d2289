//! What may be stored: AQL, and no patient in it.

use std::ops::ControlFlow;

use openehr_aql::ast::{Condition, Literal, ObjectPath, Path, PredicateComparison, Step};
use openehr_aql::visit::{Visit, walk_condition, walk_object_path, walk_path, walk_predicate_comparison};
use openehr_aql::{ParseError, RuleError, check, parse};

use crate::error::ErrorCode;

/// Why a definition is not stored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DefinitionFault {
    /// Not AQL.
    #[error("The definition is not AQL 1.1: {0}.")]
    NotAql(ParseError),
    /// AQL that a rule forbids.
    #[error("The definition is refused: {0}.")]
    Rule(RuleError),
    /// A patient by a literal: stored, it would be a patient identifier at rest, in every list.
    #[error(
        "The definition names a patient. Put a parameter (`$name`) where the identifier stands, and give it when the query is run."
    )]
    LiteralSubject,
}

impl DefinitionFault {
    /// The code of the catalogue.
    #[must_use]
    pub fn code(&self) -> ErrorCode {
        match self {
            DefinitionFault::NotAql(_) => ErrorCode::InvalidAql,
            DefinitionFault::Rule(_) => ErrorCode::InvalidQuery,
            DefinitionFault::LiteralSubject => ErrorCode::IdentifierLeak,
        }
    }
}

/// Judges the text of a definition.
///
/// # Errors
/// [`DefinitionFault`]
pub fn check_definition(text: &str) -> Result<(), DefinitionFault> {
    let query = parse(text).map_err(DefinitionFault::NotAql)?;
    check(&query).map_err(DefinitionFault::Rule)?;
    match Subjects.visit_query(&query) {
        ControlFlow::Break(()) => Err(DefinitionFault::LiteralSubject),
        ControlFlow::Continue(()) => Ok(()),
    }
}

/// The definition as a node gets it: without its comments, for they may say anything, a patient's name too. None when it says
/// whom to ask (`FROM ENDPOINT`), which the federation alone understands.
#[must_use]
pub fn for_nodes(text: &str) -> Option<String> {
    let query = parse(text).ok()?;
    query.directive.is_none().then(|| query.to_string())
}

/// Do two texts say the same? A node may keep a definition in other words, spaces and letters than it was sent.
#[must_use]
pub fn says_the_same(one: &str, other: &str) -> bool {
    one == other || matches!((parse(one), parse(other)), (Ok(one), Ok(other)) if one == other)
}

/// Stops where a literal stands in one comparison with a path to the subject's identity, or in brackets on the way to it.
struct Subjects;

impl<'ast> Visit<'ast> for Subjects {
    type Break = ();

    fn visit_condition(&mut self, node: &'ast Condition) -> ControlFlow<()> {
        if !matches!(node, Condition::And(_) | Condition::Or(_) | Condition::Not(_)) {
            let mut both = Both::default();
            both.visit_condition(node)?;
        }
        walk_condition(self, node)
    }

    fn visit_predicate_comparison(&mut self, node: &'ast PredicateComparison) -> ControlFlow<()> {
        Both::default().visit_predicate_comparison(node)?;
        walk_predicate_comparison(self, node)
    }

    fn visit_path(&mut self, node: &'ast Path) -> ControlFlow<()> {
        let from = node.steps.iter().position(|step| step.name.is("subject")).unwrap_or(node.steps.len());
        for step in node.steps.iter().skip(from) {
            Both { identity: true, literal: false }.visit_step(step)?;
        }
        walk_path(self, node)
    }
}

/// Stops when it has seen both: a path to an identity, and a literal.
#[derive(Default)]
struct Both {
    identity: bool,
    literal: bool,
}

impl Both {
    fn verdict(&self) -> ControlFlow<()> {
        if self.identity && self.literal { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl<'ast> Visit<'ast> for Both {
    type Break = ();

    fn visit_path(&mut self, node: &'ast Path) -> ControlFlow<()> {
        self.identity |= leads_to_identity(&node.steps);
        self.verdict()?;
        walk_path(self, node)
    }

    fn visit_object_path(&mut self, node: &'ast ObjectPath) -> ControlFlow<()> {
        self.identity |= leads_to_identity(&node.steps) || begins_identity(&node.steps);
        self.verdict()?;
        walk_object_path(self, node)
    }

    fn visit_literal(&mut self, _: &'ast Literal) -> ControlFlow<()> {
        self.literal = true;
        self.verdict()
    }
}

/// Is there a `subject` with nothing behind it, or what identifies it?
fn leads_to_identity(steps: &[Step]) -> bool {
    let mut rest = steps;
    while let Some((first, after)) = rest.split_first() {
        if first.name.is("subject") && (after.is_empty() || begins_identity(after)) {
            return true;
        }
        rest = after;
    }
    false
}

/// What identifies, or holds or asks something that does. Whose identifier it is, of what kind and by whom issued names nobody.
fn begins_identity(steps: &[Step]) -> bool {
    let is = |names: &[&str]| {
        steps.len() == names.len() && steps.iter().zip(names).all(|(step, name)| step.name.is(name) && step.predicate.is_none())
    };
    let begins = steps.first().is_some_and(|step| step.name.is("external_ref") || step.name.is("identifiers"));
    begins && !NAMELESS.iter().any(|names| is(names))
}

/// Below a `subject`, what names no patient.
const NAMELESS: [&[&str]; 6] = [
    &["external_ref", "namespace"],
    &["external_ref", "type"],
    &["external_ref", "id", "scheme"],
    &["identifiers", "issuer"],
    &["identifiers", "assigner"],
    &["identifiers", "type"],
];
