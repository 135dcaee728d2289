//! `FROM ENDPOINT p ["id", …] CONTAINS …` and `FROM ORGANISATION ["id", …] CONTAINS …` (federation specification §8.1).
//!
//! AQL has no class of these names and no quoted text directly inside brackets, so nothing of AQL is lost: behind FROM these
//! words always start a directive, and one without ids is refused rather than read as a class that no node knows.

use nom::Parser;
use nom::multi::separated_list1;

use super::expect::{Expect, Expected};
use super::from::variable;
use super::input::{Input, Parsed, keyword, token};
use crate::ast::{Directive, DirectiveId, DirectiveKind};
use crate::error::Clause;
use crate::lex::{Keyword, TokenKind};
use crate::literal::decode_quoted;

/// The directive and the CONTAINS behind it, when one stands here.
pub(super) fn directive(input: Input<'_>) -> Parsed<'_, Option<Directive>> {
    let kind = match () {
        () if !input.session.directive => return Ok((input, None)),
        () if input.spells("ENDPOINT") => DirectiveKind::Endpoint,
        () if input.spells("ORGANISATION") || input.spells("ORGANIZATION") => DirectiveKind::Organisation,
        () => return Ok((input, None)),
    };
    input.enter(Clause::Directive);
    let start = input.first().span;
    let (rest, variable) = variable(input.next())?;
    let (rest, _) = token(TokenKind::OpenBracket, Expect::OpenBracket)(rest)?;
    let (rest, ids) = separated_list1(token(TokenKind::Comma, Expect::Comma), id).parse(rest)?;
    let (rest, close) = token(TokenKind::CloseBracket, Expect::CloseBracket)(rest)?;
    let (rest, _) = keyword(Keyword::Contains, Expect::Contains)(rest)?;
    Ok((rest, Some(Directive { kind, variable, ids, span: start.to(close.span) })))
}

/// A quoted id, whatever it looks like.
fn id(input: Input<'_>) -> Parsed<'_, DirectiveId> {
    match input.kind() {
        TokenKind::Literal(kind) if kind.is_quoted() => {
            let span = input.first().span;
            Ok((input.next(), DirectiveId { id: decode_quoted(input.slice(span)).into_owned(), span }))
        }
        _ => input.mismatch(Expected::of(Expect::Id)),
    }
}
