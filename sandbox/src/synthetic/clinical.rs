//! The entries the synthetic records are made of, by the archetypes in use in the field.

use super::parts::{coded, composition, element, entry, event, history, items, quantity, text};
use crate::model::typed;
use crate::value::Json;

/// A blood pressure at a time; a value that was not measured is `None`.
#[must_use]
pub fn blood_pressure(time: &str, systolic: Option<&str>, diastolic: Option<&str>) -> Json {
    blood_pressures(&[(time, systolic, diastolic)])
}

/// Several readings in one entry, each `(time, systolic, diastolic)`.
#[must_use]
pub fn blood_pressures(readings: &[(&str, Option<&str>, Option<&str>)]) -> Json {
    let pressure = |value: Option<&str>| value.map(|value| quantity(value, "mm[Hg]"));
    let reading = |(time, systolic, diastolic): &(&str, Option<&str>, Option<&str>)| {
        let values =
            vec![element("at0004", "Systolic", pressure(*systolic)), element("at0005", "Diastolic", pressure(*diastolic))];
        event("at0006", time, items("ITEM_TREE", "at0003", "blood pressure", values))
    };
    let origin = readings.first().map_or("", |reading| reading.0);
    let mut observation = entry("OBSERVATION", "openEHR-EHR-OBSERVATION.blood_pressure.v2", "Blood pressure");
    observation.set("data", history("at0001", origin, readings.iter().map(reading).collect()));
    observation
}

/// A body temperature.
#[must_use]
pub fn body_temperature(time: &str, magnitude: &str, units: &str) -> Json {
    let value = element("at0004", "Temperature", Some(quantity(magnitude, units)));
    let tree = items("ITEM_TREE", "at0001", "Tree", vec![value]);
    let mut observation = entry("OBSERVATION", "openEHR-EHR-OBSERVATION.body_temperature.v2", "Body temperature");
    observation.set("data", history("at0002", time, vec![event("at0003", time, tree)]));
    observation
}

/// An order of a medicine.
#[must_use]
pub fn medication_order(medicine: &str, amount: &str, units: &str, directions: &str) -> Json {
    let values = vec![
        element("at0070", "Medication item", Some(text(medicine))),
        element("at0009", "Overall directions description", Some(text(directions))),
        items(
            "CLUSTER",
            "openEHR-EHR-CLUSTER.dosage.v2",
            "Dosage",
            vec![
                element("at0144", "Dose amount", Some(quantity(amount, "1"))),
                element("at0145", "Dose unit", Some(coded(units, "http://unitsofmeasure.org", units))),
            ],
        ),
    ];
    let activity = Json::object([
        ("_type", Json::text("ACTIVITY")),
        ("name", text("Order")),
        ("archetype_node_id", Json::text("at0001")),
        ("description", items("ITEM_TREE", "at0002", "Tree", values)),
        ("action_archetype_id", Json::text("/.*/")),
    ]);
    let mut instruction = entry("INSTRUCTION", "openEHR-EHR-INSTRUCTION.medication_order.v3", "Medication order");
    instruction.set("narrative", text(&format!("{medicine}, {directions}")));
    instruction.set("activities", Json::Array(vec![activity]));
    instruction
}

/// A risk of an adverse reaction: a substance, how critical, when last seen (`YYYY`, `YYYY-MM` or `YYYY-MM-DD`).
#[must_use]
pub fn adverse_reaction(substance: &str, criticality: Option<&str>, last: Option<&str>) -> Json {
    let critical = criticality.map(|level| coded(level, "local", if level == "High" { "at0103" } else { "at0102" }));
    let mut values = vec![element("at0002", "Substance", Some(text(substance))), element("at0101", "Criticality", critical)];
    if let Some(last) = last {
        values.push(element("at0117", "Onset of last reaction", Some(typed("DV_DATE", last))));
    }
    let mut evaluation = entry("EVALUATION", "openEHR-EHR-EVALUATION.adverse_reaction_risk.v1", "Adverse reaction risk");
    evaluation.set("data", items("ITEM_TREE", "at0001", "Tree", values));
    evaluation
}

/// A laboratory result: its name, and each analyte with its value.
#[must_use]
pub fn laboratory_result(time: &str, test: &str, analytes: Vec<(&str, Json)>) -> Json {
    let mut values = vec![element("at0005", "Test name", Some(text(test)))];
    values.extend(analytes.into_iter().map(|(name, value)| {
        let parts = vec![element("at0024", "Analyte name", Some(text(name))), element("at0001", "Analyte result", Some(value))];
        items("CLUSTER", "openEHR-EHR-CLUSTER.laboratory_test_analyte.v1", "Analyte result", parts)
    }));
    let tree = items("ITEM_TREE", "at0003", "Tree", values);
    let mut observation = entry("OBSERVATION", "openEHR-EHR-OBSERVATION.laboratory_test_result.v1", "Laboratory test result");
    observation.set("data", history("at0001", time, vec![event("at0002", time, tree)]));
    observation
}

/// An encounter.
#[must_use]
pub fn encounter(start: &str, composer: &str, content: Vec<Json>) -> Json {
    composition("openEHR-EHR-COMPOSITION.encounter.v1", "Encounter.v1", "Encounter", start, composer, content)
}

/// A laboratory report.
#[must_use]
pub fn report(start: &str, composer: &str, content: Vec<Json>) -> Json {
    composition("openEHR-EHR-COMPOSITION.report-result.v1", "Laboratory report.v1", "Laboratory report", start, composer, content)
}

/// A list: of medicines or of adverse reactions.
#[must_use]
pub fn list(kind: &str, name: &str, start: &str, composer: &str, content: Vec<Json>) -> Json {
    let archetype = format!("openEHR-EHR-COMPOSITION.{kind}.v1");
    let mut list = composition(&archetype, &format!("{name}.v1"), name, start, composer, content);
    list.set("category", coded("persistent", "openehr", "431"));
    list
}
