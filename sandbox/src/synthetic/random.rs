//! Small compositions of anything at all, for property tests: columns of mixed kinds, missing values, equal values spelled
//! in several ways.

use fastrand::Rng;

use super::dataset::Dataset;
use super::parts::{composition, element, entry, event, history, items, quantity};
use super::times::{committed, uuid};
use crate::model::{Commit, VersionUid, typed};
use crate::value::Json;

/// How large a random federation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Small {
    /// The same seed gives the same federation.
    pub seed: u64,
    /// How many members; each has a record of the one patient.
    pub nodes: usize,
    /// How many compositions a record has, at most.
    pub compositions: usize,
}

impl Small {
    /// One patient with a record at every member. The records hold [`small_composition`]s; a few versions are held twice.
    #[must_use]
    pub fn generate(self) -> Dataset {
        let mut rng = Rng::with_seed(self.seed);
        let mut data = Dataset::of_members(self.nodes);
        let commit = Commit { time: committed(1_700_000_000), committer: "Dr Test".into(), contribution: uuid(&mut rng) };
        let records: Vec<(usize, String)> = (0..self.nodes).map(|member| (member, uuid(&mut rng))).collect();
        let patient = data.add_patient("TRB-000001-001", &records, &commit);
        for member in 0..self.nodes {
            let system = data.members.get(member).map(|member| member.repository.system_id.clone()).unwrap_or_default();
            for _ in 0..rng.usize(0..=self.compositions) {
                let uid = VersionUid::new(uuid(&mut rng), system.clone(), 1);
                let composition = small_composition(&mut rng);
                data.put(patient, member, uid.clone(), composition.clone(), &commit);
                if rng.u8(0..6) == 0 {
                    data.put(patient, rng.usize(0..self.nodes), uid, composition, &commit);
                }
            }
        }
        data
    }
}

/// A composition `openEHR-EHR-COMPOSITION.small.v1` with one to three observations `openEHR-EHR-OBSERVATION.small.v1`, whose
/// `data[at0001]/events[at0002]/data[at0003]/items[…]/value` are of any kind at `at0004`, numbers at `at0005`, texts at
/// `at0006` and date/times at `at0007`; any may be missing, and there may be several events.
#[must_use]
pub fn small_composition(rng: &mut Rng) -> Json {
    let observations = (0..rng.usize(1..4)).map(|_| observation(rng)).collect();
    let names = ["alpha", "Beta", "beta", "gamma", "Ärger", "é", "z"];
    let name = rng.choice(&names).copied().unwrap_or("alpha");
    let start = moment(rng);
    composition("openEHR-EHR-COMPOSITION.small.v1", "Small.v1", name, &start, "Dr Test", observations)
}

fn observation(rng: &mut Rng) -> Json {
    let events = (0..rng.usize(1..3)).map(|_| {
        let mut elements = Vec::new();
        for node in ["at0004", "at0005", "at0006", "at0007"] {
            if rng.u8(0..5) > 0 {
                let value = match node {
                    "at0004" => anything(rng),
                    "at0005" => quantity(&number(rng), rng.choice(&["mg", "mg", "g", "1"]).copied().unwrap_or("mg")),
                    "at0006" => typed("DV_TEXT", &word(rng)),
                    _ => typed("DV_DATE_TIME", &moment(rng)),
                };
                elements.push(element(node, node, Some(value)));
            }
        }
        event("at0002", &moment(rng), items("ITEM_TREE", "at0003", "Tree", elements))
    });
    let events = events.collect();
    let mut observation = entry("OBSERVATION", "openEHR-EHR-OBSERVATION.small.v1", "Small");
    observation.set("data", history("at0001", "2024-01-01T00:00:00Z", events));
    observation
}

fn anything(rng: &mut Rng) -> Json {
    match rng.u8(0..9) {
        0 => Json::object([("_type", Json::text("DV_BOOLEAN")), ("value", Json::Bool(rng.bool()))]),
        1 => Json::object([("_type", Json::text("DV_COUNT")), ("magnitude", Json::number(rng.i32(-3..4)))]),
        2 => quantity(&number(rng), "mm[Hg]"),
        3 => typed("DV_DURATION", rng.choice(&["PT1H", "PT60M", "P1D", "-P1M", "P31D"]).copied().unwrap_or("P1D")),
        4 => typed("DV_DATE", rng.choice(&["2024", "2024-01", "2024-01-01", "20240102"]).copied().unwrap_or("2024")),
        5 => typed("DV_TIME", rng.choice(&["08:00", "08:00:00Z", "09:00+01:00", "0800"]).copied().unwrap_or("08:00")),
        6 => Json::object([
            ("_type", Json::text("DV_PROPORTION")),
            ("numerator", Json::number(rng.i32(-2..3))),
            ("denominator", Json::number(rng.i32(0..3))),
            ("type", Json::number(0)),
        ]),
        7 => Json::object([("_type", Json::text("DV_MULTIMEDIA")), ("size", Json::number(number(rng)))]),
        _ => typed("DV_TEXT", &word(rng)),
    }
}

fn number(rng: &mut Rng) -> String {
    let spelled = [
        "1",
        "1.0",
        "1.10",
        "1.1",
        "-1",
        "0",
        "-0.0",
        "1e1",
        "10",
        "9007199254740992",
        "9007199254740993",
        "0.30000000000000004",
    ];
    rng.choice(&spelled).copied().unwrap_or("1").to_owned()
}

fn word(rng: &mut Rng) -> String {
    let words =
        ["", "a", "A", "b", "á", "10", "9", "2024-01-01", "é", "e\u{301}", "\u{1F600}", "\u{FFFD}", "a b", "\"q\"", "x\\y"];
    rng.choice(&words).copied().unwrap_or("a").to_owned()
}

fn moment(rng: &mut Rng) -> String {
    let moments = [
        "2024-01-01T00:00:00Z",
        "2024-01-01T01:00:00+01:00",
        "2024-01-01T00:00",
        "2024-01-01",
        "2023-12-31T23:59:59.999Z",
        "2024-01-01T00:00:00.5Z",
        "2024-06-01T12:00:00-05:00",
    ];
    rng.choice(&moments).copied().unwrap_or("2024-01-01").to_owned()
}
