//! What is wrong with a configuration: every fault with its place, its reason and its remedy.

use std::cell::RefCell;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where a value was written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// A file as a whole.
    File(Arc<Path>),
    /// A position in a file, both counted from 1.
    Position {
        /// The file.
        file: Arc<Path>,
        /// The line.
        line: usize,
        /// The column, in characters.
        column: usize,
    },
    /// An environment variable, by name.
    Environment(Arc<str>),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::File(file) => write!(f, "{}", file.display()),
            Place::Position { file, line, column } => write!(f, "{}:{line}:{column}", file.display()),
            Place::Environment(name) => write!(f, "environment variable {name}"),
        }
    }
}

/// The kinds of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FaultKind {
    /// A file cannot be read.
    Unreadable,
    /// The text is not TOML.
    Syntax,
    /// No such key.
    UnknownKey,
    /// A key that must be there is not.
    Missing,
    /// The value is of the wrong type, out of range or malformed.
    Invalid,
    /// Two values contradict one another.
    Conflict,
    /// A known key asks for a capability this version does not have.
    NotYetServed,
}

/// One fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What kind it is of.
    pub kind: FaultKind,
    /// Where it is.
    pub place: Place,
    /// The key, dotted; empty when the fault is no key's.
    pub key: String,
    /// What is wrong. Never the value of a secret or of a patient identifier.
    pub reason: String,
    /// What to do about it.
    pub remedy: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.place)?;
        if !self.key.is_empty() {
            write!(f, "`{}`: ", self.key)?;
        }
        let end = if self.remedy.ends_with('?') { "" } else { "." };
        write!(f, "{}. {}{end}", self.reason, self.remedy)
    }
}

/// Every fault of a configuration, in the order of the files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Faults(Vec<Fault>);

impl Faults {
    /// The faults; never none.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Fault> {
        self.0.iter()
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for fault in &self.0 {
            writeln!(f, "{fault}")?;
        }
        let count = self.0.len();
        write!(f, "{count} fault{} in the configuration", if count == 1 { "" } else { "s" })
    }
}

impl std::error::Error for Faults {}

/// Collects faults while a configuration is read, and knows which file it began with.
pub(crate) struct Judge {
    faults: RefCell<Vec<Fault>>,
    main_file: Arc<Path>,
}

impl Judge {
    pub(crate) fn new(main_file: Arc<Path>) -> Self {
        Judge { faults: RefCell::new(Vec::new()), main_file }
    }

    /// The file as a whole: the place of what is missing from it.
    pub(crate) fn whole_file(&self) -> Place {
        Place::File(self.main_file.clone())
    }

    /// Notes one fault.
    pub(crate) fn fault(
        &self,
        kind: FaultKind,
        place: &Place,
        key: impl Into<String>,
        reason: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        let fault = Fault { kind, place: place.clone(), key: key.into(), reason: reason.into(), remedy: remedy.into() };
        // A value two sections need is read twice; its fault is one.
        let mut faults = self.faults.borrow_mut();
        if !faults.contains(&fault) {
            faults.push(fault);
        }
    }

    /// A file named by a value: relative names start at the file the value stands in.
    pub(crate) fn beside(&self, place: &Place, name: &str) -> PathBuf {
        let file = match place {
            Place::File(file) | Place::Position { file, .. } => file,
            Place::Environment(_) => &self.main_file,
        };
        file.parent().unwrap_or(Path::new("")).join(name)
    }

    /// `value` when nothing was wrong, else every fault. What a syntax fault hid may look missing or contradictory, so
    /// those kinds are kept back until the text is TOML.
    pub(crate) fn verdict<T>(self, value: T) -> Result<T, Faults> {
        let mut faults = self.faults.into_inner();
        if faults.iter().any(|fault| fault.kind == FaultKind::Syntax) {
            faults.retain(|fault| !matches!(fault.kind, FaultKind::Missing | FaultKind::Conflict));
        }
        if faults.is_empty() {
            return Ok(value);
        }
        faults.sort_by(|left, right| left.place.cmp(&right.place));
        Err(Faults(faults))
    }
}
