//! Another parser of AQL beside ours: what each accepts, and what each costs, in one run.
//!
//! `compare [FILE…]` prints every query on which the two disagree; `bench [FILE…]` prints time and allocations by size of the
//! query. A file is a list of queries, one a line, or JSON lines with a member `aql`. Without files the tables of the parser's
//! own tests are read.

mod bench;
mod compare;
mod corpus;

use std::alloc::System;

use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn main() -> std::process::ExitCode {
    let mut arguments = std::env::args().skip(1);
    let command = arguments.next().unwrap_or_default();
    let queries = match corpus::read(&arguments.collect::<Vec<_>>()) {
        Ok(queries) => queries,
        Err(error) => {
            eprintln!("{error}");
            return std::process::ExitCode::FAILURE;
        }
    };
    match command.as_str() {
        "compare" => compare::run(&queries),
        "bench" => bench::run(&queries),
        _ => {
            eprintln!("usage: openehr-aql-oracle compare|bench [FILE…]");
            return std::process::ExitCode::FAILURE;
        }
    }
    std::process::ExitCode::SUCCESS
}
