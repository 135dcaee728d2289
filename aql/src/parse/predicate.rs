//! What stands between brackets: standard, archetype and node predicates, and the predicate of a VERSION.

use super::expect::{Expect, Expected};
use super::input::{Input, Parsed, further, nested, set, taken, token};
use super::literal::{literal, parameter, string, text};
use super::path::object_path;
use super::value::at_literal;
use crate::ast::{
    Comparison, LiteralKind, NodeId, NodeIdKind, NodeName, ObjectPath, Predicate, PredicateComparison, PredicateValue, Span,
    VersionPredicate,
};
use crate::lex::{Keyword, TokenKind};

/// What can stand behind the comma of a node id.
const NAME: Expected = Expected::all([Expect::String, Expect::Parameter, Expect::TermCode, Expect::NodeCode]);

/// `[…]`, with the span of the brackets.
pub(super) fn predicate(input: Input<'_>) -> Parsed<'_, (Predicate, Span)> {
    bracketed(input, inside)
}

/// `[LATEST_VERSION]`, `[ALL_VERSIONS]`, `[path op value]`
pub(super) fn version_predicate(input: Input<'_>) -> Parsed<'_, (VersionPredicate, Span)> {
    bracketed(input, |input| match input.kind() {
        TokenKind::Keyword(Keyword::LatestVersion) => Ok((input.next(), VersionPredicate::Latest)),
        TokenKind::Keyword(Keyword::AllVersions) => Ok((input.next(), VersionPredicate::All)),
        TokenKind::Name => version_comparison(input),
        _ => input.mismatch(Expected::all([Expect::LatestVersion, Expect::AllVersions, Expect::Path])),
    })
}

fn version_comparison(input: Input<'_>) -> Parsed<'_, VersionPredicate> {
    let (rest, path) = object_path(input)?;
    comparison(rest, path).map(|(rest, one)| (rest, VersionPredicate::Comparison(one)))
}

fn bracketed<'a, T>(input: Input<'a>, inner: fn(Input<'a>) -> Parsed<'a, T>) -> Parsed<'a, (T, Span)> {
    let (rest, open) = token(TokenKind::OpenBracket, Expect::OpenBracket)(input)?;
    let (rest, inside) = nested(rest, inner)?;
    let (rest, close) = token(TokenKind::CloseBracket, Expect::CloseBracket)(rest)?;
    Ok((rest, (inside, open.span.to(close.span))))
}

/// One atom mostly, for which no stack is made; else OR of AND of atoms.
fn inside(input: Input<'_>) -> Parsed<'_, Predicate> {
    let (rest, first) = atom(input)?;
    if !rest.at(Keyword::And) && !rest.at(Keyword::Or) {
        rest.note(Expected::all([Expect::And, Expect::Or]));
        return Ok((rest, first));
    }
    let mut stack = vec![first];
    let (rest, ()) = further(rest, AND, member, Predicate::And, &mut stack, 0)?;
    let (rest, ()) = further(rest, OR, all_of, Predicate::Or, &mut stack, 0)?;
    taken(rest, stack)
}

const AND: (Keyword, Expect) = (Keyword::And, Expect::And);
const OR: (Keyword, Expect) = (Keyword::Or, Expect::Or);

fn all_of<'a>(input: Input<'a>, stack: &mut Vec<Predicate>) -> Parsed<'a, ()> {
    set(input, AND, member, Predicate::And, stack)
}

fn member<'a>(input: Input<'a>, stack: &mut Vec<Predicate>) -> Parsed<'a, ()> {
    let (rest, predicate) = atom(input)?;
    stack.push(predicate);
    Ok((rest, ()))
}

fn atom(input: Input<'_>) -> Parsed<'_, Predicate> {
    match input.kind() {
        TokenKind::Parameter => parameter(input).map(|(rest, one)| (rest, Predicate::Parameter(one))),
        TokenKind::Name => path_atom(input),
        kind => match node_id_kind(kind) {
            Some(kind) => node(input, kind),
            None => input.mismatch(Expected::all([Expect::ArchetypeId, Expect::NodeCode, Expect::Path, Expect::Parameter])),
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
        TokenKind::Literal(LiteralKind::String) => string(input).map(|(rest, one)| (rest, NodeName::Text(one))),
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
            None => input.mismatch(NAME),
        },
    }
}

/// `path op value` or `path MATCHES {/regex/}`
fn path_atom(input: Input<'_>) -> Parsed<'_, Predicate> {
    let (rest, path) = object_path(input)?;
    if rest.at(Keyword::Matches) { matches(rest.next(), path) } else { compared(rest, path) }
}

fn matches(input: Input<'_>, path: ObjectPath) -> Parsed<'_, Predicate> {
    token(TokenKind::Regex, Expect::Regex)(input)?;
    let (rest, regex) = text(input);
    Ok((rest, Predicate::Matches { path, regex }))
}

fn compared(input: Input<'_>, path: ObjectPath) -> Parsed<'_, Predicate> {
    input.note(Expected::of(Expect::Matches));
    comparison(input, path).map(|(rest, one)| (rest, Predicate::Comparison(one)))
}

/// `op value`, behind a path.
fn comparison(input: Input<'_>, path: ObjectPath) -> Parsed<'_, PredicateComparison> {
    let (rest, operator) = comparison_operator(input)?;
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
        TokenKind::Parameter => parameter(input).map(|(rest, one)| spanned(rest, one.span, PredicateValue::Parameter(one))),
        TokenKind::AtCode => Ok(code(input, NodeIdKind::AtCode)),
        TokenKind::IdCode => Ok(code(input, NodeIdKind::IdCode)),
        _ if at_literal(input) => literal(input).map(|(rest, one)| spanned(rest, one.span, PredicateValue::Literal(one))),
        TokenKind::Name => object_path(input).map(|(rest, one)| spanned(rest, one.span, PredicateValue::Path(one))),
        _ => input.mismatch(Expected::all([Expect::Literal, Expect::Path, Expect::Parameter, Expect::NodeCode])),
    }
}

fn code(input: Input<'_>, kind: NodeIdKind) -> (Input<'_>, (PredicateValue, Span)) {
    let (rest, id) = node_id(input, kind);
    spanned(rest, id.span, PredicateValue::Code(id))
}

fn spanned(rest: Input<'_>, span: Span, value: PredicateValue) -> (Input<'_>, (PredicateValue, Span)) {
    (rest, (value, span))
}
