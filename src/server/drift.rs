//! `GET {base}/federation/drift`: do the nodes have the registry's stored queries?

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Extension, Query, State};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use super::error::ClientError;
use super::request_id::RequestId;
use super::state::Gateway;
use crate::error::ErrorCode;

/// Which definitions.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wanted {
    /// The beginning of their names; all when absent.
    #[serde(default)]
    name: String,
}

/// The report.
pub(super) async fn report(
    State(gateway): State<Gateway>,
    Extension(id): Extension<RequestId>,
    wanted: Result<Query<Wanted>, QueryRejection>,
) -> Response {
    let answer = match wanted {
        Ok(Query(wanted)) => {
            gateway.routing().drift(&wanted.name, &gateway.budget()).await.map_err(|error| ClientError::from(&error))
        }
        Err(_) => Err(ClientError::new(
            ErrorCode::InvalidRequest,
            "The one parameter here is `name`, the beginning of the queries' names.",
        )),
    };
    match answer {
        Ok(drift) => Json(drift).into_response(),
        Err(error) => error.respond(id.as_str()),
    }
}
