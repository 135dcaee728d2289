//! The command line.

use clap::Parser;

/// Checks a federation gateway against the conformance points of the openEHR federation specification, over HTTP only.
///
/// Exit code 0: nothing failed. 1: a check failed. 2: the command line, or the harness itself, is at fault.
#[derive(Clone, Debug, Parser)]
#[command(name = "tributary-conformance", version)]
pub struct Arguments {
    /// The gateway's {base}; ITS-REST is below it at /v1
    #[arg(long)]
    pub url: String,
    /// An identifier of a patient with records at two nodes or more (four compositions or more serve the checks best)
    #[arg(long)]
    pub patient: String,
    /// The identifier's issuing namespace; left out, the deployment's default is relied on
    #[arg(long)]
    pub namespace: Option<String>,
    /// An identifier no member knows; left out, a random one
    #[arg(long)]
    pub unknown_patient: Option<String>,
    /// A namespace in which the same identifier is another patient, or nobody
    #[arg(long)]
    pub second_namespace: Option<String>,
    /// An ehr_id that two nodes claim
    #[arg(long)]
    pub colliding_ehr_id: Option<String>,
    /// A further request header, as NAME:VALUE (credentials, for instance); may be repeated
    #[arg(long = "header", value_name = "NAME:VALUE", value_parser = header)]
    pub headers: Vec<(String, String)>,
    /// Where the bytes a node received can be read: [ENDPOINT=]URL; may be repeated
    #[arg(long = "node-journal", value_name = "[ENDPOINT=]URL")]
    pub node_journals: Vec<String>,
    /// A command that makes a node holding the patient fail; may be repeated, each with its --hook-mend
    #[arg(long = "hook-break", value_name = "CMD")]
    pub hook_break: Vec<String>,
    /// The command that makes that node work again
    #[arg(long = "hook-mend", value_name = "CMD")]
    pub hook_mend: Vec<String>,
    /// Allow checks that leave something behind at the gateway (a stored query of a random name)
    #[arg(long)]
    pub allow_writes: bool,
    /// What lies below COMPOSITION in the queries for numbers
    #[arg(long, default_value = "ELEMENT n", value_name = "AQL")]
    pub number_contains: String,
    /// The path of the numbers
    #[arg(long, default_value = "n/value/magnitude", value_name = "PATH")]
    pub number_path: String,
    /// What lies below COMPOSITION in the queries that name the patient as the subject of an entry
    #[arg(long, default_value = "OBSERVATION o", value_name = "AQL")]
    pub entry_contains: String,
    /// Only these: a point (CP-10), one check (CP-10.2) or a track (track-5); may be repeated
    #[arg(long, value_name = "ID")]
    pub only: Vec<String>,
    /// Write the report as JSON
    #[arg(long)]
    pub json: bool,
    /// List the checks and ask nothing
    #[arg(long)]
    pub list: bool,
    /// The longest wait for one answer, in milliseconds
    #[arg(long, default_value_t = 30_000, value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    pub request_ms: u64,
    /// The longest one check may take, in milliseconds
    #[arg(long, default_value_t = 120_000, value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    pub check_ms: u64,
    /// The longest the whole run may take, in milliseconds
    #[arg(long, default_value_t = 900_000, value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    pub total_ms: u64,
    /// The most bytes read of one answer or journal
    #[arg(long, default_value_t = 67_108_864, value_parser = clap::value_parser!(u64).range(1..=1_073_741_824))]
    pub max_bytes: u64,
}

/// A command line that cannot be used, said without the values that may be secret.
#[derive(Debug, thiserror::Error)]
pub enum ArgumentsError {
    /// `--url` is no address, or carries credentials.
    #[error("--url must be an http or https address without user name, query or fragment")]
    Url,
    /// The identifier is empty, or would not fit a request.
    #[error("--patient and --unknown-patient must be 1 to 512 bytes and not the same")]
    Patient,
    /// Breaks and mends do not pair.
    #[error("each --hook-break needs its --hook-mend: {0} and {1} were given")]
    Hooks(usize, usize),
    /// `--only` names nothing there is.
    #[error("no check matches --only {0}; --list shows them")]
    Only(String),
    /// The HTTP client could not be made.
    #[error("the HTTP client could not be made: {0}")]
    Client(String),
}

fn header(text: &str) -> Result<(String, String), &'static str> {
    let (name, value) = text.split_once(':').ok_or("a header is written NAME:VALUE")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}
