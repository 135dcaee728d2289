//! What is read, what is printed, what is refused and where: tables in files that anyone can read.

use openehr_aql::diagnostic::verdict;
use openehr_aql::{Options, parse, parse_with};

const ACCEPTED: &str = include_str!("queries/accepted.aql");
const PRINTED: &str = include_str!("queries/printed.txt");
const REFUSED: &str = include_str!("queries/refused.txt");

fn lines<'a>(file: &'a str, comment: &'a str) -> impl Iterator<Item = &'a str> {
    file.lines().filter(move |line| !line.trim().is_empty() && !line.starts_with(comment))
}

/// If this fails, a query loses or gains something between the client and a node.
#[test]
fn what_is_printed_reads_back_as_the_same_tree() {
    for text in lines(ACCEPTED, "-- ") {
        let tree = parse(text).unwrap_or_else(|error| panic!("{text}\n{error}"));
        let printed = tree.to_string();
        let again = parse(&printed).unwrap_or_else(|error| panic!("{text}\n{printed}\n{error}"));
        assert_eq!(again, tree, "{text}\n{printed}");
        assert_eq!(again.to_string(), printed, "{text}");
        assert!(!printed.contains('\n'), "{printed}");
    }
}

/// If this fails, the same query has two canonical forms, or parentheses are lost.
#[test]
fn queries_print_in_one_canonical_form() {
    for line in lines(PRINTED, "#") {
        let (text, canonical) = line.split_once(" => ").unwrap_or_else(|| panic!("no => in {line}"));
        let printed = parse(text).unwrap_or_else(|error| panic!("{text}\n{error}")).to_string();
        assert_eq!(printed, canonical, "{text}");
        assert_eq!(parse(&printed).unwrap(), parse(text).unwrap(), "{text}");
    }
}

/// If this fails, an error points elsewhere, or advises something else.
#[test]
fn refusals_name_the_place_what_was_expected_and_what_to_do() {
    for line in lines(REFUSED, "#") {
        let (message, text) = line.split_once(" | ").unwrap_or_else(|| panic!("no | in {line}"));
        let text = text.replace('⏎', "\n");
        assert_eq!(verdict(&text, &Options::default()), format!("error {message}"), "{text}");
    }
}

/// If this fails, an error message hands on what a query says about a patient.
#[test]
fn refusals_never_quote_names_or_literals() {
    let marker = "Zq7Marker";
    let slips = [
        "SELECT c FROM C c WHERE c/a == '{}'",
        "SELECT c FROM C c WHERE c/a = '{}",
        "SELECT c FROM C c WHERE c/a = '{}\\d'",
        "SELECT c FROM C c WHERE c/a = '{}''{}'",
        "SELECT c FROM C c WHERE c/a = {} {}",
        "SELECT c FROM C c WHERE c/a LIKE {}",
        "SELECT c FROM C c WHERE c/a = ${} ${}",
        "SELECT c {} FROM C c",
        "SELECT c FROM C c {} {}",
        "SELECT c FROM C c['{}']",
        "SELECT c FROM C c[at0001, SNOMED::{} x]",
        "SELECT c FROM C c WHERE c/a MATCHES {{}::{}}",
        "SELECT c FROM C c WHERE c/a MATCHES {http://{} , 1}",
        "SELECT c FROM ENDPOINT p [\"{}\"",
        "SELECT c FROM ENDPOINT p [{}]",
        "{}",
    ];
    for slip in slips {
        let text = slip.replace("{}", marker);
        let error = parse(&text).expect_err(&text);
        assert!(!format!("{error}").contains(marker), "{error}");
        assert!(!format!("{error:?}").contains(marker), "{error:?}");
    }
}

/// If this fails, white space and comments change what a query says.
#[test]
fn blanks_and_comments_between_tokens_mean_nothing() {
    for text in lines(ACCEPTED, "-- ") {
        let tree = parse(text).unwrap();
        let airy = format!("\u{FEFF}\n-- first\n{tree}\r\n--\n");
        assert_eq!(parse(&airy).unwrap(), tree, "{airy}");
    }
}

/// If this fails, plain AQL is read differently when no federation is meant.
#[test]
fn without_the_directive_endpoint_is_a_class_like_any_other() {
    let plain = Options { directive: false, ..Options::default() };
    for text in lines(ACCEPTED, "-- ") {
        assert_eq!(parse_with(text, &plain), parse(text), "{text}");
    }
    let text = "SELECT p FROM ENDPOINT p CONTAINS EHR e";
    assert!(parse_with(text, &plain).is_ok_and(|query| query.directive.is_none()));
    assert!(parse(text).is_err());
    assert!(parse_with("SELECT p FROM ENDPOINT p[\"a\"] CONTAINS EHR e", &plain).is_err());
}

/// Where the specification, the official grammar and servers disagree: see docs/adr/0101.
#[test]
fn known_differences_from_the_official_grammar() {
    // Booleans are literals where a literal can stand, and names where only a name can.
    for text in ["SELECT c FROM C c WHERE c/a MATCHES {true, FALSE}", "SELECT true AS true FROM C true WHERE true/x = true"] {
        assert!(parse(text).is_ok(), "{text}");
    }
    // The function CONTAINS, where the operator cannot stand.
    assert!(parse("SELECT CONTAINS(c/a, 'x') FROM C c WHERE CONTAINS(c/a, 'x') = true").is_ok());
    // The escapes that LIKE needs.
    assert!(parse("SELECT c FROM C c WHERE c/a LIKE '\\*\\?'").is_ok());
    // A byte order mark is skipped; the grammar's two misspelt ones are not.
    assert!(parse("\u{FEFF}SELECT\u{FEFF} c FROM C c").is_ok());
    assert!(parse("SELECT c FROM C c \u{EFBB}BF").is_err());
    assert!(parse("SELECT c FROM C c \0FEFF").is_err());
    // Nothing that only one server wants.
    for text in [
        "SELECT * FROM C c",
        "SELECT c FROM C c OFFSET 1 LIMIT 2",
        "SELECT c FROM C c LIMIT $n",
        "SELECT c FROM C c[$p, 'x']",
        "SELECT c FROM C c;",
        "SELECT c FROM C c FETCH 5",
    ] {
        assert!(parse(text).is_err(), "{text}");
    }
}
