//! Looking for a text in bytes under every encoding it might have been given on the way.

/// A text shorter than this is not looked for in base64, where it would be found by chance.
const MIN_BASE64: usize = 6;
/// A text shorter than this is not looked for in hexadecimal.
const MIN_HEX: usize = 4;

/// Bytes, read in every way that might show a text.
pub(super) struct Readings {
    /// Folded to lower case, each with what it is called.
    folded: Vec<(&'static str, String)>,
    /// Percent sequences resolved, letter case kept: where base64 is looked for.
    decoded: String,
}

impl Readings {
    /// Reads the bytes.
    pub(super) fn of(bytes: &[u8]) -> Readings {
        let once = percent_decoded(bytes);
        let decoded = String::from_utf8_lossy(&once).into_owned();
        let mut folded = vec![("as it is", String::from_utf8_lossy(bytes).to_lowercase())];
        let mut add = |name, reading: String| {
            let reading = reading.to_lowercase();
            if folded.iter().all(|(_, held)| *held != reading) {
                folded.push((name, reading));
            }
        };
        add("percent-encoded", decoded.clone());
        add("percent-encoded twice", String::from_utf8_lossy(&percent_decoded(&once)).into_owned());
        add("escaped", unescaped(&decoded));
        add("with plus signs for blanks", decoded.replace('+', " "));
        Readings { folded, decoded }
    }

    /// The name of the encoding under which the text stands in the bytes.
    pub(super) fn find(&self, text: &str) -> Option<&'static str> {
        if text.is_empty() {
            return None;
        }
        let wanted = text.to_lowercase();
        if let Some((name, _)) = self.folded.iter().find(|(_, reading)| reading.contains(&wanted)) {
            return Some(name);
        }
        let hex = |text: &str| text.bytes().map(|byte| format!("{byte:02x}")).collect::<String>();
        let in_hex = |hex: String| self.folded.iter().any(|(_, reading)| reading.contains(&hex));
        if text.len() >= MIN_HEX && (in_hex(hex(text)) || in_hex(hex(&wanted))) {
            return Some("in hexadecimal");
        }
        base64_forms(text).iter().any(|form| self.decoded.contains(form.as_str())).then_some("in base64")
    }
}

/// The name of the encoding under which the text stands in the bytes: as [`super::Journal::find`], for bytes from elsewhere, a log or
/// an answer.
#[must_use]
pub fn find(bytes: &[u8], text: &str) -> Option<&'static str> {
    Readings::of(bytes).find(text)
}

/// Percent sequences resolved; what is none stays.
fn percent_decoded(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let hex = bytes.get(at + 1..at + 3).and_then(|pair| std::str::from_utf8(pair).ok());
        match hex.and_then(|pair| u8::from_str_radix(pair, 16).ok()) {
            Some(decoded) if *byte == b'%' => {
                out.push(decoded);
                at += 3;
            }
            _ => {
                out.push(*byte);
                at += 1;
            }
        }
    }
    out
}

/// Escapes of JSON, AQL and HTML resolved, as far as they hide letters: `\u0041`, `&#65;`, `&#x41;`, `\x41`, `\-`.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let (decoded, length) = match c {
            '\\' => backslash(rest),
            '&' => entity(rest),
            _ => None,
        }
        .unwrap_or((c, c.len_utf8()));
        out.push(decoded);
        rest = rest.get(length..).unwrap_or_default();
    }
    out
}

fn backslash(text: &str) -> Option<(char, usize)> {
    let code = |from: usize, to: usize| u32::from_str_radix(text.get(from..to)?, 16).ok().and_then(char::from_u32);
    match text.chars().nth(1)? {
        'u' => code(2, 6).map(|c| (c, 6)),
        'x' => code(2, 4).map(|c| (c, 4)),
        digit @ '0'..='7' => {
            u32::from_str_radix(text.get(1..4)?, 8).ok().and_then(char::from_u32).map_or(Some((digit, 2)), |c| Some((c, 4)))
        }
        other => Some((other, 1 + other.len_utf8())),
    }
}

fn entity(text: &str) -> Option<(char, usize)> {
    let end = text.find(';').filter(|end| *end < 10)?;
    let inner = text.get(2..end)?;
    text.starts_with("&#").then_some(())?;
    let code = match inner.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
        None => inner.parse().ok()?,
    };
    char::from_u32(code).map(|c| (c, end + 1))
}

/// How the text may stand inside longer base64: at each of the three alignments, in both alphabets.
fn base64_forms(text: &str) -> Vec<String> {
    if text.len() < MIN_BASE64 {
        return Vec::new();
    }
    let mut forms = Vec::new();
    for alphabet in ["+/", "-_"] {
        for shift in 0..3 {
            let padded = [vec![0; shift], text.as_bytes().to_vec()].concat();
            let encoded = base64(&padded, alphabet);
            // The first characters mix in what stands before the text, the last what stands behind it.
            let start = (shift * 8).div_ceil(6);
            let end = padded.len() * 8 / 6;
            forms.extend(encoded.get(start..end).map(str::to_owned));
        }
    }
    forms
}

/// Base64 without padding, its last two characters as given.
fn base64(bytes: &[u8], last_two: &str) -> String {
    let alphabet = format!("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789{last_two}");
    let letters: Vec<char> = alphabet.chars().collect();
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let group = chunk.iter().fold(0u32, |group, byte| (group << 8) | u32::from(*byte)) << (8 * (3 - chunk.len()));
        let digits = (0..=chunk.len()).map(|index| (group >> (18 - 6 * index)) & 63);
        out.extend(digits.filter_map(|digit| letters.get(digit as usize)));
    }
    out
}
