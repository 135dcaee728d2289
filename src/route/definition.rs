//! Definitions: at the one endpoint the client chose, never a merged catalogue (§12.6, CP-34).

use axum::body::Body;
use http::Response;

use super::error::RouteError;
use super::serve::Call;
use super::target::Target;
use super::{RoutedRequest, Routing};

impl Routing {
    pub(super) async fn definition(&self, call: &Call<'_>, request: RoutedRequest) -> Result<Response<Body>, RouteError> {
        let endpoint = call.asker.target.one()?.ok_or(RouteError::TargetRequired { what: "A definition" })?;
        self.write(call, request, &endpoint).await
    }

    /// To one endpoint as any definition; to several where that is on.
    pub(super) async fn template_upload(&self, call: &Call<'_>, request: RoutedRequest) -> Result<Response<Body>, RouteError> {
        let endpoints = match &call.asker.target {
            Target::Every => self.in_service(),
            Target::Endpoints(endpoints) if endpoints.len() > 1 => endpoints.clone(),
            Target::Endpoints(_) | Target::None => return self.definition(call, request).await,
        };
        match (self.settings.fan_out_template_upload, endpoints.is_empty()) {
            (false, _) => Err(RouteError::UploadToSeveral),
            (true, true) => Err(RouteError::NobodyInService),
            (true, false) => self.upload(call, request, endpoints).await,
        }
    }
}
