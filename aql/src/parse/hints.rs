//! Which known slip an error looks like.

use super::expect::Expect;
use super::input::Furthest;
use super::report::punctuation;
use crate::ast::{Comparison, LiteralKind};
use crate::error::{Clause, Hint};
use crate::lex::{Keyword, LexFault, Token, TokenKind as T};
use crate::position::Position;

/// What is known at the place of an error.
struct Place<'a> {
    text: &'a str,
    tokens: &'a [Token],
    index: usize,
    furthest: Furthest,
}

/// The advice for the first slip that fits.
pub(super) fn hint(text: &str, tokens: &[Token], index: usize, furthest: Furthest) -> Option<Hint> {
    let place = Place { text, tokens, index, furthest };
    let fixed = fault(&place).or_else(|| operator(&place)).or_else(|| other_language(&place));
    fixed
        .map(Hint::Text)
        .or_else(|| bracket(&place))
        .or_else(|| name(&place))
        .or_else(|| clause_order(&place).or_else(|| value(&place)).map(Hint::Text))
}

impl Place<'_> {
    fn kind(&self) -> T {
        self.tokens.get(self.index).map_or(T::End, |token| token.kind)
    }

    fn previous(&self) -> T {
        self.index.checked_sub(1).and_then(|index| self.tokens.get(index)).map_or(T::End, |token| token.kind)
    }

    /// Does the token stand right behind the previous one?
    fn adjacent(&self) -> bool {
        let previous = self.index.checked_sub(1).and_then(|index| self.tokens.get(index));
        previous.zip(self.tokens.get(self.index)).is_some_and(|(left, right)| left.span.end == right.span.start)
    }

    fn expects(&self, one: Expect) -> bool {
        self.furthest.expected.has(one)
    }

    fn source(&self) -> &str {
        let span = self.tokens.get(self.index).map(|token| token.span).unwrap_or_default();
        self.text.get(span.start as usize..).unwrap_or_default()
    }

    fn word(&self) -> &str {
        let length = self.source().find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
        self.source().get(..length.unwrap_or(self.source().len())).unwrap_or_default()
    }
}

