//! Paths: from a variable, and relative to where they stand.

use super::expect::Expect;
use super::input::{Input, Parsed, name};
use super::predicate::predicate;
use crate::ast::{ObjectPath, Path, Predicate, Span, Step};
use crate::lex::TokenKind;

/// `variable[predicate]/step/step`
pub(super) fn path(input: Input<'_>) -> Parsed<'_, Path> {
    let (rest, variable) = name(Expect::Path)(input)?;
    let (rest, (predicate, end)) = optional_predicate(rest)?;
    let mut steps = Vec::with_capacity(count(rest));
    let (rest, end) = further(rest, &mut steps, end)?;
    let span = variable.span.to(end);
    Ok((rest, Path { variable, predicate, steps, span }))
}

/// `step/step`
pub(super) fn object_path(input: Input<'_>) -> Parsed<'_, ObjectPath> {
    let mut steps = Vec::with_capacity(1 + count(input));
    let (rest, end) = step(input, Expect::Path, &mut steps)?;
    let (rest, end) = further(rest, &mut steps, end)?;
    Ok((rest, ObjectPath { steps, span: input.first().span.to(end) }))
}

/// What follows `/`, as often as it does; gives the span of the last.
fn further<'a>(mut rest: Input<'a>, steps: &mut Vec<Step>, mut end: Span) -> Parsed<'a, Span> {
    while let Some(next) = rest.skip(TokenKind::Slash, Expect::Slash) {
        (rest, end) = step(next, Expect::Attribute, steps)?;
    }
    Ok((rest, end))
}

/// One step, put behind the others; gives its span.
fn step<'a>(input: Input<'a>, expect: Expect, steps: &mut Vec<Step>) -> Parsed<'a, Span> {
    let (rest, name) = name(expect)(input)?;
    let (rest, (predicate, end)) = optional_predicate(rest)?;
    let span = name.span.to(end);
    steps.push(Step { name, predicate, span });
    Ok((rest, span))
}

/// How many steps a path goes on for, looking no further than a usual path is long.
fn count(input: Input<'_>) -> usize {
    let (mut steps, mut depth) = (0, 0_usize);
    for token in input.tokens.iter().take(64) {
        match token.kind {
            TokenKind::OpenBracket => depth += 1,
            TokenKind::CloseBracket if depth > 0 => depth -= 1,
            TokenKind::Slash if depth == 0 => steps += 1,
            TokenKind::Name => {}
            _ if depth > 0 => {}
            _ => break,
        }
    }
    steps
}

/// A predicate, if a bracket stands here, and the span of its brackets.
pub(super) fn optional_predicate(input: Input<'_>) -> Parsed<'_, (Option<Predicate>, Span)> {
    if input.skip(TokenKind::OpenBracket, Expect::OpenBracket).is_none() {
        return Ok((input, (None, Span::NONE)));
    }
    let (rest, (predicate, span)) = predicate(input)?;
    Ok((rest, (Some(predicate), span)))
}
