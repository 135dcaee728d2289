//! The furthest note of the parsers, made into an error.

use super::hints::hint;
use super::input::Furthest;
use crate::error::{Found, ParseError, ParseErrorKind};
use crate::lex::{LexFault, Token, TokenKind};
use crate::position::Position;

pub(super) fn syntax(text: &str, tokens: &[Token], furthest: Furthest) -> ParseError {
    let index = tokens.len().saturating_sub(furthest.left);
    let token = tokens.get(index).or(tokens.last()).copied().unwrap_or(super::input::END);
    ParseError {
        kind: ParseErrorKind::Syntax,
        span: token.span,
        position: Position::of(text, token.span.start),
        clause: furthest.clause,
        found: found(text, token),
        expected: furthest.expected,
        hint: hint(text, tokens, index, furthest),
    }
}

fn found(text: &str, token: Token) -> Found {
    match token.kind {
        TokenKind::End => Found::End,
        TokenKind::Keyword(word) => Found::Keyword(word.as_str()),
        TokenKind::Name => Found::Name,
        TokenKind::AtCode | TokenKind::IdCode => Found::NodeCode,
        TokenKind::ArchetypeId => Found::ArchetypeId,
        TokenKind::TermCode => Found::TermCode,
        TokenKind::Uri => Found::Uri,
        TokenKind::Parameter => Found::Parameter,
        TokenKind::Regex => Found::Regex,
        TokenKind::Literal(kind) => Found::Literal(kind),
        TokenKind::Fault(LexFault::Unterminated) => Found::UnterminatedText,
        TokenKind::Fault(LexFault::Escape) => Found::BadEscape,
        TokenKind::Fault(LexFault::Character) => {
            let first = text.get(token.span.start as usize..).and_then(|rest| rest.chars().next());
            Found::Character(first.filter(char::is_ascii_punctuation))
        }
        kind => Found::Punctuation(punctuation(kind)),
    }
}

/// How a token of punctuation is written.
pub(super) fn punctuation(kind: TokenKind) -> &'static str {
    match kind {
        TokenKind::Compare(operator) => operator.as_str(),
        TokenKind::Semicolon => ";",
        TokenKind::OpenParenthesis => "(",
        TokenKind::CloseParenthesis => ")",
        TokenKind::Comma => ",",
        TokenKind::Slash => "/",
        TokenKind::Star => "*",
        TokenKind::Plus => "+",
        TokenKind::Minus => "-",
        TokenKind::OpenBracket => "[",
        TokenKind::CloseBracket => "]",
        TokenKind::OpenBrace => "{",
        TokenKind::CloseBrace => "}",
        TokenKind::DoubleDash => "--",
        _ => "",
    }
}
