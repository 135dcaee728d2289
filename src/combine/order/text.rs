//! Strings: what a JSON string says, and saying it again.

use std::borrow::Cow;

/// What a JSON string says, as UTF-8. Borrowed unless it has escapes; none for what is no string.
pub(crate) fn text(cell: &[u8]) -> Option<Cow<'_, [u8]>> {
    let inner = cell.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
    if !inner.contains(&b'\\') {
        return Some(Cow::Borrowed(inner));
    }
    serde_json::from_slice::<String>(cell).ok().map(|text| Cow::Owned(text.into_bytes()))
}

/// Appends a text as a JSON string with the fewest escapes.
pub(crate) fn write_text(text: &[u8], out: &mut Vec<u8>) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    out.push(b'"');
    for byte in text {
        match byte {
            b'"' => out.extend_from_slice(b"\\\""),
            b'\\' => out.extend_from_slice(b"\\\\"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            0x8 => out.extend_from_slice(b"\\b"),
            0xc => out.extend_from_slice(b"\\f"),
            0..0x20 => {
                let digits = [byte >> 4, byte & 15].map(|digit| HEX.get(usize::from(digit)).copied().unwrap_or(b'0'));
                out.extend_from_slice(b"\\u00");
                out.extend_from_slice(&digits);
            }
            _ => out.push(*byte),
        }
    }
    out.push(b'"');
}
