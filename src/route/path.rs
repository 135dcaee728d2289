//! The raw path of a request: looked at, never changed.

use std::borrow::Cow;

/// A path in its raw segments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segments<'a>(Vec<&'a str>);

/// A path that could mean another one to a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the path has a segment `.` or `..`, plain or encoded")]
pub struct AmbiguousPath;

impl<'a> Segments<'a> {
    /// Splits a path that begins with `/`.
    ///
    /// # Errors
    /// When a node could take it for another path: a segment that is, or decodes to, a step up or nowhere.
    pub fn parse(path: &'a str) -> Result<Self, AmbiguousPath> {
        let segments: Vec<&str> = path.strip_prefix('/').unwrap_or(path).split('/').collect();
        let steps = |segment: &str| decoded(segment).split(['/', '\\']).any(|part| matches!(part, "." | ".."));
        if segments.iter().any(|segment| steps(segment)) { Err(AmbiguousPath) } else { Ok(Segments(segments)) }
    }

    /// Does it have the form of this template?
    pub(super) fn fits(&self, template: &str) -> bool {
        let mut parts = template.trim_start_matches('/').split('/');
        let mut segments = self.0.iter();
        loop {
            match (parts.next(), segments.next()) {
                (Some("{*}"), _) | (None, None) => return true,
                (Some(part), Some(segment)) if part.starts_with('{') && !segment.is_empty() => {}
                (Some(part), Some(segment)) if part == *segment => {}
                _ => return false,
            }
        }
    }

    /// The decoded segment of this index; empty when there is none.
    #[must_use]
    pub fn decoded(&self, index: usize) -> Cow<'a, str> {
        self.0.get(index).map_or(Cow::Borrowed(""), |segment| decoded(segment))
    }

    /// The decoded segment that stands where the template has `{name}`.
    #[must_use]
    pub fn captured(&self, template: &str, name: &str) -> Option<Cow<'a, str>> {
        let is_it = |part: &str| part.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) == Some(name);
        let index = template.trim_start_matches('/').split('/').position(is_it)?;
        self.0.get(index).map(|segment| decoded(segment))
    }
}

/// Percent-decodes; bytes that are no UTF-8 become replacement characters, so that they equal nothing we compare with.
#[must_use]
pub(super) fn decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let encoded = match (first, after) {
            (b'%', [high, low, ..]) => hex(*high).zip(hex(*low)).map(|(high, low)| high * 16 + low),
            _ => None,
        };
        bytes.push(encoded.unwrap_or(first));
        rest = if encoded.is_some() { after.get(2..).unwrap_or_default() } else { after };
    }
    Cow::Owned(String::from_utf8_lossy(&bytes).into_owned())
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

/// Name and value of every parameter of a raw query string, decoded.
pub(super) fn parameters(query: &str) -> impl Iterator<Item = (Cow<'_, str>, Cow<'_, str>)> {
    url::form_urlencoded::parse(query.as_bytes())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn segments_are_decoded_to_be_compared() {
        let path = Segments::parse("/ehr/a%2Db/composition/x%3A%3Ay::1").unwrap();
        let template = "/ehr/{ehr_id}/composition/{uid_based_id}";
        assert!(path.fits(template));
        assert_eq!(path.captured(template, "ehr_id").unwrap(), "a-b");
        assert_eq!(path.captured(template, "uid_based_id").unwrap(), "x::y::1");
        assert_eq!(path.captured(template, "other"), None);
        assert_eq!(decoded("%zz%4"), "%zz%4");
        assert_eq!(decoded("%ff"), "\u{fffd}");
    }

    #[test]
    fn steps_in_a_path_are_refused_however_they_are_spelled() {
        for path in ["/ehr/../admin", "/ehr/%2e%2E/admin", "/ehr/a%2f..%2fadmin", "/ehr/a%5C../x", "/./ehr", "/ehr/."] {
            assert_eq!(Segments::parse(path), Err(AmbiguousPath), "{path}");
        }
        for path in ["/ehr/..a", "/ehr/a..b", "/definition/template/adl1.4/a%2Fb"] {
            assert!(Segments::parse(path).is_ok(), "{path}");
        }
    }

    proptest! {
        #[test]
        fn no_path_confuses_the_reader(raw in "[/a-z.%0-9:\\\\éE{}*-]{0,60}") {
            let raw = format!("/{raw}");
            if let Ok(path) = Segments::parse(&raw) {
                let _operation = super::super::table::find("GET", &path);
                let climbs = raw.split('/').any(|segment| {
                    decoded(segment).split(['/', '\\']).any(|part| part == ".." || part == ".")
                });
                prop_assert!(!climbs);
            }
        }

        #[test]
        fn what_is_encoded_decodes(text in any::<String>()) {
            let encoded: String = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
            prop_assert_eq!(decoded(&encoded), text);
        }
    }
}
