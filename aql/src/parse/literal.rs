//! Literals and parameters.

use super::expect::{Expect, Expected};
use super::input::{Input, Parsed, token};
use crate::ast::{Literal, LiteralKind, Parameter, Span, Text};
use crate::lex::{Keyword, TokenKind};

/// A literal; a number may have signs.
pub(super) fn literal(input: Input<'_>) -> Parsed<'_, Literal> {
    match input.kind() {
        TokenKind::Literal(kind) => Ok((input.next(), written(input, kind))),
        TokenKind::Minus => signed(input),
        TokenKind::Keyword(Keyword::Null) => Ok((input.next(), written(input, LiteralKind::Null))),
        TokenKind::Name if is_boolean(input) => Ok((input.next(), written(input, LiteralKind::Boolean))),
        _ => input.mismatch(Expected::of(Expect::Literal)),
    }
}

fn written(input: Input<'_>, kind: LiteralKind) -> Literal {
    let span = input.first().span;
    Literal { kind, text: input.slice(span).to_owned(), span }
}

/// `true` or `false`, where it is not the start of a path or the name of a function.
pub(super) fn is_boolean(input: Input<'_>) -> bool {
    (input.spells("true") || input.spells("false"))
        && !matches!(input.second(), TokenKind::Slash | TokenKind::OpenBracket | TokenKind::OpenParenthesis)
}

/// `- 1`: the sign is a token of its own, is joined to the number, and may repeat; two signs cancel each other.
fn signed(input: Input<'_>) -> Parsed<'_, Literal> {
    let mut negative = true;
    let mut rest = input.next();
    while rest.kind() == TokenKind::Minus {
        negative = !negative;
        rest = rest.next();
    }
    let number = rest.first();
    match number.kind {
        TokenKind::Literal(kind) if kind.is_number() => {
            let text = [if negative { "-" } else { "" }, rest.slice(number.span)].concat();
            Ok((rest.next(), Literal { kind, text, span: input.first().span.to(number.span) }))
        }
        _ => rest.mismatch(Expected::of(Expect::Number)),
    }
}

/// A string that is no date or time by its look.
pub(super) fn string(input: Input<'_>) -> Parsed<'_, Literal> {
    let (rest, _) = token(TokenKind::Literal(LiteralKind::String), Expect::String)(input)?;
    Ok((rest, written(input, LiteralKind::String)))
}

/// `$name`
pub(super) fn parameter(input: Input<'_>) -> Parsed<'_, Parameter> {
    let (rest, token) = token(TokenKind::Parameter, Expect::Parameter)(input)?;
    let name = input.slice(token.span).trim_start_matches('$').to_owned();
    Ok((rest, Parameter { name, span: token.span }))
}

/// A token kept as written.
pub(super) fn text(input: Input<'_>) -> (Input<'_>, Text) {
    let span: Span = input.first().span;
    (input.next(), Text { text: input.slice(span).to_owned(), span })
}
