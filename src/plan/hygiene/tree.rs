//! The first gate: every text of the node query, wherever it stands.

use std::ops::ControlFlow;

use openehr_aql::analysis::{LikePart, fold};
use openehr_aql::ast::{Call, Count, LikePattern, Literal, Name, NodeId, NodeIdKind, Query, Span, Text, Value};
use openehr_aql::visit::{self, Visit};

use super::needles::{Needles, squeezed};
use super::{Gate, views};
use crate::plan::PlanError;
use crate::plan::place::Source;

/// A joined or stripped text shorter than this identifies nobody.
const SHORTEST_JOIN: usize = 6;

/// Refuses a node query that holds the patient's identifier or namespace in any clause and any form.
///
/// # Errors
/// [`PlanError::Leak`] with the place; a security event says so too.
pub(in crate::plan) fn refuse(query: &Query, gate: &Gate, source: Source<'_>) -> Result<(), PlanError> {
    let mut search = Search { needles: &gate.needles, joined: String::new() };
    let found = match search.visit_query(query) {
        ControlFlow::Break(found) => Some(found),
        ControlFlow::Continue(()) if search.joined_holds() => {
            Some((query.select.span, "literals that spell it one after another"))
        }
        ControlFlow::Continue(()) => None,
    };
    let Some((span, what)) = found else { return Ok(()) };
    let place = source.place(span);
    tracing::warn!(
        security = true,
        line = place.line,
        column = place.column,
        what,
        "query refused: patient identifier outside its predicate"
    );
    Err(PlanError::Leak { place, what })
}

/// A name shorter than this may spell an identifier without its signs by chance.
const SHORTEST_BARE_NAME: usize = 8;

struct Search<'a> {
    needles: &'a Needles,
    /// All quoted texts, one behind the other.
    joined: String,
}

type Found = (Span, &'static str);

impl Search<'_> {
    /// A text that says what the client wants it to say.
    fn text(&self, text: &str, span: Span, what: &'static str) -> ControlFlow<Found> {
        let holds = |view: &[u8]| {
            let view = String::from_utf8_lossy(view);
            self.needles.are(&view) || self.needles.occur_in(view.as_bytes()) || self.says_it(&view)
        };
        if views::any(text.as_bytes(), holds) { ControlFlow::Break((span, what)) } else { ControlFlow::Continue(()) }
    }

    /// Inside a word, without its signs, or most of it: all that only a text of the client's own could be.
    fn says_it(&self, text: &str) -> bool {
        let (value, bare) = (self.needles.value.expose(), self.needles.squeezed.expose());
        let text = text.to_lowercase();
        let telling = value.len() >= 5;
        if telling && (text.contains(value.as_str()) || bare.len() >= SHORTEST_JOIN && squeezed(&text).contains(bare.as_str())) {
            return true;
        }
        self.needles.pieces.iter().any(|piece| text.contains(piece.expose().as_str()))
    }

    /// A name, number or code: anywhere in it, unless the identifier is short or a word that may be any name.
    fn word(&self, text: &str, span: Span, what: &'static str) -> ControlFlow<Found> {
        let value = self.needles.value.expose();
        let long = value.len() >= 5 && text.len() >= value.len();
        let inside = long && value.chars().any(|char| !char.is_alphabetic()) && text.to_lowercase().contains(value.as_str());
        let whole = text.len() >= 5 && self.needles.are(text);
        // A name has no signs, so what is left of the identifier without its own is looked for too.
        let bare = self.needles.squeezed.expose();
        let telling = bare.len() >= SHORTEST_BARE_NAME && bare.contains(|char: char| char.is_ascii_digit());
        let without_signs = telling && squeezed(text).contains(bare.as_str());
        if whole || inside || without_signs || self.needles.occur_in(text.as_bytes()) {
            return ControlFlow::Break((span, what));
        }
        ControlFlow::Continue(())
    }

    fn pattern(&self, literal: &Literal) -> ControlFlow<Found> {
        let mut pattern = literal.like_pattern();
        let letters = pattern.parts.iter().filter(|part| matches!(part, LikePart::Exactly(_))).count();
        for part in &mut pattern.parts {
            if let LikePart::Exactly(letter) = part {
                *letter = letter.to_lowercase().next().unwrap_or(*letter);
            }
        }
        let value = self.needles.value.expose();
        let length = value.chars().count();
        // `*` alone matches everything and says nothing; a pattern that spells half of the identifier says enough.
        let telling = letters >= length.min((length / 2).max(4));
        if telling && pattern.matches(value) {
            return ControlFlow::Break((literal.span, "a LIKE pattern"));
        }
        let exact: String = pattern
            .parts
            .iter()
            .filter_map(|part| if let LikePart::Exactly(letter) = part { Some(*letter) } else { None })
            .collect();
        self.text(&exact, literal.span, "a LIKE pattern")
    }

    fn joined_holds(&self) -> bool {
        let bare = self.needles.squeezed.expose();
        bare.len() >= 8 && squeezed(&self.joined).contains(bare.as_str())
    }
}

impl<'ast> Visit<'ast> for Search<'_> {
    type Break = Found;

    fn visit_literal(&mut self, node: &'ast Literal) -> ControlFlow<Found> {
        if !node.kind.is_quoted() {
            return self.word(&node.text, node.span, "a number");
        }
        let text = node.decoded();
        self.joined.push_str(&text);
        self.text(&text, node.span, "a literal")
    }

    fn visit_like_pattern(&mut self, node: &'ast LikePattern) -> ControlFlow<Found> {
        if let LikePattern::Text(literal) = node {
            self.pattern(literal)?;
        }
        visit::walk_like_pattern(self, node)
    }

    fn visit_call(&mut self, node: &'ast Call) -> ControlFlow<Found> {
        let what = "a function of constants";
        // What CONCAT joins, also where a path stands between the constants; and, for any other function, the same suspicion.
        let mut run = String::new();
        for argument in &node.arguments {
            match fold(argument) {
                Some(text) => run.push_str(&text),
                None => {
                    self.text(&run, node.span, what)?;
                    run.clear();
                }
            }
        }
        self.text(&run, node.span, what)?;
        if let Some(text) = fold(&Value::Call(node.clone())) {
            self.text(&text, node.span, what)?;
        }
        visit::walk_call(self, node)
    }

    fn visit_text(&mut self, node: &'ast Text) -> ControlFlow<Found> {
        self.text(&node.text, node.span, "a URI, term or expression")
    }

    fn visit_name(&mut self, node: &'ast Name) -> ControlFlow<Found> {
        if node.span.is_none() {
            return ControlFlow::Continue(());
        }
        self.word(&node.text, node.span, "a name")
    }

    fn visit_node_id(&mut self, node: &'ast NodeId) -> ControlFlow<Found> {
        match node.kind {
            NodeIdKind::Archetype => self.text(&node.text, node.span, "an archetype id"),
            NodeIdKind::AtCode | NodeIdKind::IdCode => self.word(&node.text, node.span, "a node code"),
        }
    }

    fn visit_count(&mut self, node: &'ast Count) -> ControlFlow<Found> {
        self.word(&node.digits, node.span, "a count of rows")
    }
}
