//! Where each cell of the answer comes from, and what a node must select for it (N5, N12, N17, N18, N40).

use openehr_aql::ast::{Column, ColumnValue, Name, Path};

use super::columns::{Names, NodeColumns};
use super::endpoint::DirectiveVariable;
use super::from::Declared;
use super::place::Source;
use super::subject::{Part, Roots, Subject};
use super::{CellSource, PatientReference, PlanError, ResultColumn, literal};
use crate::sensitive::Sensitive;

/// What paths mean in this query.
pub(super) struct Meaning<'a> {
    pub(super) source: Source<'a>,
    pub(super) declared: &'a [Declared],
    pub(super) directive: Option<&'a DirectiveVariable>,
    pub(super) patient: Option<(&'a PatientReference, &'a Subject)>,
}

impl Meaning<'_> {
    /// What a selected path gives without asking the node: an attribute of the endpoint, or what the client said itself.
    ///
    /// # Errors
    /// An endpoint has no such attribute.
    pub(super) fn known(&self, path: &Path) -> Result<Option<CellSource>, PlanError> {
        if let Some(directive) = self.directive.filter(|directive| directive.starts(path)) {
            return directive.attribute(path, self.source).map(|attribute| Some(CellSource::Endpoint(attribute)));
        }
        Ok(self.said(path).map(|text| CellSource::Constant(Sensitive::new(literal::json_text(text.expose())))))
    }

    /// The client's own word for a subject path. Only of a subject the client named, or of the EHR's: the subject of another
    /// entry may be a relative, whom the patient's identifier would be wrong for.
    pub(super) fn said(&self, path: &Path) -> Option<&Sensitive<String>> {
        let (patient, subject) = self.patient?;
        let (carrier, part) = Roots::new(self.declared).part(path)?;
        if !subject.names(&carrier) {
            return None;
        }
        match part {
            Part::Id => Some(&patient.value),
            Part::Namespace => Some(&patient.namespace),
            Part::Type => subject.kind(&carrier),
        }
    }

    /// The variables that FROM declares.
    pub(super) fn variables(&self) -> Vec<&Name> {
        self.declared.iter().filter_map(|declared| declared.variable.as_ref()).collect()
    }
}

/// The cells of rows; the columns that nodes must answer move to the node query.
///
/// # Errors
/// An endpoint has no such attribute.
pub(super) fn rows(
    columns: Vec<Column>,
    meaning: &Meaning<'_>,
    node: &mut NodeColumns,
    names: &mut Names<'_>,
) -> Result<Vec<CellSource>, PlanError> {
    let variables = meaning.variables();
    let cell = |column: Column| {
        let known = match &column.value {
            ColumnValue::Path(path) => meaning.known(path)?,
            ColumnValue::Literal(literal) => Some(CellSource::Constant(Sensitive::new(literal::json(literal)))),
            ColumnValue::Aggregate(_) | ColumnValue::Call(_) => None,
        };
        Ok(known.unwrap_or_else(|| CellSource::Node(node.push(column.value, column.alias.as_ref(), &variables, names))))
    };
    columns.into_iter().map(cell).collect()
}

/// The answer's `columns[]`: from the façade alone, so the same whoever answers.
pub(super) fn described(columns: &[Column], source: Source<'_>) -> Vec<ResultColumn> {
    let describe = |(index, column): (usize, &Column)| ResultColumn {
        name: column.alias.as_ref().map_or_else(|| format!("#{index}"), |alias| alias.text.clone()),
        path: match &column.value {
            ColumnValue::Path(path) => Some(source.text(path.span).map_or_else(|| path.to_string(), str::to_owned)),
            ColumnValue::Literal(_) | ColumnValue::Aggregate(_) | ColumnValue::Call(_) => None,
        },
    };
    columns.iter().enumerate().map(describe).collect()
}
