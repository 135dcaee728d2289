//! Which versions a CONTRIBUTION builds on: the one body that is looked into, because nothing else says where it may go (§12.4,
//! N42). The bytes travel on unchanged.
//!
//! The search is for the attribute's name at any depth, which is more than the model asks for: a version that is missed would be
//! committed to a copy. A body that cannot be understood is refused for the same reason.

mod json;
mod xml;

use http::HeaderMap;
use http::header::{CONTENT_ENCODING, CONTENT_TYPE};

use crate::ids::SystemId;

use super::version::creating_system;

/// The attribute that names a version built on.
const PRECEDING: &str = "preceding_version_uid";

/// Why a commit cannot be routed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommitFault {
    /// Encoded, or of a media type not known here.
    #[error(
        "a CONTRIBUTION is routed by the versions it builds on, so it must come unencoded, as application/json or application/xml"
    )]
    MediaType,
    /// Not well formed, or with a construct that hides text from us.
    #[error("the CONTRIBUTION is not well-formed {0} that can be searched for the versions it builds on")]
    Malformed(&'static str),
    /// A preceding version that is none.
    #[error("a `preceding_version_uid` of the CONTRIBUTION is no version uid")]
    NoVersionUid,
}

/// The creating systems of all versions the body builds on.
///
/// # Errors
/// When that cannot be said for certain.
pub(super) fn preceding_systems(headers: &HeaderMap, body: &[u8]) -> Result<Vec<SystemId>, CommitFault> {
    let encoded = headers.get_all(CONTENT_ENCODING).iter().any(|value| value.as_bytes() != b"identity");
    let media_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let media_type = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let uids = match media_type.as_str() {
        _ if encoded => return Err(CommitFault::MediaType),
        "application/json" => json::preceding(body)?,
        "application/xml" | "text/xml" => xml::preceding(body)?,
        _ => return Err(CommitFault::MediaType),
    };
    uids.iter().map(|uid| creating_system(uid.trim()).ok_or(CommitFault::NoVersionUid)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn systems(media_type: &str, body: &str) -> Result<Vec<String>, CommitFault> {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, media_type.parse().unwrap());
        let found = preceding_systems(&headers, body.as_bytes())?;
        Ok(found.into_iter().map(|system| system.to_string()).collect())
    }

    #[test]
    fn versions_built_on_are_found_in_json_and_xml() {
        let cases = [
            ("application/json", r#"{"versions":[{"data":{}}]}"#, vec![]),
            (
                "application/json",
                r#"{"versions":[{"preceding_version_uid":{"value":"a::x::1"}},{"preceding_version_uid":"b::y::2"}]}"#,
                vec!["x", "y"],
            ),
            (
                "application/json; charset=utf-8",
                r#"{"versions":[{"\u0070receding_version_uid":{"_type":"OBJECT_VERSION_ID","value":"a::x::1"}}]}"#,
                vec!["x"],
            ),
            (
                "application/json",
                r#"{"versions":[{"item":{"preceding_version_uid":null},"preceding_version_uid":"a::x::1","preceding_version_uid":"a::y::1"}]}"#,
                vec!["x", "y"],
            ),
            ("application/xml", "<contribution><versions><data/></versions></contribution>", vec![]),
            (
                "application/xml",
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?><c xmlns:o='u'><!-- <preceding_version_uid>no::no::1</preceding_version_uid> --><o:preceding_version_uid\n xsi:type=\"O>ID\"><o:value> a::x&#46;org::1 </o:value></o:preceding_version_uid></c>",
                vec!["x.org"],
            ),
            (
                "text/xml",
                "<c><preceding_version_uid><value><![CDATA[a::x::1]]></value></preceding_version_uid><preceding_version_uid/></c>",
                vec!["x"],
            ),
        ];
        for (media_type, body, expected) in cases {
            let expected: Vec<String> = expected.into_iter().map(str::to_owned).collect();
            assert_eq!(systems(media_type, body), Ok(expected), "{body}");
        }
    }

    #[test]
    fn what_cannot_be_searched_is_refused() {
        let cases = [
            ("text/plain", "{}", CommitFault::MediaType),
            ("application/openehr.wt.flat+json", "{}", CommitFault::MediaType),
            ("application/json", "{", CommitFault::Malformed("JSON")),
            ("application/json", r#"{"preceding_version_uid":7}"#, CommitFault::NoVersionUid),
            ("application/json", r#"{"preceding_version_uid":{"id":"a::x::1"}}"#, CommitFault::NoVersionUid),
            ("application/json", r#"{"preceding_version_uid":"a"}"#, CommitFault::NoVersionUid),
            ("application/xml", "<!DOCTYPE c [<!ENTITY e 'a::x::1'>]><c/>", CommitFault::Malformed("XML")),
            ("application/xml", "<c><preceding_version_uid>&e;</preceding_version_uid></c>", CommitFault::Malformed("XML")),
            ("application/xml", "<?xml version='1.0' encoding='UTF-7'?><c/>", CommitFault::Malformed("XML")),
            ("application/xml", "<c><preceding_version_uid>a::x::1", CommitFault::Malformed("XML")),
            ("application/xml", "<c a='", CommitFault::Malformed("XML")),
            ("application/xml", "plain", CommitFault::Malformed("XML")),
        ];
        for (media_type, body, expected) in cases {
            assert_eq!(systems(media_type, body), Err(expected), "{body}");
        }
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, "application/json".parse().unwrap());
        headers.insert(CONTENT_ENCODING, "gzip".parse().unwrap());
        assert_eq!(preceding_systems(&headers, b"{}"), Err(CommitFault::MediaType));
    }

    /// Any JSON around one preceding version uid, and the same as XML.
    fn documents() -> impl Strategy<Value = (String, String)> {
        let leaf = prop_oneof![
            Just(("null".to_owned(), "<a/>".to_owned())),
            "[a-z]{0,8}".prop_map(|text| (format!("\"{text}\""), format!("<a b='>{text}'>{text}</a>"))),
        ];
        let marked = Just((
            r#"{"preceding_version_uid":{"value":"a::x::1"}}"#.to_owned(),
            "<p:preceding_version_uid><value>a::x::1</value></p:preceding_version_uid>".to_owned(),
        ));
        (proptest::collection::vec(leaf, 0..4), 0..12_usize, marked).prop_map(|(around, depth, marked)| {
            let (mut json, mut xml) = marked;
            for _ in 0..depth {
                let jsons: Vec<_> = around.iter().map(|(json, _)| json.as_str()).chain([json.as_str()]).collect();
                let xmls: String = around.iter().map(|(_, xml)| xml.as_str()).chain([xml.as_str()]).collect();
                (json, xml) = (format!("{{\"n\":[{}]}}", jsons.join(",")), format!("<n>{xmls}<!-- {xml} --></n>"));
            }
            (json, xml)
        })
    }

    proptest! {
        #[test]
        fn a_version_built_on_is_found_wherever_it_stands((json, xml) in documents()) {
            prop_assert_eq!(systems("application/json", &json), Ok(vec!["x".to_owned()]));
            prop_assert_eq!(systems("application/xml", &xml), Ok(vec!["x".to_owned()]));
        }

        #[test]
        fn no_body_panics(body in proptest::collection::vec(any::<u8>(), 0..200), markup in "[<>/!?a-z'\"&;#x0-9-]{0,60}") {
            for media_type in ["application/json", "application/xml"] {
                let mut headers = HeaderMap::new();
                headers.insert(CONTENT_TYPE, media_type.parse().unwrap());
                let _verdict = preceding_systems(&headers, &body);
                let _verdict = preceding_systems(&headers, markup.as_bytes());
            }
        }
    }
}
