//! What is searched for: the identifier and its namespace, in the forms they could travel in.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;

use crate::plan::PatientReference;
use crate::sensitive::Sensitive;

/// Shorter values are searched for as whole quoted texts only: `12` is part of every query.
const MEDIUM: usize = 5;
/// Longer values are searched for inside words too.
const LONG: usize = 8;
/// The shortest base64 text that is searched for.
const SHORTEST_BASE64: usize = 7;
/// Bits of the table of beginnings.
const TABLE: usize = 4096;

/// Where a form counts as an occurrence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counts {
    Anywhere,
    /// Only with no letter or digit on either side, and not as a group of a UUID.
    AsWord,
}

#[derive(Clone)]
struct Needle {
    bytes: Sensitive<Vec<u8>>,
    counts: Counts,
}

/// All forms of a patient reference, ready to search with. Letters are compared ignoring ASCII case.
#[derive(Clone)]
pub(super) struct Needles {
    needles: Vec<Needle>,
    /// Which pairs of first bytes begin a form: most of a text is passed over by one look.
    table: Box<[u64; TABLE / 64]>,
    /// The whole texts that count when quoted.
    quoted: Vec<Sensitive<String>>,
    pub(super) value: Sensitive<String>,
    pub(super) squeezed: Sensitive<String>,
    /// Pieces that identify by themselves.
    pub(super) pieces: Vec<Sensitive<String>>,
}

impl fmt::Debug for Needles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[patient identifier]")
    }
}

impl Needles {
    pub(super) fn of(patient: &PatientReference) -> Self {
        let value = patient.value.expose();
        let namespace = patient.namespace.expose();
        let mut needles = Needles {
            needles: Vec::new(),
            table: Box::new([0; TABLE / 64]),
            quoted: vec![Sensitive::new(value.to_lowercase()), Sensitive::new(namespace.to_lowercase())],
            value: Sensitive::new(value.to_lowercase()),
            squeezed: Sensitive::new(squeezed(value)),
            pieces: pieces(&value.to_lowercase()),
        };
        // A word of letters alone may be any name of the reference model; real identifiers have a digit or a sign.
        let telling = value.chars().any(|char| !char.is_alphabetic());
        match value.len() {
            LONG.. => needles.add_forms(value, Counts::Anywhere),
            MEDIUM.. if telling => needles.add_forms(value, Counts::AsWord),
            _ => {}
        }
        // `urn:oid:…` is searched for anywhere; a bare word such as `openehr` would be found in every archetype id.
        let structured = namespace.chars().any(|char| matches!(char, ':' | '/' | '.' | '-' | '_'));
        if namespace.len() >= LONG && structured {
            needles.add_forms(namespace, Counts::Anywhere);
        }
        needles
    }

    fn add_forms(&mut self, text: &str, counts: Counts) {
        self.add(text.as_bytes(), counts);
        if !text.is_ascii() {
            self.add(text.to_lowercase().as_bytes(), counts);
            self.add(text.to_uppercase().as_bytes(), counts);
        }
        if text.contains(' ') {
            self.add(text.replace(' ', "+").as_bytes(), counts);
        }
        self.add(&hex(text.as_bytes()), Counts::Anywhere);
        for shift in 0..3 {
            self.add_base64(text.as_bytes(), shift);
        }
    }

    /// What base64 makes of the text wherever it begins in a group of three bytes, less what depends on its neighbours.
    fn add_base64(&mut self, text: &[u8], shift: usize) {
        let shifted = [&[0; 2][..shift.min(2)], text].concat();
        let (start, end) = ((shift * 8).div_ceil(6), shifted.len() * 8 / 6);
        let encoded = Sensitive::new(STANDARD_NO_PAD.encode(&shifted));
        if let Some(core) = encoded.expose().get(start..end).filter(|core| core.len() >= SHORTEST_BASE64) {
            self.add(core.as_bytes(), Counts::Anywhere);
            if core.contains(['+', '/']) {
                self.add(core.replace('+', "-").replace('/', "_").as_bytes(), Counts::Anywhere);
            }
        }
    }

    fn add(&mut self, bytes: &[u8], counts: Counts) {
        let lower = bytes.to_ascii_lowercase();
        if self.needles.iter().any(|needle| *needle.bytes.expose() == lower) {
            return;
        }
        if let [first, second, third, ..] = lower.as_slice() {
            let slot = slot(*first, *second, *third);
            if let Some(word) = self.table.get_mut(slot / 64) {
                *word |= 1 << (slot % 64);
            }
            self.needles.push(Needle { bytes: Sensitive::new(lower), counts });
        }
    }

