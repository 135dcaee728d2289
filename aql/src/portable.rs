//! The spelling that the most servers take.

use std::collections::BTreeMap;

use crate::analysis::Variables;
use crate::ast::{LikePattern, Literal, LiteralKind, Path, Query};
use crate::visit::{VisitMut, walk_path_mut};

/// Spells a query so that servers stricter than the specification's text read it as it was meant:
///
/// - Variables in paths are spelled as FROM declares them; some servers tell `e` and `E` apart.
/// - In LIKE patterns a star or question mark escaped once (`\*`) is escaped as an escaped backslash (`\\*`); in other texts it stands
///   without its needless backslash. The official grammar has no escape `\*`.
///
/// Says the same to whoever reads the query as the specification has it.
///
/// ```
/// let mut query = openehr_aql::parse(r"SELECT E/ehr_id FROM EHR e WHERE E/a LIKE '5\*' AND e/b = '5\*'")?;
/// openehr_aql::make_portable(&mut query);
/// assert_eq!(query.to_string(), r"SELECT e/ehr_id FROM EHR e WHERE e/a LIKE '5\\*' AND e/b = '5*'");
/// # Ok::<(), openehr_aql::ParseError>(())
/// ```
pub fn make_portable(query: &mut Query) {
    let variables = Variables::of(query);
    let declared = variables.directive.into_iter().chain(variables.classes.iter().filter_map(|one| one.variable));
    let mut spellings = BTreeMap::new();
    for name in declared {
        spellings.entry(name.text.to_ascii_lowercase()).or_insert_with(|| name.text.clone());
    }
    Portable { spellings }.visit_query_mut(query);
}

struct Portable {
    spellings: BTreeMap<String, String>,
}

impl VisitMut for Portable {
    fn visit_path_mut(&mut self, node: &mut Path) {
        if let Some(spelling) = self.spellings.get(&node.variable.text.to_ascii_lowercase()) {
            node.variable.text.clone_from(spelling);
        }
        walk_path_mut(self, node);
    }

    fn visit_like_pattern_mut(&mut self, node: &mut LikePattern) {
        if let LikePattern::Text(literal) = node {
            respell(literal, "\\\\");
        }
    }

    fn visit_literal_mut(&mut self, node: &mut Literal) {
        respell(node, "");
    }
}

/// Replaces the backslash of `\*` and `\?` by something else.
fn respell(literal: &mut Literal, backslash: &str) {
    if literal.kind != LiteralKind::String || !(literal.text.contains("\\*") || literal.text.contains("\\?")) {
        return;
    }
    let mut text = String::with_capacity(literal.text.len() + 2);
    let mut letters = literal.text.chars();
    while let Some(letter) = letters.next() {
        match (letter, if letter == '\\' { letters.next() } else { None }) {
            ('\\', Some(mark @ ('*' | '?'))) => {
                text.push_str(backslash);
                text.push(mark);
            }
            ('\\', escaped) => text.extend(['\\'].into_iter().chain(escaped)),
            (other, _) => text.push(other),
        }
    }
    literal.text = text;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    #[test]
    fn only_spelling_changes() {
        let table = [
            ("SELECT C/a[b = C/d] FROM X c ORDER BY C/e", "SELECT c/a[b = C/d] FROM X c ORDER BY c/e"),
            ("SELECT c/a AS D FROM X c ORDER BY d", "SELECT c/a AS D FROM X c ORDER BY d"),
            ("SELECT P/id FROM ENDPOINT p ['a'] CONTAINS EHR e", "SELECT p/id FROM ENDPOINT p [\"a\"] CONTAINS EHR e"),
            (r"SELECT c FROM X c WHERE c/a LIKE '\*a\?b\\*\\\*'", r"SELECT c FROM X c WHERE c/a LIKE '\\*a\\?b\\*\\\\*'"),
            (r"SELECT c FROM X c WHERE c/a = '\*\?\\*\''", r"SELECT c FROM X c WHERE c/a = '*?\\*\''"),
        ];
        for (text, portable) in table {
            let mut query = parse(text).unwrap();
            make_portable(&mut query);
            assert_eq!(query.to_string(), portable);
            assert_eq!(parse(portable).unwrap(), query);
        }
    }

    #[test]
    fn a_pattern_matches_what_it_matched() {
        let mut query = parse(r"SELECT c FROM X c WHERE c/a LIKE '5\*?*'").unwrap();
        let pattern = |query: &Query| match &query.condition {
            Some(crate::ast::Condition::Like { pattern: LikePattern::Text(literal), .. }) => literal.like_pattern(),
            other => panic!("{other:?}"),
        };
        let before = pattern(&query);
        make_portable(&mut query);
        assert_eq!(pattern(&query), before);
    }
}
