//! What to do about the slips that people make most.

use std::fmt;

use crate::position::Position;

/// Advice on a known slip. Holds no text of the query but reserved words.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Hint {
    /// A fixed advice.
    Text(&'static str),
    /// A reserved word where a name belongs.
    Reserved(&'static str),
    /// A bracket that nothing closes.
    Unclosed {
        /// The bracket.
        bracket: &'static str,
        /// Where it opens.
        position: Position,
    },
}

impl fmt::Display for Hint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Hint::Text(text) => f.write_str(text),
            Hint::Reserved(word) => {
                write!(
                    f,
                    "{word} is a reserved word, in any case, and can be no variable, alias or attribute: choose another name"
                )
            }
            Hint::Unclosed { bracket, position } => write!(f, "the `{bracket}` at {position} is never closed"),
        }
    }
}
