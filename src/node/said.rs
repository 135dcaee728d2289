//! What a node says is data: it is quoted cut, escaped and scrubbed, or not at all (§5.4, N33).

use std::fmt::Write as _;

/// Bytes of a node's words that are quoted.
const MAX_QUOTED_BYTES: usize = 256;
/// Bytes of a node's words that are looked at: enough to recognise what starts within the quoted part.
const MAX_SCANNED_BYTES: usize = 4096;

/// What is said of words that repeat the patient identifier.
const WITHHELD: &str = "(its words are withheld: they repeat the patient identifier)";

/// Quotes a node: not at all when `hears` finds the patient identifier in its words, else without credentials in URLs, control
/// characters escaped, cut at 256 bytes.
#[must_use]
pub fn quoted(text: &str, hears: impl Fn(&str) -> bool) -> String {
    let text = text.trim_start();
    let scanned = text.get(..floor_char_boundary(text, MAX_SCANNED_BYTES)).unwrap_or_default();
    if hears(scanned) {
        return WITHHELD.to_owned();
    }
    let clean = without_credentials(scanned);
    let mut quote = String::with_capacity(clean.len().min(MAX_QUOTED_BYTES));
    for c in clean.trim().chars() {
        let before = quote.len();
        if is_unprintable(c) {
            let _infallible = write!(quote, "{}", c.escape_default());
        } else {
            quote.push(c);
        }
        if quote.len() > MAX_QUOTED_BYTES - '…'.len_utf8() {
            quote.truncate(before);
            quote.push('…');
            break;
        }
    }
    quote
}

/// Control characters, and the invisible ones that reorder or hide text.
fn is_unprintable(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

fn floor_char_boundary(text: &str, at_most: usize) -> usize {
    (0..=at_most.min(text.len())).rev().find(|&index| text.is_char_boundary(index)).unwrap_or(0)
}

/// Replaces `user:password@` after every `://`.
fn without_credentials(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("://") {
        clean.push_str(before);
        clean.push_str("://");
        let authority_end = after.find(|c: char| c.is_whitespace() || matches!(c, '/' | '?' | '#' | '"' | '<' | '>'));
        let (authority, remaining) = after.split_at(authority_end.unwrap_or(after.len()));
        match authority.rsplit_once('@') {
            Some((_, host)) => {
                clean.push_str("…@");
                clean.push_str(host);
            }
            None => clean.push_str(authority),
        }
        rest = remaining;
    }
    clean.push_str(rest);
    clean
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn words_are_cut_escaped_and_scrubbed() {
        let cases = [
            ("plain", " Could not parse ", "Could not parse"),
            ("control", "a\u{1b}[31mb\r\nc", "a\\u{1b}[31mb\\r\\nc"),
            ("reordering", "a\u{202e}b", "a\\u{202e}b"),
            ("credentials", "see https://user:p%40ss@cdr/x and http://h/y", "see https://…@cdr/x and http://h/y"),
            ("at sign beyond the authority", "http://h/a@b", "http://h/a@b"),
            ("identifier", "no EHR of patient-1", WITHHELD),
        ];
        for (name, said, expected) in cases {
            assert_eq!(quoted(said, |text| text.contains("patient-1")), expected, "{name}");
        }
    }

    proptest! {
        #[test]
        fn a_quote_is_short_and_printable(said in any::<String>(), times in 1_usize..200) {
            let quote = quoted(&said.repeat(times), |_| false);
            prop_assert!(quote.len() <= MAX_QUOTED_BYTES);
            prop_assert!(!quote.chars().any(is_unprintable));
        }
    }
}
