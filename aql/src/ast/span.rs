//! Places in the text.

/// A range of bytes in the query text; equal to every other span, so that trees compare by what they say.
#[derive(Clone, Copy, Debug, Default)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span of a node that was made, not read.
    pub const NONE: Span = Span { start: 0, end: 0 };

    /// The smallest span that covers both; [`Span::NONE`] is neutral.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        match (self.is_none(), other.is_none()) {
            (true, _) => other,
            (_, true) => self,
            _ => Span { start: self.start.min(other.start), end: self.end.max(other.end) },
        }
    }

    /// Was the node made and not read?
    #[must_use]
    pub fn is_none(self) -> bool {
        self.start == 0 && self.end == 0
    }
}

impl PartialEq for Span {
    fn eq(&self, _: &Span) -> bool {
        true
    }
}

impl Eq for Span {}

impl std::hash::Hash for Span {
    fn hash<H: std::hash::Hasher>(&self, _: &mut H) {}
}
