//! Spans, visitors and drawings of errors.

use std::ops::ControlFlow;

use openehr_aql::ast::{Condition, Containment, Literal, Name, Path, Predicate, Query};
use openehr_aql::diagnostic::{QueryError, read, render, verdict};
use openehr_aql::visit::{Visit, VisitMut};
use openehr_aql::{Options, parse};

/// Collects the text under the span of everything that has one.
struct Spans<'a>(&'a str, Vec<&'a str>);

impl<'a> Visit<'a> for Spans<'a> {
    type Break = std::convert::Infallible;

    fn visit_name(&mut self, node: &'a Name) -> ControlFlow<Self::Break> {
        assert_eq!(&self.0[node.span.start as usize..node.span.end as usize], node.text);
        ControlFlow::Continue(())
    }

    fn visit_literal(&mut self, node: &'a Literal) -> ControlFlow<Self::Break> {
        let source = &self.0[node.span.start as usize..node.span.end as usize];
        assert_eq!(source.replace(['-', ' '], "").trim(), node.text.replace(['-', ' '], ""));
        ControlFlow::Continue(())
    }

    fn visit_path(&mut self, node: &'a Path) -> ControlFlow<Self::Break> {
        self.1.push(&self.0[node.span.start as usize..node.span.end as usize]);
        openehr_aql::visit::walk_path(self, node)
    }

    fn visit_condition(&mut self, node: &'a Condition) -> ControlFlow<Self::Break> {
        if let Condition::Compare { span, .. } | Condition::Exists { span, .. } | Condition::Like { span, .. } = node {
            self.1.push(&self.0[span.start as usize..span.end as usize]);
        }
        openehr_aql::visit::walk_condition(self, node)
    }
}

/// If this fails, an error points beside what it is about.
#[test]
fn spans_cover_what_was_read_and_no_more() {
    for line in include_str!("queries/accepted.aql").lines().filter(|line| line.starts_with("SELECT")) {
        let tree = parse(line).unwrap();
        let ControlFlow::Continue(()) = Spans(line, Vec::new()).visit_query(&tree);
    }
    let text = "SELECT c / a [at1] FROM C c WHERE ( EXISTS c/b ) AND c/a =- 1 OR c/d LIKE 'x'";
    let tree = parse(text).unwrap();
    let mut spans = Spans(text, Vec::new());
    let ControlFlow::Continue(()) = spans.visit_query(&tree);
    assert_eq!(spans.1, ["c / a [at1]", "EXISTS c/b", "c/b", "c/a =- 1", "c/a", "c/d LIKE 'x'", "c/d"]);
}

/// If this fails, two texts that say the same are different queries.
#[test]
fn trees_are_equal_wherever_they_stood() {
    let one = parse("SELECT c/a FROM C c WHERE c/b = 1 AND c/d = 2").unwrap();
    let two = parse("select  c / a\nfrom C c where (c/b=1) and (c/d=2)").unwrap();
    assert_eq!(one, two);
    assert_ne!(one, parse("SELECT c/a FROM C c WHERE c/b = 1.0 AND c/d = 2").unwrap());
}

