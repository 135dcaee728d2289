//! `tributary-conformance`: see [`tributary_conformance`].

use std::io::Write as _;
use std::process::ExitCode;

use clap::Parser as _;
use tributary_conformance::arguments::{Arguments, ArgumentsError};
use tributary_conformance::run::{chosen, run};

#[tokio::main]
async fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match looked(arguments).await {
        Ok((text, failed)) => {
            // A reader that has gone away has seen what it wanted.
            let _ = writeln!(std::io::stdout().lock(), "{}", text.trim_end());
            ExitCode::from(u8::from(failed))
        }
        Err(error) => {
            let _ = writeln!(std::io::stderr().lock(), "{error}");
            ExitCode::from(2)
        }
    }
}

async fn looked(arguments: Arguments) -> Result<(String, bool), ArgumentsError> {
    if arguments.list {
        let line = |check: &&tributary_conformance::Check| {
            format!("{:<8} track {:<2} {} ({})", check.id, check.track, check.title, check.clause)
        };
        return Ok((chosen(&arguments)?.iter().map(line).collect::<Vec<_>>().join("\n"), false));
    }
    let json = arguments.json;
    let report = run(arguments).await?;
    let text = if json { format!("{:#}", report.json()) } else { report.to_string() };
    Ok((text, !report.failed().is_empty()))
}
