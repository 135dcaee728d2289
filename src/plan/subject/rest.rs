//! What is left of the patient and of the directive after the predicates are taken out, and must not be.

use std::ops::ControlFlow;

use openehr_aql::ast::{Aggregate, Column, ColumnValue, ObjectPath, OrderKey, Path, Query, Span};
use openehr_aql::visit::{self, Visit};

use super::classify::{asks, touches};
use crate::plan::PlanError;
use crate::plan::endpoint::DirectiveVariable;
use crate::plan::place::Source;

/// Refuses a query that still asks something of a subject's identifier, or of an endpoint, other than to see it.
///
/// # Errors
/// A subject path stands anywhere but as a column of SELECT; the directive's variable anywhere but there or in ORDER BY.
pub(in crate::plan) fn refuse_rest(
    query: &Query,
    directive: Option<&DirectiveVariable>,
    source: Source<'_>,
) -> Result<(), PlanError> {
    match (Rest { directive, source }).visit_query(query) {
        ControlFlow::Break(error) => Err(error),
        ControlFlow::Continue(()) => Ok(()),
    }
}

struct Rest<'a> {
    directive: Option<&'a DirectiveVariable>,
    source: Source<'a>,
}

impl Rest<'_> {
    fn subject(&self, span: Span) -> ControlFlow<PlanError> {
        let problem = "a path to the subject's identifier stands where no one patient follows from it";
        ControlFlow::Break(PlanError::Irreducible { place: self.source.place(span), problem })
    }

    fn of_directive(&self, path: &Path) -> bool {
        self.directive.is_some_and(|directive| directive.starts(path))
    }
}

impl<'ast> Visit<'ast> for Rest<'_> {
    type Break = PlanError;

    fn visit_column(&mut self, node: &'ast Column) -> ControlFlow<PlanError> {
        let ColumnValue::Path(path) = &node.value else { return visit::walk_column(self, node) };
        if asks(&path.steps) {
            return self.subject(path.span);
        }
        visit::walk_path(self, path)
    }

    fn visit_order_key(&mut self, node: &'ast OrderKey) -> ControlFlow<PlanError> {
        if self.of_directive(&node.path) { ControlFlow::Continue(()) } else { visit::walk_order_key(self, node) }
    }

    fn visit_aggregate(&mut self, node: &'ast Aggregate) -> ControlFlow<PlanError> {
        match &node.path {
            Some(path) if self.of_directive(path) => ControlFlow::Break(PlanError::Query {
                place: self.source.place(path.span),
                problem: "An attribute of the endpoint cannot be aggregated: select it, or sort by it",
            }),
            _ => visit::walk_aggregate(self, node),
        }
    }

    fn visit_path(&mut self, node: &'ast Path) -> ControlFlow<PlanError> {
        if self.of_directive(node) {
            return ControlFlow::Break(PlanError::Query {
                place: self.source.place(node.span),
                problem: "An attribute of the endpoint is no condition: name endpoints in the directive, and select or sort by their attributes",
            });
        }
        if touches(&node.steps) {
            return self.subject(node.span);
        }
        visit::walk_path(self, node)
    }

    fn visit_object_path(&mut self, node: &'ast ObjectPath) -> ControlFlow<PlanError> {
        if touches(&node.steps) {
            return self.subject(node.span);
        }
        visit::walk_object_path(self, node)
    }
}
