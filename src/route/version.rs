//! Version uids: who created a version, and so who controls it (§12, N22, N42).

use crate::ids::SystemId;

/// Takes an `OBJECT_VERSION_ID` (`object_id::creating_system_id::version_tree_id`) apart as far as routing needs.
#[must_use]
pub(super) fn creating_system(uid: &str) -> Option<SystemId> {
    let (object, rest) = uid.split_once("::")?;
    let (system, tree) = rest.rsplit_once("::")?;
    let tree_is_one = tree.split('.').all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
    (!object.is_empty() && !system.is_empty() && !system.contains("::") && tree_is_one).then(|| SystemId::new(system))
}

/// The creating systems of the versions in an entity tag or a list of them: quoted or not, weak or not, since servers and
/// clients spell them every way.
pub(super) fn creating_systems_of_tags(value: &str) -> impl Iterator<Item = SystemId> {
    tags(value).filter_map(creating_system)
}

/// The entity tags of a header line, bare.
pub(super) fn tags(value: &str) -> impl Iterator<Item = &str> {
    value.split(',').map(|tag| {
        let tag = tag.trim();
        let tag = tag.strip_prefix("W/").unwrap_or(tag);
        tag.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(tag)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_a_version_uid_is_its_creating_system() {
        let cases = [
            ("a::sys::1", Some("sys")),
            ("a::sys.example.org::1.2.3", Some("sys.example.org")),
            ("a", None),
            ("a::sys", None),
            ("::sys::1", None),
            ("a::::1", None),
            ("a::sys::x", None),
            ("a::b::c::1", None),
            ("*", None),
        ];
        for (uid, expected) in cases {
            assert_eq!(creating_system(uid), expected.map(SystemId::new), "{uid}");
        }
    }

    #[test]
    fn entity_tags_are_read_in_every_spelling() {
        let systems = |value| creating_systems_of_tags(value).map(|system| system.to_string()).collect::<Vec<_>>();
        assert_eq!(systems("\"a::x::1\""), ["x"]);
        assert_eq!(systems("W/\"a::x::1\", a::y::2"), ["x", "y"]);
        assert!(systems("*").is_empty());
    }
}
