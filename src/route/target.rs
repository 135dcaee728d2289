//! Explicit targets of a request about one record (§8, §12).

use std::sync::Arc;

use http::HeaderMap;

use super::error::RouteError;
use crate::ids::{EndpointId, OrganisationId};
use crate::registry::{Endpoint, Membership, Registry};

/// What the targeting headers of a routed request name.
#[derive(Clone, Debug)]
pub enum Target {
    /// Nothing.
    None,
    /// These endpoints, each in the registry.
    Endpoints(Vec<Arc<Endpoint>>),
    /// Every endpoint in service (`*`): only a template upload may.
    Every,
}

impl Target {
    /// Reads the headers. Naming an organisation names its endpoints.
    ///
    /// # Errors
    /// When they cannot be read, or name what is not in the registry.
    pub fn read(headers: &HeaderMap, registry: &Registry) -> Result<Self, RouteError> {
        let endpoints = ids(headers, "openehr-federation-endpoint")?;
        let organisations = ids(headers, "openehr-federation-organisation")?;
        match (endpoints.as_slice(), organisations.as_slice()) {
            ([], []) => Ok(Target::None),
            (["*"], []) => Ok(Target::Every),
            (named, []) => {
                let found = named.iter().map(|id| registry.endpoint(&EndpointId::new(*id)).cloned());
                found.collect::<Option<Vec<_>>>().map(Target::Endpoints).ok_or(RouteError::UnknownTarget)
            }
            ([], named) => {
                let ids: Vec<_> = named.iter().map(|id| OrganisationId::new(*id)).collect();
                if ids.iter().any(|id| registry.organisation(id).is_none()) {
                    return Err(RouteError::UnknownTarget);
                }
                let theirs = registry.endpoints().filter(|endpoint| ids.contains(&endpoint.organisation));
                Ok(Target::Endpoints(theirs.cloned().collect()))
            }
            _ => Err(RouteError::TargetHeader),
        }
    }

    /// The one endpoint named, if any is.
    ///
    /// # Errors
    /// When several are, or the one is out of service.
    pub fn one(&self) -> Result<Option<Arc<Endpoint>>, RouteError> {
        match self {
            Target::None => Ok(None),
            Target::Every => Err(RouteError::TargetHeader),
            Target::Endpoints(endpoints) => match endpoints.as_slice() {
                [endpoint] if endpoint.membership == Membership::Active => Ok(Some(Arc::clone(endpoint))),
                [endpoint] => Err(RouteError::OutOfService(Arc::clone(endpoint))),
                several => Err(RouteError::SeveralTargets { count: several.len() }),
            },
        }
    }
}

/// The ids of every line of a header, each once.
fn ids<'a>(headers: &'a HeaderMap, name: &str) -> Result<Vec<&'a str>, RouteError> {
    let mut ids = Vec::new();
    for line in headers.get_all(name) {
        for id in line.to_str().map_err(|_| RouteError::TargetHeader)?.split(',').map(str::trim) {
            match id {
                "" => return Err(RouteError::TargetHeader),
                id if ids.contains(&id) => {}
                id => ids.push(id),
            }
        }
    }
    Ok(ids)
}
