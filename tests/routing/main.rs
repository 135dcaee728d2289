//! One record at one node, over sockets (§12): what an app that knows a single CDR sends, and what it gets through the gateway.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod calls;
mod collisions;
mod definitions;
mod follow_ups;
mod refusals;
mod scenario;
