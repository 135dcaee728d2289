//! `tributary demo`: an embedded federation and the gateway in front of it, on loopback, with no other software.

use std::io::{self, Write};
use std::net::{SocketAddr, TcpListener};
use std::process::ExitCode;

use tributary_sandbox::federation::Federation;
use tributary_sandbox::identity::{Identifier, Services};
use tributary_sandbox::synthetic::{Patient, Plan};

use super::serve;
use crate::config;
use crate::server::Gateway;
use crate::telemetry;

/// The same patients in every demonstration.
const SEED: u64 = 20_260_115;
const PATIENTS: usize = 6;

/// Runs until it is told to stop.
pub(super) fn run(listen: SocketAddr, nodes: usize) -> Result<ExitCode, Box<dyn std::error::Error>> {
    if !listen.ip().is_loopback() {
        return Err("the demonstration listens on loopback only: it has no authentication".into());
    }
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(demonstrate(listen, nodes))?;
    Ok(ExitCode::SUCCESS)
}

async fn demonstrate(listen: SocketAddr, nodes: usize) -> Result<(), Box<dyn std::error::Error>> {
    let listener = TcpListener::bind(listen)?;
    let address = listener.local_addr()?;
    let federation = Federation::start(Plan { seed: SEED, nodes, patients: PATIENTS, ..Plan::default() }.generate()).await?;
    let services = Services::start(&federation).await?;
    let text = federation.gateway_settings(&address.to_string()).replace("[federation]\n", "[federation]\nexplain = true\n")
        + &services.gateway_config(&federation);
    let settings = config::parse("demo", &text)?;
    telemetry::init(settings.log_format, std::env::var("RUST_LOG").ok().as_deref());
    let gateway = Gateway::new(settings)?;
    let withheld = withhold(&federation, &services);
    introduce(&mut io::stdout().lock(), address, &federation, withheld.as_ref())?;
    serve::until_stopped(listener, &gateway).await
}

/// A patient's record that the consent service withholds: so that a denial can be seen.
struct Withheld {
    patient: String,
    node: String,
}

/// Has the consent service deny one record of the last patient who has several.
fn withhold(federation: &Federation, services: &Services) -> Option<Withheld> {
    let patient = federation.patients().iter().rfind(|patient| patient.holdings.len() > 1)?;
    let node = patient.holdings.last()?.node_id.clone();
    services.consent.deny(&Identifier::new(&patient.namespace, &patient.value), vec![node.clone()]);
    Some(Withheld { patient: patient.value.clone(), node })
}

/// What is running, who is in it, and what to try.
fn introduce(out: &mut impl Write, address: SocketAddr, federation: &Federation, withheld: Option<&Withheld>) -> io::Result<()> {
    writeln!(out, "A federation of {} repositories is running.\n\n  gateway     http://{address}", federation.nodes().len())?;
    for (member, node) in federation.members().iter().zip(federation.nodes()) {
        writeln!(out, "  {:11} {}", member.endpoint_id, node.url())?;
    }
    writeln!(
        out,
        "\nBeside them a PIX manager, a localizer and a consent service, which the gateway asks before any repository."
    )?;
    writeln!(out, "\nInvented patients, and the repositories that hold a record of each:\n")?;
    for patient in federation.patients() {
        let nodes: Vec<&str> = patient.holdings.iter().map(|held| held.node_id.as_str()).collect();
        writeln!(out, "  {:14} {}", patient.value, if nodes.is_empty() { "nowhere".to_owned() } else { nodes.join(", ") })?;
    }
    if let Some(Withheld { patient, node }) = withheld {
        writeln!(out, "\nConsent is denied for {patient} at {node}.")?;
    }
    match federation.patients().iter().find(|patient| patient.holdings.len() > 1) {
        Some(patient) => suggest(out, address, patient),
        None => Ok(()),
    }
}

fn suggest(out: &mut impl Write, address: SocketAddr, patient: &Patient) -> io::Result<()> {
    let aql = format!(
        "SELECT c/context/start_time/value AS time, c/name/value AS what FROM EHR e CONTAINS COMPOSITION c WHERE \
         e/ehr_status/subject/external_ref/id/value = '{}' ORDER BY c/context/start_time/value DESC LIMIT 5",
        patient.value
    );
    let program = std::env::args().next().unwrap_or_else(|| "tributary".to_owned());
    let json = serde_json::json!({ "q": aql }).to_string().replace('\'', "'\\''");
    writeln!(
        out,
        "\nTry, in another terminal:\n\n  curl -s http://{address}/v1/query/aql -H 'Content-Type: application/json' -d '{json}'\n\n  \
         {program} query --url http://{address} \"{aql}\"\n\n  curl -s -X OPTIONS http://{address}/\n\nStop with Ctrl-C."
    )
}
