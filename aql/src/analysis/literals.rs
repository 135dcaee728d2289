//! Where literals stand.

use std::convert::Infallible;
use std::ops::ControlFlow;

use crate::ast::{Call, Column, Condition, Literal, NodeName, Path, PredicateComparison, Query, VersionPredicate};
use crate::visit::{self, Visit};

/// A literal and where it stands.
#[derive(Clone, Copy, Debug)]
pub struct LiteralAt<'a> {
    /// The literal.
    pub literal: &'a Literal,
    /// The innermost place it stands in.
    pub place: LiteralPlace,
    /// The left side of the condition, or the path whose predicate it stands in.
    pub path: Option<&'a Path>,
}

/// The places where a literal can stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LiteralPlace {
    /// A column of SELECT.
    Column,
    /// The right side of a comparison in WHERE.
    Comparison,
    /// A LIKE pattern.
    Like,
    /// A member of a MATCHES list.
    Matches,
    /// An argument of a function, `TERMINOLOGY` included.
    Argument,
    /// The right side of a comparison in brackets.
    Predicate,
    /// The name behind a node id in brackets.
    NodeName,
    /// The right side of a comparison in the brackets of a VERSION.
    Version,
}

/// All literals of a query, in the order of the text.
#[must_use]
pub fn literals(query: &Query) -> Vec<LiteralAt<'_>> {
    let mut collect = Collect { found: Vec::new(), place: LiteralPlace::Column, path: None };
    let ControlFlow::Continue(()) = collect.visit_query(query);
    collect.found
}

struct Collect<'a> {
    found: Vec<LiteralAt<'a>>,
    place: LiteralPlace,
    path: Option<&'a Path>,
}

impl<'a> Collect<'a> {
    /// Runs a visit inside a place.
    fn inside(
        &mut self,
        place: LiteralPlace,
        path: Option<&'a Path>,
        visit: impl FnOnce(&mut Self) -> ControlFlow<Infallible>,
    ) -> ControlFlow<Infallible> {
        let before = (self.place, self.path);
        (self.place, self.path) = (place, path);
        visit(self)?;
        (self.place, self.path) = before;
        ControlFlow::Continue(())
    }
}

impl<'a> Visit<'a> for Collect<'a> {
    type Break = Infallible;

    fn visit_literal(&mut self, node: &'a Literal) -> ControlFlow<Infallible> {
        self.found.push(LiteralAt { literal: node, place: self.place, path: self.path });
        ControlFlow::Continue(())
    }

    fn visit_column(&mut self, node: &'a Column) -> ControlFlow<Infallible> {
        self.inside(LiteralPlace::Column, None, |collect| visit::walk_column(collect, node))
    }

    fn visit_condition(&mut self, node: &'a Condition) -> ControlFlow<Infallible> {
        let (place, path) = match node {
            Condition::Like { path, .. } => (LiteralPlace::Like, Some(path)),
            Condition::Matches { path, .. } => (LiteralPlace::Matches, Some(path)),
            Condition::Compare { left: crate::ast::Operand::Path(path), .. } => (LiteralPlace::Comparison, Some(path)),
            Condition::Compare { .. } | Condition::Exists { .. } => (LiteralPlace::Comparison, None),
            Condition::And(_) | Condition::Or(_) | Condition::Not(_) => return visit::walk_condition(self, node),
        };
        self.inside(place, path, |collect| visit::walk_condition(collect, node))
    }

    fn visit_call(&mut self, node: &'a Call) -> ControlFlow<Infallible> {
        self.inside(LiteralPlace::Argument, self.path, |collect| visit::walk_call(collect, node))
    }

    fn visit_path(&mut self, node: &'a Path) -> ControlFlow<Infallible> {
        self.inside(LiteralPlace::Predicate, Some(node), |collect| visit::walk_path(collect, node))
    }

    fn visit_predicate_comparison(&mut self, node: &'a PredicateComparison) -> ControlFlow<Infallible> {
        let place = if self.place == LiteralPlace::Version { LiteralPlace::Version } else { LiteralPlace::Predicate };
        self.inside(place, self.path, |collect| visit::walk_predicate_comparison(collect, node))
    }

    fn visit_node_name(&mut self, node: &'a NodeName) -> ControlFlow<Infallible> {
        self.inside(LiteralPlace::NodeName, self.path, |collect| visit::walk_node_name(collect, node))
    }

    fn visit_version_predicate(&mut self, node: &'a VersionPredicate) -> ControlFlow<Infallible> {
        self.inside(LiteralPlace::Version, None, |collect| visit::walk_version_predicate(collect, node))
    }
}
