//! Nothing of the patient reaches a node (§5.4, N33, CP-2, CP-26): two gates, both failing closed.
//!
//! The first looks at the tree of the node query and refuses the client's query with the place: `refuse`. The second,
//! [`Gate::inspect`], looks at a composed request just before it leaves; what it finds is a fault of the gateway, and the request
//! is not sent. What counts as an occurrence, and from which length, is in `docs/hygiene.md`.

mod needles;
mod request;
#[cfg(test)]
mod tests;
mod tree;
mod views;

pub use request::{Gate, Leak, inspect_request};
pub(in crate::plan) use tree::refuse;
