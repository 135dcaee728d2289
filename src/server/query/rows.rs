//! The rows of several answers made one, and sent.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use futures_util::stream;

use crate::combine::{self, CombineError, Combined, Contribution};
use crate::envelope::ResultSet;
use crate::plan::Plan;

/// Answers of more bytes than this are combined off the I/O threads: sorting them would keep others waiting.
const COMBINE_ELSEWHERE_BYTES: usize = 128 * 1024;
/// An answer is written in pieces of about this size.
const CHUNK_BYTES: usize = 64 * 1024;

/// Makes one answer of many, on a thread of its own when there is much to sort.
///
/// # Errors
/// As [`combine::combine`].
pub(super) async fn combined(plan: &Arc<Plan>, contributions: Vec<Contribution>) -> Result<Combined, CombineError> {
    let bytes: usize = contributions.iter().map(|contribution| contribution.rows.body_bytes()).sum();
    if bytes < COMBINE_ELSEWHERE_BYTES {
        return combine::combine(&plan.combine, contributions);
    }
    let plan = Arc::clone(plan);
    let work = tokio::task::spawn_blocking(move || combine::combine(&plan.combine, contributions));
    work.await.unwrap_or(Err(CombineError::Plan("combining did not end")))
}

/// The body of an answer: written at once when it is small, else piece by piece as the client takes it, so that the rows are
/// never held twice.
pub(super) fn body(around: ResultSet, combined: Combined) -> Body {
    let mut first = around.prefix;
    let next = combined.write_chunk(0, CHUNK_BYTES, &mut first);
    if next == combined.len() {
        first.extend_from_slice(&around.suffix);
        return Body::from(first);
    }
    let rest = Rest { combined, next, suffix: Some(around.suffix) };
    let chunks = stream::unfold((Some(first), rest), |(first, mut rest)| async move {
        let chunk = first.or_else(|| rest.chunk())?;
        Some((Ok::<_, std::convert::Infallible>(Bytes::from(chunk)), (None, rest)))
    });
    Body::from_stream(chunks)
}

/// What of an answer is still to be written.
struct Rest {
    combined: Combined,
    next: usize,
    suffix: Option<Vec<u8>>,
}

impl Rest {
    /// The next piece; none after the last.
    fn chunk(&mut self) -> Option<Vec<u8>> {
        if self.next == self.combined.len() {
            return self.suffix.take();
        }
        let mut chunk = Vec::with_capacity(CHUNK_BYTES + CHUNK_BYTES / 4);
        self.next = self.combined.write_chunk(self.next, CHUNK_BYTES, &mut chunk);
        Some(chunk)
    }
}
