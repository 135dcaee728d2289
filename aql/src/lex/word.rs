//! What starts with a letter: keywords, names, codes, archetype ids, term codes, URIs.

use super::{Keyword, Lexer, TokenKind};

/// What a rule found when it looked ahead, kept for the tokens that start inside the same run of characters.
#[derive(Default)]
pub(super) struct Memo {
    term: Run,
    scheme: Run,
    namespace: Run,
}

/// A run of characters of one class and where the token ends that the run leads to.
#[derive(Clone, Copy, Default)]
struct Run {
    end: usize,
    token: Option<usize>,
}

/// Which classes a byte is in; a table, since most of a query is words.
const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte: u8 = 0;
    while byte < 128 {
        let word = byte.is_ascii_alphanumeric() || byte == b'_';
        let name = word || byte == b'-';
        let term = name || byte == b'.';
        classes[byte as usize] = (word as u8) | (name as u8) << 1 | (term as u8) << 2;
        byte += 1;
    }
    classes
};

pub(super) fn is_word(byte: u8) -> bool {
    CLASSES[usize::from(byte)] & 1 != 0
}

fn is_name(byte: u8) -> bool {
    CLASSES[usize::from(byte)] & 2 != 0
}

fn is_term(byte: u8) -> bool {
    CLASSES[usize::from(byte)] & 4 != 0
}

fn is_scheme(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')
}

fn is_namespace(byte: u8) -> bool {
    is_term(byte) || byte == b'%'
}

