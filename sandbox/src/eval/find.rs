//! FROM: the containment tree, and what in a record answers to it.

use openehr_aql::ast::{ClassExpression, Containment, Predicate, VersionPredicate};

use super::class::{Class, Home};
use super::error::EvalError;
use super::meter::Meter;
use super::predicate::{compares, satisfies};
use super::scope::Scope;
use crate::model::{Ehr, VersionedObject};
use crate::value::Json;

/// A containment tree, its classes resolved and given their slots.
#[derive(Debug)]
pub(super) enum Tree<'q> {
    Class(Box<Member<'q>>),
    And(Vec<Tree<'q>>),
    Or(Vec<Tree<'q>>),
}

/// One class expression and what it contains.
#[derive(Debug)]
pub(super) struct Member<'q> {
    pub(super) slot: usize,
    pub(super) kind: Kind<'q>,
    /// `(negated, inner)`
    contains: Option<(bool, Tree<'q>)>,
}

/// What a class expression asks for.
#[derive(Debug)]
pub(super) enum Kind<'q> {
    Class(Class, Option<&'q Predicate>),
    Version(Option<&'q VersionPredicate>),
}

impl Member<'_> {
    /// What it contains, or must not.
    pub(super) fn inner(&self) -> Option<&Tree<'_>> {
        self.contains.as_ref().map(|(_, inner)| inner)
    }

    /// Does it stand for compositions?
    pub(super) fn is_composition(&self) -> bool {
        matches!(&self.kind, Kind::Class(class, _) if class.home == Home::Composition)
    }
}

/// Resolves a containment; slots are given in the order of the text.
pub(super) fn resolve<'q>(containment: &'q Containment, scope: &mut Scope<'q>) -> Result<Tree<'q>, EvalError> {
    match containment {
        Containment::And(all) => all.iter().map(|one| resolve(one, scope)).collect::<Result<_, _>>().map(Tree::And),
        Containment::Or(any) => any.iter().map(|one| resolve(one, scope)).collect::<Result<_, _>>().map(Tree::Or),
        Containment::Class(class) => {
            let (kind, variable) = match &class.class {
                ClassExpression::Class { name, variable, predicate } => {
                    (Kind::Class(Class::named(&name.text), predicate.as_ref()), variable)
                }
                ClassExpression::Version { variable, predicate } => (Kind::Version(predicate.as_ref()), variable),
            };
            let slot = scope.slot(variable.as_ref().map(|name| name.text.as_str()))?;
            let contains = match &class.contains {
                Some(contains) => Some((contains.negated, resolve(&contains.inner, scope)?)),
                None => None,
            };
            Ok(Tree::Class(Box::new(Member { slot, kind, contains })))
        }
    }
}

/// Something a class of FROM stands for in one row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item<'a> {
    pub(super) json: &'a Json,
    /// The object it lies in; `None` for an EHR.
    pub(super) home: Option<&'a VersionedObject>,
    /// The record it lies in.
    pub(super) ehr: &'a Ehr,
    place: Where,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Where {
    Ehr,
    Version,
    Content,
}

/// What each class stands for in one answer to FROM; a class that is not bound stands for nothing.
pub(super) type Binding<'a> = Vec<(usize, Item<'a>)>;

/// Searches one set of records.
pub(super) struct Finder<'a, 'm> {
    pub(super) meter: &'m Meter,
    pub(super) ehrs: Vec<&'a Ehr>,
}

