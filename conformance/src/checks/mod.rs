//! The checks, a file for each matter, a table in each file.

mod aggregates;
mod asynchronous;
mod carriers;
mod completeness;
mod dedup;
mod envelope;
mod errors;
mod faults;
mod leakage;
mod members;
mod options;
mod order;
mod paging;
mod routing;
mod stored_queries;
mod subject;
mod targeting;
mod transparency;
mod unseen;

use crate::catalogue::Check;

/// Every table.
pub(crate) const TABLES: &[&[Check]] = &[
    aggregates::CHECKS,
    asynchronous::CHECKS,
    carriers::CHECKS,
    completeness::CHECKS,
    dedup::CHECKS,
    envelope::CHECKS,
    errors::CHECKS,
    faults::CHECKS,
    leakage::CHECKS,
    members::CHECKS,
    options::CHECKS,
    order::CHECKS,
    paging::CHECKS,
    routing::CHECKS,
    stored_queries::CHECKS,
    subject::CHECKS,
    targeting::CHECKS,
    transparency::CHECKS,
    unseen::CHECKS,
];
