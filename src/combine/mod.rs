//! One answer of many: total order, k-way merge, distinct, de-duplication, aggregates, page (§11.6, §9, §10).
//!
//! Pure: no clock, no network, no store. A node's body stays bytes; only cells that someone must look at are decoded.

pub mod rows;
