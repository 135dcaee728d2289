//! `SELECT [DISTINCT] [TOP n] column, …`

use nom::Parser;
use nom::multi::separated_list1;

use super::expect::{Expect, Expected};
use super::input::{Input, Parsed, keyword, name, token};
use super::limit::count;
use super::literal::literal;
use super::path::path;
use super::value::{at_call, at_literal, call};
use crate::ast::{Aggregate, AggregateFunction, Column, ColumnValue, Select, Span, Top, TopDirection};
use crate::error::Clause;
use crate::lex::{Keyword, TokenKind};

const COLUMN: Expected = Expected::all([Expect::Path, Expect::Literal, Expect::Aggregate, Expect::Call]);

/// The whole clause.
pub(super) fn select(input: Input<'_>) -> Parsed<'_, Select> {
    let (rest, start) = keyword(Keyword::Select, Expect::Select)(input)?;
    rest.enter(Clause::Select);
    let after_distinct = rest.skip_keyword(Keyword::Distinct, Expect::Distinct);
    let (rest, top) = top(after_distinct.unwrap_or(rest))?;
    let (rest, columns) = separated_list1(token(TokenKind::Comma, Expect::Comma), column).parse(rest)?;
    let span = columns.last().map_or(start.span, |last| start.span.to(last.span));
    Ok((rest, Select { distinct: after_distinct.is_some(), top, columns, span }))
}

fn top(input: Input<'_>) -> Parsed<'_, Option<Top>> {
    let Some(rest) = input.skip_keyword(Keyword::Top, Expect::Top) else { return Ok((input, None)) };
    let (rest, count) = count(rest)?;
    let direction = match rest.kind() {
        TokenKind::Keyword(Keyword::Forward) => Some(TopDirection::Forward),
        TokenKind::Keyword(Keyword::Backward) => Some(TopDirection::Backward),
        _ => None,
    };
    let rest = if direction.is_some() { rest.next() } else { rest };
    if direction.is_none() {
        rest.note(Expected::all([Expect::Forward, Expect::Backward]));
    }
    Ok((rest, Some(Top { count, direction })))
}

fn column(input: Input<'_>) -> Parsed<'_, Column> {
    let (rest, (value, span)) = column_value(input)?;
    let Some(next) = rest.skip_keyword(Keyword::As, Expect::As) else {
        return Ok((rest, Column { value, alias: None, span }));
    };
    let (rest, alias) = name(Expect::Alias)(next)?;
    let span = span.to(alias.span);
    Ok((rest, Column { value, alias: Some(alias), span }))
}

fn column_value(input: Input<'_>) -> Parsed<'_, (ColumnValue, Span)> {
    if let Some(function) = aggregate_function(input.kind()) {
        return aggregate(input, function).map(|(rest, one)| spanned(rest, one.span, ColumnValue::Aggregate(one)));
    }
    if at_call(input) {
        return call(input).map(|(rest, one)| spanned(rest, one.span, ColumnValue::Call(one)));
    }
    if at_literal(input) {
        return literal(input).map(|(rest, one)| spanned(rest, one.span, ColumnValue::Literal(one)));
    }
    match input.kind() {
        TokenKind::Name => path(input).map(|(rest, one)| spanned(rest, one.span, ColumnValue::Path(one))),
        _ => input.mismatch(COLUMN),
    }
}

fn spanned(rest: Input<'_>, span: Span, value: ColumnValue) -> (Input<'_>, (ColumnValue, Span)) {
    (rest, (value, span))
}

fn aggregate_function(kind: TokenKind) -> Option<AggregateFunction> {
    match kind {
        TokenKind::Keyword(Keyword::Count) => Some(AggregateFunction::Count),
        TokenKind::Keyword(Keyword::Min) => Some(AggregateFunction::Min),
        TokenKind::Keyword(Keyword::Max) => Some(AggregateFunction::Max),
        TokenKind::Keyword(Keyword::Sum) => Some(AggregateFunction::Sum),
        TokenKind::Keyword(Keyword::Avg) => Some(AggregateFunction::Avg),
        _ => None,
    }
}

/// `COUNT(*)`, `COUNT([DISTINCT] path)`, `MIN(path)`
fn aggregate(input: Input<'_>, function: AggregateFunction) -> Parsed<'_, Aggregate> {
    let counts = function == AggregateFunction::Count;
    let (rest, _) = token(TokenKind::OpenParenthesis, Expect::OpenParenthesis)(input.next())?;
    let star = if counts { rest.skip(TokenKind::Star, Expect::Star) } else { None };
    let after_distinct = if counts { rest.skip_keyword(Keyword::Distinct, Expect::Distinct) } else { None };
    let (rest, path) = match star {
        Some(rest) => (rest, None),
        None => path(after_distinct.unwrap_or(rest)).map(|(rest, path)| (rest, Some(path)))?,
    };
    let (rest, close) = token(TokenKind::CloseParenthesis, Expect::CloseParenthesis)(rest)?;
    let span = input.first().span.to(close.span);
    Ok((rest, Aggregate { function, distinct: after_distinct.is_some(), path, span }))
}
