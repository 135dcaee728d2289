//! A gateway in front of sandbox repositories, for clients of any language to be tried against: writes its base URL and, for
//! one patient, identifier and namespace to standard output, then serves until standard input ends.

use std::io::{self, Write as _};
use std::net::TcpListener;

use tributary::config;
use tributary::server::{DRAIN_TIME, Gateway, router, serve};
use tributary_sandbox::federation::Federation;
use tributary_sandbox::synthetic::Plan;

/// Where clients that know only the openEHR API's usual place look for it.
const BASE: &str = "/rest/openehr";

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    let federation = Federation::start(Plan { seed: 5, nodes: 3, patients: 3, ..Plan::default() }.generate()).await?;
    let more = "[federation]\nfan_out_template_upload = true\nstored_query_fan_out = true\n";
    let settings = federation.gateway_config(&address.to_string()).replacen("[federation]\n", more, 1);
    let settings = settings.replacen("[server]\n", &format!("[server]\nbase_path = \"{BASE}\"\n"), 1);
    let gateway = Gateway::new(config::parse("sandboxed", &settings)?)?;
    let handle = axum_server::Handle::new();
    let serving = tokio::spawn(serve(listener, router(&gateway), handle.clone()));
    let patient = federation.patients().iter().find(|patient| patient.holdings.len() > 1).ok_or("no patient has two records")?;
    writeln!(io::stdout(), "http://{address} {} {}", patient.value, patient.namespace)?;
    tokio::task::spawn_blocking(|| io::copy(&mut io::stdin(), &mut io::sink())).await??;
    handle.graceful_shutdown(Some(DRAIN_TIME));
    Ok(serving.await??)
}
