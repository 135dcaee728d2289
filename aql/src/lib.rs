//! openEHR Archetype Query Language (AQL) 1.1.0: text to tree and back. No I/O.

pub mod ast;
