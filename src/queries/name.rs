//! Names (`[namespace::]name`) and versions of stored queries.

use std::fmt;

/// The longest name; longer ones are no names but attacks.
const MAX_NAME_BYTES: usize = 256;

/// Why a name or version is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameFault {
    /// Not `[namespace::]name` of the letters ITS-REST allows.
    #[error(
        "A stored query is named `[namespace::]name`: the namespace a reverse domain name, the name of letters, digits, `_`, `.` and `-`, \
         256 characters at most in all."
    )]
    Name,
    /// `aql` is the ad-hoc query.
    #[error("The name `aql` is reserved.")]
    Reserved,
    /// Not a full version where one is needed.
    #[error("A stored query is versioned `major.minor.patch`, each a number without leading zeros.")]
    Version,
    /// Not even the beginning of a version.
    #[error("A version is `major`, `major.minor` or `major.minor.patch`, each a number without leading zeros.")]
    Prefix,
}

/// The qualified name of a stored query.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct QueryName(Box<str>);

impl QueryName {
    /// Reads a name.
    ///
    /// # Errors
    /// [`NameFault`]
    pub fn parse(text: &str) -> Result<Self, NameFault> {
        let (namespace, name) = text.split_once("::").map_or((None, text), |(namespace, name)| (Some(namespace), name));
        if text.len() > MAX_NAME_BYTES || !is_name(name) || !namespace.is_none_or(is_domain) {
            return Err(NameFault::Name);
        }
        if name.eq_ignore_ascii_case("aql") { Err(NameFault::Reserved) } else { Ok(QueryName(text.into())) }
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn is_name(text: &str) -> bool {
    let letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
    !text.is_empty() && text.bytes().all(letter) && !matches!(text, "." | "..")
}

fn is_domain(text: &str) -> bool {
    let label =
        |label: &str| !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    text.split('.').all(label)
}

/// A whole version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Version {
    /// Incompatible changes.
    pub major: u32,
    /// Compatible ones.
    pub minor: u32,
    /// Corrections.
    pub patch: u32,
}

impl Version {
    /// The version of a first definition without one.
    pub const FIRST: Version = Version { major: 1, minor: 0, patch: 0 };

    /// Reads a whole version.
    ///
    /// # Errors
    /// [`NameFault::Version`]
    pub fn parse(text: &str) -> Result<Self, NameFault> {
        match VersionPrefix::parse(text) {
            Ok(VersionPrefix { major: Some(major), minor: Some(minor), patch: Some(patch) }) => {
                Ok(Version { major, minor, patch })
            }
            Ok(_) | Err(_) => Err(NameFault::Version),
        }
    }

    /// The next version of a definition that does not say which.
    #[must_use]
    pub fn next(self) -> Option<Version> {
        Some(Version { minor: self.minor.checked_add(1)?, patch: 0, ..self })
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

/// A version or the beginning of one; empty means the latest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VersionPrefix {
    /// The major number.
    pub major: Option<u32>,
    /// The minor number; none without the major one.
    pub minor: Option<u32>,
    /// The patch number; none without the minor one.
    pub patch: Option<u32>,
}

impl VersionPrefix {
    /// Reads `major[.minor[.patch]]`.
    ///
    /// # Errors
    /// [`NameFault::Prefix`]
    pub fn parse(text: &str) -> Result<Self, NameFault> {
        let mut numbers = text.split('.').map(number);
        let prefix = VersionPrefix {
            major: numbers.next().transpose()?,
            minor: numbers.next().transpose()?,
            patch: numbers.next().transpose()?,
        };
        if numbers.next().is_some() { Err(NameFault::Prefix) } else { Ok(prefix) }
    }

    /// Does the version begin so?
    #[must_use]
    pub fn fits(&self, version: Version) -> bool {
        let fits = |wanted: Option<u32>, number| wanted.is_none_or(|wanted| wanted == number);
        fits(self.major, version.major) && fits(self.minor, version.minor) && fits(self.patch, version.patch)
    }
}

fn number(text: &str) -> Result<u32, NameFault> {
    let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    if plain { text.parse().map_err(|_| NameFault::Prefix) } else { Err(NameFault::Prefix) }
}
