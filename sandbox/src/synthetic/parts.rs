//! The building blocks of canonical JSON: what every archetype is made of.

use crate::model::typed;
use crate::value::Json;

/// A `CODE_PHRASE`.
pub(super) fn code(terminology: &str, code: &str) -> Json {
    Json::object([
        ("_type", Json::text("CODE_PHRASE")),
        ("terminology_id", typed("TERMINOLOGY_ID", terminology)),
        ("code_string", Json::text(code)),
    ])
}

/// A `DV_CODED_TEXT`.
#[must_use]
pub fn coded(value: &str, terminology: &str, code_string: &str) -> Json {
    Json::object([
        ("_type", Json::text("DV_CODED_TEXT")),
        ("value", Json::text(value)),
        ("defining_code", code(terminology, code_string)),
    ])
}

/// A `DV_TEXT`.
#[must_use]
pub fn text(value: &str) -> Json {
    typed("DV_TEXT", value)
}

/// A `DV_DATE_TIME`.
#[must_use]
pub fn date_time(value: &str) -> Json {
    typed("DV_DATE_TIME", value)
}

/// A `DV_QUANTITY`; the magnitude is kept digit for digit.
#[must_use]
pub fn quantity(magnitude: &str, units: &str) -> Json {
    Json::object([("_type", Json::text("DV_QUANTITY")), ("magnitude", Json::number(magnitude)), ("units", Json::text(units))])
}

/// A named node of this type.
fn node(kind: &str, node_id: &str, name: &str) -> Json {
    Json::object([("_type", Json::text(kind)), ("name", text(name)), ("archetype_node_id", Json::text(node_id))])
}

/// An `ELEMENT`; without a value it says that none was measured.
#[must_use]
pub fn element(node_id: &str, name: &str, value: Option<Json>) -> Json {
    let mut element = node("ELEMENT", node_id, name);
    match value {
        Some(value) => element.set("value", value),
        None => element.set("null_flavour", coded("unknown", "openehr", "253")),
    }
    element
}

/// A node with `items`: a `CLUSTER` or an `ITEM_TREE`.
#[must_use]
pub fn items(kind: &str, node_id: &str, name: &str, items: Vec<Json>) -> Json {
    let mut node = node(kind, node_id, name);
    node.set("items", Json::Array(items));
    node
}

/// A `POINT_EVENT`.
#[must_use]
pub fn event(node_id: &str, time: &str, data: Json) -> Json {
    let mut event = node("POINT_EVENT", node_id, "Any event");
    event.set("time", date_time(time));
    event.set("data", data);
    event
}

/// A `HISTORY`.
#[must_use]
pub fn history(node_id: &str, origin: &str, events: Vec<Json>) -> Json {
    let mut history = node("HISTORY", node_id, "History");
    history.set("origin", date_time(origin));
    history.set("events", Json::Array(events));
    history
}

/// An entry of an archetype, without its data.
#[must_use]
pub fn entry(kind: &str, archetype: &str, name: &str) -> Json {
    let mut entry = node(kind, archetype, name);
    entry.set("archetype_details", details(archetype, None));
    entry.set("language", code("ISO_639-1", "en"));
    entry.set("encoding", code("IANA_character-sets", "UTF-8"));
    entry.set("subject", Json::object([("_type", Json::text("PARTY_SELF"))]));
    entry
}

/// `ARCHETYPED`.
fn details(archetype: &str, template: Option<&str>) -> Json {
    let mut details = Json::object([
        ("_type", Json::text("ARCHETYPED")),
        ("archetype_id", typed("ARCHETYPE_ID", archetype)),
        ("rm_version", Json::text("1.1.0")),
    ]);
    if let Some(template) = template {
        details.set("template_id", typed("TEMPLATE_ID", template));
    }
    details
}

/// A `COMPOSITION` of an archetype.
#[must_use]
pub fn composition(archetype: &str, template: &str, name: &str, start: &str, composer: &str, content: Vec<Json>) -> Json {
    let context = Json::object([
        ("_type", Json::text("EVENT_CONTEXT")),
        ("start_time", date_time(start)),
        ("setting", coded("other care", "openehr", "238")),
    ]);
    let mut composition = node("COMPOSITION", archetype, name);
    composition.set("archetype_details", details(archetype, Some(template)));
    composition.set("language", code("ISO_639-1", "en"));
    composition.set("territory", code("ISO_3166-1", "NL"));
    composition.set("category", coded("event", "openehr", "433"));
    composition.set("composer", Json::object([("_type", Json::text("PARTY_IDENTIFIED")), ("name", Json::text(composer))]));
    composition.set("context", context);
    composition.set("content", Json::Array(content));
    composition
}
