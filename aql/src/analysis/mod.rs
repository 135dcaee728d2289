//! What a reader of queries asks of the tree: the conditions that must all hold, what a variable is, where a path leads in the
//! reference model, where literals stand, what a function of constants gives.

mod fold;
mod like;
mod literals;
#[cfg(test)]
mod tests;
mod variables;

pub use fold::fold;
pub use like::{LikePart, Pattern};
pub use literals::{LiteralAt, LiteralPlace, literals};
pub use variables::{Declared, PathClass, Variables};

use crate::ast::{Column, Condition, Path, Select};

/// The conditions that must all hold: the members of an AND at the top, or the condition alone.
#[must_use]
pub fn conjuncts(condition: &Condition) -> &[Condition] {
    match condition {
        Condition::And(members) => members,
        other => std::slice::from_ref(other),
    }
}

impl Path {
    /// The names of the steps, without predicates.
    pub fn attributes(&self) -> impl Iterator<Item = &str> {
        self.steps.iter().map(|step| step.name.text.as_str())
    }

    /// Are these the names of the steps, in order? Attribute names are case-sensitive, as the reference model's are.
    #[must_use]
    pub fn leads_to(&self, attributes: &[&str]) -> bool {
        self.steps.len() == attributes.len() && self.attributes().zip(attributes).all(|(one, other)| one == *other)
    }

    /// Is it a name alone: no predicate, no steps?
    #[must_use]
    pub fn is_bare(&self) -> bool {
        self.predicate.is_none() && self.steps.is_empty()
    }
}

impl Select {
    /// The first column with this alias, and its index.
    #[must_use]
    pub fn column_named(&self, alias: &str) -> Option<(usize, &Column)> {
        self.columns.iter().enumerate().find(|(_, column)| column.alias.as_ref().is_some_and(|name| name.is(alias)))
    }
}
