#![doc = include_str!("../README.md")]

pub mod analysis;
pub mod ast;
pub mod bind;
mod check;
pub mod diagnostic;
mod error;
mod hint;
mod lex;
mod literal;
mod parse;
mod portable;
mod position;
mod print;
pub mod visit;

pub use bind::{BindError, bind, parameters};
pub use check::{RuleError, check};
pub use error::{Clause, Expected, Found, Hint, ParseError, ParseErrorKind};
pub use literal::NotANumber;
pub use parse::{Options, parse, parse_with};
pub use portable::make_portable;
pub use position::Position;