fn fault(place: &Place<'_>) -> Option<&'static str> {
    match place.kind() {
        T::Fault(LexFault::Unterminated) => Some("the quote that opens here is never closed"),
        T::Fault(LexFault::Escape) => {
            Some("a backslash starts an escape (\\\\ \\' \\\" \\? \\* \\n \\t \\u20AC …): write \\\\ for a backslash")
        }
        T::Fault(LexFault::Character) => {
            let mut letters = place.source().chars();
            match (letters.next(), letters.next()) {
                (Some('“' | '”' | '„' | '‘' | '’' | '‚' | '«' | '»' | '`'), _) => Some("quotes are ' or \""),
                (Some(':'), Some(next)) if next.is_ascii_alphabetic() => Some("a parameter is written $name"),
                (Some('#'), _) => Some(COMMENT),
                (Some('|' | '&'), _) => Some("write OR and AND"),
                (Some('!'), _) => Some("write NOT, or != for not equal"),
                (Some('$'), _) => Some("a parameter is written $name; its name starts with a letter"),
                (Some('\u{A0}'), _) => Some("this is a no-break space: use a plain blank"),
                (Some('.'), _) => Some("the steps of a path are separated by `/`"),
                _ => None,
            }
        }
        _ => None,
    }
}

const COMMENT: &str = "a comment is two dashes and a blank, to the end of the line";

fn operator(place: &Place<'_>) -> Option<&'static str> {
    let next = place.tokens.get(place.index + 1).map_or(T::End, |token| token.kind);
    match (place.kind(), place.previous()) {
        (T::Compare(Comparison::Equal), T::Compare(Comparison::Equal)) => Some("AQL compares with a single `=`"),
        (T::Compare(Comparison::Greater), T::Compare(Comparison::Less)) => Some("not equal is written `!=`"),
        (T::Slash, T::Slash) => Some(COMMENT),
        (T::Slash, _) if matches!(next, T::Slash | T::Star) => Some(COMMENT),
        (T::DoubleDash, _) => Some(COMMENT),
        (T::Semicolon, _) => Some("AQL ends without a semicolon"),
        (T::Star, _) if place.furthest.clause == Clause::Select && place.expects(Expect::Aggregate) => {
            Some("AQL has no SELECT *: name the columns")
        }
        (T::Plus | T::Star | T::Minus, _) if !place.expects(Expect::Literal) && !place.expects(Expect::Count) => {
            Some("AQL has no arithmetic")
        }
        (T::Literal(LiteralKind::String), T::Literal(LiteralKind::String)) if place.adjacent() => {
            Some("a quote inside a text is written \\'")
        }
        _ => None,
    }
}

/// Words of other query languages.
fn other_language(place: &Place<'_>) -> Option<&'static str> {
    if place.kind() != T::Name {
        return None;
    }
    let word = place.word().to_ascii_uppercase();
    let only_after = |one: Expect, text: &'static str| place.expects(one).then_some(text);
    match word.as_str() {
        "GROUP" => only_after(Expect::Limit, "AQL has no GROUP BY: aggregates run over all rows"),
        "HAVING" => only_after(Expect::Limit, "AQL has no HAVING"),
        "JOIN" | "INNER" | "LEFT" | "RIGHT" | "CROSS" => {
            only_after(Expect::Contains, "AQL has no JOIN: combine classes with CONTAINS, AND and OR")
        }
        "UNION" | "INTERSECT" | "EXCEPT" => only_after(Expect::End, "AQL has no set operations: ask two queries"),
        "IN" => only_after(Expect::Comparison, "membership is written MATCHES {'a', 'b'}"),
        "BETWEEN" => only_after(Expect::Comparison, "AQL has no BETWEEN: write two comparisons joined by AND"),
        "IS" => only_after(Expect::Comparison, "presence is written EXISTS path, absence NOT EXISTS path"),
        "ILIKE" | "REGEXP" | "RLIKE" => only_after(Expect::Comparison, "patterns are written LIKE 'a*', with * and ?"),
        "FETCH" | "ROWS" => only_after(Expect::End, "the number of rows is written LIMIT n"),
        "TIMEWINDOW" => only_after(Expect::End, "TIMEWINDOW is no longer AQL: compare times in WHERE"),
        "NULLS" => only_after(Expect::End, "AQL does not say where NULL is sorted"),
        _ => None,
    }
}

/// Brackets that do not match.
fn bracket(place: &Place<'_>) -> Option<Hint> {
    let mut open: Vec<Token> = Vec::new();
    for token in place.tokens.iter().take(place.index) {
        match token.kind {
            T::OpenParenthesis | T::OpenBracket | T::OpenBrace => open.push(*token),
            T::CloseParenthesis | T::CloseBracket | T::CloseBrace => {
                open.pop();
            }
            _ => {}
        }
    }
    let closes = [Expect::CloseParenthesis, Expect::CloseBracket, Expect::CloseBrace].into_iter().any(|one| place.expects(one));
    let at_close = matches!(place.kind(), T::CloseParenthesis | T::CloseBracket | T::CloseBrace);
    let at_clause = matches!(
        place.kind(),
        T::End | T::Keyword(Keyword::From | Keyword::Where | Keyword::Order | Keyword::Limit | Keyword::Contains)
    );
    match open.last() {
        Some(last) if closes && (at_close || at_clause) => {
            Some(Hint::Unclosed { bracket: punctuation(last.kind), position: Position::of(place.text, last.span.start) })
        }
        None if at_close => Some(Hint::Text("this bracket closes nothing")),
        _ => None,
    }
}

/// What stands where a name belongs.
fn name(place: &Place<'_>) -> Option<Hint> {
    let names = [Expect::Alias, Expect::Attribute].into_iter().any(|one| place.expects(one));
    match place.kind() {
        T::Keyword(word) if names => Some(Hint::Reserved(word.as_str())),
        T::AtCode | T::IdCode if names || place.expects(Expect::Variable) || place.expects(Expect::Class) => {
            Some(Hint::Text("`at` or `id` with digits is a node code and can name nothing"))
        }
        T::Literal(kind) if kind.is_quoted() && place.expects(Expect::Alias) => {
            Some(Hint::Text("an alias is a plain name, without quotes"))
        }
        T::Name if place.expects(Expect::As) => Some(Hint::Text("an alias needs AS in front of it")),
        T::Literal(kind) if kind.is_quoted() && place.expects(Expect::As) => {
            Some(Hint::Text("an alias needs AS in front of it, and no quotes"))
        }
        _ => None,
    }
}

fn clause_order(place: &Place<'_>) -> Option<&'static str> {
    match (place.kind(), place.furthest.clause) {
        (_, Clause::Directive) => Some("a directive is written ENDPOINT p [\"id\", …] CONTAINS …, or ORGANISATION"),
        (T::Keyword(Keyword::Offset), _) if place.expects(Expect::Limit) => {
            Some("OFFSET stands behind LIMIT: LIMIT 10 OFFSET 20")
        }
        (T::Keyword(Keyword::Not | Keyword::Contains), Clause::From) if !place.expects(Expect::Contains) => {
            Some("write AND (X CONTAINS Y): CONTAINS needs a class in front of it")
        }
        (T::Keyword(Keyword::Select | Keyword::From | Keyword::Where | Keyword::Order | Keyword::Limit | Keyword::Offset), _)
            if place.expects(Expect::End) =>
        {
            Some("the clauses are SELECT, FROM, WHERE, ORDER BY, LIMIT, in this order and each once")
        }
        _ => None,
    }
}

/// What stands where a value belongs.
fn value(place: &Place<'_>) -> Option<&'static str> {
    match place.kind() {
        T::Literal(LiteralKind::Date | LiteralKind::Time | LiteralKind::DateTime) if place.expects(Expect::String) => {
            Some("a quoted text that looks like a date or time is one, and no text can stand for it here")
        }
        T::Parameter if place.expects(Expect::Count) => Some("a count of rows is written in digits"),
        T::Minus if place.expects(Expect::Count) => Some("a count of rows has no sign"),
        T::Regex if place.expects(Expect::OpenBrace) => Some("regular expressions stand only in predicates: use LIKE"),
        T::ArchetypeId | T::AtCode | T::IdCode | T::TermCode if place.expects(Expect::Literal) => Some("put quotes around it"),
        _ if place.expects(Expect::OpenBrace) => Some("MATCHES takes a list in braces: MATCHES {'a', 'b'}"),
        _ => None,
    }
}
