//! Which `_type`s a class of FROM covers: the inheritance of the reference model, as far as instances carry a type.

/// Each class and the one it inherits from.
const PARENTS: &[(&str, &str)] = &[
    ("LOCATABLE", "PATHABLE"),
    ("COMPOSITION", "LOCATABLE"),
    ("EHR_STATUS", "LOCATABLE"),
    ("EHR_ACCESS", "LOCATABLE"),
    ("FOLDER", "LOCATABLE"),
    ("PARTY", "LOCATABLE"),
    ("CONTENT_ITEM", "LOCATABLE"),
    ("ACTIVITY", "LOCATABLE"),
    ("DATA_STRUCTURE", "LOCATABLE"),
    ("EVENT", "LOCATABLE"),
    ("ITEM", "LOCATABLE"),
    ("EVENT_CONTEXT", "PATHABLE"),
    ("ISM_TRANSITION", "PATHABLE"),
    ("INSTRUCTION_DETAILS", "PATHABLE"),
    ("SECTION", "CONTENT_ITEM"),
    ("ENTRY", "CONTENT_ITEM"),
    ("GENERIC_ENTRY", "CONTENT_ITEM"),
    ("CARE_ENTRY", "ENTRY"),
    ("ADMIN_ENTRY", "ENTRY"),
    ("OBSERVATION", "CARE_ENTRY"),
    ("EVALUATION", "CARE_ENTRY"),
    ("INSTRUCTION", "CARE_ENTRY"),
    ("ACTION", "CARE_ENTRY"),
    ("HISTORY", "DATA_STRUCTURE"),
    ("ITEM_STRUCTURE", "DATA_STRUCTURE"),
    ("ITEM_TREE", "ITEM_STRUCTURE"),
    ("ITEM_LIST", "ITEM_STRUCTURE"),
    ("ITEM_SINGLE", "ITEM_STRUCTURE"),
    ("ITEM_TABLE", "ITEM_STRUCTURE"),
    ("POINT_EVENT", "EVENT"),
    ("INTERVAL_EVENT", "EVENT"),
    ("CLUSTER", "ITEM"),
    ("ELEMENT", "ITEM"),
    ("PARTY_SELF", "PARTY_PROXY"),
    ("PARTY_IDENTIFIED", "PARTY_PROXY"),
    ("PARTY_RELATED", "PARTY_IDENTIFIED"),
    ("DV_BOOLEAN", "DATA_VALUE"),
    ("DV_STATE", "DATA_VALUE"),
    ("DV_IDENTIFIER", "DATA_VALUE"),
    ("DV_TEXT", "DATA_VALUE"),
    ("DV_PARAGRAPH", "DATA_VALUE"),
    ("DV_URI", "DATA_VALUE"),
    ("DV_ENCAPSULATED", "DATA_VALUE"),
    ("DV_ORDERED", "DATA_VALUE"),
    ("DV_INTERVAL", "DATA_VALUE"),
    ("DV_CODED_TEXT", "DV_TEXT"),
    ("DV_EHR_URI", "DV_URI"),
    ("DV_MULTIMEDIA", "DV_ENCAPSULATED"),
    ("DV_PARSABLE", "DV_ENCAPSULATED"),
    ("DV_ORDINAL", "DV_ORDERED"),
    ("DV_SCALE", "DV_ORDERED"),
    ("DV_QUANTIFIED", "DV_ORDERED"),
    ("DV_AMOUNT", "DV_QUANTIFIED"),
    ("DV_ABSOLUTE_QUANTITY", "DV_QUANTIFIED"),
    ("DV_QUANTITY", "DV_AMOUNT"),
    ("DV_COUNT", "DV_AMOUNT"),
    ("DV_PROPORTION", "DV_AMOUNT"),
    ("DV_DURATION", "DV_AMOUNT"),
    ("DV_TEMPORAL", "DV_ABSOLUTE_QUANTITY"),
    ("DV_DATE", "DV_TEMPORAL"),
    ("DV_TIME", "DV_TEMPORAL"),
    ("DV_DATE_TIME", "DV_TEMPORAL"),
];

/// Where instances of a class stand in a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Home {
    /// The record itself.
    Ehr,
    /// The root of a composition, of the status, of the folder tree.
    Composition,
    Status,
    Folder,
    /// In a composition's content, not inside another entry.
    Entry,
    /// Anywhere.
    Anywhere,
}

/// A class of FROM.
#[derive(Clone, Debug)]
pub(super) struct Class {
    /// The types it covers, itself included.
    types: Vec<String>,
    /// Where its instances stand.
    pub(super) home: Home,
}

impl Class {
    /// The class of this name; letter case is ignored, as in all names of AQL.
    pub(super) fn named(name: &str) -> Class {
        let name = name.to_ascii_uppercase();
        let home = match name.as_str() {
            "EHR" => Home::Ehr,
            "COMPOSITION" => Home::Composition,
            "EHR_STATUS" => Home::Status,
            "FOLDER" => Home::Folder,
            _ if name == "SECTION" || name == "CONTENT_ITEM" || inherits(&name, "CONTENT_ITEM") => Home::Entry,
            _ => Home::Anywhere,
        };
        let below = PARENTS.iter().filter(|(child, _)| inherits(child, &name)).map(|(child, _)| (*child).to_owned());
        Class { types: std::iter::once(name.clone()).chain(below).collect(), home }
    }

    /// Is an instance of this `_type` one of this class? The parameter of a generic type does not count.
    pub(super) fn covers(&self, type_name: &str) -> bool {
        let plain = type_name.split('<').next().unwrap_or(type_name);
        self.types.iter().any(|name| name == plain)
    }
}

fn inherits(child: &str, ancestor: &str) -> bool {
    let mut class = child;
    while let Some((_, parent)) = PARENTS.iter().find(|(name, _)| *name == class) {
        if *parent == ancestor {
            return true;
        }
        class = parent;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::{Class, Home};

    #[test]
    fn an_abstract_class_covers_what_inherits_from_it() {
        for (class, covered, not) in [
            ("CARE_ENTRY", "OBSERVATION", "ADMIN_ENTRY"),
            ("ENTRY", "ADMIN_ENTRY", "SECTION"),
            ("Event", "POINT_EVENT<ITEM_TREE>", "EVENT_CONTEXT"),
            ("LOCATABLE", "COMPOSITION", "EVENT_CONTEXT"),
            ("DV_TEXT", "DV_CODED_TEXT", "DV_URI"),
            ("OBSERVATION", "OBSERVATION", "EVALUATION"),
        ] {
            let class = Class::named(class);
            assert!(class.covers(covered) && !class.covers(not), "{class:?}");
        }
        assert_eq!(Class::named("observation").home, Home::Entry);
        assert_eq!(Class::named("CLUSTER").home, Home::Anywhere);
    }
}
