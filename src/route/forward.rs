//! One request to one node, byte for byte, and its answer back (§12, N24, CP-24, CP-26).

use std::sync::Arc;

use axum::body::Body;
use bytes::Bytes;
use http::{HeaderMap, Method, Request, Response, StatusCode};
use tokio::time::{Instant, timeout_at};

use super::Routing;
use super::error::RouteError;
use super::headers::{add_acting, add_via, from_node, to_node};
use super::relay::{Download, Motion, Upload};
use crate::budget::Budget;
use crate::node::{ComposeFailure, NodeFailure, TransportFailure};
use crate::registry::Endpoint;

/// What travels to a node of a client's request.
pub(super) struct Outgoing<'a> {
    /// The method.
    pub(super) method: &'a Method,
    /// The raw path and query below `{base}`.
    pub(super) target: &'a str,
    /// The client's headers; the allow-list is applied on the way.
    pub(super) headers: &'a HeaderMap,
    /// The body.
    pub(super) body: Body,
}

impl Routing {
    /// Sends it to the endpoint and gives the answer back as soon as its head is there; the body streams behind.
    pub(super) async fn forward(
        &self,
        endpoint: &Arc<Endpoint>,
        outgoing: Outgoing<'_>,
        budget: &Budget,
    ) -> Result<Response<Body>, RouteError> {
        let asked = timeout_at(budget.node_deadline(endpoint.per_node), self.permits.acquire(&endpoint.id)).await;
        let Ok(Some(permit)) = asked else { return Err(RouteError::NoPermit(Arc::clone(endpoint))) };
        // A client that sends byte by byte must not keep the endpoint busy for everyone.
        let lease = permit.lease(budget.overall());
        let limit = endpoint.per_node.map_or(budget.per_node(), |own| own.min(budget.per_node()));
        let reads = is_read(outgoing.method); // has no body that could take its time
        let motion = Motion::start();
        let failed = |failure| RouteError::Node { endpoint: Arc::clone(endpoint), failure };
        let request = self.outward(endpoint, outgoing, &motion).map_err(|_| failed(NodeFailure::NotComposed))?;
        let started = Instant::now();
        let mut exchange = self.client.transport().send(request);
        let answer = tokio::select! {
            answer = exchange.response.as_mut() => answer,
            () = motion.stands_still(limit) => return Err(failed(exchange.late(started))),
            () = tokio::time::sleep_until(budget.deadline()), if reads => return Err(failed(exchange.late(started))),
        };
        match answer {
            Ok(response) => Ok(self.inward(endpoint, response, |body| Download::new(body, limit, lease))),
            Err(TransportFailure::RequestBody) => Err(RouteError::BodyBrokenOff),
            Err(failure) => Err(failed(failure.into())),
        }
    }

    fn outward(&self, endpoint: &Endpoint, outgoing: Outgoing<'_>, motion: &Motion) -> Result<Request<Body>, ComposeFailure> {
        let reads = is_read(outgoing.method);
        let body = if reads { Body::empty() } else { Body::new(Upload::new(outgoing.body, motion.clone())) };
        let mut request = self.client.request(endpoint, outgoing.method.clone(), outgoing.target, body)?;
        let mut headers = to_node(outgoing.headers);
        if reads {
            headers.remove(http::header::CONTENT_LENGTH);
        }
        add_via(outgoing.headers, &mut headers, self.client.via());
        let own = std::mem::replace(request.headers_mut(), headers);
        request.headers_mut().extend(own);
        Ok(request)
    }

    fn inward<B>(&self, endpoint: &Endpoint, response: Response<Body>, wrap: impl FnOnce(Body) -> B) -> Response<Body>
    where
        B: http_body::Body<Data = Bytes, Error = axum::Error> + Send + 'static,
    {
        let (head, body) = response.into_parts();
        let mut answer = Response::new(Body::new(wrap(body)));
        *answer.status_mut() = head.status;
        *answer.headers_mut() = from_node(&head.headers);
        add_via(&head.headers, answer.headers_mut(), self.client.via());
        add_acting(answer.headers_mut(), [endpoint]);
        answer
    }
}

fn is_read(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD)
}

/// Did nothing of the request reach the node?
pub(super) fn never_arrived(failure: &NodeFailure) -> bool {
    match failure {
        NodeFailure::Unreachable(_) | NodeFailure::NotConnectedInTime(_) | NodeFailure::NotComposed => true,
        NodeFailure::NoAnswer
        | NodeFailure::TimedOut(_)
        | NodeFailure::Status { .. }
        | NodeFailure::Redirect(_)
        | NodeFailure::ConsentRefused
        | NodeFailure::NotHttp
        | NodeFailure::BrokenOff { .. }
        | NodeFailure::TooLarge { .. } => false,
    }
}

/// Did the node do what was asked?
pub(super) fn done(status: StatusCode) -> bool {
    status.is_success() || status == StatusCode::NOT_MODIFIED
}