    /// Is the text, as a whole, the identifier or the namespace?
    pub(super) fn are(&self, text: &str) -> bool {
        let same =
            |quoted: &Sensitive<String>| quoted.expose().eq_ignore_ascii_case(text) || *quoted.expose() == text.to_lowercase();
        !text.is_empty() && self.quoted.iter().any(same)
    }

    /// Does any form occur?
    pub(super) fn occur_in(&self, text: &[u8]) -> bool {
        let mut at = 0;
        while let Some([first, second, third]) = text.get(at..at + 3) {
            let slot = slot(first.to_ascii_lowercase(), second.to_ascii_lowercase(), third.to_ascii_lowercase());
            let may = self.table.get(slot / 64).is_some_and(|word| word >> (slot % 64) & 1 == 1);
            if may && self.needles.iter().any(|needle| needle.stands_at(text, at)) {
                return true;
            }
            at += 1;
        }
        false
    }

    /// Does a form that is too short to be searched for stand between quotes?
    pub(super) fn stand_quoted_in(&self, text: &[u8]) -> bool {
        self.quoted.iter().map(|quoted| quoted.expose().as_bytes()).filter(|quoted| !quoted.is_empty()).any(|quoted| {
            let is_quote = |byte: Option<&u8>| matches!(byte, Some(b'\'' | b'"' | b'\\'));
            let at_quote = |at: &usize| is_quote(text.get(*at)) && is_quote(text.get(at + 1 + quoted.len()));
            let same = |at: usize| text.get(at + 1..at + 1 + quoted.len()).is_some_and(|part| part.eq_ignore_ascii_case(quoted));
            (0..text.len()).filter(at_quote).any(same)
        })
    }
}

impl Needle {
    fn stands_at(&self, text: &[u8], at: usize) -> bool {
        let bytes = self.bytes.expose();
        let end = at + bytes.len();
        if !text.get(at..end).is_some_and(|part| part.eq_ignore_ascii_case(bytes)) {
            return false;
        }
        match self.counts {
            Counts::Anywhere => true,
            Counts::AsWord => {
                let letter = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
                let before = at.checked_sub(1).and_then(|before| text.get(before));
                !letter(before) && !letter(text.get(end)) && !in_uuid(text, at, end)
            }
        }
    }
}

/// Is what stands there part of a UUID? Those are our `ehr_id`s and trace ids, and any four digits are in some of them.
fn in_uuid(text: &[u8], start: usize, end: usize) -> bool {
    let part = |byte: &&u8| byte.is_ascii_hexdigit() || **byte == b'-';
    let before = text.get(..start).unwrap_or_default().iter().rev().take(36).take_while(part).count();
    let behind = text.get(end..).unwrap_or_default().iter().take(36).take_while(part).count();
    let run = text.get(start - before..end + behind).unwrap_or_default();
    run.len() == 36 && [8, 13, 18, 23].iter().all(|at| run.get(*at) == Some(&b'-'))
}

fn hex(bytes: &[u8]) -> Vec<u8> {
    let digit = |value: u8| if value < 10 { b'0' + value } else { b'a' + value - 10 };
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// The pieces of two thirds of a text, six characters at least, that have most of its digits and four at least: the rest may be
/// a word like `patient`.
fn pieces(text: &str) -> Vec<Sensitive<String>> {
    let letters: Sensitive<Vec<char>> = Sensitive::new(text.chars().collect());
    let digits = |part: &[char]| part.iter().filter(|char| char.is_ascii_digit()).count();
    let (length, all) = ((letters.expose().len() * 2).div_ceil(3).max(6), digits(letters.expose()));
    let telling = |part: &&[char]| digits(part) >= 4 && digits(part) * 2 > all;
    letters.expose().windows(length).filter(telling).map(|part| Sensitive::new(part.iter().collect())).collect()
}

fn slot(first: u8, second: u8, third: u8) -> usize {
    (usize::from(first) * 31 + usize::from(second) * 7 + usize::from(third) * 131) % TABLE
}

/// A text with only its letters and digits, in small letters and the usual width.
pub(super) fn squeezed(text: &str) -> String {
    let usual = |char: char| match char {
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(u32::from(char) - 0xFEE0).unwrap_or(char),
        _ => char,
    };
    text.chars().map(usual).filter(|char| char.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
