//! What is no token at all.

use super::{COMMENT, Place};
use crate::ast::LiteralKind;
use crate::lex::{LexFault, TokenKind};

pub(super) fn hint(place: &Place<'_>) -> Option<&'static str> {
    match place.kind() {
        TokenKind::Fault(LexFault::Unterminated) => Some("the quote that opens here is never closed"),
        TokenKind::Fault(LexFault::Escape) => {
            Some("a backslash starts an escape (\\\\ \\' \\\" \\? \\* \\n \\t \\u20AC …): write \\\\ for a backslash")
        }
        TokenKind::Fault(LexFault::Character) => character(place),
        _ => None,
    }
}

fn character(place: &Place<'_>) -> Option<&'static str> {
    let mut letters = place.source().chars();
    let after_number = matches!(place.previous(), TokenKind::Literal(LiteralKind::Integer | LiteralKind::Real));
    match (letters.next()?, letters.next()) {
        ('“' | '”' | '„' | '‘' | '’' | '‚' | '«' | '»' | '`', _) => Some("quotes are ' or \""),
        (':', Some(next)) if next.is_ascii_alphabetic() => Some("a parameter is written $name"),
        ('$', _) => Some("a parameter is written $name; its name starts with a letter"),
        ('#', _) => Some(COMMENT),
        ('|' | '&', _) => Some("write OR and AND"),
        ('!', _) => Some("write NOT, or != for not equal"),
        ('.', _) if after_number => Some("behind the point of a number stand digits"),
        ('.', _) => Some("the steps of a path are separated by `/`"),
        ('\u{A0}' | '\u{2000}'..='\u{200B}' | '\u{202F}' | '\u{3000}', _) => {
            Some("this is a blank of another kind: use a plain one")
        }
        (letter, _) if letter.is_alphabetic() || letter == '_' => {
            Some("names are ASCII letters, digits and `_`, and start with a letter")
        }
        _ => None,
    }
}
