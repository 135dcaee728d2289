//! `ORDER BY …` and `LIMIT n [OFFSET k]`

use nom::Parser;
use nom::multi::separated_list1;

use super::expect::{Expect, Expected};
use super::input::{Input, Parsed, keyword, token};
use super::path::path;
use crate::ast::{Count, Limit, LiteralKind, OrderKey};
use crate::error::Clause;
use crate::lex::{Keyword, TokenKind};

/// The sort keys; empty when the clause is not here.
pub(super) fn order_by(input: Input<'_>) -> Parsed<'_, Vec<OrderKey>> {
    let Some(rest) = input.skip_keyword(Keyword::Order, Expect::OrderBy) else { return Ok((input, Vec::new())) };
    rest.enter(Clause::OrderBy);
    let (rest, _) = keyword(Keyword::By, Expect::By)(rest)?;
    separated_list1(token(TokenKind::Comma, Expect::Comma), order_key).parse(rest)
}

fn order_key(input: Input<'_>) -> Parsed<'_, OrderKey> {
    let (rest, path) = path(input)?;
    let descending = match rest.kind() {
        TokenKind::Keyword(Keyword::Asc | Keyword::Ascending) => false,
        TokenKind::Keyword(Keyword::Desc | Keyword::Descending) => true,
        _ => {
            rest.note(Expected::all([Expect::Asc, Expect::Desc]));
            let span = path.span;
            return Ok((rest, OrderKey { path, descending: false, span }));
        }
    };
    let span = path.span.to(rest.first().span);
    Ok((rest.next(), OrderKey { path, descending, span }))
}

/// The limit, if it stands here.
pub(super) fn limit(input: Input<'_>) -> Parsed<'_, Option<Limit>> {
    let Some(rest) = input.skip_keyword(Keyword::Limit, Expect::Limit) else { return Ok((input, None)) };
    rest.enter(Clause::Limit);
    let (rest, rows) = count(rest)?;
    let (rest, offset) = match rest.skip_keyword(Keyword::Offset, Expect::Offset) {
        Some(next) => count(next).map(|(rest, offset)| (rest, Some(offset)))?,
        None => (rest, None),
    };
    let end = offset.as_ref().map_or(rows.span, |offset| offset.span);
    let span = input.first().span.to(end);
    Ok((rest, Some(Limit { count: rows, offset, span })))
}

/// A count of rows: digits without sign.
pub(super) fn count(input: Input<'_>) -> Parsed<'_, Count> {
    let (rest, token) = token(TokenKind::Literal(LiteralKind::Integer), Expect::Count)(input)?;
    Ok((rest, Count { digits: input.slice(token.span).to_owned(), span: token.span }))
}
