//! Version uids, `object_id::creating_system_id::version_tree_id`: tie break and identity of copies.

use std::borrow::Cow;
use std::cmp::Ordering;

use super::text;

/// The cell with a version uid. Cells that hold none order behind all that do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct VersionUid<'a> {
    text: Cow<'a, [u8]>,
    /// Where the creating system and the version begin.
    parts: Option<(usize, usize)>,
}

impl<'a> VersionUid<'a> {
    /// Reads the uid of a cell.
    pub(crate) fn of(cell: &'a [u8]) -> Self {
        let text = text(cell).unwrap_or(Cow::Borrowed(cell));
        let colons = |from: usize| text.get(from..)?.windows(2).position(|pair| pair == b"::").map(|at| from + at);
        let parts = colons(0).filter(|at| *at > 0).and_then(|system| {
            let version = colons(system + 2).filter(|at| *at > system + 2)?;
            let tree = text.get(version + 2..)?;
            let numbers = tree.split(|byte| *byte == b'.').all(|part| !part.is_empty() && part.iter().all(u8::is_ascii_digit));
            numbers.then_some((system + 2, version + 2))
        });
        VersionUid { text, parts }
    }

    /// The whole uid, when the cell has one. Copies of a version have it in common.
    pub(crate) fn into_identity(self) -> Option<Cow<'a, [u8]>> {
        self.parts.map(|_| self.text)
    }

    /// Who created the version.
    pub(crate) fn creating_system(&self) -> Option<&[u8]> {
        let (system, version) = self.parts?;
        self.text.get(system..version - 2)
    }

    fn object(&self) -> &[u8] {
        self.parts.and_then(|(system, _)| self.text.get(..system - 2)).unwrap_or(&self.text)
    }

    fn tree(&self) -> &[u8] {
        self.parts.and_then(|(_, version)| self.text.get(version..)).unwrap_or_default()
    }
}

impl Ord for VersionUid<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.parts.is_none().cmp(&other.parts.is_none()).then_with(|| {
            self.object()
                .cmp(other.object())
                .then_with(|| self.creating_system().cmp(&other.creating_system()))
                .then_with(|| compare_trees(self.tree(), other.tree()))
                .then_with(|| self.text.cmp(&other.text))
        })
    }
}

impl PartialOrd for VersionUid<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Version numbers by value, of any length, part by part.
fn compare_trees(left: &[u8], right: &[u8]) -> Ordering {
    let numbers = |tree: &'_ [u8]| -> Vec<(usize, Vec<u8>)> {
        tree.split(|byte| *byte == b'.')
            .map(|part| {
                let digits: Vec<u8> = part.iter().copied().skip_while(|digit| *digit == b'0').collect();
                (digits.len(), digits)
            })
            .collect()
    };
    if left == right { Ordering::Equal } else { numbers(left).cmp(&numbers(right)) }
}
