//! Writes: to the node that holds the EHR as far as that is known, and what builds on a version to the system that controls it
//! (§12.4, N22, N36, N42, CP-15, CP-29). A write is never tried out and never repeated.

use std::sync::Arc;

use axum::body::Body;
use bytes::Bytes;
use http::Response;
use http::header::IF_MATCH;

use super::commit::preceding_systems;
use super::error::RouteError;
use super::forward::never_arrived;
use super::serve::{Call, outgoing};
use super::version::{creating_system, creating_systems_of_tags};
use super::{RoutedRequest, Routing};
use crate::ids::SystemId;
use crate::node::body::{BodyFailure, read_bounded};
use crate::registry::{Endpoint, Membership};

impl Routing {
    pub(super) async fn new_ehr(&self, call: &Call<'_>, request: RoutedRequest) -> Result<Response<Body>, RouteError> {
        let endpoint = call.asker.target.one()?.ok_or(RouteError::TargetRequired { what: "A new EHR" })?;
        self.write(call, request, &endpoint).await
    }

    pub(super) async fn new_ehr_with_id(&self, call: &Call<'_>, request: RoutedRequest) -> Result<Response<Body>, RouteError> {
        let endpoint = call.asker.target.one()?.ok_or(RouteError::TargetRequired { what: "A new EHR" })?;
        self.held_nowhere_else(&call.ehr_id(), &endpoint, &call.asker).await?;
        self.write(call, request, &endpoint).await
    }

    pub(super) async fn new_object(&self, call: &Call<'_>, request: RoutedRequest) -> Result<Response<Body>, RouteError> {
        let endpoint = self.settled(&call.ehr_id(), &call.asker)?.ok_or(RouteError::UnsettledWrite)?;
        self.write(call, request, &endpoint).await
    }

    /// The body is read, since only it says what the commit builds on, and travels on as it came.
    pub(super) async fn commit(&self, call: &Call<'_>, mut request: RoutedRequest) -> Result<Response<Body>, RouteError> {
        let bytes = self.whole_body(&mut request).await?;
        let systems = preceding_systems(&request.headers, &bytes)?;
        request.body = Body::from(bytes);
        self.write_building_on(call, request, systems).await
    }

    /// Takes the request's body whole, within `server.max_body_bytes`.
    pub(super) async fn whole_body(&self, request: &mut RoutedRequest) -> Result<Bytes, RouteError> {
        let limit = self.settings.max_body_bytes;
        let body = std::mem::replace(&mut request.body, Body::empty());
        let reading = tokio::time::timeout_at(request.budget.deadline(), read_bounded(body, limit)).await;
        reading.unwrap_or(Err(BodyFailure::BrokenOff)).map_err(|failure| match failure {
            BodyFailure::TooLarge => RouteError::BodyTooLarge { limit },
            BodyFailure::BrokenOff => RouteError::BodyBrokenOff,
        })
    }

    pub(super) async fn update(&self, call: &Call<'_>, request: RoutedRequest) -> Result<Response<Body>, RouteError> {
        let lines = request.headers.get_all(IF_MATCH).iter().filter_map(|line| line.to_str().ok());
        let mut systems: Vec<_> = lines.flat_map(creating_systems_of_tags).collect();
        systems.extend(call.uid().and_then(|uid| creating_system(&uid)));
        self.write_building_on(call, request, systems).await
    }

    /// What builds on the version in the path, if it is one.
    pub(super) async fn write_in_path(&self, call: &Call<'_>, request: RoutedRequest) -> Result<Response<Body>, RouteError> {
        let systems = call.uid().and_then(|uid| creating_system(&uid)).into_iter().collect();
        self.write_building_on(call, request, systems).await
    }

    async fn write_building_on(
        &self,
        call: &Call<'_>,
        request: RoutedRequest,
        mut systems: Vec<SystemId>,
    ) -> Result<Response<Body>, RouteError> {
        systems.sort_unstable();
        systems.dedup();
        match systems.as_slice() {
            [] => self.new_object(call, request).await,
            [system] => {
                let endpoint = self.controlling(call, system)?;
                let written = self.write(call, request, &endpoint).await;
                written.map_err(|error| unreachable_controller(error, system))
            }
            _ => Err(RouteError::SeveralControlling(systems)),
        }
    }

    /// The endpoint of the system that controls a version; never that of another node, which could only hold a copy.
    fn controlling(&self, call: &Call<'_>, system: &SystemId) -> Result<Arc<Endpoint>, RouteError> {
        let refused = |endpoint: Option<Arc<Endpoint>>, why| RouteError::Controlling { system: system.clone(), endpoint, why };
        let controllers = self.controllers(system);
        let controller = match controllers.as_slice() {
            [one] => Arc::clone(one),
            [] => return Err(refused(None, "no member of this federation is that system, and a copy is not written to")),
            _ => return Err(refused(None, "several members are declared to be that system")),
        };
        match self.settled(&call.ehr_id(), &call.asker)? {
            Some(settled) if settled.node.id == controller.node.id => Ok(settled),
            Some(_) => Err(refused(Some(controller), "this request would go to another node, which holds at most a copy")),
            None if controller.membership == Membership::Active => Ok(controller),
            None => Err(refused(Some(controller), "it is not in service")),
        }
    }

    pub(super) async fn write(
        &self,
        call: &Call<'_>,
        mut request: RoutedRequest,
        endpoint: &Arc<Endpoint>,
    ) -> Result<Response<Body>, RouteError> {
        let body = std::mem::replace(&mut request.body, Body::empty());
        let response = self.forward(endpoint, outgoing(call, &request, body), &request.budget).await?;
        self.learn(call, endpoint, response).await
    }
}

/// A controlling system that cannot be reached is a conflict, not a time-out (§11.2): nothing was written, and no other node may.
fn unreachable_controller(error: RouteError, system: &SystemId) -> RouteError {
    match error {
        RouteError::Node { endpoint, failure } if never_arrived(&failure) => {
            RouteError::Controlling { system: system.clone(), endpoint: Some(endpoint), why: "it cannot be reached" }
        }
        other => other,
    }
}
