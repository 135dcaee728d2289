//! Line and column of a place in a text.

use std::fmt;

/// A place as people count: from 1, the column in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// The line, from 1; lines end at LF.
    pub line: u32,
    /// The column, from 1, in characters.
    pub column: u32,
}

impl Position {
    /// The start of a text.
    pub const START: Position = Position { line: 1, column: 1 };

    /// The position of a byte of the text; the end of the text for a byte behind it.
    #[must_use]
    pub fn of(text: &str, byte: u32) -> Position {
        let byte = usize::try_from(byte).unwrap_or(usize::MAX).min(text.len());
        let before = text.get(..byte).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Position {
            line: count(before.matches('\n').count()).saturating_add(1),
            column: count(before.get(line_start..).unwrap_or_default().chars().count()).saturating_add(1),
        }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}
