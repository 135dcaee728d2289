//! What was found: for people, and as JSON.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use serde_json::{Value, json};

use crate::catalogue::Check;
use crate::verdict::{Finding, Verdict};

/// The names of the tracks.
pub const TRACKS: [&str; 11] = [
    "transparency",
    "resolution",
    "directed queries",
    "partial results",
    "dedup, DISTINCT and order",
    "follow-up reads and writes",
    "auth and consent",
    "merge and split (provisional)",
    "REST surface",
    "identifier leakage",
    "ehr_id collisions",
];

/// One check and what it came to.
pub struct Line {
    /// What was looked at.
    pub check: &'static Check,
    /// What was found; without any patient identifier.
    pub verdict: Verdict,
    /// How long it took.
    pub elapsed: Duration,
}

/// All that was found at one gateway.
pub struct Report {
    /// Its address.
    pub gateway: String,
    /// In the order of the conformance points.
    pub lines: Vec<Line>,
}

/// How many passed, failed, and said nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Passed.
    pub passed: usize,
    /// Failed.
    pub failed: usize,
    /// Not applicable, or not observable.
    pub not_applicable: usize,
}

impl Tally {
    fn add(&mut self, verdict: &Verdict) {
        match verdict {
            Ok(()) => self.passed += 1,
            Err(Finding::Failed(_)) => self.failed += 1,
            Err(Finding::NotApplicable(_)) => self.not_applicable += 1,
        }
    }

    fn json(self) -> Value {
        json!({ "passed": self.passed, "failed": self.failed, "not_applicable": self.not_applicable })
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed, {} not applicable", self.passed, self.failed, self.not_applicable)
    }
}

impl Line {
    fn outcome(&self) -> (&'static str, &str) {
        match &self.verdict {
            Ok(()) => ("pass", ""),
            Err(Finding::Failed(evidence)) => ("fail", evidence),
            Err(Finding::NotApplicable(reason)) => ("not-applicable", reason),
        }
    }

    fn json(&self) -> Value {
        let (outcome, detail) = self.outcome();
        let (check, millis) = (self.check, u64::try_from(self.elapsed.as_millis()).unwrap_or(u64::MAX));
        json!({
            "id": check.id, "point": check.point(), "track": check.track, "clause": check.clause, "title": check.title,
            "harm": check.harm, "outcome": outcome, "detail": detail, "elapsed_ms": millis,
        })
    }
}

impl Report {
    /// The whole tally.
    #[must_use]
    pub fn tally(&self) -> Tally {
        self.tally_of(|_| true)
    }

    fn tally_of(&self, of: impl Fn(&Line) -> bool) -> Tally {
        let mut tally = Tally::default();
        self.lines.iter().filter(|line| of(line)).for_each(|line| tally.add(&line.verdict));
        tally
    }

    /// The ids of the checks that failed.
    #[must_use]
    pub fn failed(&self) -> Vec<&'static str> {
        self.lines.iter().filter(|line| matches!(line.verdict, Err(Finding::Failed(_)))).map(|line| line.check.id).collect()
    }

    /// What one check came to.
    #[must_use]
    pub fn verdict(&self, id: &str) -> Option<&Verdict> {
        self.lines.iter().find(|line| line.check.id == id).map(|line| &line.verdict)
    }

    /// The report for machines.
    #[must_use]
    pub fn json(&self) -> Value {
        let mut points: BTreeMap<&str, Tally> = BTreeMap::new();
        self.lines.iter().for_each(|line| points.entry(line.check.point()).or_default().add(&line.verdict));
        let tracks: Vec<Value> =
            self.tracks().map(|(number, name, tally)| json!({ "track": number, "name": name, "tally": tally.json() })).collect();
        json!({
            "gateway": self.gateway,
            "summary": self.tally().json(),
            "tracks": tracks,
            "points": points.iter().map(|(point, tally)| ((*point).to_owned(), tally.json())).collect::<serde_json::Map<_, _>>(),
            "checks": self.lines.iter().map(Line::json).collect::<Vec<_>>(),
        })
    }

    fn tracks(&self) -> impl Iterator<Item = (u8, &'static str, Tally)> {
        (1_u8..).zip(TRACKS).map(|(number, name)| (number, name, self.tally_of(|line| line.check.track == number)))
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Conformance of {}\n", self.gateway)?;
        for line in &self.lines {
            let (outcome, detail) = line.outcome();
            let word = match outcome {
                "pass" => "pass",
                "fail" => "FAIL",
                _ => "n/a ",
            };
            writeln!(f, "{word}  {:<8} {}", line.check.id, line.check.title)?;
            match outcome {
                "pass" => {}
                "fail" => {
                    writeln!(f, "      found:   {detail}")?;
                    writeln!(f, "      matters: {} ({})", line.check.harm, line.check.clause)?;
                }
                _ => writeln!(f, "      {detail}")?,
            }
        }
        writeln!(f)?;
        for (number, name, tally) in self.tracks().filter(|(_, _, tally)| *tally != Tally::default()) {
            writeln!(f, "track {number:<2} {name}: {tally}")?;
        }
        writeln!(f, "\n{}", self.tally())
    }
}
