//! Reading a body no further than a limit.

use axum::body::Body;
use bytes::{Bytes, BytesMut};
use http_body::Body as _;
use http_body_util::BodyExt;

/// Why a body is not there in full.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BodyFailure {
    /// More than the limit, by its announced or its real length.
    #[error("larger than the limit")]
    TooLarge,
    /// It ended before its end.
    #[error("broken off")]
    BrokenOff,
}

/// Reads a body of at most `limit` bytes into one piece. A body that comes in one piece is not copied.
///
/// # Errors
/// When it is larger, as soon as that is known, or ends early.
pub async fn read_bounded(mut body: Body, limit: usize) -> Result<Bytes, BodyFailure> {
    let announced = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
    if announced > limit {
        return Err(BodyFailure::TooLarge);
    }
    let Some(first) = next_piece(&mut body).await? else { return Ok(Bytes::new()) };
    if first.len() > limit {
        return Err(BodyFailure::TooLarge);
    }
    let Some(second) = next_piece(&mut body).await? else { return Ok(first) };
    // The announced length is at most the limit, so a node that lies about it costs address space and no more.
    let mut whole = BytesMut::with_capacity(announced.max(first.len() + second.len()));
    whole.extend_from_slice(&first);
    let mut piece = Some(second);
    while let Some(bytes) = piece {
        if bytes.len() > limit.saturating_sub(whole.len()) {
            return Err(BodyFailure::TooLarge);
        }
        whole.extend_from_slice(&bytes);
        piece = next_piece(&mut body).await?;
    }
    Ok(whole.freeze())
}

async fn next_piece(body: &mut Body) -> Result<Option<Bytes>, BodyFailure> {
    while let Some(frame) = body.frame().await {
        if let Ok(data) = frame.map_err(|_| BodyFailure::BrokenOff)?.into_data()
            && !data.is_empty()
        {
            return Ok(Some(data));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(list: &[&'static str]) -> Body {
        let items: Vec<Result<&'static str, std::io::Error>> = list.iter().map(|piece| Ok(*piece)).collect();
        Body::from_stream(futures_util::stream::iter(items))
    }

    #[tokio::test]
    async fn a_body_is_read_up_to_its_limit_and_not_beyond() {
        let cases: [(&str, Body, Result<&str, BodyFailure>); 7] = [
            ("empty", Body::empty(), Ok("")),
            ("one piece at the limit", pieces(&["12345678"]), Ok("12345678")),
            ("one piece past it", pieces(&["123456789"]), Err(BodyFailure::TooLarge)),
            ("pieces at the limit", pieces(&["1234", "", "56", "78"]), Ok("12345678")),
            ("pieces past it", pieces(&["1234", "5678", "9"]), Err(BodyFailure::TooLarge)),
            ("announced", Body::from("123456789"), Err(BodyFailure::TooLarge)),
            ("announced at the limit", Body::from("12345678"), Ok("12345678")),
        ];
        for (name, body, expected) in cases {
            let read = read_bounded(body, 8).await;
            assert_eq!(read.as_deref(), expected.map(str::as_bytes).as_ref().map(|bytes| &**bytes), "{name}");
        }
    }
}
