//! From answers of FROM to rows: every choice of value for the tree of paths, filtered by WHERE.

use super::condition::Test;
use super::error::EvalError;
use super::expression::Row;
use super::find::{Binding, Finder, Item, Tree};
use super::meter::Meter;
use super::predicate::{each_child, satisfies};
use super::scope::{PathNode, Scope};
use crate::value::Json;

/// Makes the rows of a query.
pub(super) struct Rows<'p, 'q, 'a> {
    pub(super) scope: &'p Scope<'q>,
    pub(super) tree: &'p Tree<'q>,
    pub(super) test: Option<&'p Test<'q>>,
    pub(super) finder: Finder<'a, 'p>,
}

/// Takes a row; says whether more are wanted.
pub(super) type Take<'t, 'a> = &'t mut dyn FnMut(&Row<'a>) -> Result<bool, EvalError>;

impl<'a> Rows<'_, '_, 'a> {
    /// Calls for each row, until `take` says to stop.
    pub(super) fn each(&self, take: Take<'_, 'a>) -> Result<(), EvalError> {
        self.finder.each(self.tree, &mut |binding| {
            let mut row = self.row(binding);
            self.choose(0, &mut row, take)
        })
    }

    fn row(&self, binding: Binding<'a>) -> Row<'a> {
        let mut slots: Vec<Option<Item<'a>>> = vec![None; self.scope.slots];
        for (slot, item) in binding {
            if let Some(place) = slots.get_mut(slot) {
                *place = Some(item);
            }
        }
        Row { slots, nodes: vec![None; self.scope.nodes.len()] }
    }

    /// Chooses a value for the node at `index` and all behind it.
    fn choose(&self, index: usize, row: &mut Row<'a>, take: Take<'_, 'a>) -> Result<bool, EvalError> {
        let Some(node) = self.scope.nodes.get(index) else {
            self.meter().tick(1)?;
            let passes = self.test.map_or(Ok(true), |test| test.passes(row))?;
            return if passes { take(row) } else { Ok(true) };
        };
        let values = self.values(node, row)?;
        if values.is_empty() {
            return self.choose_value(index, None, row, take);
        }
        for value in values {
            if !self.choose_value(index, Some(value), row, take)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn choose_value(
        &self,
        index: usize,
        value: Option<&'a Json>,
        row: &mut Row<'a>,
        take: Take<'_, 'a>,
    ) -> Result<bool, EvalError> {
        if let Some(place) = row.nodes.get_mut(index) {
            *place = value;
        }
        self.choose(index + 1, row, take)
    }

    fn values(&self, node: &PathNode<'_>, row: &Row<'a>) -> Result<Values<'a>, EvalError> {
        let mut values = Values::default();
        let Some(parent) = row.at(node.parent) else { return Ok(values) };
        match (node.attribute, node.predicate) {
            (Some(attribute), predicate) => each_child(parent, attribute, predicate, &mut |child| {
                self.meter().tick(1)?;
                values.push(child);
                Ok(())
            })?,
            (None, Some(predicate)) if satisfies(parent, predicate)? => values.push(parent),
            (None, _) => {}
        }
        Ok(values)
    }

    fn meter(&self) -> &Meter {
        self.finder.meter
    }
}

/// The values of one node: mostly none or one, so that these need no memory.
#[derive(Default)]
struct Values<'a> {
    first: Option<&'a Json>,
    more: Vec<&'a Json>,
}

impl<'a> Values<'a> {
    fn push(&mut self, value: &'a Json) {
        if self.first.is_none() {
            self.first = Some(value);
        } else {
            self.more.push(value);
        }
    }

    fn is_empty(&self) -> bool {
        self.first.is_none()
    }
}

impl<'a> IntoIterator for Values<'a> {
    type Item = &'a Json;
    type IntoIter = std::iter::Chain<std::option::IntoIter<Self::Item>, std::vec::IntoIter<Self::Item>>;

    fn into_iter(self) -> Self::IntoIter {
        self.first.into_iter().chain(self.more)
    }
}
