//! The search through XML: the text of every element of that name, whatever its prefix. A scanner, not a parser: it knows where
//! markup begins and ends, and refuses what could hide text (document types, unknown entities, other encodings).

use super::{CommitFault, PRECEDING};

const MALFORMED: CommitFault = CommitFault::Malformed("XML");

/// The texts of all preceding version uids that are not empty.
pub(super) fn preceding(body: &[u8]) -> Result<Vec<String>, CommitFault> {
    let text = std::str::from_utf8(body).map_err(|_| MALFORMED)?;
    let mut scan = Scan { rest: text.trim_start_matches('\u{feff}'), open: None, found: Vec::new(), elements: 0 };
    while !scan.rest.is_empty() {
        scan.text()?;
        scan.markup()?;
    }
    if scan.open.is_some() || scan.elements == 0 { Err(MALFORMED) } else { Ok(scan.found) }
}

struct Scan<'a> {
    rest: &'a str,
    /// The text of the element being read.
    open: Option<String>,
    found: Vec<String>,
    elements: usize,
}

impl<'a> Scan<'a> {
    /// Takes character data up to the next markup or the end.
    fn text(&mut self) -> Result<(), CommitFault> {
        let (text, rest) = self.rest.split_at(self.rest.find('<').unwrap_or(self.rest.len()));
        self.rest = rest;
        match &mut self.open {
            Some(open) => unescaped(text, open),
            None => Ok(()),
        }
    }

    /// Takes one piece of markup, if there is any left.
    fn markup(&mut self) -> Result<(), CommitFault> {
        if self.rest.is_empty() {
            return Ok(());
        }
        if self.piece("<!--", "-->")?.is_some() {
            return Ok(());
        }
        if let Some(data) = self.piece("<![CDATA[", "]]>")? {
            if let Some(open) = &mut self.open {
                open.push_str(data);
            }
            return Ok(());
        }
        if let Some(instruction) = self.piece("<?", "?>")? {
            return if instruction.starts_with("xml") && !readable_encoding(instruction) { Err(MALFORMED) } else { Ok(()) };
        }
        if self.rest.starts_with("<!") {
            return Err(MALFORMED);
        }
        self.tag()
    }

    /// Takes a piece between two marks and gives what is between them.
    fn piece(&mut self, from: &str, to: &str) -> Result<Option<&'a str>, CommitFault> {
        let Some(inside) = self.rest.strip_prefix(from) else { return Ok(None) };
        let (content, rest) = inside.split_once(to).ok_or(MALFORMED)?;
        self.rest = rest;
        Ok(Some(content))
    }

    fn tag(&mut self) -> Result<(), CommitFault> {
        let inside = self.rest.strip_prefix('<').ok_or(MALFORMED)?;
        let end = tag_end(inside).ok_or(MALFORMED)?;
        let (tag, rest) = inside.split_at(end);
        self.rest = rest.strip_prefix('>').ok_or(MALFORMED)?;
        self.elements += 1;
        let (closing, tag) = tag.strip_prefix('/').map_or((false, tag), |name| (true, name));
        let name = tag.split(|c: char| c.is_whitespace() || c == '/').next().unwrap_or_default();
        let local = name.rsplit(':').next().unwrap_or_default();
        if local != PRECEDING {
            return Ok(());
        }
        match (closing, self.open.take()) {
            (true, Some(text)) if text.trim().is_empty() => {}
            (true, Some(text)) => self.found.push(text),
            (false, None) if tag.ends_with('/') => {}
            (false, None) => self.open = Some(String::new()),
            (true, None) | (false, Some(_)) => return Err(MALFORMED),
        }
        Ok(())
    }
}

/// Where a tag ends: the first `>` outside quotes.
fn tag_end(tag: &str) -> Option<usize> {
    let mut quote = None;
    tag.char_indices().find_map(|(index, c)| match (quote, c) {
        (None, '>') => Some(index),
        (None, '"' | '\'') => {
            quote = Some(c);
            None
        }
        (Some(open), _) if open == c => {
            quote = None;
            None
        }
        _ => None,
    })
}

/// Appends character data with its references replaced.
fn unescaped(text: &str, into: &mut String) -> Result<(), CommitFault> {
    let mut pieces = text.split('&');
    into.push_str(pieces.next().unwrap_or_default());
    for piece in pieces {
        let (reference, rest) = piece.split_once(';').ok_or(MALFORMED)?;
        into.push(referenced(reference).ok_or(MALFORMED)?);
        into.push_str(rest);
    }
    Ok(())
}

fn referenced(reference: &str) -> Option<char> {
    match reference {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let number = reference.strip_prefix('#')?;
            let code = match number.strip_prefix('x') {
                Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16),
                None => number.parse(),
            };
            char::from_u32(code.ok()?)
        }
    }
}

/// Is the declared encoding one whose ASCII is ASCII? What is outside it was checked to be UTF-8.
fn readable_encoding(declaration: &str) -> bool {
    let Some((_, after)) = declaration.split_once("encoding") else { return true };
    let name = after.trim_start().trim_start_matches('=').trim_start();
    let name: String = name.chars().skip(1).take_while(|c| !matches!(c, '"' | '\'')).collect();
    ["utf-8", "us-ascii", "iso-8859-1"].contains(&name.to_ascii_lowercase().as_str())
}
