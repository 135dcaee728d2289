//! `Prefer` (RFC 7240): what the client would like, of which two preferences are known here.
//!
//! The RFC has a server ignore what it does not understand, so nothing here is an error. Of a preference given twice the
//! first counts.

use std::time::Duration;

/// The preferences read here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Preferences {
    pub(super) wait: Option<Duration>,
    pub(super) respond_async: bool,
}

/// Reads every line of the header.
pub(super) fn preferences<'a>(lines: impl Iterator<Item = &'a str>) -> Preferences {
    let mut found = Preferences::default();
    let mut wait_seen = false;
    for preference in lines.flat_map(|line| split(line, b',')) {
        // Behind a `;` stand parameters of the preference; neither known one has any.
        let head = split(preference, b';').next().unwrap_or_default();
        let (name, value) = head.split_once('=').map_or((head, ""), |(name, value)| (name, value.trim()));
        let name = name.trim();
        if name.eq_ignore_ascii_case("respond-async") {
            found.respond_async = true;
        } else if name.eq_ignore_ascii_case("wait") && !wait_seen {
            wait_seen = true;
            found.wait = seconds(value);
        }
    }
    found
}

/// Delta-seconds, quoted or not; a number too large to hold cannot shorten anything and is no wish.
fn seconds(value: &str) -> Option<Duration> {
    let digits = value.strip_prefix('"').and_then(|inner| inner.strip_suffix('"')).unwrap_or(value);
    let all_digits = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| all_digits).map(Duration::from_secs)
}

/// Splits at a separator that stands outside quotes.
fn split(text: &str, separator: u8) -> impl Iterator<Item = &str> {
    let (mut quoted, mut escaped) = (false, false);
    text.split(move |char: char| {
        let at = !quoted && char == char::from(separator);
        match char {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ => {}
        }
        at
    })
}
