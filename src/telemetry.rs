//! Logs. Redaction lives in types: what must not be logged cannot be printed.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;

use crate::config::LogFormat;

/// Sends log lines to standard error, at `info` unless `filter` (the value of `RUST_LOG`) says otherwise for this
/// program. Other crates log warnings at most: what they say at finer levels may hold bodies. A second call changes
/// nothing.
pub fn init(format: LogFormat, filter: Option<&str>) {
    let own = filter.unwrap_or("info");
    let level =
        ["error", "warn", "info", "debug", "trace"].into_iter().find(|level| own.eq_ignore_ascii_case(level)).unwrap_or("info");
    let filter = EnvFilter::new(format!("warn,tributary={level},tributary_sandbox={level}"));
    let lines = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    let initialised = match format {
        LogFormat::Text => lines.with_ansi(std::io::stderr().is_terminal()).try_init(),
        LogFormat::Json => lines.json().flatten_event(true).try_init(),
    };
    drop(initialised);
}
