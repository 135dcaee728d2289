//! Variables and paths of a query, each given a place in the row.
//!
//! A path that reaches several values gives one row each, and paths that begin alike share their beginning: two columns
//! below `o/data/events` come from the same event. So the paths of SELECT, WHERE and ORDER BY are laid into one tree, and a
//! row is one choice of value for each of its nodes.

use std::collections::HashMap;

use openehr_aql::ast::{Path, Predicate, Step};

use super::error::EvalError;

/// More path steps than this are refused.
const MAX_NODES: usize = 2_000;

/// Where a row holds a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Place {
    /// What a class of FROM stands for.
    Slot(usize),
    /// What a step of a path leads to.
    Node(usize),
}

/// One step of the tree of paths. Parents stand before their children.
#[derive(Debug)]
pub(super) struct PathNode<'q> {
    /// What it starts from.
    pub(super) parent: Place,
    /// The attribute; `None` for a predicate on the variable itself.
    pub(super) attribute: Option<&'q str>,
    /// The predicate.
    pub(super) predicate: Option<&'q Predicate>,
}

/// The places of one query.
#[derive(Debug, Default)]
pub(super) struct Scope<'q> {
    /// How many classes FROM has.
    pub(super) slots: usize,
    variables: HashMap<String, usize>,
    /// The tree of paths.
    pub(super) nodes: Vec<PathNode<'q>>,
}

impl<'q> Scope<'q> {
    /// A place for the next class of FROM.
    pub(super) fn slot(&mut self, variable: Option<&str>) -> Result<usize, EvalError> {
        let slot = self.slots;
        self.slots += 1;
        match variable.map(|name| self.variables.insert(name.to_ascii_lowercase(), slot)) {
            Some(Some(_)) => Err(EvalError::RepeatedVariable),
            Some(None) | None => Ok(slot),
        }
    }

    /// The slot of a variable.
    pub(super) fn variable(&self, name: &str) -> Option<usize> {
        self.variables.get(&name.to_ascii_lowercase()).copied()
    }

    /// The place of a path, made when it is new.
    pub(super) fn place(&mut self, path: &'q Path) -> Result<Place, EvalError> {
        let mut place = Place::Slot(self.variable(&path.variable.text).ok_or(EvalError::UnknownVariable)?);
        if let Some(predicate) = &path.predicate {
            place = self.node(place, None, Some(predicate))?;
        }
        for step in &path.steps {
            place = self.node(place, Some(&step.name.text), step.predicate.as_ref())?;
        }
        Ok(place)
    }

    /// The longest beginning of a path that has a place, and the steps behind it.
    pub(super) fn beginning(&mut self, path: &'q Path) -> Result<(Place, Vec<&'q Step>), EvalError> {
        let mut place = Place::Slot(self.variable(&path.variable.text).ok_or(EvalError::UnknownVariable)?);
        if let Some(predicate) = &path.predicate {
            place = self.node(place, None, Some(predicate))?;
        }
        let mut rest = path.steps.iter();
        while let Some(step) = rest.as_slice().first() {
            match self.find(place, Some(&step.name.text), step.predicate.as_ref()) {
                Some(found) => place = found,
                None => break,
            }
            rest.next();
        }
        Ok((place, rest.collect()))
    }

    fn find(&self, parent: Place, attribute: Option<&str>, predicate: Option<&Predicate>) -> Option<Place> {
        let same = |node: &PathNode<'_>| node.parent == parent && node.attribute == attribute && node.predicate == predicate;
        self.nodes.iter().position(same).map(Place::Node)
    }

    fn node(&mut self, parent: Place, attribute: Option<&'q str>, predicate: Option<&'q Predicate>) -> Result<Place, EvalError> {
        if let Some(found) = self.find(parent, attribute, predicate) {
            return Ok(found);
        }
        if self.nodes.len() >= MAX_NODES {
            return Err(EvalError::Size(MAX_NODES));
        }
        self.nodes.push(PathNode { parent, attribute, predicate });
        Ok(Place::Node(self.nodes.len() - 1))
    }
}
