//! The attributes of endpoints that a query selects through its directive's variable (§9.3, N12, CP-37).

use openehr_aql::ast::{Directive, DirectiveKind, Name, Path};

use super::place::Source;
use super::{EndpointAttribute, PlanError};

/// The directive's variable and what it names.
#[derive(Clone, Debug)]
pub(super) struct DirectiveVariable {
    name: Name,
    kind: DirectiveKind,
}

impl DirectiveVariable {
    /// The variable of a directive, when it has one.
    pub(super) fn of(directive: Option<&Directive>) -> Option<Self> {
        let directive = directive?;
        directive.variable.as_ref().map(|name| DirectiveVariable { name: name.clone(), kind: directive.kind })
    }

    /// Does the path start from the directive's variable?
    pub(super) fn starts(&self, path: &Path) -> bool {
        path.variable.is(&self.name.text)
    }

    /// The attribute that a path names.
    ///
    /// # Errors
    /// There is no such attribute.
    pub(super) fn attribute(&self, path: &Path, source: Source<'_>) -> Result<EndpointAttribute, PlanError> {
        let unknown = PlanError::Query {
            place: source.place(path.span),
            problem: "No such attribute of an endpoint: there are `id`, `endpoint_id`, `organisation`, `system_id`, `node_id` and `url`",
        };
        let [step] = path.steps.as_slice() else { return Err(unknown) };
        if step.predicate.is_some() || path.predicate.is_some() {
            return Err(unknown);
        }
        match (step.name.text.to_ascii_lowercase().as_str(), self.kind) {
            ("id", DirectiveKind::Organisation) => Ok(EndpointAttribute::Organisation),
            ("id" | "endpoint_id", _) => Ok(EndpointAttribute::EndpointId),
            ("organisation" | "organization" | "organisation_id" | "organization_id", _) => Ok(EndpointAttribute::Organisation),
            ("system_id", _) => Ok(EndpointAttribute::SystemId),
            ("node_id", _) => Ok(EndpointAttribute::NodeId),
            ("url", _) => Ok(EndpointAttribute::Url),
            _ => Err(unknown),
        }
    }
}
