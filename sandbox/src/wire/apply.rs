//! The layer that makes faults happen, around whatever a server answers.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{ConnectInfo, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::{StreamExt, stream};
use http::{HeaderValue, Method, StatusCode, header};

use super::server::Peer;
use super::{Fault, Faults};
use crate::value::Json;

/// A row of an oversize answer.
const FILLER: &str = r#",["xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"]"#;

/// Answers, or lets a fault strike.
pub(super) async fn strike(
    State(faults): State<Arc<Faults>>,
    ConnectInfo(peer): ConnectInfo<Peer>,
    request: Request,
    next: Next,
) -> Response {
    let Some(fault) = faults.strike(request.method() == Method::OPTIONS) else { return next.run(request).await };
    match fault {
        Fault::Delay(time) => {
            tokio::time::sleep(time).await;
            next.run(request).await
        }
        Fault::HangBeforeHeaders => std::future::pending().await,
        Fault::Reset => {
            peer.0.reset();
            std::future::pending().await
        }
        Fault::Status(status, body) => json(StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR), body),
        Fault::Body(body) => json(StatusCode::OK, body),
        Fault::EmptyObject => json(StatusCode::OK, "{}".into()),
        Fault::NoContent | Fault::CloseOnAccept => StatusCode::NO_CONTENT.into_response(),
        Fault::ConsentRefusal(code) => {
            let body = Json::object([("message", Json::text("refused on grounds of consent")), ("code", Json::text(code))]);
            json(StatusCode::FORBIDDEN, body.to_string())
        }
        Fault::Redirect(to) => redirect(&to),
        Fault::Oversize(bytes) => oversize(bytes),
        Fault::HangMidBody
        | Fault::Drip { .. }
        | Fault::ResetMidBody
        | Fault::MalformedJson
        | Fault::RowsNotArrays
        | Fault::ShortRows
        | Fault::ReversedRows => spoil(fault, &peer, next.run(request).await).await,
    }
}

/// Spoils the right answer.
async fn spoil(fault: Fault, peer: &Peer, response: Response) -> Response {
    let (mut parts, body) = response.into_parts();
    let whole = axum::body::to_bytes(body, usize::MAX).await.unwrap_or_default();
    let half = whole.slice(..whole.len() / 2);
    let body = match fault {
        Fault::HangMidBody => Body::from_stream(pieces(vec![half]).chain(stream::pending())),
        Fault::ResetMidBody => {
            let connection = Arc::clone(&peer.0);
            let reset = stream::once(async move {
                // What was written is given the time to leave before the connection goes.
                tokio::time::sleep(Duration::from_millis(20)).await;
                connection.reset();
                std::future::pending::<Result<Bytes, Infallible>>().await
            });
            Body::from_stream(pieces(vec![half]).chain(reset))
        }
        Fault::Drip { bytes, every } => {
            let drops: Vec<Bytes> = whole.chunks(bytes.max(1)).map(Bytes::copy_from_slice).collect();
            Body::from_stream(pieces(drops).then(move |piece| async move {
                tokio::time::sleep(every).await;
                piece
            }))
        }
        Fault::MalformedJson => {
            parts.headers.remove(header::CONTENT_LENGTH);
            Body::from(half)
        }
        other => {
            parts.headers.remove(header::CONTENT_LENGTH);
            Body::from(respelled(&other, &whole))
        }
    };
    Response::from_parts(parts, body)
}

fn pieces(pieces: Vec<Bytes>) -> impl futures_util::Stream<Item = Result<Bytes, Infallible>> {
    stream::iter(pieces.into_iter().map(Ok))
}

/// The answer with its rows spoilt; as it is, when it has none.
fn respelled(fault: &Fault, whole: &[u8]) -> Vec<u8> {
    let Ok(mut answer) = Json::parse(whole) else { return whole.to_vec() };
    let Some(rows) = answer.get("rows").and_then(Json::as_array) else { return whole.to_vec() };
    let mut rows = rows.to_vec();
    match fault {
        Fault::ReversedRows => rows.reverse(),
        Fault::RowsNotArrays => rows.iter_mut().for_each(|row| *row = Json::object([("cells", row.clone())])),
        _ => rows.iter_mut().for_each(|row| {
            if let Json::Array(cells) = row {
                cells.pop();
            }
        }),
    }
    answer.set("rows", Json::Array(rows));
    answer.to_bytes()
}

fn redirect(to: &str) -> Response {
    let mut response = StatusCode::TEMPORARY_REDIRECT.into_response();
    if let Ok(location) = HeaderValue::from_str(to) {
        response.headers_mut().insert(header::LOCATION, location);
    }
    response
}

fn oversize(bytes: u64) -> Response {
    let start = r##"{"columns":[{"name":"#0"}],"rows":[["x"]"##;
    let count = usize::try_from(bytes / FILLER.len() as u64).unwrap_or(usize::MAX);
    let per_piece = 500;
    let piece = Bytes::from(FILLER.repeat(per_piece));
    let filler = stream::repeat(piece).take(count.div_ceil(per_piece));
    let whole = stream::once(async move { Bytes::from(start) }).chain(filler).chain(stream::once(async { Bytes::from("]}") }));
    let mut response = Response::new(Body::from_stream(whole.map(Ok::<_, Infallible>)));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

fn json(status: StatusCode, body: String) -> Response {
    (status, [(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))], body).into_response()
}
