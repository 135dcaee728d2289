//! The right side of MATCHES: a list in braces, a URI in braces, or TERMINOLOGY.

use nom::Parser;
use nom::multi::separated_list1;

use super::expect::{Expect, Expected};
use super::input::{Input, Parsed, token};
use super::literal::{literal, parameter, text};
use super::value::{at_literal, terminology};
use crate::ast::{MatchItem, MatchSet, Span};
use crate::lex::{Keyword, TokenKind};

const ITEM: Expected = Expected::all([Expect::Literal, Expect::Parameter, Expect::Terminology]);

/// The set and its span.
pub(super) fn match_set(input: Input<'_>) -> Parsed<'_, (MatchSet, Span)> {
    if input.at(Keyword::Terminology) {
        return terminology(input).map(|(rest, call)| {
            let span = call.span;
            (rest, (MatchSet::Terminology(call), span))
        });
    }
    input.note(Expected::of(Expect::Terminology));
    let (rest, open) = token(TokenKind::OpenBrace, Expect::OpenBrace)(input)?;
    let (rest, set) = members(rest)?;
    let (rest, close) = token(TokenKind::CloseBrace, Expect::CloseBrace)(rest)?;
    Ok((rest, (set, open.span.to(close.span))))
}

fn members(input: Input<'_>) -> Parsed<'_, MatchSet> {
    if input.kind() == TokenKind::Uri {
        let (rest, uri) = text(input);
        return Ok((rest, MatchSet::Uri(uri)));
    }
    input.note(Expected::of(Expect::Uri));
    let (rest, items) = separated_list1(token(TokenKind::Comma, Expect::Comma), item).parse(input)?;
    Ok((rest, MatchSet::Values(items)))
}

fn item(input: Input<'_>) -> Parsed<'_, MatchItem> {
    if at_literal(input) {
        return literal(input).map(|(rest, one)| (rest, MatchItem::Literal(one)));
    }
    match input.kind() {
        TokenKind::Parameter => parameter(input).map(|(rest, one)| (rest, MatchItem::Parameter(one))),
        TokenKind::Keyword(Keyword::Terminology) => terminology(input).map(|(rest, one)| (rest, MatchItem::Terminology(one))),
        _ => input.mismatch(ITEM),
    }
}
