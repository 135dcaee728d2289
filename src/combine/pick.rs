//! Which rows make the answer, in which order.

use std::cmp::Ordering;

use super::Contribution;
use super::dedup::{Keepers, Suppressed};
use super::distinct::Distinct;
use super::endpoint_cells::attribute_cell;
use super::keys::{KeyTable, turned};
use super::merge::LoserTree;
use super::order::Key;
use crate::intake::DedupMode;
use crate::plan::{CombineSpec, KeySource};

/// One row of the answer: the contribution (by endpoint id) and the row in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pick {
    pub(super) part: u32,
    pub(super) row: u32,
}

/// Picks the page: ordered, without suppressed copies, without repeats. The contributions stand by endpoint id.
pub(super) fn picks(spec: &CombineSpec, contributions: &[Contribution]) -> (Vec<Pick>, Suppressed) {
    let keepers = keepers(spec, contributions);
    let suppressed = keepers.as_ref().map(|keepers| keepers.report(contributions)).unwrap_or_default();
    let mut page = Page::new(spec, contributions, keepers);
    if spec.keys.is_empty() || spec.single {
        as_they_stand(contributions, &mut page);
    } else {
        ordered(spec, contributions, &mut page);
    }
    (page.picks, suppressed)
}

/// Whose copies are kept, when copies are looked for at all.
pub(super) fn keepers<'a>(spec: &CombineSpec, contributions: &'a [Contribution]) -> Option<Keepers<'a>> {
    match (spec.dedup, spec.uid, spec.single) {
        (DedupMode::VersionIdentity, Some(column), false) => Some(Keepers::settle(contributions, column)),
        (DedupMode::VersionIdentity | DedupMode::None, _, _) => None,
    }
}

/// Without ORDER BY: by endpoint, then the node's own order.
fn as_they_stand(contributions: &[Contribution], page: &mut Page<'_>) {
    for (part, contribution) in (0u32..).zip(contributions) {
        for (row, _) in (0u32..).zip(0..contribution.rows.len()) {
            if !page.take(Pick { part, row }) {
                return;
            }
        }
    }
}

/// The rows of one contribution in order, and how far they are taken.
struct Source<'a> {
    table: KeyTable<'a>,
    /// None when the rows stand in order already.
    permutation: Option<Vec<u32>>,
    taken: usize,
    rows: usize,
    /// The keys that are attributes of the endpoint.
    attributes: &'a [Option<Key<'a>>],
}

impl<'a> Source<'a> {
    /// The row at the head; none when all are taken.
    #[inline]
    fn head(&self) -> Option<usize> {
        match &self.permutation {
            None => (self.taken < self.rows).then_some(self.taken),
            Some(rows) => rows.get(self.taken).map(|row| *row as usize),
        }
    }
}

/// With ORDER BY: every contribution sorted, all merged, until the page is full.
fn ordered(spec: &CombineSpec, contributions: &[Contribution], page: &mut Page<'_>) {
    let cells: Vec<Vec<Option<Vec<u8>>>> = contributions.iter().map(|contribution| attribute_cells(spec, contribution)).collect();
    let attributes: Vec<Vec<Option<Key<'_>>>> =
        cells.iter().map(|cells| cells.iter().map(|cell| cell.as_deref().map(Key::of)).collect()).collect();
    let mut sources: Vec<Source<'_>> = contributions
        .iter()
        .zip(&attributes)
        .map(|(contribution, attributes)| {
            let table = KeyTable::of(spec, &contribution.rows);
            let permutation = table.permutation();
            Source { table, permutation, taken: 0, rows: contribution.rows.len(), attributes }
        })
        .collect();
    let descending: Vec<bool> = spec.keys.iter().map(|key| key.descending).collect();
    let mut tree = LoserTree::new(sources.len(), |left, right| compare_heads(&sources, &descending, left, right));
    loop {
        let least = tree.least();
        let Some((source, row)) = sources.get_mut(least).and_then(|source| source.head().map(|row| (source, row))) else {
            return;
        };
        let pick = Pick { part: u32::try_from(least).unwrap_or(u32::MAX), row: u32::try_from(row).unwrap_or(u32::MAX) };
        source.taken += 1;
        if !page.take(pick) {
            return;
        }
        tree.replay(|left, right| compare_heads(&sources, &descending, left, right));
    }
}

fn attribute_cells(spec: &CombineSpec, contribution: &Contribution) -> Vec<Option<Vec<u8>>> {
    let cell = |key: KeySource| match key {
        KeySource::Node(_) => None,
        KeySource::Endpoint(attribute) => Some(attribute_cell(&contribution.endpoint, attribute)),
    };
    spec.keys.iter().map(|key| cell(key.by)).collect()
}

/// Two heads by ORDER BY, then by endpoint id, which is the order of the sources. Who has no head stands behind all who have.
#[inline]
fn compare_heads(sources: &[Source<'_>], descending: &[bool], left: usize, right: usize) -> Ordering {
    let head = |at: usize| sources.get(at).and_then(|source| source.head().map(|row| (source, row)));
    match (head(left), head(right)) {
        (Some((one, one_row)), Some((other, other_row))) => {
            let (mut ones, mut others) = (one.table.keys(one_row).iter(), other.table.keys(other_row).iter());
            for ((one, other), descending) in one.attributes.iter().zip(other.attributes).zip(descending) {
                let order = match (one, other) {
                    (Some(one), Some(other)) => one.cmp(other),
                    _ => ones.next().cmp(&others.next()),
                };
                if order.is_ne() {
                    return turned(order, *descending);
                }
            }
            left.cmp(&right)
        }
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => left.cmp(&right),
    }
}

/// The page being filled, and what keeps a row from it.
struct Page<'a> {
    contributions: &'a [Contribution],
    keepers: Option<Keepers<'a>>,
    distinct: Option<Distinct<'a>>,
    to_skip: u64,
    room: u64,
    picks: Vec<Pick>,
}

impl<'a> Page<'a> {
    fn new(spec: &CombineSpec, contributions: &'a [Contribution], keepers: Option<Keepers<'a>>) -> Self {
        let room = spec.limit.unwrap_or(u64::MAX);
        let rows: usize = contributions.iter().map(|contribution| contribution.rows.len()).sum();
        Page {
            contributions,
            keepers,
            distinct: (spec.distinct && !spec.single).then(|| Distinct::new(spec, contributions)),
            to_skip: spec.offset,
            room,
            picks: Vec::with_capacity(rows.min(usize::try_from(room).unwrap_or(usize::MAX))),
        }
    }

    /// Takes the next row in order, if it belongs on the page; false when the page is full.
    #[inline]
    fn take(&mut self, pick: Pick) -> bool {
        if self.room == 0 {
            return false;
        }
        if self.suppresses(pick) || self.distinct.as_mut().is_some_and(|distinct| !distinct.is_new(pick)) {
            return true;
        }
        if self.to_skip > 0 {
            self.to_skip -= 1;
            return true;
        }
        self.picks.push(pick);
        self.room -= 1;
        self.room > 0
    }

    #[inline]
    fn suppresses(&self, pick: Pick) -> bool {
        let Some(keepers) = &self.keepers else { return false };
        let contribution = self.contributions.get(pick.part as usize);
        contribution.is_some_and(|contribution| keepers.suppresses(pick.part, &contribution.rows, pick.row as usize))
    }
}
