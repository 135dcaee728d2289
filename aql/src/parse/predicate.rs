//! What stands between brackets: standard, archetype and node predicates, and the predicate of a VERSION.

use super::expect::{Expect, Expected};
use super::input::{Input, Parsed, nested, set, token};
use super::literal::{is_boolean, literal, parameter, string, text};
use super::path::object_path;
use crate::ast::{
    Comparison, NodeId, NodeIdKind, NodeName, Predicate, PredicateComparison, PredicateValue, Span, VersionPredicate,
};
use crate::lex::{Keyword, TokenKind};

/// `[…]`, with the span of the brackets.
pub(super) fn predicate(input: Input<'_>) -> Parsed<'_, (Predicate, Span)> {
    bracketed(input, any_of)
}

/// `[LATEST_VERSION]`, `[ALL_VERSIONS]`, `[path op value]`
pub(super) fn version_predicate(input: Input<'_>) -> Parsed<'_, (VersionPredicate, Span)> {
    bracketed(input, |input| match input.kind() {
        TokenKind::Keyword(Keyword::LatestVersion) => Ok((input.next(), VersionPredicate::Latest)),
        TokenKind::Keyword(Keyword::AllVersions) => Ok((input.next(), VersionPredicate::All)),
        TokenKind::Name => comparison(input).map(|(rest, one)| (rest, VersionPredicate::Comparison(one))),
        _ => input.mismatch(Expected::all([Expect::VersionKind, Expect::Path])),
    })
}

fn bracketed<'a, T>(input: Input<'a>, inner: fn(Input<'a>) -> Parsed<'a, T>) -> Parsed<'a, (T, Span)> {
    let (rest, open) = token(TokenKind::OpenBracket, Expect::OpenBracket)(input)?;
    let (rest, inside) = nested(rest, inner)?;
    let (rest, close) = token(TokenKind::CloseBracket, Expect::CloseBracket)(rest)?;
    Ok((rest, (inside, open.span.to(close.span))))
}

fn any_of(input: Input<'_>) -> Parsed<'_, Predicate> {
    set(input, (Keyword::Or, Expect::Or), all_of, Predicate::Or)
}

fn all_of(input: Input<'_>) -> Parsed<'_, Predicate> {
    set(input, (Keyword::And, Expect::And), atom, Predicate::And)
}

fn atom(input: Input<'_>) -> Parsed<'_, Predicate> {
    match input.kind() {
        TokenKind::Parameter => parameter(input).map(|(rest, one)| (rest, Predicate::Parameter(one))),
        TokenKind::Name => path_atom(input),
        kind => match node_id_kind(kind) {
            Some(kind) => node(input, kind),
            None => input.mismatch(Expected::all([Expect::NodeId, Expect::Path, Expect::Parameter])),
        },
    }
}

fn node_id_kind(kind: TokenKind) -> Option<NodeIdKind> {
    match kind {
        TokenKind::ArchetypeId => Some(NodeIdKind::Archetype),
        TokenKind::AtCode => Some(NodeIdKind::AtCode),
        TokenKind::IdCode => Some(NodeIdKind::IdCode),
        _ => None,
    }
}

fn node_id(input: Input<'_>, kind: NodeIdKind) -> (Input<'_>, NodeId) {
    let span = input.first().span;
    (input.next(), NodeId { kind, text: input.slice(span).to_owned(), span })
}

/// `at0001`, `at0001, 'name'`
fn node(input: Input<'_>, kind: NodeIdKind) -> Parsed<'_, Predicate> {
    let (rest, id) = node_id(input, kind);
    let Some(next) = rest.skip(TokenKind::Comma, Expect::Comma) else {
        return Ok((rest, Predicate::Node { id, name: None }));
    };
    let (rest, name) = node_name(next)?;
    Ok((rest, Predicate::Node { id, name: Some(name) }))
}

fn node_name(input: Input<'_>) -> Parsed<'_, NodeName> {
    match input.kind() {
        TokenKind::Literal(_) => string(input).map(|(rest, one)| (rest, NodeName::Text(one))),
        TokenKind::Parameter => parameter(input).map(|(rest, one)| (rest, NodeName::Parameter(one))),
        TokenKind::TermCode => {
            let (rest, term) = text(input);
            Ok((rest, NodeName::Term(term)))
        }
        kind => match node_id_kind(kind).filter(|kind| *kind != NodeIdKind::Archetype) {
            Some(kind) => {
                let (rest, id) = node_id(input, kind);
                Ok((rest, NodeName::Code(id)))
            }
            None => input.mismatch(Expected::all([Expect::NodeName, Expect::Parameter])),
        },
    }
}

/// `path op value` or `path MATCHES {/regex/}`
fn path_atom(input: Input<'_>) -> Parsed<'_, Predicate> {
    let (rest, path) = object_path(input)?;
    if let Some(next) = rest.skip_keyword(Keyword::Matches, Expect::Matches) {
        token(TokenKind::Regex, Expect::Regex)(next)?;
        let (rest, regex) = text(next);
        return Ok((rest, Predicate::Matches { path, regex }));
    }
    let (rest, operator) = comparison_operator(rest)?;
    let (rest, (value, end)) = predicate_value(rest)?;
    let span = path.span.to(end);
    Ok((rest, Predicate::Comparison(PredicateComparison { path, operator, value, span })))
}

/// `path op value`
fn comparison(input: Input<'_>) -> Parsed<'_, PredicateComparison> {
    let (rest, path) = object_path(input)?;
    let (rest, operator) = comparison_operator(rest)?;
    let (rest, (value, end)) = predicate_value(rest)?;
    let span = path.span.to(end);
    Ok((rest, PredicateComparison { path, operator, value, span }))
}

pub(super) fn comparison_operator(input: Input<'_>) -> Parsed<'_, Comparison> {
    match input.kind() {
        TokenKind::Compare(operator) => Ok((input.next(), operator)),
        _ => input.mismatch(Expected::of(Expect::Comparison)),
    }
}

fn predicate_value(input: Input<'_>) -> Parsed<'_, (PredicateValue, Span)> {
    match input.kind() {
        TokenKind::Parameter => parameter(input).map(|(rest, one)| {
            let span = one.span;
            (rest, (PredicateValue::Parameter(one), span))
        }),
        TokenKind::AtCode | TokenKind::IdCode => {
            let kind = if input.kind() == TokenKind::AtCode { NodeIdKind::AtCode } else { NodeIdKind::IdCode };
            let (rest, id) = node_id(input, kind);
            Ok((rest, (PredicateValue::Code(id), input.first().span)))
        }
        TokenKind::Name if !is_boolean(input) => {
            let (rest, path) = object_path(input)?;
            let span = path.span;
            Ok((rest, (PredicateValue::Path(path), span)))
        }
        TokenKind::Literal(_) | TokenKind::Minus | TokenKind::Keyword(Keyword::Null) | TokenKind::Name => {
            let (rest, literal) = literal(input)?;
            let span = literal.span;
            Ok((rest, (PredicateValue::Literal(literal), span)))
        }
        _ => input.mismatch(Expected::all([Expect::Literal, Expect::Path, Expect::Parameter, Expect::NodeId])),
    }
}