impl<'a> Finder<'a, '_> {
    /// Calls for each answer to the whole FROM, until `call` says to stop.
    pub(super) fn each(
        &self,
        tree: &Tree<'_>,
        call: &mut dyn FnMut(Binding<'a>) -> Result<bool, EvalError>,
    ) -> Result<(), EvalError> {
        let Tree::Class(member) = tree else {
            for binding in self.solve(tree, None)? {
                if !call(binding)? {
                    return Ok(());
                }
            }
            return Ok(());
        };
        for ehr in &self.ehrs {
            for item in self.candidates(member, Some(record(ehr)), true)? {
                for binding in self.member(member, item)? {
                    if !call(binding)? {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }

    fn solve(&self, tree: &Tree<'_>, ground: Option<Item<'a>>) -> Result<Vec<Binding<'a>>, EvalError> {
        match tree {
            Tree::Class(member) => {
                let mut found = Vec::new();
                for item in self.grounded(member, ground)? {
                    found.extend(self.member(member, item)?);
                }
                Ok(found)
            }
            Tree::And(all) => {
                let branches = all.iter().map(|one| self.solve(one, ground)).collect::<Result<Vec<_>, _>>()?;
                self.product(branches)
            }
            Tree::Or(any) => {
                let mut branches = any.iter().map(|one| self.solve(one, ground)).collect::<Result<Vec<_>, _>>()?;
                if branches.iter().all(Vec::is_empty) {
                    return Ok(Vec::new());
                }
                branches.iter_mut().filter(|branch| branch.is_empty()).for_each(|branch| branch.push(Vec::new()));
                self.product(branches)
            }
        }
    }

    /// Every combination, the first branch turning slowest.
    fn product(&self, branches: Vec<Vec<Binding<'a>>>) -> Result<Vec<Binding<'a>>, EvalError> {
        let mut rows: Vec<Binding<'a>> = vec![Vec::new()];
        for branch in branches {
            self.meter.tick(rows.len().saturating_mul(branch.len()))?;
            rows = rows.iter().flat_map(|row| branch.iter().map(|more| [row.as_slice(), more.as_slice()].concat())).collect();
        }
        Ok(rows)
    }

    /// The answers to one class expression standing for this item.
    fn member(&self, member: &Member<'_>, item: Item<'a>) -> Result<Vec<Binding<'a>>, EvalError> {
        let own = (member.slot, item);
        let Some((negated, inner)) = &member.contains else { return Ok(vec![vec![own]]) };
        let mut inner = self.solve(inner, Some(item))?;
        match (negated, inner.is_empty()) {
            (true, true) => Ok(vec![vec![own]]),
            (true, false) => Ok(Vec::new()),
            (false, _) => {
                inner.iter_mut().for_each(|binding| binding.insert(0, own));
                Ok(inner)
            }
        }
    }

    fn grounded(&self, member: &Member<'_>, ground: Option<Item<'a>>) -> Result<Vec<Item<'a>>, EvalError> {
        if ground.is_some() {
            return self.candidates(member, ground, false);
        }
        let mut found = Vec::new();
        for ehr in &self.ehrs {
            found.extend(self.candidates(member, Some(record(ehr)), true)?);
        }
        Ok(found)
    }

    /// What below the ground (or, at the root of FROM, what in a record) the class expression may stand for.
    fn candidates(&self, member: &Member<'_>, ground: Option<Item<'a>>, root: bool) -> Result<Vec<Item<'a>>, EvalError> {
        let Some(ground) = ground else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        match &member.kind {
            Kind::Class(class, predicate) if class.home == Home::Ehr => {
                if root && predicate.map_or(Ok(true), |predicate| satisfies(ground.json, predicate))? {
                    found.push(ground);
                }
            }
            Kind::Class(class, predicate) => {
                self.objects(class, ground, &mut |item| {
                    self.meter.tick(1)?;
                    let typed = item.json.type_name().is_some_and(|name| class.covers(name));
                    if typed && predicate.map_or(Ok(true), |predicate| satisfies(item.json, predicate))? {
                        found.push(item);
                    }
                    Ok(())
                })?;
            }
            Kind::Version(predicate) if ground.place == Where::Ehr => self.versions(*predicate, ground.ehr, &mut found)?,
            Kind::Version(_) => {}
        }
        Ok(found)
    }

    /// Calls for each object below the ground that may be of the class.
    fn objects(&self, class: &Class, ground: Item<'a>, call: Call<'_, 'a>) -> Result<(), EvalError> {
        match ground.place {
            Where::Ehr => {
                let compositions = ground.ehr.compositions().iter();
                let rest = std::iter::once(&ground.ehr.status).chain(&ground.ehr.directory);
                let rest = rest.filter(|_| !matches!(class.home, Home::Composition | Home::Entry));
                for held in compositions.filter(|_| !matches!(class.home, Home::Status | Home::Folder)).chain(rest) {
                    if let Some(json) = held.current() {
                        self.rooted(class, Item { json, home: Some(held), place: Where::Content, ..ground }, call)?;
                    }
                }
                Ok(())
            }
            Where::Version => match ground.json.get("data") {
                Some(json) => self.rooted(class, Item { json, place: Where::Content, ..ground }, call),
                None => Ok(()),
            },
            Where::Content => {
                below(class, ground, call)?;
                if ground.json.type_name() == Some("FOLDER") { self.referenced(class, ground, call) } else { Ok(()) }
            }
        }
    }

    fn rooted(&self, class: &Class, item: Item<'a>, call: Call<'_, 'a>) -> Result<(), EvalError> {
        call(item)?;
        if matches!(class.home, Home::Composition | Home::Status) { Ok(()) } else { below(class, item, call) }
    }

    /// The compositions a folder refers to are in it.
    fn referenced(&self, class: &Class, folder: Item<'a>, call: Call<'_, 'a>) -> Result<(), EvalError> {
        for reference in folder.json.get("items").and_then(Json::as_array).unwrap_or_default() {
            let object = reference.text_at(&["id", "value"]).and_then(|id| id.split("::").next());
            let held = object.and_then(|object| folder.ehr.composition(object));
            if let Some((held, json)) = held.and_then(|held| Some((held, held.current()?))) {
                self.rooted(class, Item { json, home: Some(held), ..folder }, call)?;
            }
        }
        Ok(())
    }

    fn versions(&self, predicate: Option<&VersionPredicate>, ehr: &'a Ehr, found: &mut Vec<Item<'a>>) -> Result<(), EvalError> {
        for held in ehr.compositions().iter().chain(std::iter::once(&ehr.status)).chain(&ehr.directory) {
            let latest = held.versions.len().saturating_sub(1);
            for (index, version) in held.versions.iter().enumerate() {
                self.meter.tick(1)?;
                let taken = match predicate {
                    None | Some(VersionPredicate::Latest) => index == latest && version.data().is_some(),
                    Some(VersionPredicate::All) => true,
                    Some(VersionPredicate::Comparison(comparison)) => compares(&version.object, comparison)?,
                };
                if taken {
                    found.push(Item { json: &version.object, home: Some(held), ehr, place: Where::Version });
                }
            }
        }
        Ok(())
    }
}

type Call<'c, 'a> = &'c mut dyn FnMut(Item<'a>) -> Result<(), EvalError>;

fn record(ehr: &Ehr) -> Item<'_> {
    Item { json: &ehr.object, home: None, ehr, place: Where::Ehr }
}

/// Calls for each typed object below this one, in the order of the document. Entries lie only in content and in sections.
fn below<'a>(class: &Class, item: Item<'a>, call: Call<'_, 'a>) -> Result<(), EvalError> {
    let Json::Object(members) = item.json else { return Ok(()) };
    let kind = item.json.type_name();
    for (name, member) in members {
        let skipped = match (class.home, kind) {
            (Home::Entry, Some("COMPOSITION")) => &**name != "content",
            (Home::Entry, Some("SECTION")) => &**name != "items",
            (Home::Entry, _) => true,
            (Home::Folder, _) => &**name != "folders",
            _ => false,
        };
        if skipped {
            continue;
        }
        let single = std::slice::from_ref(member);
        for json in member.as_array().unwrap_or(single) {
            if matches!(json, Json::Object(_)) {
                let child = Item { json, ..item };
                call(child)?;
                below(class, child, call)?;
            }
        }
    }
    Ok(())
}
