use super::*;
use crate::ast::LiteralKind as L;
use TokenKind as T;

fn kinds(text: &str) -> Vec<T> {
    let mut kinds: Vec<T> = lex(text).iter().map(|token| token.kind).collect();
    assert_eq!(kinds.pop(), Some(T::End), "{text}");
    kinds
}

/// The text is one token of the kind, from its first byte to its last.
fn is_one(text: &str, kind: T) {
    let tokens = lex(text);
    assert_eq!(tokens.first().map(|token| token.kind), Some(kind), "{text}");
    assert_eq!(tokens.len(), 2, "{text}: {tokens:?}");
    assert_eq!(tokens[0].span.end as usize, text.len(), "{text}");
}

#[test]
fn the_longest_match_decides() {
    let table: &[(&[&str], T)] = &[
        (&["at1", "at0001", "at0001.1", "at0.0.1", "at0001.10.2"], T::AtCode),
        (&["id1", "id12.3"], T::IdCode),
        (&["at", "id", "AT0001", "at1a", "at1_", "SELECTc", "c_1", "selected", "ID1", "LIMITS"], T::Name),
        (
            &["openEHR-EHR-OBSERVATION.pulse.v2", "a-b-c.d-e.v1.2.3-rc.4", "a-b-c.d.v0-alpha", "org.x%2F::a-b-c.d.v1"],
            T::ArchetypeId,
        ),
        (&["SNOMED-CT::271649006", "ICD10(2019)::I10|a rubric|", "10::x", "at0001::at1", "-.::_", "a.b-c::d"], T::TermCode),
        (
            &[
                "http://x/y?z#w",
                "SNOMED::",
                "a:",
                "org.x::openEHR-EHR-C.a.v1,'n'",
                "mailto:a@b",
                "a://u@h:80/",
                "a://[00ff::00aa]",
            ],
            T::Uri,
        ),
        (&["$p", "$select", "$a_1"], T::Parameter),
        (&["{/x/}", "{ /a b/ ; 'c' }", "{/a\\/b/}", "{/\\/}"], T::Regex),
        (&["1", "007"], T::Literal(L::Integer)),
        (&["1.5", ".5", "00.10"], T::Literal(L::Real)),
        (&["1e5", "1E-05", "1e+5"], T::Literal(L::ScientificInteger)),
        (&["1.5e5", ".5E-5"], T::Literal(L::ScientificReal)),
    ];
    for (texts, kind) in table {
        for text in *texts {
            is_one(text, *kind);
        }
    }
}

#[test]
fn a_token_ends_where_its_rule_does() {
    let int = T::Literal(L::Integer);
    assert_eq!(kinds("at0001.01"), [T::AtCode, int]);
    assert_eq!(kinds("at0001.1a"), [T::AtCode, T::Name]);
    assert_eq!(kinds("1.2.3"), [T::Literal(L::Real), T::Literal(L::Real)]);
    assert_eq!(kinds("1e"), [int, T::Name]);
    assert_eq!(kinds("1AND"), [int, T::Keyword(Keyword::And)]);
    assert_eq!(kinds("a-1"), [T::Name, T::Minus, int]);
    assert_eq!(kinds("--1"), [T::DoubleDash, int]);
    assert_eq!(kinds("- -1"), [T::Minus, T::Minus, int]);
    assert_eq!(kinds("--1::2"), [T::TermCode]);
    let open_rubric: Vec<T> = lex("a::b|c").iter().map(|token| token.kind).collect();
    assert_eq!(open_rubric, [T::TermCode, T::Fault(LexFault::Character)]);
}

#[test]
fn quoted_texts_are_told_apart_by_their_look() {
    let table: &[(&[&str], L)] = &[
        (&["2024-02-30", "20240230", "0000-01-01"], L::Date),
        (
            &["12:30:00", "123000", "12:30:00.123", "12:30:00Z", "12:30:00+05", "12:30:00+0530", "123000-05:30", "235959.999Z"],
            L::Time,
        ),
        (&["2024-01-01T12:30:00", "20240101T123000Z", "2024-01-01T12:30:00.123+02:00"], L::DateTime),
        (
            &[
                "2024-01",
                "2024",
                "2024-13-01",
                "2024-00-01",
                "2024-01-32",
                "24:00:00",
                "12:60:00",
                "12:30",
                "12:30:00z",
                "12:30:00.12",
                "12:30:00.1234",
                "2024-01-01t12:30:00",
                "20240101T12:30:00",
                "2024-01-01T123000",
                "2024-01-01 12:30:00",
                "12:30:00+24",
                "12:30:00+05:60",
                "12:30:00+",
                "2024-0101",
                "",
                " 20240101",
                "20240101 ",
                "2024\\u002d01-01",
                "１２３４５６",
            ],
            L::String,
        ),
    ];
    for (texts, kind) in table {
        for text in *texts {
            is_one(&format!("'{text}'"), T::Literal(*kind));
            is_one(&format!("\"{text}\""), T::Literal(*kind));
        }
    }
}

