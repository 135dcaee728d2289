//! Texts that are meant to hurt: deep, long, broken. None may panic, overflow the stack, or take more than linear time.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use openehr_aql::{Options, ParseErrorKind, parse, parse_with};
use proptest::prelude::*;

/// Everything that nests, `n` levels deep.
fn deep(n: usize) -> Vec<(&'static str, String)> {
    let wrap =
        |before: &str, open: &str, inner: &str, close: &str| format!("{before}{}{inner}{}", open.repeat(n), close.repeat(n));
    vec![
        ("parentheses in WHERE", wrap("SELECT c FROM C c WHERE ", "(", "c/a = 1", ")")),
        ("NOT", wrap("SELECT c FROM C c WHERE ", "NOT ", "c/a = 1", "")),
        ("sets in WHERE", wrap("SELECT c FROM C c WHERE ", "NOT (c/a = 1 AND ", "c/a = 1", ")")),
        ("parentheses in FROM", wrap("SELECT c FROM ", "(", "C c", ")")),
        ("sets in FROM", wrap("SELECT c FROM ", "(A AND (B OR ", "C c", "))")),
        ("CONTAINS", wrap("SELECT c FROM C c", " CONTAINS C", "", "")),
        ("NOT CONTAINS in sets", wrap("SELECT c FROM C c", " NOT CONTAINS (A OR C", "", ")")),
        ("predicates", wrap("SELECT c", "/a[b", "/d = 1", "/e = 1]").replace("/d = 1/e = 1", "/e = 1") + " FROM C c"),
        ("predicates in sets in FROM", {
            let predicate = format!("C c{}", "[a".repeat(n)) + " = 1" + &"] = 1".repeat(n - 1) + "]";
            wrap("SELECT c FROM ", "(A AND (B OR ", &predicate, "))")
        }),
        ("calls", wrap("SELECT ", "CONCAT(", "'a'", ")") + " FROM C c"),
        ("calls in WHERE", wrap("SELECT c FROM C c WHERE ", "CONCAT(", "'a'", ")") + " = 'a'"),
    ]
}

/// Runs on a stack of a megabyte and a half; threads of a server have two.
fn on_a_small_stack(run: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(1536 * 1024).spawn(run).unwrap().join().unwrap();
}

/// If this fails, nesting within the bounds is not read, not printed or overflows the stack.
#[test]
fn nesting_within_the_bounds_is_read_printed_compared_and_dropped() {
    on_a_small_stack(|| {
        for (name, text) in deep(30) {
            let tree = parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
            let printed = tree.to_string();
            assert_eq!(parse(&printed).unwrap_or_else(|error| panic!("{name}: {error}")), tree, "{name}");
            assert_eq!(tree.clone(), tree, "{name}");
            assert!(!format!("{tree:?}").is_empty(), "{name}");
            openehr_aql::check(&tree).ok();
        }
    });
}

/// If this fails, a hostile query ends the process.
#[test]
fn nesting_beyond_the_bounds_is_its_own_error() {
    on_a_small_stack(|| {
        for depth in [300, 3_000, 10_000] {
            for (name, text) in deep(depth) {
                let options = Options { max_bytes: usize::MAX, ..Options::default() };
                let error = parse_with(&text, &options).expect_err(name);
                assert_eq!(error.kind, ParseErrorKind::TooDeep(64), "{name}: {error}");
            }
        }
    });
}

/// If this fails, what one gateway prints another refuses: the printer adds parentheses in FROM.
#[test]
fn whatever_is_read_within_the_bounds_can_be_printed_within_them() {
    on_a_small_stack(|| {
        for depth in (1..200).step_by(9) {
            for (name, text) in deep(depth) {
                let Ok(tree) = parse(&text) else { continue };
                assert_eq!(parse(&tree.to_string()).as_ref(), Ok(&tree), "{name} at {depth}");
            }
        }
    });
}

/// If this fails, a text is refused as nested too deep although it is only broken, or is looked at although it is too long.
#[test]
fn size_is_bounded_before_anything_is_read() {
    let options = Options { max_bytes: 100, ..Options::default() };
    let error = parse_with(&"(".repeat(101), &options).unwrap_err();
    assert_eq!(error.kind, ParseErrorKind::TooLong(100));
    assert_eq!(error.to_string(), "the query is longer than 100 bytes");
    assert_eq!(parse_with(&"(".repeat(100), &options).unwrap_err().kind, ParseErrorKind::Syntax);
}

