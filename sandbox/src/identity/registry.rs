//! Which identifiers are of one patient.

use std::collections::BTreeSet;

/// An identifier of a patient in a domain.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identifier {
    /// The domain: who issued it.
    pub system: String,
    /// The identifier.
    pub value: String,
}

impl Identifier {
    /// An identifier in a domain.
    pub fn new(system: impl Into<String>, value: impl Into<String>) -> Self {
        Identifier { system: system.into(), value: value.into() }
    }

    /// Reads `system|value`.
    #[must_use]
    pub fn parse(token: &str) -> Option<Identifier> {
        let (system, value) = token.split_once('|')?;
        (!system.is_empty() && !value.is_empty()).then(|| Identifier::new(system, value))
    }
}

/// Sets of identifiers, each of one patient, and the domains that are known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IdentityRegistry {
    patients: Vec<BTreeSet<Identifier>>,
    domains: BTreeSet<String>,
}

impl IdentityRegistry {
    /// Says that these are of one patient: all sets that share one with them become one.
    pub fn join(&mut self, identifiers: Vec<Identifier>) {
        let mut joined: BTreeSet<Identifier> = identifiers.into_iter().collect();
        self.domains.extend(joined.iter().map(|identifier| identifier.system.clone()));
        let (same, others) = self.patients.drain(..).partition(|held: &BTreeSet<Identifier>| !held.is_disjoint(&joined));
        self.patients = others;
        same.into_iter().for_each(|held| joined.extend(held));
        self.patients.push(joined);
    }

    /// Says what a patient's identifiers are now: those not named any more are no longer theirs.
    pub fn revise(&mut self, key: &Identifier, identifiers: Vec<Identifier>) {
        self.patients.retain(|held| !held.contains(key));
        self.join(identifiers);
    }

    /// Forgets a patient.
    pub fn remove(&mut self, key: &Identifier) {
        self.patients.retain(|held| !held.contains(key));
    }

    /// Says that a domain exists, also when nobody has an identifier in it.
    pub fn know_domain(&mut self, system: &str) {
        self.domains.insert(system.to_owned());
    }

    /// Is it a domain that exists?
    #[must_use]
    pub fn knows_domain(&self, system: &str) -> bool {
        self.domains.contains(system)
    }

    /// The other identifiers of the patient, in these domains or, when none is named, in all; `None` for an unknown one.
    #[must_use]
    pub fn corresponding(&self, source: &Identifier, domains: &[String]) -> Option<Vec<Identifier>> {
        let held = self.patients.iter().find(|held| held.contains(source))?;
        let wanted = |found: &&Identifier| *found != source && (domains.is_empty() || domains.contains(&found.system));
        Some(held.iter().filter(wanted).cloned().collect())
    }
}
