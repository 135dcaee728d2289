//! An in-memory openEHR federation that answers for real: CDR nodes that evaluate AQL over compositions, with faults on
//! demand and a journal of every byte received. For demonstrations, tests and conformance.

pub mod eval;
pub mod federation;
pub mod identity;
pub mod model;
pub mod node;
pub mod order;
pub mod synthetic;
pub mod value;
pub mod wire;
