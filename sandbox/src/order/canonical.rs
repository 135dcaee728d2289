//! The canonical bytes of a value: members sorted by name, no blanks, numbers in one form, fewest escapes.

use super::Decimal;
use crate::value::{Json, write_text};

/// The canonical bytes.
pub(crate) fn canonical(value: &Json) -> Vec<u8> {
    let mut out = Vec::new();
    write(value, &mut out);
    out
}

fn write(value: &Json, out: &mut Vec<u8>) {
    match value {
        Json::Null => out.extend_from_slice(b"null"),
        Json::Bool(value) => out.extend_from_slice(if *value { b"true" } else { b"false" }),
        Json::Number(text) => {
            let canonical = Decimal::parse(text).map(|number| number.canonical());
            out.extend_from_slice(canonical.as_deref().unwrap_or(text).as_bytes());
        }
        Json::Text(text) => write_text(text, out),
        Json::Array(items) => {
            out.push(b'[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                write(item, out);
            }
            out.push(b']');
        }
        Json::Object(members) => write_members(members, out),
    }
}

fn write_members(members: &[(Box<str>, Json)], out: &mut Vec<u8>) {
    let mut sorted: Vec<&(Box<str>, Json)> = members.iter().collect();
    sorted.sort_by(|left, right| left.0.cmp(&right.0));
    out.push(b'{');
    for (index, (name, member)) in sorted.into_iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        write_text(name, out);
        out.push(b':');
        write(member, out);
    }
    out.push(b'}');
}
