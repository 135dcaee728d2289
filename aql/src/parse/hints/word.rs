//! Words of other query languages.

use super::Place;
use crate::lex::TokenKind;
use crate::parse::expect::Expect;

pub(super) fn hint(place: &Place<'_>) -> Option<&'static str> {
    if place.kind() != TokenKind::Name {
        return None;
    }
    let source = place.source();
    let length = source.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').unwrap_or(source.len());
    let word = source.get(..length).unwrap_or_default();
    ADVICE
        .iter()
        .find(|(words, expect, _)| place.expects(*expect) && words.iter().any(|one| word.eq_ignore_ascii_case(one)))
        .map(|(_, _, advice)| *advice)
}

/// Words, what must be expected for them to be meant so, and the advice.
const ADVICE: &[(&[&str], Expect, &str)] = &[
    (&["GROUP"], Expect::Limit, "AQL has no GROUP BY: aggregates run over all rows"),
    (&["HAVING"], Expect::Limit, "AQL has no HAVING"),
    (&["ORDERBY"], Expect::OrderBy, "ORDER BY is two words"),
    (
        &["JOIN", "INNER", "LEFT", "RIGHT", "CROSS"],
        Expect::Contains,
        "AQL has no JOIN: combine classes with CONTAINS, AND and OR",
    ),
    (&["UNION", "INTERSECT", "EXCEPT"], Expect::End, "AQL has no set operations: ask two queries"),
    (&["IN"], Expect::Comparison, "membership is written MATCHES {'a', 'b'}"),
    (&["BETWEEN"], Expect::Comparison, "AQL has no BETWEEN: write two comparisons joined by AND"),
    (&["IS"], Expect::Comparison, "presence is written EXISTS path, absence NOT EXISTS path"),
    (&["ILIKE", "REGEXP", "RLIKE"], Expect::Comparison, "patterns are written LIKE 'a*', with * and ?"),
    (&["FETCH", "ROWS"], Expect::End, "the number of rows is written LIMIT n"),
    (&["TIMEWINDOW"], Expect::End, "TIMEWINDOW is no longer AQL: compare times in WHERE"),
    (&["NULLS"], Expect::End, "AQL does not say where NULL is sorted"),
];
