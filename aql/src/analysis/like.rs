//! LIKE patterns: `?` is one character, `*` any run of them, and the whole value must match.

use crate::ast::Literal;

/// A LIKE pattern, ready to compare with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// Its parts, in order.
    pub parts: Vec<LikePart>,
}

/// A part of a LIKE pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LikePart {
    /// Exactly this character.
    Exactly(char),
    /// `?`: one character, whatever it is.
    One,
    /// `*`: any run of characters, also none.
    Run,
}

impl Literal {
    /// The literal as a LIKE pattern. A backslash in front of `*`, `?` or a backslash takes its meaning away, whether it is
    /// written once, as the specification has it (`'a\*'`), or as an escaped backslash, as servers want it (`'a\\*'`).
    #[must_use]
    pub fn like_pattern(&self) -> Pattern {
        let source =
            if self.kind.is_quoted() { self.text.replace("\\*", "\\\\*").replace("\\?", "\\\\?") } else { self.text.clone() };
        let decoded = Literal { text: source, ..self.clone() };
        Pattern::new(&decoded.decoded())
    }
}

impl Pattern {
    /// Reads a pattern from a text whose escapes are resolved.
    #[must_use]
    pub fn new(text: &str) -> Pattern {
        let mut parts = Vec::new();
        let mut letters = text.chars().peekable();
        while let Some(letter) = letters.next() {
            parts.push(match letter {
                '\\' => LikePart::Exactly(letters.next_if(|next| matches!(next, '*' | '?' | '\\')).unwrap_or('\\')),
                '?' => LikePart::One,
                '*' => LikePart::Run,
                other => LikePart::Exactly(other),
            });
        }
        Pattern { parts }
    }

    /// Does the whole text match? Takes time in the product of both lengths at worst.
    #[must_use]
    pub fn matches(&self, text: &str) -> bool {
        let letters: Vec<char> = text.chars().collect();
        let (mut part, mut place) = (0, 0);
        // Where to go on when what follows the last `*` does not fit: the `*`, and one character further.
        let mut retry: Option<(usize, usize)> = None;
        loop {
            match (self.parts.get(part), letters.get(place)) {
                (None, None) => return true,
                (Some(LikePart::Run), _) => {
                    retry = Some((part, place));
                    part += 1;
                }
                (Some(LikePart::Exactly(wanted)), Some(letter)) if wanted == letter => (part, place) = (part + 1, place + 1),
                (Some(LikePart::One), Some(_)) => (part, place) = (part + 1, place + 1),
                _ => match retry {
                    Some((run, from)) if from < letters.len() => {
                        retry = Some((run, from + 1));
                        (part, place) = (run + 1, from + 1);
                    }
                    _ => return false,
                },
            }
        }
    }
}
