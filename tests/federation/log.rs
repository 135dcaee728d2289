//! The whole log of the process, kept to be searched.

use std::io::{self, Write};
use std::sync::{Mutex, Once, PoisonError};

use tracing_subscriber::EnvFilter;

static KEPT: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static STARTED: Once = Once::new();

struct Keeper;

impl Write for Keeper {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        KEPT.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Keeps every line from now on: of the gateway at the finest level, of the libraries as in service. Answers the place where
/// the log stands.
pub(crate) fn start() -> usize {
    STARTED.call_once(|| {
        let filter = EnvFilter::new("warn,tributary=trace");
        tracing_subscriber::fmt().with_env_filter(filter).with_ansi(false).with_writer(|| Keeper).init();
    });
    KEPT.lock().unwrap_or_else(PoisonError::into_inner).len()
}

/// Everything logged since that place.
pub(crate) fn since(place: usize) -> Vec<u8> {
    let kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    kept.get(place..).unwrap_or_default().to_vec()
}
