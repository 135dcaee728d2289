//! The identifiers of a federation, each a type of its own: `node_id`, `endpoint_id` and `system_id` are three separate
//! namespaces and never stand for one another (N32).

use std::fmt;

/// Makes a text identifier: comparable, printable, never empty by construction of the configuration.
macro_rules! identifier {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(Box<str>);

        impl $name {
            /// Takes the text as it is; whether it names anything is the registry's to say.
            pub fn new(text: impl Into<Box<str>>) -> Self {
                $name(text.into())
            }

            /// The text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0)
            }
        }
    };
}

identifier! {
    /// A member CDR: the unit of membership.
    NodeId
}
identifier! {
    /// One base URL of a node: what a client targets and the key of the report (§8, §9).
    EndpointId
}
identifier! {
    /// The openEHR id of a node's EHR system, as found in its data.
    SystemId
}
identifier! {
    /// An organisation that manages endpoints; each endpoint has exactly one.
    OrganisationId
}
identifier! {
    /// The local id of a patient's EHR at one node. Not a patient identifier of the world outside, but never logged either.
    EhrId
}

impl EhrId {
    /// Is the text fit to be an `ehr_id`? Ids of other systems come from outside and go into queries and paths: letters,
    /// digits and a little punctuation, at most 128 bytes; a UUID almost always.
    #[must_use]
    pub fn is_plain(text: &str) -> bool {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
        (1..=128).contains(&text.len()) && text.bytes().all(plain) && !matches!(text, "." | "..")
    }
}
