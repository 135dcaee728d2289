//! Definitions: at the one endpoint the client chose, never a merged catalogue (§12.6, CP-34).

use axum::body::Body;
use http::Response;

use super::error::RouteError;
use super::serve::Call;
use super::{RoutedRequest, Routing};

impl Routing {
    pub(super) async fn definition(&self, call: &Call<'_>, request: RoutedRequest) -> Result<Response<Body>, RouteError> {
        let endpoint = call.asker.target.one()?.ok_or(RouteError::TargetRequired { what: "A definition" })?;
        self.write(call, request, &endpoint).await
    }

    pub(super) async fn template_upload(&self, call: &Call<'_>, request: RoutedRequest) -> Result<Response<Body>, RouteError> {
        self.definition(call, request).await
    }
}
