//! The text a node is sent: the tree with its `ehr_id` and its LIMIT, printed (N7, CP-4).

use openehr_aql::ast::{Comparison, Condition, Literal, Operand, Query, Span, Value};

use super::columns::path;
use super::{Cut, NodeQuery};
use crate::ids::EhrId;

/// What stands for the `ehr_id` where none is known.
const MARKER: &str = "{ehr_id}";

impl NodeQuery {
    /// The text for one node. The tree is printed, never spliced: no `ehr_id` can break out of its quotes.
    #[must_use]
    pub fn for_ehr(&self, ehr_id: Option<&EhrId>, cut: Cut) -> String {
        self.printed(ehr_id.map(EhrId::as_str), cut)
    }

    /// The text for a reader, with a marker where the `ehr_id` would stand; `scoped` says whether there is one.
    #[must_use]
    pub fn for_explanation(&self, scoped: bool, cut: Cut) -> String {
        self.printed(scoped.then_some(MARKER), cut)
    }

    fn printed(&self, ehr_id: Option<&str>, cut: Cut) -> String {
        let mut tree = self.tree.clone();
        if let Some(ehr_id) = ehr_id {
            self.scope(&mut tree, ehr_id);
        }
        if self.single || cut == Cut::Pushed {
            tree.limit.clone_from(&self.limit);
        }
        tree.to_string()
    }

    /// `e/ehr_id/value = '…'` as the first condition.
    fn scope(&self, tree: &mut Query, ehr_id: &str) {
        let Some(ehr) = &self.ehr else { return };
        let scope = Condition::Compare {
            left: Operand::Path(path(ehr, &["ehr_id", "value"])),
            operator: Comparison::Equal,
            right: Value::Literal(Literal::string(ehr_id)),
            span: Span::NONE,
        };
        tree.condition = Some(match tree.condition.take() {
            Some(rest) => scope.and(rest),
            None => scope,
        });
    }
}
