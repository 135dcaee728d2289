//! Running a stored query: its definition comes from the gateway's own registry (N44, CP-40).

use std::sync::Arc;

use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use serde::Deserialize;

use crate::error::ErrorCode;
use crate::queries::{NameFault, QueryName, StoredQuery, VersionPrefix};
use crate::server::error::ClientError;
use crate::server::state::Gateway;

/// What a path says of a definition, if it decodes to text.
pub(in crate::server) type StoredPath = Result<Path<Named>, PathRejection>;

/// Which definition a path names.
#[derive(Debug, Deserialize)]
pub(in crate::server) struct Named {
    name: String,
    #[serde(default)]
    version: String,
}

/// The definition, at the highest version that fits.
///
/// # Errors
/// The registry is not held here, the name or version is none, or there is no such definition.
pub(super) fn find(gateway: &Gateway, path: StoredPath) -> Result<Arc<StoredQuery>, ClientError> {
    let Some(store) = gateway.stored_queries() else {
        let message =
            "Stored queries are not held at this gateway (`federation.stored_queries`). Send the query's text to `query/aql`.";
        return Err(ClientError::new(ErrorCode::NotServed, message));
    };
    let Path(path) = path.map_err(|_| {
        let message = "The name or the version of the stored query in the path does not decode to UTF-8.";
        ClientError::new(ErrorCode::InvalidQueryName, message)
    })?;
    let malformed = |fault: NameFault| ClientError::new(ErrorCode::InvalidQueryName, fault.to_string());
    let name = QueryName::parse(&path.name).map_err(malformed)?;
    let prefix = if path.version.is_empty() {
        VersionPrefix::default()
    } else {
        VersionPrefix::parse(&path.version).map_err(malformed)?
    };
    let unknown = || ClientError::new(ErrorCode::NotFound, "There is no stored query of this name and version.");
    store.find(&name, prefix).ok_or_else(unknown)
}
