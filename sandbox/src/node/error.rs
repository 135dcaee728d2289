//! How a node says no, in its dialect.

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};

use super::Dialect;
use crate::eval::EvalError;
use crate::model::ModelError;
use crate::value::Json;

/// A refusal.
#[derive(Debug)]
pub(super) struct Refusal {
    pub(super) status: StatusCode,
    pub(super) message: String,
    /// The latest version, for the header that tells it.
    pub(super) latest: Option<String>,
}

impl Refusal {
    /// A refusal of this status and text.
    pub(super) fn new(status: StatusCode, message: impl Into<String>) -> Refusal {
        Refusal { status, message: message.into(), latest: None }
    }

    /// `400`
    pub(super) fn bad(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, message)
    }

    /// As the dialect writes it.
    pub(super) fn answer(self, dialect: Dialect) -> Response {
        let reason = self.status.canonical_reason().unwrap_or_default();
        let body = match dialect {
            Dialect::Standard => Json::object([
                ("message", Json::text(self.message)),
                ("code", Json::number(self.status.as_u16())),
                ("validationErrors", Json::Array(Vec::new())),
            ]),
            Dialect::EhrbaseLike => Json::object([("error", Json::text(reason)), ("message", Json::text(self.message))]),
            Dialect::GopenehrLike => Json::object([(
                "error",
                Json::object([
                    ("code", Json::number(self.status.as_u16())),
                    ("error", Json::text(self.message)),
                    ("status", Json::text("error")),
                ]),
            )]),
            Dialect::BetterLike => {
                Json::object([("message", Json::text(self.message)), ("validation_errors", Json::Array(Vec::new()))])
            }
        };
        let mut response = json(self.status, body.to_bytes());
        if let Some(tag) = self.latest.and_then(|uid| HeaderValue::from_str(&format!("\"{uid}\"")).ok()) {
            response.headers_mut().insert(header::ETAG, tag);
        }
        response
    }
}

/// A JSON answer.
pub(super) fn json(status: StatusCode, body: Vec<u8>) -> Response {
    (status, [(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))], body).into_response()
}

impl From<EvalError> for Refusal {
    fn from(error: EvalError) -> Refusal {
        let status = match &error {
            EvalError::Rows(_) => StatusCode::UNPROCESSABLE_ENTITY,
            EvalError::Steps(_) => StatusCode::REQUEST_TIMEOUT,
            _ => StatusCode::BAD_REQUEST,
        };
        Refusal::new(status, error.to_string())
    }
}

impl From<ModelError> for Refusal {
    fn from(error: ModelError) -> Refusal {
        let status = match &error {
            ModelError::NoEhr | ModelError::NoObject => StatusCode::NOT_FOUND,
            ModelError::EhrExists | ModelError::SubjectExists | ModelError::ObjectExists => StatusCode::CONFLICT,
            ModelError::Stale(_) => StatusCode::PRECONDITION_FAILED,
            ModelError::Deleted => StatusCode::BAD_REQUEST,
        };
        let latest = if let ModelError::Stale(latest) = &error { Some(latest.to_string()) } else { None };
        Refusal { status, message: error.to_string(), latest }
    }
}
