//! How two values compare in WHERE and in predicates: two-valued, so a missing value compares as false, whatever the
//! operator; values of one kind by the total order; a data value with a plain one by what it measures.

use std::cmp::Ordering;

use openehr_aql::ast::Comparison;

use crate::order::{Key, key, read_data};
use crate::value::Json;

/// Does `left operator right` hold?
pub(super) fn holds(left: &Json, operator: Comparison, right: &Json) -> bool {
    if left.is_null() || right.is_null() {
        return false;
    }
    let order = compare(left, right);
    match operator {
        Comparison::Equal => order == Some(Ordering::Equal),
        Comparison::NotEqual => order != Some(Ordering::Equal),
        Comparison::Less => order == Some(Ordering::Less),
        Comparison::LessOrEqual => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        Comparison::Greater => order == Some(Ordering::Greater),
        Comparison::GreaterOrEqual => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
    }
}

/// The operator that holds exactly when this one does not, missing values aside.
pub(super) fn negated(operator: Comparison) -> Comparison {
    match operator {
        Comparison::Equal => Comparison::NotEqual,
        Comparison::NotEqual => Comparison::Equal,
        Comparison::Less => Comparison::GreaterOrEqual,
        Comparison::LessOrEqual => Comparison::Greater,
        Comparison::Greater => Comparison::LessOrEqual,
        Comparison::GreaterOrEqual => Comparison::Less,
    }
}

/// `None` when the two cannot be compared.
fn compare(left: &Json, right: &Json) -> Option<Ordering> {
    if let (Json::Text(left), Json::Text(right)) = (left, right)
        && left == right
    {
        return Some(Ordering::Equal);
    }
    match (key(left), key(right)) {
        (Key::Quantity(unit, size), Key::Quantity(other, against)) => (unit == other).then(|| size.cmp(&against)),
        (Key::Quantity(_, size), number @ Key::Number(_)) => Some(Key::number(size).cmp(&number)),
        (number @ Key::Number(_), Key::Quantity(_, size)) => Some(number.cmp(&Key::number(size))),
        (one, other) if std::mem::discriminant(&one) == std::mem::discriminant(&other) => Some(one.cmp(&other)),
        (one, other) => across(left, one, right, other),
    }
}

/// A data value against a plain text, or two plain texts of unlike kinds.
fn across(left: &Json, one: Key, right: &Json, other: Key) -> Option<Ordering> {
    match (left, right) {
        (Json::Text(left), Json::Text(right)) => Some(left.cmp(right)),
        (Json::Object(_), Json::Text(text)) => Some(one.cmp(&read_data(text, &one)?)),
        (Json::Text(text), Json::Object(_)) => Some(read_data(text, &other)?.cmp(&other)),
        _ => None,
    }
}

/// Does the text match the pattern? `?` is one character, `*` any run, a backslash takes the next character as it is; the
/// whole text must match.
pub(super) fn like(text: &str, pattern: &str) -> bool {
    let text: Vec<char> = text.chars().collect();
    let pattern = pieces(pattern);
    let (mut at, mut piece, mut retry) = (0, 0, None);
    while at < text.len() {
        match pattern.get(piece) {
            Some(Piece::Run) => {
                retry = Some((piece + 1, at));
                piece += 1;
            }
            Some(Piece::One) => (at, piece) = (at + 1, piece + 1),
            Some(Piece::Is(wanted)) if text.get(at) == Some(wanted) => (at, piece) = (at + 1, piece + 1),
            _ => match retry {
                Some((after, from)) => {
                    retry = Some((after, from + 1));
                    (at, piece) = (from + 1, after);
                }
                None => return false,
            },
        }
    }
    pattern.get(piece..).is_some_and(|rest| rest.iter().all(|piece| *piece == Piece::Run))
}

#[derive(PartialEq)]
enum Piece {
    Is(char),
    One,
    Run,
}

fn pieces(pattern: &str) -> Vec<Piece> {
    let mut chars = pattern.chars();
    let mut out = Vec::new();
    while let Some(c) = chars.next() {
        out.push(match c {
            '?' => Piece::One,
            '*' => Piece::Run,
            '\\' => Piece::Is(chars.next().unwrap_or('\\')),
            other => Piece::Is(other),
        });
    }
    out
}

#[cfg(test)]
mod tests {
    use openehr_aql::ast::Comparison;

    use super::{holds, like};
    use crate::value::Json;

    #[test]
    fn values_of_one_kind_compare_and_missing_ones_never_hold() {
        let cases = [
            ("1.10", "=", "1.1", true),
            ("1", "!=", "null", false),
            ("null", "=", "null", false),
            ("5", "<", "10", true),
            (r#""5""#, "=", "5", false),
            (r#""5""#, "!=", "5", true),
            (r#""2024-05-01T10:00:00+02:00""#, "<", r#""2024-05-01T09:00:00Z""#, true),
            (r#""abc""#, "<", r#""2024-05-01""#, false),
            (r#"{"_type":"DV_QUANTITY","magnitude":140,"units":"mm[Hg]"}"#, ">=", "140", true),
            (
                r#"{"_type":"DV_QUANTITY","magnitude":1,"units":"g"}"#,
                "<",
                r#"{"_type":"DV_QUANTITY","magnitude":2,"units":"mg"}"#,
                false,
            ),
            (r#"{"_type":"DV_TEXT","value":"2024-05-01"}"#, "=", r#""2024-05-01""#, true),
            (r#"{"_type":"DV_DATE","value":"20240501"}"#, "=", r#""2024-05-01""#, true),
            (r#"{"_type":"DV_DATE","value":"2024-05-01"}"#, ">", r#""2023""#, true),
            (r#"{"_type":"DV_DURATION","value":"PT90M"}"#, ">", r#""PT1H""#, true),
            ("true", "=", "true", true),
        ];
        for (left, operator, right, expected) in cases {
            let parsed = match operator {
                "=" => Comparison::Equal,
                "!=" => Comparison::NotEqual,
                "<" => Comparison::Less,
                ">" => Comparison::Greater,
                _ => Comparison::GreaterOrEqual,
            };
            let (left_value, right_value): (Json, Json) = (left.parse().unwrap(), right.parse().unwrap());
            assert_eq!(holds(&left_value, parsed, &right_value), expected, "{left} {operator} {right}");
        }
    }

    #[test]
    fn like_matches_the_whole_text() {
        for (text, pattern, expected) in [
            ("Blood pressure", "Blood*", true),
            ("Blood pressure", "blood*", false),
            ("Blood", "Blood", true),
            ("Bloods", "Blood", false),
            ("héllo", "h?llo", true),
            ("a*b", r"a\*b", true),
            ("axb", r"a\*b", false),
            ("", "*", true),
            ("", "?", false),
            ("aXbXc", "*X*c", true),
            ("abc", "***c", true),
        ] {
            assert_eq!(like(text, pattern), expected, "{text} LIKE {pattern}");
        }
    }
}
