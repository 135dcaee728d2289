//! What is read, what is printed, what is refused and where: tables in files that anyone can read.

use openehr_aql::{Options, parse, parse_with};

const ACCEPTED: &str = include_str!("queries/accepted.aql");

fn lines(file: &str) -> impl Iterator<Item = &str> {
    file.lines().filter(|line| !line.trim().is_empty() && !line.starts_with("-- "))
}

/// If this fails, a query loses or gains something between the client and a node.
#[test]
fn what_is_printed_reads_back_as_the_same_tree() {
    for text in lines(ACCEPTED) {
        let tree = parse(text).unwrap_or_else(|error| panic!("{text}\n{error}"));
        let printed = tree.to_string();
        let again = parse(&printed).unwrap_or_else(|error| panic!("{text}\n{printed}\n{error}"));
        assert_eq!(again, tree, "{text}\n{printed}");
        assert_eq!(again.to_string(), printed, "{text}");
        assert!(!printed.contains('\n'), "{printed}");
    }
}

/// If this fails, white space and comments change what a query says.
#[test]
fn blanks_and_comments_between_tokens_mean_nothing() {
    for text in lines(ACCEPTED) {
        let tree = parse(text).unwrap();
        let printed = tree.to_string();
        let airy = format!("\u{FEFF}\n-- first\n{printed}\r\n--\n");
        assert_eq!(parse(&airy).unwrap(), tree, "{airy}");
    }
}

/// If this fails, plain AQL is read differently when no federation is meant.
#[test]
fn without_the_directive_endpoint_is_a_class_like_any_other() {
    let plain = Options { directive: false, ..Options::default() };
    for text in lines(ACCEPTED) {
        assert_eq!(parse_with(text, &plain), parse(text), "{text}");
    }
    let text = "SELECT p FROM ENDPOINT p CONTAINS EHR e";
    assert!(parse_with(text, &plain).is_ok_and(|query| query.directive.is_none()));
    assert!(parse(text).is_err());
    assert!(parse_with("SELECT p FROM ENDPOINT p[\"a\"] CONTAINS EHR e", &plain).is_err());
}
