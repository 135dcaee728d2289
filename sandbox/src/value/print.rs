//! Writing JSON text.

use super::Json;

/// How JSON text is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Style {
    /// No blanks.
    #[default]
    Compact,
    /// A blank after each comma and colon, as PostgreSQL prints `jsonb`.
    Spaced,
}

/// Appends the value.
pub(super) fn write(value: &Json, out: &mut Vec<u8>, style: Style) {
    match value {
        Json::Null => out.extend_from_slice(b"null"),
        Json::Bool(true) => out.extend_from_slice(b"true"),
        Json::Bool(false) => out.extend_from_slice(b"false"),
        Json::Number(text) => out.extend_from_slice(text.as_bytes()),
        Json::Text(text) => write_text(text, out),
        Json::Array(items) => {
            out.push(b'[');
            for (index, item) in items.iter().enumerate() {
                separate(index, out, style);
                write(item, out, style);
            }
            out.push(b']');
        }
        Json::Object(members) => {
            out.push(b'{');
            for (index, (name, member)) in members.iter().enumerate() {
                separate(index, out, style);
                write_text(name, out);
                out.extend_from_slice(if style == Style::Spaced { b": " } else { b":" });
                write(member, out, style);
            }
            out.push(b'}');
        }
    }
}

fn separate(index: usize, out: &mut Vec<u8>, style: Style) {
    if index > 0 {
        out.extend_from_slice(if style == Style::Spaced { b", " } else { b"," });
    }
}

/// Appends a quoted text with the fewest escapes.
pub(crate) fn write_text(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    for byte in text.bytes() {
        match byte {
            b'"' => out.extend_from_slice(b"\\\""),
            b'\\' => out.extend_from_slice(b"\\\\"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            0x8 => out.extend_from_slice(b"\\b"),
            0xc => out.extend_from_slice(b"\\f"),
            0..0x20 => out.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
            _ => out.push(byte),
        }
    }
    out.push(b'"');
}
