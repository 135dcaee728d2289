//! Visitors that cannot miss a node: every walker takes its node apart field by field, so that a field or variant added to the
//! tree breaks their compilation.
//!
//! ```
//! use std::convert::Infallible;
//! use std::ops::ControlFlow;
//! use openehr_aql::ast::Path;
//! use openehr_aql::visit::{Visit, walk_path};
//!
//! /// Counts the paths of a query, those in functions included.
//! struct Paths(usize);
//!
//! impl<'ast> Visit<'ast> for Paths {
//!     type Break = Infallible;
//!     fn visit_path(&mut self, node: &'ast Path) -> ControlFlow<Infallible> {
//!         self.0 += 1;
//!         walk_path(self, node)
//!     }
//! }
//!
//! # fn main() -> Result<(), openehr_aql::ParseError> {
//! let query = openehr_aql::parse("SELECT c/name/value FROM EHR e CONTAINS COMPOSITION c WHERE LENGTH(c/name/value) > 3")?;
//! let mut paths = Paths(0);
//! let ControlFlow::Continue(()) = paths.visit_query(&query);
//! assert_eq!(paths.0, 2);
//! # Ok(())
//! # }
//! ```

mod change;
mod read;

pub use change::*;
pub use read::*;