impl Lexer<'_> {
    /// The token at a letter.
    pub(super) fn word(&mut self, at: usize) -> (TokenKind, usize) {
        let end = self.run(at, is_word);
        let word = self.plain_word(at, end);
        // Only these characters let a longer rule go on behind a word.
        if !matches!(self.at(end), b'-' | b'.' | b':' | b'+' | b'(' | b'%') {
            return word;
        }
        let mut best = self.code(at).filter(|&(_, longer)| longer > end).unwrap_or(word);
        let others = [
            (TokenKind::ArchetypeId, self.archetype_id(at)),
            (TokenKind::TermCode, self.term_code(at)),
            (TokenKind::Uri, self.uri_token(at)),
        ];
        for (kind, longer) in others {
            if let Some(longer) = longer.filter(|&longer| longer > best.1) {
                best = (kind, longer);
            }
        }
        best
    }

    fn plain_word(&self, at: usize, end: usize) -> (TokenKind, usize) {
        let word = self.bytes.get(at..end).unwrap_or_default();
        if let Some(keyword) = Keyword::of(word) {
            return (TokenKind::Keyword(keyword), end);
        }
        match self.code(at) {
            Some((kind, code_end)) if code_end == end => (kind, end),
            _ => (TokenKind::Name, end),
        }
    }

    /// `at0001.1`, `id1`: lower case only, no leading zero behind a point.
    fn code(&self, at: usize) -> Option<(TokenKind, usize)> {
        let kind = match (self.at(at), self.at(at + 1)) {
            (b'a', b't') => TokenKind::AtCode,
            (b'i', b'd') => TokenKind::IdCode,
            _ => return None,
        };
        let mut end = self.run(at + 2, |byte| byte.is_ascii_digit());
        if end == at + 2 {
            return None;
        }
        while self.at(end) == b'.' && self.at(end + 1).is_ascii_digit() {
            end = match self.at(end + 1) {
                b'0' => end + 2,
                _ => self.run(end + 1, |byte| byte.is_ascii_digit()),
            };
        }
        Some((kind, end))
    }

    /// `[namespace::]openEHR-EHR-OBSERVATION.blood_pressure.v2`
    fn archetype_id(&mut self, at: usize) -> Option<usize> {
        if let Some(end) = self.local_archetype_id(at) {
            return Some(end);
        }
        if self.memo.namespace.end <= at {
            let end = self.run(at, is_namespace);
            let token = if self.double_colon(end) { self.local_archetype_id(end + 2) } else { None };
            self.memo.namespace = Run { end, token };
        }
        let Run { end, token } = self.memo.namespace;
        token.filter(|_| self.is_namespace_text(at, end))
    }

    fn local_archetype_id(&self, at: usize) -> Option<usize> {
        let mut place = at;
        for separator in [b'-', b'-', b'.'] {
            place = self.identifier(place, is_word)?;
            if self.at(place) != separator {
                return None;
            }
            place += 1;
        }
        place = self.identifier(place, is_name)?;
        if self.at(place) != b'.' || self.at(place + 1) != b'v' {
            return None;
        }
        self.version(place + 2)
    }

    fn identifier(&self, at: usize, class: fn(u8) -> bool) -> Option<usize> {
        self.at(at).is_ascii_alphabetic().then(|| self.run(at, class))
    }

    fn version(&self, at: usize) -> Option<usize> {
        let digits = |from: usize| {
            let end = self.run(from, |byte| byte.is_ascii_digit());
            (end > from).then_some(end)
        };
        let parts = |mut end: usize, most: usize| {
            for _ in 0..most {
                match digits(end + 1).filter(|_| self.at(end) == b'.') {
                    Some(longer) => end = longer,
                    None => break,
                }
            }
            end
        };
        let end = parts(digits(at)?, usize::MAX);
        let rest = self.bytes.get(end..).unwrap_or_default();
        let suffix = ["-rc", "-alpha"].iter().find(|suffix| rest.starts_with(suffix.as_bytes()));
        Some(suffix.map_or(end, |suffix| parts(end + suffix.len(), 1)))
    }

    /// Is the text between two places labels joined by points, with percent escapes?
    fn is_namespace_text(&self, at: usize, end: usize) -> bool {
        let text = self.bytes.get(at..end).unwrap_or_default();
        self.step(text.len());
        text.split(|&byte| byte == b'.').all(|label| {
            let mut parts = label.split(|&byte| byte == b'%');
            let starts = parts.next().is_some_and(|part| part.first().is_some_and(u8::is_ascii_alphabetic));
            starts && parts.all(|part| part.len() >= 2 && part.iter().take(2).all(u8::is_ascii_hexdigit))
        })
    }

    /// `ICD10AM(1998)::F23`, `SNOMED-CT::3415004|cyanosis|`
    pub(super) fn term_code(&mut self, at: usize) -> Option<usize> {
        if self.memo.term.end <= at {
            let end = self.run(at, is_term);
            self.memo.term = Run { end, token: if end > at { self.term_tail(end) } else { None } };
        }
        self.memo.term.token
    }

    fn term_tail(&self, terminology_end: usize) -> Option<usize> {
        let mut at = terminology_end;
        if self.at(at) == b'(' {
            let version_end = self.run(at + 1, is_term);
            if version_end == at + 1 || self.at(version_end) != b')' {
                return None;
            }
            at = version_end + 1;
        }
        if !self.double_colon(at) {
            return None;
        }
        let end = self.run(at + 2, is_term);
        if end == at + 2 {
            return None;
        }
        if self.at(end) != b'|' {
            return Some(end);
        }
        let rubric = self.run(end + 1, |byte| !matches!(byte, b'|' | b'[' | b']'));
        Some(if rubric > end + 1 && self.at(rubric) == b'|' { rubric + 1 } else { end })
    }

    fn double_colon(&self, at: usize) -> bool {
        self.at(at) == b':' && self.at(at + 1) == b':'
    }

    fn uri_token(&mut self, at: usize) -> Option<usize> {
        if self.memo.scheme.end <= at {
            let end = self.run(at, is_scheme);
            self.memo.scheme = Run { end, token: (self.at(end) == b':').then(|| self.uri_rest(end + 1)) };
        }
        self.memo.scheme.token
    }
}
