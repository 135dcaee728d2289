//! Why a text is not read: where, in which clause, what stood there, what could have, and what to do.
//!
//! An error holds no text of the query but keywords and punctuation, so its `Display` is safe to send to whoever asked and to
//! log. [`crate::diagnostic`] draws it under the line it is about, for a terminal.

use std::fmt;

pub use crate::hint::Hint;
pub use crate::parse::Expected;

use crate::ast::{LiteralKind, Span};
use crate::position::Position;

/// Why a text is not a query.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", Message(self))]
pub struct ParseError {
    /// What kind of refusal it is.
    pub kind: ParseErrorKind,
    /// Where, in bytes.
    pub span: Span,
    /// The same as line and column.
    pub position: Position,
    /// The clause that was being read.
    pub clause: Clause,
    /// What stands at the place.
    pub found: Found,
    /// What could have stood there; empty unless the kind is `Syntax`.
    pub expected: Expected,
    /// What to do about it, where the slip is a known one.
    pub hint: Option<Hint>,
}

/// The kinds of refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParseErrorKind {
    /// The text is not AQL.
    Syntax,
    /// The text is longer than this many bytes, and was not looked at.
    TooLong(usize),
    /// The text nests deeper than this.
    TooDeep(usize),
}

/// The clause an error is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clause {
    /// In front of SELECT.
    Query,
    /// `SELECT`
    Select,
    /// `FROM`
    From,
    /// `ENDPOINT …` or `ORGANISATION …` behind FROM.
    Directive,
    /// `WHERE`
    Where,
    /// `ORDER BY`
    OrderBy,
    /// `LIMIT`
    Limit,
}

impl Clause {
    /// The clause as it is named in a message; none in front of SELECT.
    #[must_use]
    pub fn name(self) -> Option<&'static str> {
        match self {
            Clause::Query => None,
            Clause::Select => Some("SELECT"),
            Clause::From => Some("FROM"),
            Clause::Directive => Some("the directive of FROM"),
            Clause::Where => Some("WHERE"),
            Clause::OrderBy => Some("ORDER BY"),
            Clause::Limit => Some("LIMIT"),
        }
    }
}

/// What stands at the place of an error: its kind, and its text only for reserved words and punctuation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// The text ends here.
    End,
    /// A reserved word.
    Keyword(&'static str),
    /// An operator or bracket.
    Punctuation(&'static str),
    /// A name that is no reserved word.
    Name,
    /// A node code such as `at0001`.
    NodeCode,
    /// An archetype id.
    ArchetypeId,
    /// A term code such as `T::C`.
    TermCode,
    /// A URI.
    Uri,
    /// A parameter.
    Parameter,
    /// A regular expression in braces.
    Regex,
    /// A literal of this kind.
    Literal(LiteralKind),
    /// A quote that nothing closes.
    UnterminatedText,
    /// A quoted text with a backslash that starts no escape; the span ends behind it.
    BadEscape,
    /// A character that starts nothing in AQL; shown when it is ASCII punctuation.
    Character(Option<char>),
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Found::End => "the end of the query",
            Found::Keyword(word) => word,
            Found::Punctuation(mark) => return write!(f, "`{mark}`"),
            Found::Name => "a name",
            Found::NodeCode => "a node code",
            Found::ArchetypeId => "an archetype id",
            Found::TermCode => "a term code",
            Found::Uri => "a URI",
            Found::Parameter => "a parameter",
            Found::Regex => "a regular expression",
            Found::Literal(kind) => kind.describe(),
            Found::UnterminatedText => "a quoted text that never ends",
            Found::BadEscape => "a quoted text with an unknown escape",
            Found::Character(Some(mark)) => return write!(f, "the character `{mark}`"),
            Found::Character(None) => "a character that AQL does not use",
        })
    }
}

impl ParseError {
    pub(crate) fn too_long(limit: usize) -> ParseError {
        ParseError {
            kind: ParseErrorKind::TooLong(limit),
            span: Span::NONE,
            position: Position::START,
            clause: Clause::Query,
            found: Found::End,
            expected: Expected::default(),
            hint: None,
        }
    }

    pub(crate) fn too_deep(text: &str, span: Span, clause: Clause, limit: usize) -> ParseError {
        let position = Position::of(text, span.start);
        ParseError { kind: ParseErrorKind::TooDeep(limit), span, position, clause, ..ParseError::too_long(limit) }
    }

    /// What is wrong, without the place and the hint.
    #[must_use]
    pub fn summary(&self) -> String {
        match self.kind {
            ParseErrorKind::TooLong(limit) => format!("the query is longer than {limit} bytes"),
            ParseErrorKind::TooDeep(limit) => format!("brackets, NOT, calls or CONTAINS nest deeper than {limit} levels"),
            ParseErrorKind::Syntax => format!("expected {}, found {}", self.expected, self.found),
        }
    }
}

/// The whole message on one line: place, clause, what, hint.
struct Message<'a>(&'a ParseError);

impl fmt::Display for Message<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let error = self.0;
        if matches!(error.kind, ParseErrorKind::TooLong(_)) {
            return f.write_str(&error.summary());
        }
        write!(f, "{}", error.position)?;
        if let Some(clause) = error.clause.name() {
            write!(f, ", in {clause}")?;
        }
        write!(f, ": {}", error.summary())?;
        match &error.hint {
            Some(hint) => write!(f, "; {hint}"),
            None => Ok(()),
        }
    }
}
