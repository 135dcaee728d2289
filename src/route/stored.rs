//! `{base}/v1/definition/query/…` where the gateway holds the registry (§12.7, N44, CP-40).

use std::borrow::Cow;

use axum::body::Body;
use http::header::{CONTENT_TYPE, HeaderValue, LOCATION};
use http::{Method, Response};
use serde::Serialize;

use super::error::RouteError;
use super::path::parameters;
use super::serve::Call;
use super::target::Target;
use super::{RoutedRequest, Routing};
use crate::queries::{QueryName, QueryStore, StoreFault, Version, VersionPrefix, check_definition, for_nodes};

/// The registry and what serving it needs.
#[derive(Clone)]
pub struct StoredQueries {
    /// The registry.
    pub store: QueryStore,
    /// `{base}` as clients call it; ends with `/`.
    pub public_base: String,
    /// The wall clock.
    pub now: fn() -> chrono::DateTime<chrono::Utc>,
}

impl Routing {
    /// At the gateway when it holds the registry, else at the one endpoint targeted.
    pub(super) async fn stored_query(&self, call: &Call<'_>, request: RoutedRequest) -> Result<Response<Body>, RouteError> {
        let Some(queries) = &self.queries else { return self.definition(call, request).await };
        if !matches!(call.asker.target, Target::None) {
            return Err(RouteError::HeldHere);
        }
        let (name, version) = (call.captured("qualified_query_name").unwrap_or_default(), call.captured("version"));
        match (&request.method, version) {
            (&Method::PUT, version) => self.put(queries, &name, version.as_deref(), request).await,
            (_, Some(version)) => {
                let (name, prefix) = (QueryName::parse(&name)?, VersionPrefix::parse(&version)?);
                let found = queries.store.find(&name, prefix).ok_or(RouteError::NoStoredQuery)?;
                Ok(json(&*found))
            }
            (_, None) => Ok(json(&queries.store.list(&name).iter().map(|found| &**found).collect::<Vec<_>>())),
        }
    }

    async fn put(
        &self,
        queries: &StoredQueries,
        name: &str,
        version: Option<&str>,
        mut request: RoutedRequest,
    ) -> Result<Response<Body>, RouteError> {
        let name = QueryName::parse(name)?;
        let version = version.map(Version::parse).transpose()?;
        let other = |(name, kind): (Cow<'_, str>, Cow<'_, str>)| name == "query_type" && !kind.eq_ignore_ascii_case("aql");
        if parameters(request.query.as_deref().unwrap_or_default()).any(other) {
            return Err(RouteError::QueryType);
        }
        let q = self.definition_text(&mut request).await?;
        check_definition(&q)?;
        let (store, saved) = (queries.store.clone(), (queries.now)().to_rfc3339_opts(chrono::SecondsFormat::Millis, true));
        let storing = tokio::task::spawn_blocking(move || store.store(name, version, &q, saved));
        let stored = storing.await.map_err(|error| StoreFault::Disk(Box::new(error)))??;
        let location = format!("{}v1/definition/query/{}/{}", queries.public_base, stored.name, stored.version);
        let mut response = match for_nodes(&stored.q).filter(|_| self.settings.stored_query_fan_out) {
            Some(text) => self.distribute(&stored, &text, &request.budget).await,
            None => Response::new(Body::empty()),
        };
        if let Ok(location) = HeaderValue::from_str(&location) {
            response.headers_mut().insert(LOCATION, location);
        }
        Ok(response)
    }

    /// The AQL of the body: the text itself, or the `q` of a JSON object.
    async fn definition_text(&self, request: &mut RoutedRequest) -> Result<String, RouteError> {
        #[derive(serde::Deserialize)]
        struct Definition {
            q: String,
        }
        let media_type = request.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("text/plain");
        let media_type = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let bytes = self.whole_body(request).await?;
        match media_type.as_str() {
            "text/plain" => String::from_utf8(bytes.to_vec()).map_err(|_| RouteError::DefinitionBody),
            "application/json" => {
                serde_json::from_slice::<Definition>(&bytes).map(|body| body.q).map_err(|_| RouteError::DefinitionBody)
            }
            _ => Err(RouteError::DefinitionMediaType),
        }
    }
}

fn json<T: Serialize>(value: &T) -> Response<Body> {
    let mut response = Response::new(Body::from(serde_json::to_vec(value).unwrap_or_default()));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}
