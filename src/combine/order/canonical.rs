//! Canonical bytes: one spelling of each value. Members sorted by name, no blanks, numbers in one form, fewest escapes.

use std::borrow::Cow;

use super::{Key, Number, text, write_text};
use crate::combine::rows::scan::{Fault, Scanner};

/// The canonical bytes of a cell.
pub(super) fn canonical(cell: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(cell.len());
    let mut scanner = Scanner::new(cell);
    match write(cell, &mut scanner, &mut out) {
        Ok(()) => out,
        // Not reached by cells that were read: those are JSON.
        Err(_) => cell.to_vec(),
    }
}

/// Appends bytes that are equal exactly when two cells are the same (DISTINCT), and that end where they end: a marker, the
/// length, the bytes.
pub(crate) fn identity(cell: &[u8], out: &mut Vec<u8>) {
    let from = out.len();
    out.extend_from_slice(&[0; 9]);
    let marker = match cell.first() {
        Some(b'{' | b'[') => {
            out.extend_from_slice(&canonical(cell));
            b'o'
        }
        _ => scalar_identity(Key::of(cell), cell, out),
    };
    let length = (out.len() - from - 9) as u64;
    if let Some(head) = out.get_mut(from..from + 9) {
        head.iter_mut().zip([marker].iter().chain(&length.to_be_bytes())).for_each(|(to, byte)| *to = *byte);
    }
}

/// The order's equality of scalars, as bytes.
fn scalar_identity(key: Key<'_>, cell: &[u8], out: &mut Vec<u8>) -> u8 {
    match key {
        Key::Null => b'n',
        Key::Boolean(value) => {
            out.push(u8::from(value));
            b'b'
        }
        Key::Number(number) => {
            number.write_canonical(out);
            b'd'
        }
        Key::Instant(moment) => {
            moment.write(out);
            b'i'
        }
        Key::Time(moment) => {
            moment.write(out);
            b't'
        }
        Key::Text(text) => {
            out.extend_from_slice(&text);
            b's'
        }
        // No scalar is of these kinds.
        Key::Quantity(_) | Key::Duration(_) | Key::Other(_) => {
            out.extend_from_slice(cell);
            b'o'
        }
    }
}

/// Appends the value at the scanner's place. The depth of the calls is the depth of the text, which reading has bounded.
fn write<'a>(cell: &'a [u8], scanner: &mut Scanner<'a>, out: &mut Vec<u8>) -> Result<(), Fault> {
    match scanner.peek() {
        b'[' => array(cell, scanner, out),
        b'{' => object(cell, scanner, out),
        first => {
            let from = scanner.at();
            scanner.value()?;
            let written = cell.get(from..scanner.at()).unwrap_or_default();
            match first {
                b'"' => write_text(&text(written).unwrap_or(Cow::Borrowed(written)), out),
                b'-' | b'0'..=b'9' => match Number::parse(written) {
                    Some(number) => number.write_canonical(out),
                    None => out.extend_from_slice(written),
                },
                _ => out.extend_from_slice(written),
            }
            Ok(())
        }
    }
}

fn array<'a>(cell: &'a [u8], scanner: &mut Scanner<'a>, out: &mut Vec<u8>) -> Result<(), Fault> {
    scanner.step();
    scanner.blanks();
    out.push(b'[');
    while !matches!(scanner.peek(), b']' | 0) {
        write(cell, scanner, out)?;
        scanner.blanks();
        if scanner.peek() == b',' {
            out.push(b',');
            scanner.step();
            scanner.blanks();
        }
    }
    scanner.step();
    out.push(b']');
    Ok(())
}

/// A member already written: its name and where its bytes stand in the output.
struct Written<'a> {
    name: Cow<'a, [u8]>,
    from: usize,
    to: usize,
}

fn object<'a>(cell: &'a [u8], scanner: &mut Scanner<'a>, out: &mut Vec<u8>) -> Result<(), Fault> {
    scanner.step();
    scanner.blanks();
    out.push(b'{');
    let start = out.len();
    let mut members: Vec<Written<'a>> = Vec::new();
    while scanner.peek() == b'"' {
        let from_name = scanner.at();
        let raw = scanner.name()?;
        let name = cell.get(from_name..from_name + raw.len() + 2).and_then(text).unwrap_or(Cow::Borrowed(raw));
        if !members.is_empty() {
            out.push(b',');
        }
        let from = out.len();
        write_text(&name, out);
        out.push(b':');
        write(cell, scanner, out)?;
        members.push(Written { name, from, to: out.len() });
        scanner.blanks();
        if scanner.peek() == b',' {
            scanner.step();
            scanner.blanks();
        }
    }
    scanner.step();
    sort_members(start, members, out);
    out.push(b'}');
    Ok(())
}

/// Puts the members written since `start` into the order of their names; equal names keep theirs.
fn sort_members(start: usize, mut members: Vec<Written<'_>>, out: &mut Vec<u8>) {
    if members.is_sorted_by(|left, right| left.name <= right.name) {
        return;
    }
    members.sort_by(|left, right| left.name.cmp(&right.name));
    let written = out.split_off(start);
    for (index, member) in members.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        out.extend_from_slice(written.get(member.from - start..member.to - start).unwrap_or_default());
    }
}
