//! Tokens to tree, a file per clause, on nom over the token slice.
//!
//! The syntax needs two tokens of look-ahead at most, so no parser goes back behind a choice it made. Each notes what it could
//! have gone on with; the furthest note is the error that is reported.

mod condition;
mod directive;
mod expect;
mod from;
mod hints;
mod input;
mod limit;
mod literal;
mod match_set;
mod path;
mod predicate;
mod report;
mod select;
mod value;

use std::cell::Cell;

use crate::ast::{Condition, Path, Query};
use crate::error::{Clause, ParseError};
use crate::lex::{TokenKind, lex};
use expect::Expect;
pub use expect::Expected;
use input::{Furthest, Input, Parsed, Session, Stop, token};

/// Bounds and dialect of the parser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The longest text that is read, in bytes. Default 256 KiB: a MATCHES list of some thousand ids.
    pub max_bytes: usize,
    /// How deep brackets of any kind, NOT and calls may nest. FROM, counted on its own, may nest four times as deep, since the printer
    /// puts parentheses where a text may leave them out. Default 64: real queries stay below 15. Parser, printer, visitors,
    /// comparing and dropping recurse as deep as this allows; a larger value needs a larger stack.
    pub max_depth: usize,
    /// Is `FROM ENDPOINT …` and `FROM ORGANISATION …` a directive of the federation, as opposed to a class? Default yes.
    pub directive: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { max_bytes: 256 * 1024, max_depth: 64, directive: true }
    }
}

/// Reads a query with the default [`Options`].
///
/// # Errors
/// [`ParseError`]: where the text stops being AQL, or that it is too long or nested too deep.
pub fn parse(text: &str) -> Result<Query, ParseError> {
    parse_with(text, &Options::default())
}

/// Reads a query.
///
/// # Errors
/// [`ParseError`]: where the text stops being AQL, or that it is too long or nested too deep.
pub fn parse_with(text: &str, options: &Options) -> Result<Query, ParseError> {
    run(text, options, query)
}

impl std::str::FromStr for Path {
    type Err = ParseError;

    /// Reads `variable[predicate]/step/step` alone.
    fn from_str(text: &str) -> Result<Path, ParseError> {
        run(text, &Options::default(), path::path)
    }
}

impl std::str::FromStr for Condition {
    type Err = ParseError;

    /// Reads what can stand behind WHERE alone.
    fn from_str(text: &str) -> Result<Condition, ParseError> {
        run(text, &Options::default(), |input| {
            input.enter(Clause::Where);
            input::pushed(input, condition::any_of)
        })
    }
}

impl std::str::FromStr for Query {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Query, ParseError> {
        parse(text)
    }
}

fn query(input: Input<'_>) -> Parsed<'_, Query> {
    let (rest, select) = select::select(input)?;
    let (rest, (directive, from)) = from::from(rest)?;
    let (rest, condition) = condition::condition(rest)?;
    let (rest, order_by) = limit::order_by(rest)?;
    let (rest, limit) = limit::limit(rest)?;
    // The official grammar takes one `--` at the very end.
    let rest = if rest.kind() == TokenKind::DoubleDash { rest.next() } else { rest };
    Ok((rest, Query { directive, select, from, condition, order_by, limit }))
}

/// Reads the whole text with one parser.
fn run<T>(text: &str, options: &Options, parser: impl Fn(Input<'_>) -> Parsed<'_, T>) -> Result<T, ParseError> {
    let longest = options.max_bytes.min(u32::MAX as usize - 1);
    if text.len() > longest {
        return Err(ParseError::too_long(longest));
    }
    let tokens = lex(text);
    let session = Session {
        text,
        max_depth: options.max_depth,
        directive: options.directive,
        clause: Cell::new(Clause::Query),
        furthest: Cell::new(Furthest { left: usize::MAX, expected: Expected::default(), clause: Clause::Query }),
        depth: Cell::new(0),
        from_depth: Cell::new(0),
    };
    let result = parser(Input { tokens: &tokens, session: &session })
        .and_then(|(rest, tree)| token(TokenKind::End, Expect::End)(rest).map(|_| tree));
    result.map_err(|stop| match stop {
        nom::Err::Error(Stop::TooDeep(span)) | nom::Err::Failure(Stop::TooDeep(span)) => {
            ParseError::too_deep(text, span, session.clause.get(), options.max_depth)
        }
        _ => report::syntax(text, &tokens, session.furthest.get()),
    })
}
