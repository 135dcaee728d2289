//! Rows and coverage for people.

use std::io::{self, Write};

use serde_json::value::RawValue;

use super::ask::{Answer, Coverage, Member};

/// A table of the rows.
pub(super) fn table(out: &mut impl Write, answer: &Answer) -> io::Result<()> {
    let mut table = comfy_table::Table::new();
    table.load_style(comfy_table::presets::UTF8_FULL_CONDENSED);
    table.set_header(answer.columns.iter().map(|column| printable(&column.name)));
    for row in &answer.rows {
        table.add_row(row.iter().map(|cell| printable(&shown(cell))));
    }
    writeln!(out, "{table}")?;
    writeln!(out, "{} row{}", answer.rows.len(), if answer.rows.len() == 1 { "" } else { "s" })
}

/// Comma-separated values, a header line first.
pub(super) fn csv(out: &mut impl Write, answer: &Answer) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(answer.columns.iter().map(|column| &column.name))?;
    for row in &answer.rows {
        writer.write_record(row.iter().map(|cell| shown(cell)))?;
    }
    writer.flush()
}

/// One line per endpoint, and what else the gateway wants known.
pub(super) fn coverage(out: &mut impl Write, coverage: &Coverage) -> io::Result<()> {
    writeln!(out, "{}", if coverage.complete { "complete" } else { "INCOMPLETE" })?;
    let width = coverage.endpoints.iter().map(|member| member.id.chars().count()).max().unwrap_or(0);
    for member in &coverage.endpoints {
        endpoint(out, member, width)?;
    }
    coverage.warnings.iter().try_for_each(|warning| writeln!(out, "warning: {}", printable(warning)))
}

fn endpoint(out: &mut impl Write, member: &Member, width: usize) -> io::Result<()> {
    write!(out, "  {:width$}  {:14}", printable(&member.id), printable(&member.status))?;
    if let Some(rows) = member.row_count {
        write!(out, "  {rows} rows")?;
    }
    if let Some(latency) = member.latency_ms {
        write!(out, "  {latency} ms")?;
    }
    if let Some(error) = &member.error {
        write!(out, "  {}", printable(error))?;
    }
    writeln!(out)
}

/// What went wrong, with the coverage when the gateway gave one.
pub(super) fn failure(out: &mut impl Write, status: u16, answer: &Answer) -> io::Result<()> {
    let code = answer.code.as_deref().unwrap_or("no code");
    writeln!(
        out,
        "failed: HTTP {status}, {}: {}",
        printable(code),
        printable(answer.message.as_deref().unwrap_or("no message"))
    )?;
    for detail in &answer.details {
        writeln!(out, "  {}", printable(detail))?;
    }
    answer.meta.federation.as_ref().map_or(Ok(()), |federation| coverage(out, federation))
}

/// A string without its quotes, nothing for null, everything else as it came.
fn shown(cell: &RawValue) -> String {
    match cell.get() {
        "null" => String::new(),
        text if text.starts_with('"') => serde_json::from_str(text).unwrap_or_else(|_| text.to_owned()),
        other => other.to_owned(),
    }
}

/// Control characters would drive the terminal: they are shown, not sent.
fn printable(text: &str) -> String {
    text.chars().flat_map(|c| if c.is_control() { c.escape_default().collect() } else { vec![c] }).collect()
}
