//! The tokens that are left, as an input of nom, and what the parsers share: the text, the bounds, and the furthest place
//! that any of them got to, with what it could have gone on with there.

use std::cell::Cell;
use std::iter::{Copied, Enumerate};
use std::slice::Iter;

use nom::error::{ErrorKind, ParseError};
use nom::{Err, IResult, Needed};

use super::expect::{Expect, Expected};
use crate::ast::{Name, Span};
use crate::error::Clause;
use crate::lex::{Keyword, Token, TokenKind};

/// What all parsers of one query share.
pub(super) struct Session<'a> {
    pub(super) text: &'a str,
    pub(super) max_depth: usize,
    pub(super) directive: bool,
    pub(super) clause: Cell<Clause>,
    pub(super) furthest: Cell<Furthest>,
    pub(super) depth: Cell<usize>,
    pub(super) from_depth: Cell<usize>,
}

/// The furthest place where a token did not fit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Furthest {
    /// How many tokens were left; fewer is further.
    pub(super) left: usize,
    pub(super) expected: Expected,
    pub(super) clause: Clause,
}

/// Why a parser stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// A token does not fit; the session knows where and what would.
    Mismatch,
    /// Nested too deep at this place.
    TooDeep(Span),
}

/// The tokens that are left. The last one is always an end or a fault, so there is always a first.
#[derive(Clone, Copy)]
pub(super) struct Input<'a> {
    pub(super) tokens: &'a [Token],
    pub(super) session: &'a Session<'a>,
}

pub(super) type Parsed<'a, T> = IResult<Input<'a>, T, Stop>;

pub(super) const END: Token = Token { kind: TokenKind::End, span: Span::NONE };

impl<'a> Input<'a> {
    pub(super) fn first(self) -> Token {
        self.tokens.first().copied().unwrap_or(END)
    }

    pub(super) fn kind(self) -> TokenKind {
        self.first().kind
    }

    /// The kind of the token behind the first.
    pub(super) fn second(self) -> TokenKind {
        self.tokens.get(1).map_or(TokenKind::End, |token| token.kind)
    }

    /// What is left behind the first token.
    pub(super) fn next(self) -> Input<'a> {
        Input { tokens: self.tokens.get(1..).unwrap_or_default(), session: self.session }
    }

    pub(super) fn slice(self, span: Span) -> &'a str {
        self.session.text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    pub(super) fn at(self, keyword: Keyword) -> bool {
        self.kind() == TokenKind::Keyword(keyword)
    }

    /// Is the first token a name that spells this word?
    pub(super) fn spells(self, word: &str) -> bool {
        self.kind() == TokenKind::Name && self.slice(self.first().span).eq_ignore_ascii_case(word)
    }

    pub(super) fn enter(self, clause: Clause) {
        self.session.clause.set(clause);
    }

    /// Remembers that the first token is none of these.
    pub(super) fn note(self, expected: Expected) {
        let furthest = self.session.furthest.get();
        if self.tokens.len() < furthest.left {
            let clause = self.session.clause.get();
            self.session.furthest.set(Furthest { left: self.tokens.len(), expected, clause });
        } else if self.tokens.len() == furthest.left {
            self.session.furthest.set(Furthest { expected: furthest.expected.or(expected), ..furthest });
        }
    }

    /// The first token is none of these, and nothing else can be tried.
    pub(super) fn mismatch<T>(self, expected: Expected) -> Parsed<'a, T> {
        self.note(expected);
        Err(Err::Error(Stop::Mismatch))
    }

    /// Drops the first token when it is of the kind; remembers what was looked for when not.
    pub(super) fn skip(self, kind: TokenKind, expect: Expect) -> Option<Input<'a>> {
        if self.kind() == kind {
            return Some(self.next());
        }
        self.note(Expected::of(expect));
        None
    }

    pub(super) fn skip_keyword(self, keyword: Keyword, expect: Expect) -> Option<Input<'a>> {
        self.skip(TokenKind::Keyword(keyword), expect)
    }
}

/// A parser of one token of the kind.
pub(super) fn token<'a>(kind: TokenKind, expect: Expect) -> impl Fn(Input<'a>) -> Parsed<'a, Token> {
    move |input| match input.skip(kind, expect) {
        Some(rest) => Ok((rest, input.first())),
        None => Err(Err::Error(Stop::Mismatch)),
    }
}

/// A parser of one keyword.
pub(super) fn keyword<'a>(keyword: Keyword, expect: Expect) -> impl Fn(Input<'a>) -> Parsed<'a, Token> {
    token(TokenKind::Keyword(keyword), expect)
}

/// A parser of a name, told what it is to name.
pub(super) fn name<'a>(expect: Expect) -> impl Fn(Input<'a>) -> Parsed<'a, Name> {
    move |input| {
        let (rest, token) = token(TokenKind::Name, expect)(input)?;
        Ok((rest, Name { text: input.slice(token.span).to_owned(), span: token.span }))
    }
}

