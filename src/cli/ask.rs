//! `tributary query`: ask a gateway and show its answer with its coverage.

use std::io::{self, Write};
use std::process::ExitCode;

use serde::Deserialize;
use serde_json::value::RawValue;
use thiserror::Error;

use super::{FAILED, Format, Question, render};
use crate::node::client::{self, ClientSettings};

/// Exit code of an answer that does not cover every endpoint in scope.
const INCOMPLETE: u8 = 3;

/// The parts of an answer that are shown.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Answer {
    pub(super) message: Option<String>,
    pub(super) code: Option<String>,
    #[serde(rename = "validationErrors")]
    pub(super) details: Vec<String>,
    pub(super) columns: Vec<Column>,
    pub(super) rows: Vec<Vec<Box<RawValue>>>,
    pub(super) meta: Meta,
}

#[derive(Debug, Deserialize)]
pub(super) struct Column {
    pub(super) name: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Meta {
    pub(super) federation: Option<Coverage>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Coverage {
    pub(super) complete: bool,
    pub(super) endpoints: Vec<Member>,
    #[serde(default)]
    pub(super) warnings: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Member {
    pub(super) id: String,
    pub(super) status: String,
    pub(super) error: Option<String>,
    pub(super) latency_ms: Option<u64>,
    pub(super) row_count: Option<u64>,
}

#[derive(Debug, Error)]
enum AskError {
    #[error("the gateway's address cannot hold a path")]
    Address,
    #[error("the gateway could not be asked: {0}")]
    Request(String),
    #[error("the answer (HTTP {0}) is not one of a federation gateway")]
    Answer(u16),
}

/// Asks, prints, and says by the exit code how complete the answer is.
pub(super) fn run(question: &Question) -> Result<ExitCode, Box<dyn std::error::Error>> {
    let (status, body) = tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(ask(question))?;
    let mut out = io::stdout().lock();
    if question.format == Format::Json {
        out.write_all(body.as_bytes())?;
        writeln!(out)?;
    }
    let answer: Answer = serde_json::from_str(&body).map_err(|_| AskError::Answer(status))?;
    if !(200..300).contains(&status) {
        render::failure(&mut io::stderr().lock(), status, &answer)?;
        return Ok(ExitCode::from(FAILED));
    }
    match question.format {
        Format::Json => {}
        Format::Csv => render::csv(&mut out, &answer)?,
        Format::Table => render::table(&mut out, &answer)?,
    }
    let coverage = answer.meta.federation.as_ref().ok_or(AskError::Answer(status))?;
    if question.format != Format::Json {
        render::coverage(&mut io::stderr().lock(), coverage)?;
    }
    Ok(if coverage.complete { ExitCode::SUCCESS } else { ExitCode::from(INCOMPLETE) })
}

async fn ask(question: &Question) -> Result<(u16, String), AskError> {
    let mut url = question.url.clone();
    url.path_segments_mut().map_err(|()| AskError::Address)?.pop_if_empty().extend(["v1", "query", "aql"]);
    let failed = |error: reqwest::Error| AskError::Request(error.without_url().to_string());
    let client = client::build(&ClientSettings::default()).map_err(|error| AskError::Request(error.to_string()))?;
    let body = serde_json::json!({ "q": question.aql }).to_string();
    let mut request = client.post(url).header("accept", "application/json").header("content-type", "application/json").body(body);
    if question.partial {
        request = request.header("openEHR-federation-completeness", "partial");
    }
    if !question.endpoints.is_empty() {
        request = request.header("openEHR-federation-endpoint", question.endpoints.join(", "));
    }
    let response = request.send().await.map_err(failed)?;
    Ok((response.status().as_u16(), response.text().await.map_err(failed)?))
}
