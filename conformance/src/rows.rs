//! Comparing rows, and exact arithmetic over their cells.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::str::FromStr;

use bigdecimal::BigDecimal;
use chrono::{DateTime, NaiveDateTime, Utc};

use crate::verdict::{Verdict, ensure};

/// Ends the check unless both hold the same rows, whatever their order. Says how many differ, never what is in them.
pub(crate) fn same_rows(what: &str, left: &[String], right: &[String]) -> Verdict {
    let (missing, surplus) = (count_beyond(left, right), count_beyond(right, left));
    ensure!(missing == 0 && surplus == 0, "{what}: {missing} rows are missing and {surplus} are too many (of {})", left.len());
    Ok(())
}

/// Ends the check unless both hold the same rows in the same order.
pub(crate) fn same_order(what: &str, wanted: &[String], found: &[String]) -> Verdict {
    let first = wanted.iter().zip(found).position(|(wanted, found)| wanted != found);
    ensure!(wanted.len() == found.len(), "{what}: {} rows came where {} were due", found.len(), wanted.len());
    ensure!(first.is_none(), "{what}: row {} is another one", first.unwrap_or_default() + 1);
    Ok(())
}

/// How many of `left` are not matched one to one by `right`.
fn count_beyond(left: &[String], right: &[String]) -> usize {
    let mut counts: BTreeMap<&str, i64> = BTreeMap::new();
    for row in left {
        *counts.entry(row).or_default() += 1;
    }
    for row in right {
        *counts.entry(row).or_default() -= 1;
    }
    counts.values().filter(|count| **count > 0).map(|count| usize::try_from(*count).unwrap_or_default()).sum()
}

/// The cells that are JSON numbers, exactly.
pub(crate) fn numbers(cells: &[&str]) -> Vec<BigDecimal> {
    cells.iter().filter_map(|cell| number(cell)).collect()
}

/// A JSON number, exactly.
pub(crate) fn number(cell: &str) -> Option<BigDecimal> {
    let numeric = cell.starts_with(|first: char| first == '-' || first.is_ascii_digit());
    numeric.then(|| BigDecimal::from_str(cell).ok()).flatten()
}

/// Is this the mean of numbers with that sum and count? Exactly, or rounded no coarser than a double is.
pub(crate) fn is_mean(found: &BigDecimal, sum: &BigDecimal, count: usize) -> bool {
    let product = found * BigDecimal::from(u64::try_from(count).unwrap_or(u64::MAX));
    let tolerance = sum.abs() * BigDecimal::new(1.into(), 14) + BigDecimal::new(1.into(), 14);
    (product - sum).abs() <= tolerance
}

/// An ISO 8601 date-time in extended form, as an instant; without an offset it is taken as UTC.
pub(crate) fn instant(text: &str) -> Option<DateTime<Utc>> {
    let zoned = DateTime::parse_from_rfc3339(text).or_else(|_| DateTime::parse_from_str(text, "%Y-%m-%dT%H:%M:%S%.f%z"));
    let local = |_| NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H:%M:%S%.f").map(|local| local.and_utc());
    zoned.map(|zoned| zoned.to_utc()).or_else(local).ok()
}

/// The first place where neighbours are out of order.
pub(crate) fn disorder<T>(values: &[T], compare: impl Fn(&T, &T) -> Ordering) -> Option<usize> {
    values.windows(2).position(|pair| matches!(pair, [left, right] if compare(left, right) == Ordering::Greater))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(rows: &[&str]) -> Vec<String> {
        rows.iter().map(|row| (*row).to_owned()).collect()
    }

    #[test]
    fn rows_are_compared_one_to_one() {
        assert!(same_rows("x", &texts(&["a", "a", "b"]), &texts(&["b", "a", "a"])).is_ok());
        assert!(same_rows("x", &texts(&["a", "a"]), &texts(&["a"])).is_err());
        assert!(same_rows("x", &texts(&["a"]), &texts(&["a", "b"])).is_err());
        assert!(same_order("x", &texts(&["a", "b"]), &texts(&["b", "a"])).is_err());
    }

    #[test]
    fn numbers_are_exact_and_strings_are_none() {
        assert_eq!(numbers(&["1.10", "\"1\"", "null", "9007199254740993"]).len(), 2);
        assert_eq!(number("1.10"), number("1.1"));
        assert!(number("9007199254740993") != number("9007199254740992"));
    }

    #[test]
    fn a_mean_may_be_rounded_as_a_double_and_no_coarser() {
        let mean = |text: &str| number(text).unwrap();
        let sum = BigDecimal::from(100);
        assert!(is_mean(&mean("33.33333333333333333333"), &sum, 3) && is_mean(&mean("33.333333333333336"), &sum, 3));
        assert!(!is_mean(&mean("33.33"), &sum, 3) && !is_mean(&mean("33"), &sum, 3));
    }

    #[test]
    fn instants_see_through_offsets() {
        assert_eq!(instant("2024-05-01T10:00:00+02:00"), instant("2024-05-01T08:00:00Z"));
        assert_eq!(instant("2024-05-01T08:00:00.000"), instant("2024-05-01T10:00:00.0+0200"));
        assert_eq!(instant("May"), None);
    }
}
