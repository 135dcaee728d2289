//! The command line of the gateway.

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    tributary::cli::run(tributary::cli::Cli::parse())
}
