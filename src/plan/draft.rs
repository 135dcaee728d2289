//! From a request to its plan, step by step.

use openehr_aql::ast::{Limit, Name, Query, Span};

use super::columns::{Names, NodeColumns, path};
use super::endpoint::DirectiveVariable;
use super::hygiene::{self, Gate};
use super::paging::Window;
use super::place::Source;
use super::project::{self, Meaning};
use super::{
    CombineSpec, NodeQuery, Plan, PlanContext, PlanError, Scope, aggregate, clock, from, paging, scope, several, single, subject,
};
use crate::intake::{Completeness, QueryRequest};

/// Plans a query.
///
/// # Errors
/// [`PlanError`]: what the query asks cannot be served exactly, would tell a node who the patient is, or is not offered here.
pub fn plan(request: &QueryRequest, context: &PlanContext<'_>) -> Result<Plan, PlanError> {
    offered(request, context)?;
    let source = Source(&request.text);
    let mut names = Names::of(&request.text);
    let mut query = request.query.clone();
    let directive = DirectiveVariable::of(query.directive.take().as_ref());
    let window = paging::taken(&mut query, request.page, source)?;
    clock::frozen(&mut query, context.now, source)?;
    from::rooted(&mut query, source)?;
    let ehr = from::ehr_variable(&mut query, &mut names);
    let declared = from::declared(&query.from);
    let consumed = subject::consumed(&mut query, &declared, source)?;
    subject::refuse_rest(&query, directive.as_ref(), source)?;
    let scope = scope::settled(&consumed, request, context, source)?;
    scope::refuse_pairs(&request.query.from, &scope, context, source)?;
    let patient = match &scope {
        Scope::Patient(patient) => Some((patient, &consumed.subject)),
        Scope::Ehr(_) | Scope::Population => None,
    };
    let meaning = Meaning { source, declared: &declared, directive: directive.as_ref(), patient };
    let mut draft = Draft { query, node: NodeColumns::default(), names, ehr, window, limit: None };
    let combine = shaped(&mut draft, request, &meaning, context)?;
    let columns = project::described(&request.query.select.columns, source);
    let gate = patient.map(|(patient, _)| Gate::new(patient));
    let node_query = draft.finished(combine.single);
    if let Some(gate) = &gate {
        tracing::info!(security = true, "patient predicate taken out of the query");
        hygiene::refuse(&node_query.tree, gate, source)?;
    }
    Ok(Plan { scope, node_query, combine, columns, gate })
}

/// Is what the headers ask for offered at all?
fn offered(request: &QueryRequest, context: &PlanContext<'_>) -> Result<(), PlanError> {
    if request.completeness == Completeness::Partial && !context.best_effort {
        return Err(PlanError::PartialNotOffered);
    }
    if !context.dedup_offered && request.dedup != crate::intake::DedupMode::None {
        return Err(PlanError::DedupNotOffered);
    }
    Ok(())
}

fn shaped(
    draft: &mut Draft<'_>,
    request: &QueryRequest,
    meaning: &Meaning<'_>,
    context: &PlanContext<'_>,
) -> Result<CombineSpec, PlanError> {
    let aggregates = aggregate::any(&draft.query.select.columns);
    if aggregates {
        aggregate::refuse_company(&draft.query.select.columns, meaning)?;
    }
    match (context.single_destination, aggregates) {
        (true, _) => single::shape(draft, request, meaning),
        (false, true) => several::aggregates(draft, request, meaning, context),
        (false, false) => several::rows(draft, request, meaning, context),
    }
}

/// The node query while it is made.
pub(super) struct Draft<'a> {
    pub(super) query: Query,
    pub(super) node: NodeColumns,
    pub(super) names: Names<'a>,
    pub(super) ehr: Option<Name>,
    pub(super) window: Window,
    pub(super) limit: Option<Limit>,
}

impl Draft<'_> {
    /// The node column with the version uid of the row's composition; none when not every row has a composition.
    pub(super) fn uid(&mut self) -> Option<usize> {
        let composition = from::composition_variable(&mut self.query, &mut self.names)?;
        Some(self.node.of_path(&path(&composition, &["uid", "value"]), &mut self.names))
    }

    /// The same, when the client selected it.
    pub(super) fn selected_uid(&mut self) -> Option<usize> {
        let composition = from::composition_variable(&mut self.query, &mut self.names)?;
        self.node.find(&path(&composition, &["uid", "value"]))
    }

    /// A node must select something: where nothing is left for it, what every row has.
    pub(super) fn never_empty(&mut self) {
        if self.node.width() == 0 {
            self.mark_rows();
        }
    }

    /// Selects what every row has: the uid of its composition, else the `ehr_id`.
    pub(super) fn mark_rows(&mut self) {
        if self.uid().is_none()
            && let Some(ehr) = &self.ehr
        {
            self.node.of_path(&path(ehr, &["ehr_id", "value"]), &mut self.names);
        }
    }

    /// Sets the LIMIT that is pushed.
    pub(super) fn push_limit(&mut self, count: u64, offset: u64) {
        let offset = (offset > 0).then(|| offset.into());
        self.limit = Some(Limit { count: count.into(), offset, span: Span::NONE });
    }

    fn finished(self, single: bool) -> NodeQuery {
        let mut tree = self.query;
        tree.select.columns = self.node.into_columns();
        NodeQuery { tree, ehr: self.ehr, limit: self.limit, single }
    }
}