#[test]
fn what_is_no_token_is_a_fault_and_the_end() {
    let faults = [
        ("'open", LexFault::Unterminated),
        ("\"open'", LexFault::Unterminated),
        ("'a\\", LexFault::Unterminated),
        ("'\\d'", LexFault::Escape),
        ("'\\u12G4'", LexFault::Escape),
        ("'\\8'", LexFault::Escape),
        ("'\\é'", LexFault::Escape),
        ("é", LexFault::Character),
        ("\u{A0}", LexFault::Character),
        ("\u{0B}", LexFault::Character),
        (".a", LexFault::Character),
        ("_a", LexFault::Character),
        ("$1", LexFault::Character),
        ("!", LexFault::Character),
        (":x", LexFault::Character),
        ("\0", LexFault::Character),
    ];
    for (text, fault) in faults {
        let tokens = lex(text);
        assert_eq!(tokens.iter().map(|token| token.kind).collect::<Vec<_>>(), [T::Fault(fault)], "{text}");
    }
}

#[test]
fn only_ascii_case_is_folded_in_keywords() {
    for text in ["limit", "LiMiT", "LIMIT"] {
        assert_eq!(kinds(text), [T::Keyword(Keyword::Limit)]);
    }
    for text in ["LİMIT", "LıMIT", "ſELECT"] {
        assert!(!lex(text).iter().any(|token| matches!(token.kind, T::Keyword(_))), "{text}");
    }
}

#[test]
fn comments_end_with_their_line() {
    let name = [T::Name, T::Name];
    for text in ["a -- b\nc", "a--\nc", "a--\r\nc", "a -- 'b\r\nc", "a --  -- b\nc", "\u{FEFF}a\u{FEFF}c"] {
        assert_eq!(kinds(text), name, "{text:?}");
    }
    for text in ["a --", "a -- ", "a -- b"] {
        assert_eq!(kinds(text), [T::Name], "{text:?}");
    }
    for text in ["a --b", "a --\tb", "a -- b\rc"] {
        assert!(kinds(text).contains(&T::DoubleDash), "{text:?}");
    }
}

/// Texts whose reading could be quadratic: what stands in front, a part to repeat, what stands behind.
const HOSTILE: &[(&str, &str, &str, &str)] = &[
    ("term code runs of numbers", "SELECT c FROM C c WHERE c/a = ", "1.1", ""),
    ("term code runs of words", "SELECT c FROM C c WHERE c/a = ", "a-", ""),
    ("underscores and dashes", "SELECT c FROM C c WHERE c/a = ", "a_-", "::("),
    ("scheme runs", "SELECT c FROM C c WHERE c/a = ", "a+", ""),
    ("namespaces", "SELECT c FROM C c[", "a.", "::openEHR-EHR-C.a.v1"),
    ("namespaces with percent signs", "SELECT c FROM C c[", "a%41-", "::x"),
    ("archetype ids that end early", "SELECT c FROM C c[", "a-a-a.", ""),
    ("authorities", "SELECT c FROM C c WHERE c/a MATCHES {", "a://b:(", "@"),
    ("rubrics", "SELECT c FROM C c[at1, ", "a::b|x", ""),
    ("comments that are none", "SELECT c FROM C c ", "-- ", "\rx"),
    ("dashes", "SELECT c FROM C c WHERE c/a = ", "--", ""),
    ("regular expressions", "SELECT c FROM C c[a matches ", "{/", ""),
    ("regular expressions with escapes", "SELECT c FROM C c[a matches {/", "\\/;'", ""),
    ("backslashes and slashes in a string", "SELECT '{/", "\\\\/;\"", "' FROM C c"),
    ("open quotes", "SELECT ", "'", " FROM C c"),
    ("an open string", "SELECT '", "abc ", ""),
    ("byte order marks", "SELECT c FROM C c ", "\u{FEFF}", "x"),
];

/// If this fails, a few hundred kilobytes keep a processor busy for minutes.
#[test]
fn every_byte_is_looked_at_a_bounded_number_of_times() {
    for (name, before, part, after) in HOSTILE {
        for count in [10, 1_000, 30_000] {
            let text = format!("{before}{}{after}", part.repeat(count));
            let mut lexer = Lexer::new(&text);
            lexer.tokens();
            assert!(lexer.steps.get() < 40 * (text.len() + 1), "{name}: {} steps for {} bytes", lexer.steps.get(), text.len());
        }
    }
}