#[test]
fn a_visit_ends_where_it_is_broken_off() {
    struct First;
    impl<'a> Visit<'a> for First {
        type Break = &'a str;
        fn visit_literal(&mut self, node: &'a Literal) -> ControlFlow<&'a str> {
            ControlFlow::Break(&node.text)
        }
    }
    let tree = parse("SELECT c FROM C c[a = 'first'] WHERE c/b = 'second'").unwrap();
    assert_eq!(First.visit_query(&tree), ControlFlow::Break("'first'"));
}

#[test]
fn a_visit_can_change_every_kind_of_name() {
    struct Upper;
    impl VisitMut for Upper {
        fn visit_name_mut(&mut self, node: &mut Name) {
            node.text.make_ascii_uppercase();
        }
    }
    let mut tree: Query = "SELECT len(c/a[b = d]) AS e FROM EHR f CONTAINS cls c WHERE c/g = 'h' ORDER BY c/i".parse().unwrap();
    Upper.visit_query_mut(&mut tree);
    let upper = "SELECT LEN(C/A[B = D]) AS E FROM EHR F CONTAINS CLS C WHERE C/G = 'h' ORDER BY C/I";
    assert_eq!(tree.to_string(), upper);
}

#[test]
fn errors_are_drawn_under_their_line() {
    let text = "SELECT c/name/value\nFROM COMPOSITION c\nWHERE c/größe/offset = 'é' x";
    let drawing = render(&parse(text).unwrap_err(), text);
    let expected = "error: expected `[`, `/`, a comparison operator, LIKE or MATCHES, found a character that AQL does not use\n \
                    --> line 3, column 11, in WHERE\n  |\n3 | WHERE c/größe/offset = 'é' x\n  |           ^\n  = help: names are ASCII \
                    letters, digits and `_`, and start with a letter\n";
    assert_eq!(drawing, expected);

    let text = "SELECT c FROM C c WHERE d/a = 1";
    let Err(error @ QueryError::Rule { .. }) = read(text, &Options::default()) else { panic!("d is not declared") };
    let expected = "error: the path starts from a variable that FROM does not declare\n --> line 1, column 25\n  |\n1 | SELECT c FROM \
                    C c WHERE d/a = 1\n  |                         ^\n";
    assert_eq!(error.render(text), expected);
}

#[test]
fn long_lines_are_cut_around_the_place() {
    let text = format!("SELECT c FROM C c WHERE {} == 2 {}", "c/a = 1 AND ".repeat(50), "AND c/ä = 3 ".repeat(50));
    let drawing = render(&parse(&text).unwrap_err(), &text);
    let lines: Vec<&str> = drawing.lines().collect();
    assert!(lines.iter().all(|line| line.chars().count() < 160), "{drawing}");
    assert!(lines[3].contains("… ") || lines[3].contains('…'), "{drawing}");
    let caret = lines[4].chars().position(|letter| letter == '^').unwrap();
    assert_eq!(lines[3].chars().nth(caret), Some('='), "{drawing}");
}

#[test]
fn a_verdict_is_one_line() {
    let options = Options::default();
    assert_eq!(verdict("select c from C c", &options), "ok SELECT c FROM C c");
    assert_eq!(
        verdict("SELECT c\nFROM", &options),
        "error 2:5 in FROM: expected a class name, VERSION or `(`, found the end of the query"
    );
    assert_eq!(verdict("SELECT 'a\nb' FROM C c", &options), r"ok SELECT 'a\nb' FROM C c");
    let short = Options { max_bytes: 5, ..options };
    assert_eq!(verdict("SELECT c FROM C c", &short), "error 1:1 the query is longer than 5 bytes");
}

/// If this fails, a tree that the gateway made says something else once it is printed.
#[test]
fn trees_that_were_made_print_what_they_mean() {
    let condition = |text: &str| text.parse::<Condition>().unwrap();
    let either = condition("c/a = 1 OR c/b = 2");
    assert_eq!(either.clone().and(condition("c/d = 3")).to_string(), "(c/a = 1 OR c/b = 2) AND c/d = 3");
    assert_eq!(either.clone().or(condition("c/d = 3 AND c/e = 4")).to_string(), "c/a = 1 OR c/b = 2 OR c/d = 3 AND c/e = 4");
    assert_eq!(Condition::Not(Box::new(either)).to_string(), "NOT (c/a = 1 OR c/b = 2)");
    let nested = Condition::And(vec![condition("c/a = 1"), Condition::And(vec![condition("c/b = 2"), condition("c/d = 3")])]);
    assert_eq!(nested.to_string(), "c/a = 1 AND c/b = 2 AND c/d = 3");

    let from = |text: &str| parse(&format!("SELECT c FROM {text}")).unwrap().from;
    let both: Containment = from("A a CONTAINS B b").and(from("C c OR D d"));
    assert_eq!(both.to_string(), "(A a CONTAINS B b) AND (C c OR D d)");

    // Brackets have no parentheses: an OR inside an AND is written out.
    let predicate = |text: &str| format!("c[{text}]").parse::<Path>().unwrap().predicate.unwrap();
    let mut path: Path = "c/x".parse().unwrap();
    path.predicate = Some(Predicate::And(vec![predicate("a = 1"), predicate("b = 2 OR d = 3")]));
    assert_eq!(path.to_string(), "c[a = 1 AND b = 2 OR a = 1 AND d = 3]/x");
}
