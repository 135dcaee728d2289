//! Finding the patient identifier in bytes, whatever its spelling, and taking it out of what is shown.

use std::fmt::Write as _;

/// What stands in a report where an identifier stood.
pub const MARK: &str = "[patient identifier]";

/// Identifiers shorter than this are not looked for in bytes: they would be found by chance.
pub const SHORTEST: usize = 5;

/// The spellings in which an identifier travels.
#[derive(Clone)]
pub struct Redactor {
    /// Longest first, so that a spelling is taken out before a part of it.
    spellings: Vec<String>,
}

impl Redactor {
    /// Knows these identifiers.
    pub fn new<'a>(identifiers: impl IntoIterator<Item = &'a str>) -> Self {
        let mut spellings: Vec<String> = identifiers.into_iter().flat_map(spellings).filter(|text| !text.is_empty()).collect();
        spellings.sort_by_key(|text| std::cmp::Reverse(text.len()));
        spellings.dedup();
        Redactor { spellings }
    }

    /// The text with every spelling of every identifier replaced; ASCII case does not matter.
    pub fn clean(&self, text: &str) -> String {
        self.spellings.iter().fold(text.to_owned(), |text, spelling| replace(&text, spelling))
    }
}

/// Does any spelling of the identifier stand in these bytes? ASCII case does not matter.
#[must_use]
pub fn stands_in(identifier: &str, bytes: &[u8]) -> bool {
    spellings(identifier).iter().any(|spelling| position(bytes, spelling.as_bytes(), 0).is_some())
}

/// Plain, percent-encoded (the necessary bytes, and all of them), escaped as in JSON and in AQL, hexadecimal, base64.
fn spellings(identifier: &str) -> Vec<String> {
    let json = serde_json::Value::from(identifier).to_string();
    let mut all = vec![
        identifier.to_owned(),
        percent(identifier, |byte| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte)),
        percent(identifier, |byte| byte.is_ascii_alphanumeric()),
        percent(identifier, |_| false),
        json.trim_matches('"').to_owned(),
        identifier.replace('\\', "\\\\").replace('\'', "\\'"),
        identifier.bytes().fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        }),
        base64(identifier.as_bytes()),
    ];
    all.sort();
    all.dedup();
    all
}

fn percent(text: &str, plain: impl Fn(u8) -> bool) -> String {
    text.bytes().fold(String::new(), |mut encoded, byte| {
        if plain(byte) {
            encoded.push(char::from(byte));
        } else {
            let _ = write!(encoded, "%{byte:02X}");
        }
        encoded
    })
}

/// Only whole groups of three bytes: their spelling does not depend on what follows.
fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for group in bytes.chunks_exact(3) {
        let bits = group.iter().fold(0_usize, |bits, byte| bits << 8 | usize::from(*byte));
        for shift in [18, 12, 6, 0] {
            text.extend(ALPHABET.get(bits >> shift & 63).map(|letter| char::from(*letter)));
        }
    }
    if text.len() < 8 { String::new() } else { text }
}

fn position(bytes: &[u8], wanted: &[u8], from: usize) -> Option<usize> {
    if wanted.is_empty() {
        return None;
    }
    let found = bytes.get(from..)?.windows(wanted.len()).position(|window| window.eq_ignore_ascii_case(wanted))?;
    Some(from + found)
}

fn replace(text: &str, spelling: &str) -> String {
    let mut cleaned = String::with_capacity(text.len());
    let mut from = 0;
    while let Some(at) = position(text.as_bytes(), spelling.as_bytes(), from) {
        // A match of valid UTF-8 under ASCII case folding begins and ends on character boundaries.
        cleaned.push_str(text.get(from..at).unwrap_or_default());
        cleaned.push_str(MARK);
        from = at + spelling.len();
    }
    cleaned.push_str(text.get(from..).unwrap_or_default());
    cleaned
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identifier_is_found_in_every_spelling() {
        for (name, bytes) in [
            ("plain", "where id = 'O'Hara 4711'"),
            ("other case", "o'hara 4711"),
            ("percent", "?id=O%27Hara%204711"),
            ("every byte", "%4f%27%48%61%72%61%20%34%37%31%31"),
            ("AQL", "'O\\'Hara 4711'"),
            ("hexadecimal", "4F274861726120343731 31".replace(' ', "").as_str()),
            ("base64", "TydIYXJhIDQ3MTE="),
        ] {
            assert!(stands_in("O'Hara 4711", bytes.as_bytes()), "{name}");
        }
        assert!(!stands_in("O'Hara 4711", b"O'Hara 4712"));
    }

    #[test]
    fn a_cleaned_text_holds_no_spelling() {
        let redactor = Redactor::new(["patient-1", "patient-12"]);
        let cleaned = redactor.clean("PATIENT-12 ö patient%2D1 é patient-1");
        assert_eq!(cleaned, format!("{MARK} ö {MARK} é {MARK}"));
    }
}
