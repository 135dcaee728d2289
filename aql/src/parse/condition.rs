//! `WHERE …`: OR of AND of NOT of conditions.

use super::expect::{Expect, Expected};
use super::input::{Input, Parsed, keyword, nested, pushed, set, token};
use super::literal::{parameter, string};
use super::match_set::match_set;
use super::path::path;
use super::predicate::comparison_operator;
use super::value::{at_call, call, value};
use crate::ast::{Condition, LikePattern, Operand, Path, Span};
use crate::error::Clause;
use crate::lex::{Keyword, TokenKind};

const CONDITION: Expected = Expected::all([Expect::Path, Expect::Call, Expect::Not, Expect::Exists, Expect::OpenParenthesis]);

/// The clause, if it stands here.
pub(super) fn condition(input: Input<'_>) -> Parsed<'_, Option<Condition>> {
    let Some(rest) = input.skip_keyword(Keyword::Where, Expect::Where) else { return Ok((input, None)) };
    rest.enter(Clause::Where);
    pushed(rest, any_of).map(|(rest, condition)| (rest, Some(condition)))
}

pub(super) fn any_of<'a>(input: Input<'a>, stack: &mut Vec<Condition>) -> Parsed<'a, ()> {
    set(input, (Keyword::Or, Expect::Or), all_of, Condition::any, stack)
}

fn all_of<'a>(input: Input<'a>, stack: &mut Vec<Condition>) -> Parsed<'a, ()> {
    set(input, (Keyword::And, Expect::And), member, Condition::all, stack)
}

fn member<'a>(input: Input<'a>, stack: &mut Vec<Condition>) -> Parsed<'a, ()> {
    match input.kind() {
        TokenKind::Keyword(Keyword::Not) => negated(input.next(), stack),
        TokenKind::OpenParenthesis => parenthesised(input.next(), stack),
        _ => single(input, stack),
    }
}

fn negated<'a>(input: Input<'a>, stack: &mut Vec<Condition>) -> Parsed<'a, ()> {
    let (rest, ()) = nested(input, |input| member(input, stack))?;
    let inner = stack.pop().map(Box::new);
    stack.extend(inner.map(Condition::Not));
    Ok((rest, ()))
}

fn parenthesised<'a>(input: Input<'a>, stack: &mut Vec<Condition>) -> Parsed<'a, ()> {
    let (rest, ()) = nested(input, |input| any_of(input, stack))?;
    let (rest, _) = token(TokenKind::CloseParenthesis, Expect::CloseParenthesis)(rest)?;
    Ok((rest, ()))
}

/// A condition that holds no others.
fn single<'a>(input: Input<'a>, stack: &mut Vec<Condition>) -> Parsed<'a, ()> {
    let (rest, condition) = match input.kind() {
        TokenKind::Keyword(Keyword::Exists) => exists(input),
        _ if at_call(input) => call_condition(input),
        TokenKind::Name => path_condition(input),
        _ => input.mismatch(CONDITION),
    }?;
    stack.push(condition);
    Ok((rest, ()))
}

fn exists(input: Input<'_>) -> Parsed<'_, Condition> {
    let (rest, start) = keyword(Keyword::Exists, Expect::Exists)(input)?;
    let (rest, path) = path(rest)?;
    let span = start.span.to(path.span);
    Ok((rest, Condition::Exists { path, span }))
}

fn call_condition(input: Input<'_>) -> Parsed<'_, Condition> {
    let (rest, call) = call(input)?;
    let start = call.span;
    compare(rest, Operand::Call(call), start)
}

fn path_condition(input: Input<'_>) -> Parsed<'_, Condition> {
    let (rest, path) = path(input)?;
    match rest.kind() {
        TokenKind::Keyword(Keyword::Like) => like(rest.next(), path),
        TokenKind::Keyword(Keyword::Matches) => {
            let (rest, (set, end)) = match_set(rest.next())?;
            let span = path.span.to(end);
            Ok((rest, Condition::Matches { path, set, span }))
        }
        _ => {
            rest.note(Expected::all([Expect::Like, Expect::Matches]));
            let start = path.span;
            compare(rest, Operand::Path(path), start)
        }
    }
}

fn compare<'a>(input: Input<'a>, left: Operand, start: Span) -> Parsed<'a, Condition> {
    let (rest, operator) = comparison_operator(input)?;
    let (rest, (right, end)) = value(rest)?;
    Ok((rest, Condition::Compare { left, operator, right, span: start.to(end) }))
}

fn like(input: Input<'_>, path: Path) -> Parsed<'_, Condition> {
    let (rest, pattern, end) = match input.kind() {
        TokenKind::Parameter => {
            let (rest, one) = parameter(input)?;
            let end = one.span;
            (rest, LikePattern::Parameter(one), end)
        }
        _ => {
            input.note(Expected::of(Expect::Parameter));
            let (rest, one) = string(input)?;
            let end = one.span;
            (rest, LikePattern::Text(one), end)
        }
    };
    let span = path.span.to(end);
    Ok((rest, Condition::Like { path, pattern, span }))
}
