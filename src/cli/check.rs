//! `tributary check`: judge a configuration without contacting anybody.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use super::FAILED;

/// Prints every fault, or what the configuration makes.
pub(super) fn run(config: &Path) -> Result<ExitCode, Box<dyn std::error::Error>> {
    match crate::config::load(config, std::env::vars_os()) {
        Ok(settings) => {
            writeln!(io::stdout().lock(), "{}: good; {} endpoints", config.display(), settings.registry.endpoints().len())?;
            Ok(ExitCode::SUCCESS)
        }
        Err(faults) => {
            writeln!(io::stderr().lock(), "{faults}")?;
            Ok(ExitCode::from(FAILED))
        }
    }
}
