//! `tributary aql`: the parser at the command line.

use std::io::{self, BufRead, Read, Write};
use std::process::ExitCode;

use openehr_aql::Options;

use super::FAILED;

/// Reads standard input; one query whole, or with `json` one JSON string a line.
pub(super) fn run(json: bool) -> Result<ExitCode, Box<dyn std::error::Error>> {
    if json { lines() } else { whole() }
}

fn whole() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let mut text = String::new();
    io::stdin().lock().read_to_string(&mut text)?;
    match openehr_aql::diagnostic::read(&text, &Options::default()) {
        Ok(query) => {
            writeln!(io::stdout().lock(), "{query}")?;
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => {
            write!(io::stderr().lock(), "{}", error.render(&text))?;
            Ok(ExitCode::from(FAILED))
        }
    }
}

fn lines() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let mut out = io::stdout().lock();
    let mut failed = false;
    for line in io::stdin().lock().lines() {
        let verdict = match serde_json::from_str::<String>(&line?) {
            Ok(text) => openehr_aql::diagnostic::verdict(&text, &Options::default()),
            Err(_) => "error 1:1 the line is not a JSON string".to_owned(),
        };
        failed |= verdict.starts_with("error ");
        writeln!(out, "{verdict}")?;
    }
    Ok(if failed { ExitCode::from(FAILED) } else { ExitCode::SUCCESS })
}
