//! The reserved words (specification, lexer section): 48, read without regard to ASCII case.

/// Makes the enum, its spellings and the look-up from one table.
macro_rules! keywords {
    ($($variant:ident = $upper:literal $lower:literal,)+) => {
        /// A reserved word.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(crate) enum Keyword {
            $($variant,)+
        }

        impl Keyword {
            /// The canonical spelling.
            pub(crate) fn as_str(self) -> &'static str {
                match self { $(Keyword::$variant => $upper,)+ }
            }

            const WORDS: &'static [&'static [u8]] = &[$($lower,)+];

            fn from_lower(word: &[u8]) -> Option<Keyword> {
                match word { $($lower => Some(Keyword::$variant),)+ _ => None }
            }
        }
    };
}

keywords! {
    Select = "SELECT" b"select",
    As = "AS" b"as",
    From = "FROM" b"from",
    Where = "WHERE" b"where",
    Order = "ORDER" b"order",
    By = "BY" b"by",
    Desc = "DESC" b"desc",
    Descending = "DESCENDING" b"descending",
    Asc = "ASC" b"asc",
    Ascending = "ASCENDING" b"ascending",
    Limit = "LIMIT" b"limit",
    Offset = "OFFSET" b"offset",
    Distinct = "DISTINCT" b"distinct",
    Version = "VERSION" b"version",
    LatestVersion = "LATEST_VERSION" b"latest_version",
    AllVersions = "ALL_VERSIONS" b"all_versions",
    Null = "NULL" b"null",
    Top = "TOP" b"top",
    Forward = "FORWARD" b"forward",
    Backward = "BACKWARD" b"backward",
    Contains = "CONTAINS" b"contains",
    And = "AND" b"and",
    Or = "OR" b"or",
    Not = "NOT" b"not",
    Exists = "EXISTS" b"exists",
    Like = "LIKE" b"like",
    Matches = "MATCHES" b"matches",
    Length = "LENGTH" b"length",
    Position = "POSITION" b"position",
    Substring = "SUBSTRING" b"substring",
    Concat = "CONCAT" b"concat",
    ConcatWs = "CONCAT_WS" b"concat_ws",
    Abs = "ABS" b"abs",
    Mod = "MOD" b"mod",
    Ceil = "CEIL" b"ceil",
    Floor = "FLOOR" b"floor",
    Round = "ROUND" b"round",
    CurrentDate = "CURRENT_DATE" b"current_date",
    CurrentTime = "CURRENT_TIME" b"current_time",
    CurrentDateTime = "CURRENT_DATE_TIME" b"current_date_time",
    Now = "NOW" b"now",
    CurrentTimezone = "CURRENT_TIMEZONE" b"current_timezone",
    Count = "COUNT" b"count",
    Min = "MIN" b"min",
    Max = "MAX" b"max",
    Sum = "SUM" b"sum",
    Avg = "AVG" b"avg",
    Terminology = "TERMINOLOGY" b"terminology",
}

/// The longest keyword, `CURRENT_DATE_TIME`.
const LONGEST: usize = 17;

/// For each first letter, the lengths of the keywords that start with it, as bits: settles most names at a glance.
const LENGTHS: [u32; 26] = {
    let mut lengths = [0; 26];
    let mut index = 0;
    while index < Keyword::WORDS.len() {
        let word = Keyword::WORDS[index];
        lengths[(word[0] - b'a') as usize] |= 1 << word.len();
        index += 1;
    }
    lengths
};

impl Keyword {
    /// The keyword a word is, if any. Only ASCII letters are folded: `LİMIT` is no keyword.
    pub(crate) fn of(word: &[u8]) -> Option<Keyword> {
        let letter = usize::from(word.first()?.to_ascii_lowercase().wrapping_sub(b'a'));
        if word.len() > LONGEST || LENGTHS.get(letter)? & (1 << word.len()) == 0 {
            return None;
        }
        let mut lower = [0_u8; LONGEST];
        let lower = lower.get_mut(..word.len())?;
        for (to, from) in lower.iter_mut().zip(word) {
            *to = from.to_ascii_lowercase();
        }
        Keyword::from_lower(lower)
    }

    /// Does the word name a function that may be called where a value stands? `CONTAINS` does outside FROM, where
    /// it cannot be the operator.
    pub(crate) fn is_function(self) -> bool {
        use Keyword as K;
        matches!(
            self,
            K::Contains
                | K::Length
                | K::Position
                | K::Substring
                | K::Concat
                | K::ConcatWs
                | K::Abs
                | K::Mod
                | K::Ceil
                | K::Floor
                | K::Round
                | K::CurrentDate
                | K::CurrentTime
                | K::CurrentDateTime
                | K::Now
                | K::CurrentTimezone
                | K::Terminology
        )
    }
}
