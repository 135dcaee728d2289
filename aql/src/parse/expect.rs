//! What the parser could have gone on with: a small set, printed as a list.

use std::fmt;

/// Makes the enum, its texts and the list of all from one table; the order is that of the printed list.
macro_rules! expectations {
    ($($variant:ident = $text:literal,)+) => {
        /// Something that could have stood at a place.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Expect {
            $($variant,)+
        }

        const ALL: &[(Expect, &str)] = &[$((Expect::$variant, $text),)+];
    };
}

expectations! {
    Select = "SELECT",
    Distinct = "DISTINCT",
    Top = "TOP",
    Path = "a path",
    Variable = "a variable",
    Class = "a class name",
    Attribute = "an attribute name",
    Alias = "an alias",
    Literal = "a literal",
    String = "a quoted text",
    Number = "a number",
    Count = "a whole number",
    Parameter = "a parameter",
    Call = "a function",
    Aggregate = "an aggregate",
    Version = "VERSION",
    ArchetypeId = "an archetype id",
    NodeCode = "a node code",
    TermCode = "a term code",
    LatestVersion = "LATEST_VERSION",
    AllVersions = "ALL_VERSIONS",
    Regex = "a regular expression in {/ /}",
    Uri = "a URI",
    Terminology = "TERMINOLOGY",
    Id = "a quoted id",
    Star = "`*`",
    Not = "NOT",
    Exists = "EXISTS",
    OpenParenthesis = "`(`",
    OpenBracket = "`[`",
    OpenBrace = "`{`",
    Slash = "`/`",
    Comparison = "a comparison operator",
    Like = "LIKE",
    Matches = "MATCHES",
    Comma = "`,`",
    CloseParenthesis = "`)`",
    CloseBracket = "`]`",
    CloseBrace = "`}`",
    Asc = "ASC",
    Desc = "DESC",
    Forward = "FORWARD",
    Backward = "BACKWARD",
    As = "AS",
    Contains = "CONTAINS",
    And = "AND",
    Or = "OR",
    From = "FROM",
    Where = "WHERE",
    OrderBy = "ORDER BY",
    By = "BY",
    Limit = "LIMIT",
    Offset = "OFFSET",
    End = "the end of the query",
}

/// What could have stood at the place of an error. Never a text of the query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Expected(u64);

impl Expected {
    pub(crate) const fn of(one: Expect) -> Expected {
        Expected(1 << one as u64)
    }

    pub(crate) const fn all<const N: usize>(several: [Expect; N]) -> Expected {
        let mut set = 0;
        let mut at = 0;
        while at < N {
            set |= 1 << several[at] as u64;
            at += 1;
        }
        Expected(set)
    }

    pub(crate) const fn or(self, other: Expected) -> Expected {
        Expected(self.0 | other.0)
    }

    pub(crate) fn has(self, one: Expect) -> bool {
        self.0 & (1 << one as u64) != 0
    }

    /// The things expected, each as a short text (`a path`, `FROM`, …), in a fixed order.
    pub fn texts(self) -> impl Iterator<Item = &'static str> {
        ALL.iter().filter(move |(one, _)| self.has(*one)).map(|(_, text)| *text)
    }
}

/// `a path, a literal or FROM`
impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<&str> = self.texts().collect();
        match texts.split_last() {
            None => f.write_str("nothing more"),
            Some((last, [])) => f.write_str(last),
            Some((last, rest)) => write!(f, "{} or {last}", rest.join(", ")),
        }
    }
}
