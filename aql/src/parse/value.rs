//! Values and calls: the right side of a comparison, the arguments of a function.

use nom::Parser;
use nom::multi::separated_list1;
use nom::sequence::delimited;

use super::expect::{Expect, Expected};
use super::input::{Input, Parsed, nested, token};
use super::literal::{is_boolean, literal, parameter, string};
use super::path::path;
use crate::ast::{Call, Name, Span, Value};
use crate::lex::{Keyword, TokenKind};

/// What can stand where a value does.
const VALUE: Expected = Expected::all([Expect::Literal, Expect::Parameter, Expect::Path, Expect::Call]);

/// Does a call start here?
pub(super) fn at_call(input: Input<'_>) -> bool {
    match input.kind() {
        TokenKind::Keyword(Keyword::Contains) => input.second() == TokenKind::OpenParenthesis,
        TokenKind::Keyword(word) => word.is_function(),
        TokenKind::Name => input.second() == TokenKind::OpenParenthesis,
        _ => false,
    }
}

/// Does a literal start here? A number may have signs.
pub(super) fn at_literal(input: Input<'_>) -> bool {
    match input.kind() {
        TokenKind::Literal(_) | TokenKind::Minus | TokenKind::Keyword(Keyword::Null) => true,
        TokenKind::Name => is_boolean(input),
        _ => false,
    }
}

/// A literal, parameter, path or call, with its span.
pub(super) fn value(input: Input<'_>) -> Parsed<'_, (Value, Span)> {
    if at_call(input) {
        return call(input).map(|(rest, one)| spanned(rest, one.span, Value::Call(one)));
    }
    if at_literal(input) {
        return literal(input).map(|(rest, one)| spanned(rest, one.span, Value::Literal(one)));
    }
    match input.kind() {
        TokenKind::Parameter => parameter(input).map(|(rest, one)| spanned(rest, one.span, Value::Parameter(one))),
        TokenKind::Name => path(input).map(|(rest, one)| spanned(rest, one.span, Value::Path(one))),
        _ => input.mismatch(VALUE),
    }
}

fn spanned(rest: Input<'_>, span: Span, value: Value) -> (Input<'_>, (Value, Span)) {
    (rest, (value, span))
}

/// `name(value, …)`; `TERMINOLOGY` takes three strings and nothing else.
pub(super) fn call(input: Input<'_>) -> Parsed<'_, Call> {
    if input.at(Keyword::Terminology) {
        return terminology(input);
    }
    let name = called(input);
    let (rest, _) = token(TokenKind::OpenParenthesis, Expect::OpenParenthesis)(input.next())?;
    if let Some(after) = rest.skip(TokenKind::CloseParenthesis, Expect::CloseParenthesis) {
        let span = name.span.to(rest.first().span);
        return Ok((after, Call { name, arguments: Vec::new(), span }));
    }
    let argument = |input| value(input).map(|(rest, (one, _))| (rest, one));
    let (rest, arguments) = nested(rest, |input| separated_list1(token(TokenKind::Comma, Expect::Comma), argument).parse(input))?;
    let (rest, close) = token(TokenKind::CloseParenthesis, Expect::CloseParenthesis)(rest)?;
    let span = name.span.to(close.span);
    Ok((rest, Call { name, arguments, span }))
}

fn called(input: Input<'_>) -> Name {
    let span = input.first().span;
    Name { text: input.slice(span).to_owned(), span }
}

/// `TERMINOLOGY('operation', 'service', 'parameters')`
pub(super) fn terminology(input: Input<'_>) -> Parsed<'_, Call> {
    let name = called(input);
    let comma = || token(TokenKind::Comma, Expect::Comma);
    let arguments = (string, comma(), string, comma(), string);
    let open = token(TokenKind::OpenParenthesis, Expect::OpenParenthesis);
    let (rest, (a, _, b, _, c)) = delimited(open, arguments, |input| Ok((input, ()))).parse(input.next())?;
    let (rest, close) = token(TokenKind::CloseParenthesis, Expect::CloseParenthesis)(rest)?;
    let span = name.span.to(close.span);
    Ok((rest, Call { name, arguments: [a, b, c].map(Value::Literal).into(), span }))
}
