//! The list of checks.

use std::future::Future;
use std::pin::Pin;

use crate::checks;
use crate::session::Session;
use crate::verdict::Verdict;

/// How a check is run.
pub type Run = for<'a> fn(&'a Session) -> Pin<Box<dyn Future<Output = Verdict> + Send + 'a>>;

/// One thing a gateway must do, and how it is looked at.
pub struct Check {
    /// The conformance point and a number under it, as `CP-10.2`.
    pub id: &'static str,
    /// Sections and requirements of the specification.
    pub clause: &'static str,
    /// The track it belongs to, 1 to 11.
    pub track: u8,
    /// What holds when it passes.
    pub title: &'static str,
    /// What breaks for a clinician when it fails.
    pub harm: &'static str,
    /// Looks.
    pub run: Run,
}

impl Check {
    /// `CP-10` of `CP-10.2`.
    #[must_use]
    pub fn point(&self) -> &'static str {
        self.id.split('.').next().unwrap_or(self.id)
    }

    /// Is this check, its point or its track meant?
    #[must_use]
    pub fn matches(&self, only: &str) -> bool {
        only.eq_ignore_ascii_case(self.id)
            || only.eq_ignore_ascii_case(self.point())
            || only.eq_ignore_ascii_case(&format!("track-{}", self.track))
    }
}

/// One row of a table of checks.
macro_rules! check {
    ($id:literal, $track:literal, $clause:literal, $run:path, $title:literal, $harm:literal $(,)?) => {
        $crate::catalogue::Check {
            id: $id,
            clause: $clause,
            track: $track,
            title: $title,
            harm: $harm,
            run: |session| Box::pin($run(session)),
        }
    };
}
pub(crate) use check;

/// Every check, by conformance point.
#[must_use]
pub fn all() -> Vec<&'static Check> {
    let mut all: Vec<&'static Check> = checks::TABLES.iter().flat_map(|table| table.iter()).collect();
    all.sort_by_key(|check| order(check.id));
    all
}

/// `CP-33a.2` after `CP-33.1`, before `CP-34.1`.
fn order(id: &str) -> (u32, String, u32) {
    let (point, number) = id.trim_start_matches("CP-").split_once('.').unwrap_or((id, "0"));
    let letters = point.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let digits = point.strip_suffix(letters).unwrap_or(point);
    (digits.parse().unwrap_or_default(), letters.to_owned(), number.parse().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_point_and_track_has_a_check_and_no_id_comes_twice() {
        let ids: Vec<&str> = all().iter().map(|check| check.id).collect();
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len());
        let points: BTreeSet<&str> = all().iter().map(|check| check.point()).collect();
        for number in 1..=40 {
            assert!(points.contains(format!("CP-{number}").as_str()), "CP-{number}");
        }
        assert!(points.contains("CP-33a"));
        let tracks: BTreeSet<u8> = all().iter().map(|check| check.track).collect();
        assert_eq!(tracks, (1..=11).collect());
    }

    #[test]
    fn a_check_is_meant_by_its_id_its_point_or_its_track() {
        let check = all().into_iter().find(|check| check.id == "CP-10.1").unwrap();
        assert!(check.matches("cp-10.1") && check.matches("CP-10") && check.matches(&format!("track-{}", check.track)));
        assert!(!check.matches("CP-1") && !check.matches("CP-10.2"));
    }
}
