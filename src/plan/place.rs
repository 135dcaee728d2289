//! Where in the client's text something stands.

pub use openehr_aql::Position as Place;
use openehr_aql::ast::Span;

/// The client's own text, to which spans refer.
#[derive(Clone, Copy)]
pub(super) struct Source<'a>(pub(super) &'a str);

impl<'a> Source<'a> {
    /// Where a span begins.
    pub(super) fn place(self, span: Span) -> Place {
        Place::of(self.0, span.start)
    }

    /// The text of a span; `None` for a node that was made and not read.
    pub(super) fn text(self, span: Span) -> Option<&'a str> {
        if span.is_none() { None } else { self.0.get(span.start as usize..span.end as usize) }
    }
}
