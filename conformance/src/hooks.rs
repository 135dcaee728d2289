//! Commands that make a node fail and work again. They run in a shell, bounded, one at a time.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::verdict::{Finding, applies};

/// The longest a command may run.
const LONGEST: Duration = Duration::from_secs(60);
/// How often a running command is looked at.
const LOOK: Duration = Duration::from_millis(20);

/// A fault that can be made and undone.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    pub(crate) make: String,
    pub(crate) mend: String,
}

/// Runs a command to its end. A command that fails makes the checks that need it not applicable, not failed.
pub(crate) async fn run(command: &str) -> Result<(), Finding> {
    let owned = command.to_owned();
    let ended = tokio::task::spawn_blocking(move || wait_for(&owned)).await;
    let problem = match ended {
        Ok(Ok(())) => None,
        Ok(Err(problem)) => Some(problem),
        Err(_) => Some("it could not be run".to_owned()),
    };
    applies!(problem.is_none(), "the hook `{command}` did not work: {}", problem.unwrap_or_default());
    Ok(())
}

fn wait_for(command: &str) -> Result<(), String> {
    let mut child = Command::new("sh")
        .args(["-c", command])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| error.to_string())?;
    let started = Instant::now();
    loop {
        match child.try_wait().map_err(|error| error.to_string())? {
            Some(status) if status.success() => return Ok(()),
            Some(status) => return Err(format!("it ended with {status}")),
            None if started.elapsed() > LONGEST => {
                let _ = child.kill();
                let _ = child.wait();
                return Err("it took longer than a minute".to_owned());
            }
            None => std::thread::sleep(LOOK),
        }
    }
}
