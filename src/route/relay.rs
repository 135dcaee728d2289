//! Bodies on their way through: never held, watched for standing still.
//!
//! A large body may take longer than any limit for an answer, so the limit counts from the last byte that moved.

use std::future::Future as _;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use http_body::{Body as HttpBody, Frame, SizeHint};
use tokio::time::{Instant, Sleep};

use crate::node::Lease;

/// When a byte last moved.
#[derive(Clone, Debug)]
pub(super) struct Motion(Arc<Mutex<Instant>>);

impl Motion {
    pub(super) fn start() -> Self {
        Motion(Arc::new(Mutex::new(Instant::now())))
    }

    fn moved(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    fn last(&self) -> Instant {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends when nothing has moved for `limit`.
    pub(super) async fn stands_still(&self, limit: Duration) {
        loop {
            let end = self.last() + limit;
            if end <= Instant::now() {
                return;
            }
            tokio::time::sleep_until(end).await;
        }
    }
}

/// A client's body on its way to a node.
pub(super) struct Upload {
    body: Body,
    motion: Motion,
}

impl Upload {
    pub(super) fn new(body: Body, motion: Motion) -> Self {
        Upload { body, motion }
    }
}

impl HttpBody for Upload {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(cx);
        if polled.is_ready() {
            self.motion.moved();
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A node's body on its way to a client. Ends with an error, so that the client sees it cut short, when the node stands still
/// for `limit`. A client that stands still holds its own connection and, once its lease is over, nothing else.
pub(super) struct Download {
    body: Body,
    limit: Duration,
    pause: Pin<Box<Sleep>>,
    /// The node counts as busy until its body is through, or the client has had its time.
    _lease: Lease,
}

impl Download {
    pub(super) fn new(body: Body, limit: Duration, lease: Lease) -> Self {
        Download { body, limit, pause: Box::pin(tokio::time::sleep(limit)), _lease: lease }
    }
}

/// A node stopped in the middle of its body.
#[derive(Debug, thiserror::Error)]
#[error("the node's answer stood still")]
struct StoodStill;

impl HttpBody for Download {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let this = &mut *self;
        if let Poll::Ready(frame) = Pin::new(&mut this.body).poll_frame(cx) {
            this.pause.as_mut().reset(Instant::now() + this.limit);
            return Poll::Ready(frame);
        }
        this.pause.as_mut().poll(cx).map(|()| Some(Err(axum::Error::new(StoodStill))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
