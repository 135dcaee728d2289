//! The patient predicate: found in either carrier, taken out, refused where it settles no single patient (§7.1, N2, CP-38).
//!
//! Carriers are `e/ehr_status/subject/external_ref/id/value` (or the same through an EHR_STATUS in FROM) and, on an ENTRY in
//! FROM, `o/subject/identifiers/id` or `o/subject/external_ref/id/value`. A predicate is consumed only where dropping it
//! changes no row: in the AND chain of WHERE, or of the predicate of a class that every row comes from.

mod classify;
mod consume;
mod found;
mod rest;

pub(super) use classify::{Part, Roots};
pub(super) use consume::{Consumed, consumed};
pub(super) use found::Subject;
pub(super) use rest::refuse_rest;
