//! What every sandbox server shares: a listener on loopback that records each byte it receives, and faults on demand.

mod apply;
mod faults;
mod journal;
mod search;
mod server;
#[cfg(test)]
mod tests;

pub use faults::{Fault, Faults, On, Rule};
pub use journal::{Journal, Request};
pub use search::find;
pub use server::Server;
