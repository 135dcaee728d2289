//! Paths: from a variable, and relative to where they stand.

use super::expect::Expect;
use super::input::{Input, Parsed, name};
use super::predicate::predicate;
use crate::ast::{ObjectPath, Path, Predicate, Span, Step};
use crate::lex::TokenKind;

/// `variable[predicate]/step/step`
pub(super) fn path(input: Input<'_>) -> Parsed<'_, Path> {
    let (rest, variable) = name(Expect::Path)(input)?;
    let start = variable.span;
    let (rest, (predicate, end)) = optional_predicate(rest)?;
    let (rest, (steps, end)) = steps(rest, Vec::new(), start.to(end))?;
    Ok((rest, Path { variable, predicate, steps, span: start.to(end) }))
}

/// `step/step`
pub(super) fn object_path(input: Input<'_>) -> Parsed<'_, ObjectPath> {
    let (rest, first) = step(input, Expect::Path)?;
    let start = first.span;
    let (rest, (steps, end)) = steps(rest, vec![first], start)?;
    Ok((rest, ObjectPath { steps, span: start.to(end) }))
}

/// What follows `/`, as often as it does; gives the steps and the span of the last.
fn steps(mut rest: Input<'_>, mut steps: Vec<Step>, mut end: Span) -> Parsed<'_, (Vec<Step>, Span)> {
    while let Some(next) = rest.skip(TokenKind::Slash, Expect::Slash) {
        let (after, one) = step(next, Expect::Attribute)?;
        end = one.span;
        steps.push(one);
        rest = after;
    }
    Ok((rest, (steps, end)))
}

fn step(input: Input<'_>, expect: Expect) -> Parsed<'_, Step> {
    let (rest, name) = name(expect)(input)?;
    let (rest, (predicate, end)) = optional_predicate(rest)?;
    let span = name.span.to(end);
    Ok((rest, Step { name, predicate, span }))
}

/// A predicate, if a bracket stands here, and the span of its brackets.
pub(super) fn optional_predicate(input: Input<'_>) -> Parsed<'_, (Option<Predicate>, Span)> {
    if input.skip(TokenKind::OpenBracket, Expect::OpenBracket).is_none() {
        return Ok((input, (None, Span::NONE)));
    }
    let (rest, (predicate, span)) = predicate(input)?;
    Ok((rest, (Some(predicate), span)))
}
