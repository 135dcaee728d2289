//! Errors for people at a terminal: the line, a caret under the place, what to do; and one line per query for programs.
//!
//! What is drawn quotes the query. It is for whoever wrote the query and nobody else: never for a log, never for an answer over
//! a network. Those get the `Display` of the error.

use std::fmt::Write;

use crate::ast::{Query, Span};
use crate::check::{RuleError, check};
use crate::error::{Hint, ParseError, ParseErrorKind};
use crate::position::Position;
use crate::{Options, parse_with};

/// How many characters of a long line are shown on either side of the place.
const CONTEXT: usize = 70;

/// Why a text is no query that can be asked: it does not parse, or breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueryError {
    /// It is not AQL.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// It is AQL, and breaks a rule.
    #[error("{position}: {error}")]
    Rule {
        /// Which rule.
        error: RuleError,
        /// Where.
        position: Position,
    },
}

impl QueryError {
    /// Where it is.
    #[must_use]
    pub fn position(&self) -> Position {
        match self {
            QueryError::Parse(error) => error.position,
            QueryError::Rule { position, .. } => *position,
        }
    }

    /// Draws it under the line of the query it is about.
    #[must_use]
    pub fn render(&self, text: &str) -> String {
        match self {
            QueryError::Parse(error) => render(error, text),
            QueryError::Rule { error, position } => {
                let note = Note { position: *position, span: error.span(), clause: None, hint: None };
                note.draw(&error.to_string(), text)
            }
        }
    }
}

/// Reads a query and checks the rules of the language that are no matter of syntax.
///
/// # Errors
/// The first fault, with its place.
pub fn read(text: &str, options: &Options) -> Result<Query, QueryError> {
    let query = parse_with(text, options)?;
    match check(&query) {
        Ok(()) => Ok(query),
        Err(error) => {
            let position = Position::of(text, error.span().start);
            Err(QueryError::Rule { error, position })
        }
    }
}

/// One line about a text: `ok CANONICAL`, or `error LINE:COLUMN MESSAGE`. Syntax alone is looked at, not the rules. A line break
/// inside a literal is shown as its escape.
#[must_use]
pub fn verdict(text: &str, options: &Options) -> String {
    match parse_with(text, options) {
        Ok(query) => format!("ok {query}").replace('\n', "\\n").replace('\r', "\\r"),
        Err(error) => {
            let Position { line, column } = error.position;
            let hint = error.hint.as_ref().map(|hint| format!("; {hint}")).unwrap_or_default();
            let clause = error.clause.name().map(|clause| format!("in {clause}: ")).unwrap_or_default();
            format!("error {line}:{column} {clause}{}{hint}", error.summary())
        }
    }
}

/// Draws an error under the line of the query it is about:
///
/// ```text
/// error: expected an attribute name, found OFFSET
///  --> line 1, column 18, in SELECT
///   |
/// 1 | SELECT c/context/offset FROM COMPOSITION c
///   |                  ^^^^^^
///   = help: OFFSET is a reserved word, …
/// ```
#[must_use]
pub fn render(error: &ParseError, text: &str) -> String {
    if matches!(error.kind, ParseErrorKind::TooLong(_)) {
        return format!("error: {}\n", error.summary());
    }
    let note = Note { position: error.position, span: error.span, clause: error.clause.name(), hint: error.hint.as_ref() };
    note.draw(&error.summary(), text)
}

struct Note<'a> {
    position: Position,
    span: Span,
    clause: Option<&'static str>,
    hint: Option<&'a Hint>,
}

impl Note<'_> {
    fn draw(&self, message: &str, text: &str) -> String {
        let number = self.position.line.to_string();
        let margin = " ".repeat(number.len());
        let line = text.split('\n').nth(self.position.line.saturating_sub(1) as usize).unwrap_or_default();
        let column = self.position.column.saturating_sub(1) as usize;
        let marked = text.get(self.span.start as usize..self.span.end as usize).unwrap_or_default();
        let length = marked.split('\n').next().unwrap_or_default().chars().count().clamp(1, CONTEXT);
        let (shown, caret) = window(line, column);
        let mut drawing = format!("error: {message}\n{margin}--> {}", self.position);
        if let Some(clause) = self.clause {
            let _ = write!(drawing, ", in {clause}");
        }
        let indent = " ".repeat(caret);
        let carets = "^".repeat(length.min(shown.chars().count().saturating_sub(caret).max(1)));
        let _ = write!(drawing, "\n{margin} |\n{number} | {shown}\n{margin} | {indent}{carets}\n");
        if let Some(hint) = self.hint {
            let _ = writeln!(drawing, "{margin} = help: {hint}");
        }
        drawing
    }
}

/// The part of a line around a column, blanks for control characters, and the column within it.
fn window(line: &str, column: usize) -> (String, usize) {
    let skipped = column.saturating_sub(CONTEXT);
    let plain = |letter: char| if letter.is_control() { ' ' } else { letter };
    let shown: String = line.chars().skip(skipped).take(2 * CONTEXT).map(plain).collect();
    let (before, after) =
        (if skipped > 0 { "…" } else { "" }, if line.chars().nth(skipped + 2 * CONTEXT).is_some() { "…" } else { "" });
    (format!("{before}{}{after}", shown.trim_end()), column - skipped + before.chars().count())
}
