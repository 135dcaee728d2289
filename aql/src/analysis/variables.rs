//! What FROM declares.

use std::convert::Infallible;
use std::ops::ControlFlow;

use crate::ast::{
    ClassContainment, ClassExpression, Containment, Contains, Name, NodeId, NodeIdKind, Path, Predicate, Query, VersionPredicate,
};
use crate::visit::{self, Visit};

/// A class expression of FROM.
#[derive(Clone, Copy, Debug)]
pub struct Declared<'a> {
    /// The variable, if it has one.
    pub variable: Option<&'a Name>,
    /// The class name as written; `VERSION` for a version.
    pub class: &'a str,
    /// Is it a `VERSION`?
    pub version: bool,
    /// The predicate of a class.
    pub predicate: Option<&'a Predicate>,
    /// The predicate of a `VERSION`.
    pub version_predicate: Option<&'a VersionPredicate>,
    /// The archetype id that every match has: the predicate itself or a member of its AND.
    pub archetype: Option<&'a NodeId>,
    /// The class expression that contains it, as an index into [`Variables::classes`].
    pub parent: Option<usize>,
    /// Does it stand behind a NOT CONTAINS? No row then has a value for it.
    pub negated: bool,
    /// Does it stand in a branch of an OR? A row may then have no value for it.
    pub optional: bool,
}

/// Everything that FROM declares, in the order of the text.
#[derive(Clone, Debug)]
pub struct Variables<'a> {
    /// The class expressions, those without a variable included.
    pub classes: Vec<Declared<'a>>,
    /// The variable of the directive.
    pub directive: Option<&'a Name>,
}

/// Where a path leads in the reference model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathClass<'a> {
    /// The class of its variable.
    pub class: &'a str,
    /// Its attributes joined by `/`, without predicates; empty for the variable alone.
    pub path: String,
}

impl<'a> Variables<'a> {
    /// Reads FROM and the directive.
    #[must_use]
    pub fn of(query: &'a Query) -> Variables<'a> {
        let mut collect = Collect { classes: Vec::new(), parent: None, negated: false, optional: false };
        let ControlFlow::Continue(()) = collect.visit_containment(&query.from);
        let directive = query.directive.as_ref().and_then(|directive| directive.variable.as_ref());
        Variables { classes: collect.classes, directive }
    }

    /// The class expression with this variable, ignoring ASCII case; of two, the first.
    #[must_use]
    pub fn get(&self, variable: &str) -> Option<&Declared<'a>> {
        self.classes.iter().find(|one| one.variable.is_some_and(|name| name.is(variable)))
    }

    /// Does FROM declare the name, be it as the directive's variable?
    #[must_use]
    pub fn declares(&self, variable: &str) -> bool {
        self.is_directive(variable) || self.get(variable).is_some()
    }

    /// Is it the directive's variable?
    #[must_use]
    pub fn is_directive(&self, variable: &str) -> bool {
        self.directive.is_some_and(|name| name.is(variable))
    }

    /// The first name that is declared a second time.
    #[must_use]
    pub fn declared_twice(&self) -> Option<&'a Name> {
        let mut names = std::collections::BTreeSet::new();
        let declared = self.directive.into_iter().chain(self.classes.iter().filter_map(|one| one.variable));
        declared.into_iter().find(|name| !names.insert(name.text.to_ascii_lowercase()))
    }

    /// The class and reference model path that a path leads to; none when its variable is no class of FROM.
    #[must_use]
    pub fn classify(&self, path: &Path) -> Option<PathClass<'a>> {
        let class = self.get(&path.variable.text)?.class;
        Some(PathClass { class, path: path.attributes().collect::<Vec<_>>().join("/") })
    }
}

struct Collect<'a> {
    classes: Vec<Declared<'a>>,
    parent: Option<usize>,
    negated: bool,
    optional: bool,
}

impl<'a> Visit<'a> for Collect<'a> {
    type Break = Infallible;

    fn visit_containment(&mut self, node: &'a Containment) -> ControlFlow<Infallible> {
        let before = self.optional;
        self.optional |= matches!(node, Containment::Or(_));
        visit::walk_containment(self, node)?;
        self.optional = before;
        ControlFlow::Continue(())
    }

    fn visit_class_containment(&mut self, node: &'a ClassContainment) -> ControlFlow<Infallible> {
        let ClassContainment { class, contains, span: _ } = node;
        self.classes.push(self.declared(class));
        let Some(Contains { negated, inner }) = contains else { return ControlFlow::Continue(()) };
        let before = (self.parent, self.negated);
        self.parent = self.classes.len().checked_sub(1);
        self.negated |= *negated;
        self.visit_containment(inner)?;
        (self.parent, self.negated) = before;
        ControlFlow::Continue(())
    }
}

impl<'a> Collect<'a> {
    fn declared(&self, class: &'a ClassExpression) -> Declared<'a> {
        let (parent, negated, optional) = (self.parent, self.negated, self.optional);
        match class {
            ClassExpression::Class { name, variable, predicate } => Declared {
                variable: variable.as_ref(),
                class: &name.text,
                version: false,
                predicate: predicate.as_ref(),
                version_predicate: None,
                archetype: predicate.as_ref().and_then(archetype),
                parent,
                negated,
                optional,
            },
            ClassExpression::Version { variable, predicate } => Declared {
                variable: variable.as_ref(),
                class: "VERSION",
                version: true,
                predicate: None,
                version_predicate: predicate.as_ref(),
                archetype: None,
                parent,
                negated,
                optional,
            },
        }
    }
}

fn archetype(predicate: &Predicate) -> Option<&NodeId> {
    match predicate {
        Predicate::Node { id, name: _ } if id.kind == NodeIdKind::Archetype => Some(id),
        Predicate::And(members) => members.iter().find_map(archetype),
        _ => None,
    }
}
