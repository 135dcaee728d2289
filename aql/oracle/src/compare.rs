//! What each of the two accepts, and whether they read the same.

use openehr_query::federation::{parse_federated, to_federated_aql};

/// How the two differ on a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Difference {
    /// Only ours reads it.
    OnlyOurs,
    /// Only theirs reads it.
    OnlyTheirs,
    /// Both read it, and ours finds something else in what theirs printed.
    ReadApart,
}

/// How the two differ on a query; none when they agree.
///
/// Trees cannot be compared, so texts are: theirs prints what it read, ours reads that, and must find what it found in the
/// original. Literals are left out of this: theirs keeps values, ours spelling.
pub fn difference(text: &str) -> Option<(Difference, String)> {
    match (openehr_aql::parse(text), parse_federated(text)) {
        (Ok(ours), Ok(theirs)) => {
            let printed = to_federated_aql(&theirs);
            match openehr_aql::parse(&printed) {
                Ok(again) if plain(&again) == plain(&ours) => None,
                Ok(_) | Err(_) => Some((Difference::ReadApart, format!("{ours}\n    {printed}"))),
            }
        }
        (Ok(ours), Err(theirs)) => Some((Difference::OnlyOurs, format!("{ours}\n    {theirs}"))),
        (Err(ours), Ok(theirs)) => Some((Difference::OnlyTheirs, format!("{ours}\n    {}", to_federated_aql(&theirs)))),
        (Err(_), Err(_)) => None,
    }
}

/// The query with every literal replaced by one and the same.
fn plain(query: &openehr_aql::ast::Query) -> String {
    struct Plain;
    impl openehr_aql::visit::VisitMut for Plain {
        fn visit_literal_mut(&mut self, node: &mut openehr_aql::ast::Literal) {
            *node = openehr_aql::ast::Literal::string("x");
        }
        fn visit_name_mut(&mut self, node: &mut openehr_aql::ast::Name) {
            node.text.make_ascii_lowercase();
        }
    }
    let mut query = query.clone();
    openehr_aql::visit::VisitMut::visit_query_mut(&mut Plain, &mut query);
    query.to_string()
}

/// Prints the differences and their number.
pub fn run(queries: &[String]) {
    let mut count = 0;
    for text in queries {
        if let Some((kind, detail)) = difference(text) {
            count += 1;
            println!("{kind:?}\n    {}\n    {detail}", text.replace('\n', " "));
        }
    }
    println!("{} queries, {count} differences", queries.len());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The disagreements on our own tables, each judged in docs/aql-oracle.md.
    const KNOWN: &str = include_str!("../known.txt");

    /// If this fails, one of the two reads a query otherwise than when the list was judged.
    #[test]
    fn disagreements_are_the_known_ones() {
        let found: Vec<String> = crate::corpus::own()
            .iter()
            .filter_map(|text| Some(format!("{:?} | {}", difference(text)?.0, text.replace('\n', "⏎"))))
            .collect();
        let known: Vec<&str> = KNOWN.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
        assert_eq!(found, known);
    }
}