/// A parser that puts the one thing it reads on a stack. Trees of sets are read so: no call holds a part of the tree in its own
/// frame, which keeps the machine's stack small where the text nests.
pub(super) type Pushes<'a, T> = fn(Input<'a>, &mut Vec<T>) -> Parsed<'a, ()>;

/// Members joined by one keyword, put on the stack as one set, or as they are when there is only one.
pub(super) fn set<'a, T>(
    input: Input<'a>,
    separator: (Keyword, Expect),
    member: Pushes<'a, T>,
    join: fn(Vec<T>) -> T,
    stack: &mut Vec<T>,
) -> Parsed<'a, ()> {
    let start = stack.len();
    let (rest, ()) = member(input, stack)?;
    further(rest, separator, member, join, stack, start)
}

/// What follows the first member of a set, which lies on the stack from `start` on.
pub(super) fn further<'a, T>(
    mut rest: Input<'a>,
    (separator, expect): (Keyword, Expect),
    member: Pushes<'a, T>,
    join: fn(Vec<T>) -> T,
    stack: &mut Vec<T>,
    start: usize,
) -> Parsed<'a, ()> {
    while let Some(next) = rest.skip_keyword(separator, expect) {
        (rest, ()) = member(next, stack)?;
    }
    if stack.len() > start + 1 {
        let members = stack.split_off(start);
        stack.push(join(members));
    }
    Ok((rest, ()))
}

/// Runs a parser that fills a stack, and takes the one thing it put there.
pub(super) fn pushed<'a, T>(input: Input<'a>, parser: Pushes<'a, T>) -> Parsed<'a, T> {
    let mut stack = Vec::new();
    let (rest, ()) = parser(input, &mut stack)?;
    taken(rest, stack)
}

/// The one thing on a stack.
pub(super) fn taken<T>(rest: Input<'_>, mut stack: Vec<T>) -> Parsed<'_, T> {
    // A parser that succeeds has put something there.
    stack.pop().map(|one| (rest, one)).ok_or(Err::Error(Stop::Mismatch))
}

/// Runs a parser one level deeper, within the bound.
pub(super) fn nested<'a, T>(input: Input<'a>, inner: impl FnOnce(Input<'a>) -> Parsed<'a, T>) -> Parsed<'a, T> {
    deeper(input, &input.session.depth, input.session.max_depth, inner)
}

/// Runs a parser one level deeper inside FROM, which may nest deeper than the rest (see [`crate::Options`]).
pub(super) fn nested_from<'a, T>(input: Input<'a>, inner: impl FnOnce(Input<'a>) -> Parsed<'a, T>) -> Parsed<'a, T> {
    deeper(input, &input.session.from_depth, from_bound(input.session.max_depth), inner)
}

/// How deep FROM may nest.
pub(super) fn from_bound(max_depth: usize) -> usize {
    max_depth.saturating_mul(4)
}

fn deeper<'a, T>(
    input: Input<'a>,
    depth: &Cell<usize>,
    bound: usize,
    inner: impl FnOnce(Input<'a>) -> Parsed<'a, T>,
) -> Parsed<'a, T> {
    if depth.get() >= bound {
        return Err(Err::Failure(Stop::TooDeep(input.first().span)));
    }
    depth.set(depth.get() + 1);
    let result = inner(input);
    depth.set(depth.get() - 1);
    result
}

impl ParseError<Input<'_>> for Stop {
    fn from_error_kind(_: Input<'_>, _: ErrorKind) -> Self {
        Stop::Mismatch
    }

    fn append(_: Input<'_>, _: ErrorKind, other: Self) -> Self {
        other
    }
}

impl<'a> nom::Input for Input<'a> {
    type Item = Token;
    type Iter = Copied<Iter<'a, Token>>;
    type IterIndices = Enumerate<Self::Iter>;

    fn input_len(&self) -> usize {
        self.tokens.len()
    }

    fn take(&self, index: usize) -> Self {
        Input { tokens: self.tokens.get(..index).unwrap_or(self.tokens), session: self.session }
    }

    fn take_from(&self, index: usize) -> Self {
        Input { tokens: self.tokens.get(index..).unwrap_or_default(), session: self.session }
    }

    fn take_split(&self, index: usize) -> (Self, Self) {
        (self.take_from(index), self.take(index))
    }

    fn position<P: Fn(Token) -> bool>(&self, predicate: P) -> Option<usize> {
        self.tokens.iter().position(|token| predicate(*token))
    }

    fn iter_elements(&self) -> Self::Iter {
        self.tokens.iter().copied()
    }

    fn iter_indices(&self) -> Self::IterIndices {
        self.iter_elements().enumerate()
    }

    fn slice_index(&self, count: usize) -> Result<usize, Needed> {
        if count <= self.tokens.len() { Ok(count) } else { Err(Needed::new(count - self.tokens.len())) }
    }
}
