//! The command line: `serve`, `demo`, `check`, `query`, `aql`.

mod aql;
mod ask;
mod check;
mod demo;
mod render;
mod serve;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand, ValueEnum};

/// An openEHR federation gateway: one AQL question, many repositories, one exact answer.
#[derive(Debug, Parser)]
#[command(name = "tributary", version, about, max_term_width = 110)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the gateway.
    Serve {
        /// The configuration, a TOML file.
        #[arg(long, value_name = "FILE")]
        config: PathBuf,
    },
    /// Run an embedded federation of sandbox repositories with synthetic patients, and the gateway in front of it.
    Demo {
        /// Where the gateway listens; loopback only.
        #[arg(long, default_value = "127.0.0.1:8080", value_name = "ADDRESS")]
        listen: SocketAddr,
        /// How many repositories.
        #[arg(long, default_value_t = 4, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=16))]
        nodes: u8,
    },
    /// Read and judge a configuration, resolve nothing, contact nobody.
    Check {
        /// The configuration, a TOML file.
        #[arg(long, value_name = "FILE")]
        config: PathBuf,
    },
    /// Ask a gateway: rows, then one line per endpoint. Exit code 0: complete, 3: incomplete, 1: failed.
    Query(Question),
    /// Read AQL on standard input: print its canonical form, or the diagnostics and exit 1.
    Aql {
        /// One JSON string a line in; `ok CANONICAL` or `error LINE:COLUMN MESSAGE` a line out.
        #[arg(long)]
        json: bool,
    },
}

/// A question to a gateway.
#[derive(Debug, clap::Args)]
struct Question {
    /// The gateway's base address.
    #[arg(long, value_name = "URL")]
    url: url::Url,
    /// How rows are printed.
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Take what came when an endpoint fails, with the rest reported.
    #[arg(long)]
    partial: bool,
    /// Ask only this endpoint; may be repeated.
    #[arg(long = "endpoint", value_name = "ID")]
    endpoints: Vec<String>,
    /// The query.
    aql: String,
}

/// How rows are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A table for people.
    Table,
    /// The answer's body as it came.
    Json,
    /// Comma-separated values, a header line first.
    Csv,
}

/// Exit code of a command that did not do what was asked.
const FAILED: u8 = 1;

/// Runs the command that the arguments name.
#[must_use]
pub fn run(cli: Cli) -> ExitCode {
    let result = match cli.command {
        Command::Serve { config } => serve::run(&config),
        Command::Demo { listen, nodes } => demo::run(listen, usize::from(nodes)),
        Command::Check { config } => check::run(&config),
        Command::Query(question) => ask::run(&question),
        Command::Aql { json } => aql::run(json),
    };
    result.unwrap_or_else(|error| {
        eprintln!("tributary: {error}");
        ExitCode::from(FAILED)
    })
}
