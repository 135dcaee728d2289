//! `tributary serve`: run the gateway until it is told to stop.

use std::io::{self, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::ExitCode;

use axum_server::Handle;

use super::FAILED;
use crate::config::{self, Settings};
use crate::server::{self, DRAIN_TIME, Gateway};
use crate::telemetry;

/// Serves what the configuration says.
pub(super) fn run(config: &Path) -> Result<ExitCode, Box<dyn std::error::Error>> {
    let settings = match config::load(config, std::env::vars_os()) {
        Ok(settings) => settings,
        Err(faults) => {
            write!(io::stderr().lock(), "{faults}")?;
            return Ok(ExitCode::from(FAILED));
        }
    };
    telemetry::init(settings.log_format, std::env::var("RUST_LOG").ok().as_deref());
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(listen(settings))?;
    Ok(ExitCode::SUCCESS)
}

/// Listens and serves until the process is told to stop.
async fn listen(settings: Settings) -> Result<(), Box<dyn std::error::Error>> {
    let listener = TcpListener::bind(settings.server.listen)?;
    let admin = settings.admin.map(|admin| TcpListener::bind(admin.listen)).transpose()?;
    let gateway = Gateway::new(settings)?;
    if let Some(admin) = admin {
        tracing::info!(address = %admin.local_addr()?, "listening for operators");
        let router = server::admin_router(&gateway);
        tokio::spawn(async move { server::serve(admin, router, Handle::new()).await });
    }
    until_stopped(listener, &gateway).await
}

/// Serves on this listener until the process is told to stop.
pub(super) async fn until_stopped(listener: TcpListener, gateway: &Gateway) -> Result<(), Box<dyn std::error::Error>> {
    tracing::info!(address = %listener.local_addr()?, endpoints = gateway.registry().endpoints().len(), "listening");
    let handle = Handle::new();
    tokio::spawn(stop_when_told(handle.clone()));
    Ok(server::serve(listener, server::router(gateway), handle).await?)
}

/// On the first SIGINT or SIGTERM lets answers under way finish, within a bound.
async fn stop_when_told(handle: Handle<std::net::SocketAddr>) {
    let interrupted = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        match signal(SignalKind::terminate()) {
            Ok(mut terminated) => tokio::select! { _ = interrupted => (), _ = terminated.recv() => () },
            Err(_) => drop(interrupted.await),
        }
    }
    #[cfg(not(unix))]
    drop(interrupted.await);
    tracing::info!("stopping");
    handle.graceful_shutdown(Some(DRAIN_TIME));
}
