//! Realistic records for a whole federation, from a seed.

use fastrand::Rng;

use super::clinical::{
    adverse_reaction, blood_pressure, body_temperature, encounter, laboratory_result, list, medication_order, report,
};
use super::dataset::Dataset;
use super::parts::quantity;
use super::times::{committed, instant, uuid, written};
use crate::model::{Commit, VersionUid};
use crate::node::Dialect;
use crate::value::Json;

const CLINICIANS: [&str; 8] = [
    "Dr Ada Lark",
    "Dr Åse Lindqvist",
    "Dr Zoë Ó Briain",
    "dr Łucja Żak",
    "Dr 山本 花",
    "Nurse O'Neil-Smith",
    "Dr Émile d'Arc",
    "zorgverlener Wren",
];
const MEDICINES: [(&str, &str, &str); 5] = [
    ("Ibuprofen 400 mg tablet", "{tbl}", "as needed, at most three a day"),
    ("Amoxicillin 500 mg capsule", "{cap}", "three times a day for seven days"),
    ("Metoprolol 50 mg tablet", "{tbl}", "once a day"),
    ("Insulin aspart 100 E/ml", "[iU]", "with meals"),
    ("Salbutamol 100 µg inhaler", "{puff}", "when short of breath"),
];
const SUBSTANCES: [&str; 5] = ["Penicillin", "Peanut", "Latex", "Bee venom", "Iodinated contrast"];

/// What to generate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The same seed gives the same federation.
    pub seed: u64,
    /// How many members.
    pub nodes: usize,
    /// How many patients. The first has a record everywhere, the second at some members, the third at one, the fourth at
    /// none, and so on in turn.
    pub patients: usize,
    /// How many compositions a record has, at most; half of it at least.
    pub compositions: usize,
    /// The products the members behave like, in turn; all standard when empty.
    pub dialects: Vec<Dialect>,
}

impl Default for Plan {
    fn default() -> Self {
        Plan { seed: 1, nodes: 4, patients: 8, compositions: 8, dialects: Vec::new() }
    }
}

impl Plan {
    /// Generates it.
    #[must_use]
    pub fn generate(&self) -> Dataset {
        let mut rng = Rng::with_seed(self.seed);
        let mut data = Dataset::of_members(self.nodes);
        for (member, dialect) in data.members.iter_mut().zip(self.dialects.iter().cycle()) {
            member.dialect = *dialect;
        }
        let start = Commit { time: committed(1_672_000_000), committer: "Admission".into(), contribution: uuid(&mut rng) };
        for index in 0..self.patients {
            let value = format!("TRB-{}-{:03}", rng.u32(100_000..1_000_000), index + 1);
            let mut members: Vec<usize> = (0..self.nodes).collect();
            rng.shuffle(&mut members);
            members.truncate(match index % 4 {
                0 => self.nodes,
                1 => (self.nodes / 2).max(1),
                2 => 1,
                _ => 0,
            });
            members.sort_unstable();
            let records: Vec<(usize, String)> = members.iter().map(|member| (*member, uuid(&mut rng))).collect();
            let patient = data.add_patient(&value, &records, &start);
            for member in &members {
                self.fill(&mut rng, &mut data, patient, *member, &members);
            }
        }
        data
    }

    /// Fills one record; now and then a version is copied to the patient's other records, or changed.
    fn fill(&self, rng: &mut Rng, data: &mut Dataset, patient: usize, member: usize, members: &[usize]) {
        let count = rng.usize(self.compositions / 2..=self.compositions);
        for _ in 0..count {
            let time = instant(rng);
            let system = data.members.get(member).map(|member| member.repository.system_id.clone()).unwrap_or_default();
            let uid = VersionUid::new(uuid(rng), system, 1);
            let composition = composition(rng, time);
            let commit = Commit { time: committed(time + 600), committer: clinician(rng).into(), contribution: uuid(rng) };
            data.put(patient, member, uid.clone(), composition.clone(), &commit);
            match rng.u8(0..10) {
                0 | 1 => {
                    let others = members.iter().filter(|other| **other != member);
                    for other in others.take(1 + rng.usize(0..2)) {
                        data.put(patient, *other, uid.clone(), composition.clone(), &commit);
                    }
                }
                2 => {
                    let later = Commit { time: committed(time + 7200), ..commit };
                    let changed = self::composition(rng, time + 60);
                    data.put(patient, member, VersionUid { version: 2, ..uid }, changed, &later);
                }
                _ => {}
            }
        }
    }
}

fn clinician(rng: &mut Rng) -> &'static str {
    rng.choice(&CLINICIANS).copied().unwrap_or("Dr Ada Lark")
}

/// One composition of any of the kinds.
fn composition(rng: &mut Rng, time: i64) -> Json {
    let start = written(rng, time);
    let composer = clinician(rng);
    match rng.u8(0..10) {
        0..=5 => encounter(&start, composer, vitals(rng, time)),
        6 | 7 => report(&start, composer, vec![laboratory(rng, time)]),
        8 => {
            let (medicine, unit, directions) = rng.choice(&MEDICINES).copied().unwrap_or(MEDICINES[0]);
            let order = medication_order(medicine, &rng.u8(1..4).to_string(), unit, directions);
            list("medication_list", "Medication list", &start, composer, vec![order])
        }
        _ => {
            let substance = rng.choice(&SUBSTANCES).copied().unwrap_or(SUBSTANCES[0]);
            let critical = *rng.choice(&[Some("High"), Some("Low"), None]).unwrap_or(&None);
            let last = *rng.choice(&[Some("2019"), Some("2021-05"), Some("2022-11-30"), None]).unwrap_or(&None);
            let risk = adverse_reaction(substance, critical, last);
            list("adverse_reaction_list", "Adverse reaction list", &start, composer, vec![risk])
        }
    }
}

fn vitals(rng: &mut Rng, time: i64) -> Vec<Json> {
    let at = written(rng, time + 300);
    let systolic = measured(rng, 95, 185);
    let diastolic = measured(rng, 55, 110);
    let mut entries = vec![blood_pressure(&at, systolic.as_deref(), diastolic.as_deref())];
    if rng.bool() {
        let (low, high, units) = if rng.u8(0..5) == 0 { (960, 1040, "[degF]") } else { (360, 405, "Cel") };
        let tenths = rng.u32(low..high);
        let digits = if rng.bool() { "0" } else { "" };
        entries.push(body_temperature(&at, &format!("{}.{}{digits}", tenths / 10, tenths % 10), units));
    }
    entries
}

/// A value, now and then with decimals, now and then missing.
fn measured(rng: &mut Rng, low: u32, high: u32) -> Option<String> {
    let value = rng.u32(low..high);
    match rng.u8(0..10) {
        0 => None,
        1 => Some(format!("{value}.0")),
        2 => Some(format!("{value}.50")),
        _ => Some(value.to_string()),
    }
}

fn laboratory(rng: &mut Rng, time: i64) -> Json {
    let at = written(rng, time - 3600);
    let potassium = format!("{}.{}", rng.u8(3..6), rng.u8(0..10));
    let analytes = vec![
        ("Sodium", quantity(&rng.u32(128..150).to_string(), "mmol/l")),
        ("Potassium", quantity(&potassium, "mmol/l")),
        (
            "Glucose",
            if rng.bool() {
                quantity(&format!("{}.{}", rng.u8(4..12), rng.u8(0..10)), "mmol/l")
            } else {
                quantity(&rng.u32(70..220).to_string(), "mg/dl")
            },
        ),
    ];
    laboratory_result(&at, "Electrolytes and glucose", analytes)
}
