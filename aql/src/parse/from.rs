//! `FROM class CONTAINS …`. The right side of CONTAINS is greedy: it takes every AND and OR behind it.

use super::directive::directive;
use super::expect::{Expect, Expected};
use super::input::{Input, Parsed, Stop, from_bound, keyword, name, nested_from, pushed, set, token};
use super::path::optional_predicate;
use super::predicate::version_predicate;
use crate::ast::{ClassContainment, ClassExpression, Containment, Contains, Directive, Name, Span};
use crate::error::Clause;
use crate::lex::{Keyword, TokenKind};

/// The whole clause: the directive, if one stands in front, and what is searched.
pub(super) fn from(input: Input<'_>) -> Parsed<'_, (Option<Directive>, Containment)> {
    let (rest, start) = keyword(Keyword::From, Expect::From)(input)?;
    let (rest, directive) = directive(rest)?;
    rest.enter(Clause::From);
    let (rest, containment) = pushed(rest, any_of)?;
    if depth(&containment) > from_bound(input.session.max_depth) {
        return Err(nom::Err::Failure(Stop::TooDeep(start.span)));
    }
    Ok((rest, (directive, containment)))
}

/// How deep the printer nests it, at most: it puts parentheses around every set and around a chain that is a member of one.
fn depth(containment: &Containment) -> usize {
    match containment {
        Containment::Class(one) => one.contains.as_ref().map_or(0, |contains| 2 + depth(&contains.inner)),
        Containment::And(members) | Containment::Or(members) => 1 + members.iter().map(depth).max().unwrap_or(0),
    }
}

fn any_of<'a>(input: Input<'a>, stack: &mut Vec<Containment>) -> Parsed<'a, ()> {
    set(input, (Keyword::Or, Expect::Or), all_of, Containment::any, stack)
}

fn all_of<'a>(input: Input<'a>, stack: &mut Vec<Containment>) -> Parsed<'a, ()> {
    set(input, (Keyword::And, Expect::And), member, Containment::all, stack)
}

fn member<'a>(input: Input<'a>, stack: &mut Vec<Containment>) -> Parsed<'a, ()> {
    match input.kind() {
        TokenKind::OpenParenthesis => parenthesised(input.next(), stack),
        TokenKind::Name | TokenKind::Keyword(Keyword::Version) => chain(input, stack),
        _ => input.mismatch(Expected::all([Expect::Class, Expect::Version, Expect::OpenParenthesis])),
    }
}

fn parenthesised<'a>(input: Input<'a>, stack: &mut Vec<Containment>) -> Parsed<'a, ()> {
    let (rest, ()) = nested_from(input, |input| any_of(input, stack))?;
    let (rest, _) = token(TokenKind::CloseParenthesis, Expect::CloseParenthesis)(rest)?;
    Ok((rest, ()))
}

/// `class [[NOT] CONTAINS …]`
fn chain<'a>(input: Input<'a>, stack: &mut Vec<Containment>) -> Parsed<'a, ()> {
    let (rest, mut outer) = container(input)?;
    let negated = rest.skip_keyword(Keyword::Not, Expect::Not);
    let next = match negated {
        Some(next) => Some(keyword(Keyword::Contains, Expect::Contains)(next)?.0),
        None => rest.skip_keyword(Keyword::Contains, Expect::Contains),
    };
    let Some(next) = next else {
        stack.push(Containment::Class(outer));
        return Ok((rest, ()));
    };
    let (rest, ()) = nested_from(next, |input| any_of(input, stack))?;
    outer.contains = stack.pop().map(|inner| Contains { negated: negated.is_some(), inner });
    stack.push(Containment::Class(outer));
    Ok((rest, ()))
}

/// A class that contains nothing yet.
fn container(input: Input<'_>) -> Parsed<'_, Box<ClassContainment>> {
    class(input).map(|(rest, (class, span))| (rest, Box::new(ClassContainment { class, contains: None, span })))
}

/// `NAME [variable] [predicate]` or `VERSION [variable] [version predicate]`
fn class(input: Input<'_>) -> Parsed<'_, (ClassExpression, Span)> {
    if let Some(rest) = input.skip_keyword(Keyword::Version, Expect::Version) {
        return version(input, rest);
    }
    let (rest, name) = name(Expect::Class)(input)?;
    let (rest, variable) = variable(rest)?;
    let start = variable.as_ref().map_or(name.span, |variable| name.span.to(variable.span));
    let (rest, (predicate, end)) = optional_predicate(rest)?;
    Ok((rest, (ClassExpression::Class { name, variable, predicate }, start.to(end))))
}

fn version<'a>(input: Input<'a>, rest: Input<'a>) -> Parsed<'a, (ClassExpression, Span)> {
    let (rest, variable) = variable(rest)?;
    let span = variable.as_ref().map_or(input.first().span, |variable| input.first().span.to(variable.span));
    if rest.skip(TokenKind::OpenBracket, Expect::OpenBracket).is_none() {
        return Ok((rest, (ClassExpression::Version { variable, predicate: None }, span)));
    }
    let (rest, (predicate, end)) = version_predicate(rest)?;
    Ok((rest, (ClassExpression::Version { variable, predicate: Some(predicate) }, span.to(end))))
}

pub(super) fn variable(input: Input<'_>) -> Parsed<'_, Option<Name>> {
    if input.kind() == TokenKind::Name {
        return name(Expect::Variable)(input).map(|(rest, name)| (rest, Some(name)));
    }
    input.note(Expected::of(Expect::Variable));
    Ok((input, None))
}
