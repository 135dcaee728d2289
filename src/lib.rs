//! Tributary: an openEHR federation gateway. Many records flow into one answer.
//!
//! A request walks through the modules in the order it is served: [`server`] listens, [`intake`] reads it into types,
//! [`plan`] decides what it means, [`select`] whom to ask, [`fanout`] asks, [`combine`] makes one answer of many,
//! [`envelope`] says what happened. [`route`] serves requests about one record at one node.

pub mod budget;
pub mod cli;
pub mod combine;
pub mod config;
pub mod envelope;
pub mod error;
pub mod fanout;
pub mod ids;
pub mod intake;
pub mod node;
pub mod plan;
pub mod queries;
pub mod registry;
pub mod route;
pub mod select;
pub mod sensitive;
pub mod server;
pub mod status;
pub mod telemetry;
