//! The gateway end to end: over sockets, in front of sandbox nodes, judged by what a client gets, by what every node received
//! and by what was logged.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

mod answers;
mod budgets;
mod garbage;
mod harness;
mod identity;
mod leakage;
mod log;
mod outcomes;
mod sameness;
mod selection;
mod statuses;
mod stored;
