//! Values: literals, parameters, calls; and the names and texts that are kept as written.

use std::fmt;

use super::{Path, Span};

/// A call of a function: a built-in, `TERMINOLOGY`, or any other name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Call {
    /// The function's name as written; compare it ignoring ASCII case.
    pub name: Name,
    /// The arguments.
    pub arguments: Vec<Value>,
    /// The whole call.
    pub span: Span,
}

/// A variable, class, step, alias or function name, as written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Name {
    /// The text.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

impl Name {
    /// A name that was made, not read.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Name { text: text.into(), span: Span::NONE }
    }

    /// Do both name the same thing? Names of AQL ignore ASCII case.
    #[must_use]
    pub fn is(&self, other: &str) -> bool {
        self.text.eq_ignore_ascii_case(other)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Text kept as written, with its place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Text {
    /// The text.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// A value: the right side of a comparison, or an argument of a call.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// A literal.
    Literal(Literal),
    /// A parameter.
    Parameter(Parameter),
    /// A path.
    Path(Path),
    /// A call.
    Call(Call),
}

/// `$name`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Parameter {
    /// The name, without the `$`.
    pub name: String,
    /// Where it stands.
    pub span: Span,
}

/// A literal as written: quotes, escapes, signs and digits kept.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Literal {
    /// Which form it has.
    pub kind: LiteralKind,
    /// The text as written, quotes included; the signs of a number are joined to it (`- 1` is `-1`), and two cancel
    /// each other.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// The forms of a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LiteralKind {
    /// A quoted text that is no date or time.
    String,
    /// A quoted date.
    Date,
    /// A quoted time.
    Time,
    /// A quoted date and time.
    DateTime,
    /// `12`
    Integer,
    /// `1.5`
    Real,
    /// `1e5`
    ScientificInteger,
    /// `1.5e5`
    ScientificReal,
    /// `true`, `false`, in any case
    Boolean,
    /// `NULL`
    Null,
}