/// Long texts for the parser; how many steps the lexer takes for hostile ones is counted in its own tests.
const REPEATED: &[(&str, &str, &str, &str)] = &[
    ("signs", "SELECT ", "- ", "1 FROM C c"),
    ("open brackets", "SELECT c", "[", ""),
    ("closed brackets", "SELECT c FROM C c ", ")", ""),
    ("broken keywords", "SELECT ", "FROM ", ""),
    ("a long OR chain", "SELECT c FROM C c WHERE c/a = 1", " OR c/a = 1", ""),
    ("a long AND chain in FROM", "SELECT c FROM C c", " AND C", ""),
    ("a long list", "SELECT c FROM C c WHERE c/a MATCHES {1", ", 'x'", "}"),
    ("a long path", "SELECT c", "/a[at0001]", " FROM C c"),
    ("many columns", "SELECT c", ", c/a AS b", " FROM C c"),
];

/// If this fails, a long query is not read to its end, or (when the test does not end) not in linear time.
#[test]
fn long_texts_are_read_to_their_end() {
    for (name, before, part, after) in REPEATED {
        let text = format!("{before}{}{after}", part.repeat(40_000));
        let options = Options { max_bytes: usize::MAX, ..Options::default() };
        match parse_with(&text, &options) {
            Ok(tree) => assert_eq!(parse_with(&tree.to_string(), &options), Ok(tree), "{name}"),
            Err(error) => assert!(!openehr_aql::diagnostic::render(&error, &text).is_empty(), "{name}"),
        }
    }
}

/// Pieces that the language is made of, to be strewn at random.
const PIECES: &[&str] = &[
    "SELECT",
    "FROM",
    "WHERE",
    "ORDER",
    "BY",
    "LIMIT",
    "OFFSET",
    "AND",
    "OR",
    "NOT",
    "CONTAINS",
    "EXISTS",
    "LIKE",
    "MATCHES",
    "AS",
    "VERSION",
    "LATEST_VERSION",
    "TOP",
    "DISTINCT",
    "NULL",
    "COUNT",
    "LENGTH",
    "TERMINOLOGY",
    "ENDPOINT",
    "ORGANISATION",
    "EHR",
    "e",
    "c",
    "c/a",
    "true",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    "/",
    "*",
    "=",
    "!=",
    "<",
    ">=",
    "-",
    "--",
    ";",
    "'x'",
    "\"y\"",
    "'20240101'",
    "'12:00:00'",
    "1",
    "1.5",
    "1e5",
    ".5",
    "$p",
    "at0001",
    "id1.1",
    "openEHR-EHR-C.a.v1",
    "a::b|c|",
    "http://x",
    "{/x/}",
    "'",
    "\"",
    "\\",
    "é",
    "\u{FEFF}",
    "\n",
    " ",
    "-- x\n",
    ":",
    "|",
    "%",
    "#",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    /// If this fails, some text makes the parser panic, or its error lies outside the text.
    #[test]
    fn no_text_panics(text in ".{0,200}") {
        refused_in_place_or_round_trips(&text)?;
    }

    /// The same for texts that look more like queries.
    #[test]
    fn no_mixture_of_tokens_panics(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..40), blank in any::<bool>()) {
        refused_in_place_or_round_trips(&pieces.join(if blank { " " } else { "" }))?;
        refused_in_place_or_round_trips(&format!("SELECT c FROM C c WHERE {}", pieces.join(" ")))?;
    }

    /// The same for real queries with one stretch cut out or doubled.
    #[test]
    fn no_slip_of_the_hand_panics(line in 0_usize..1_000, from in 0_usize..200, length in 0_usize..20, doubled in any::<bool>()) {
        let queries: Vec<&str> = include_str!("queries/accepted.aql").lines().filter(|line| line.starts_with("SELECT")).collect();
        let letters: Vec<char> = queries[line % queries.len()].chars().collect();
        let from = from % (letters.len() + 1);
        let to = (from + length).min(letters.len());
        let middle = if doubled { [&letters[from..to], &letters[from..to]].concat() } else { Vec::new() };
        let text: String = [&letters[..from], &middle, &letters[to..]].concat().into_iter().collect();
        refused_in_place_or_round_trips(&text)?;
    }
}

fn refused_in_place_or_round_trips(text: &str) -> Result<(), TestCaseError> {
    match parse(text) {
        Ok(tree) => {
            let printed = tree.to_string();
            let again = parse(&printed);
            prop_assert_eq!(again.as_ref(), Ok(&tree), "{} printed as {}", text, printed);
            prop_assert_eq!(tree.to_string(), again.map(|again| again.to_string()).unwrap_or_default());
        }
        Err(error) => {
            prop_assert!(error.span.end as usize <= text.len());
            prop_assert!(text.get(error.span.start as usize..error.span.end as usize).is_some());
            prop_assert!(error.position.line >= 1 && error.position.column >= 1);
            prop_assert!(!openehr_aql::diagnostic::render(&error, text).is_empty());
        }
    }
    Ok(())
}
