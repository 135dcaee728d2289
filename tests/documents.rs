//! Documents that are written from the code say what the code says.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::Path;

/// `docs/errors.md` is the catalogue; with `WRITE_DOCUMENTS=1` it is written anew.
#[test]
fn the_error_catalogue_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/errors.md");
    let catalogue = tributary::server::error::catalogue();
    if std::env::var_os("WRITE_DOCUMENTS").is_some() {
        fs::write(&path, &catalogue).unwrap();
    }
    assert_eq!(
        fs::read_to_string(&path).unwrap_or_default(),
        catalogue,
        "run the tests with WRITE_DOCUMENTS=1 and commit docs/errors.md"
    );
}
