//! The one place where errors become answers.

use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use serde::Serialize;

use crate::combine::CombineError;
use crate::error::ErrorCode;
use crate::fanout::FanOutError;
use crate::intake::IntakeError;
use crate::plan::PlanError;
use crate::select::SelectError;

/// What a client is told when a request is refused: an ITS-REST Error with a stable code (§11.2).
#[derive(Debug)]
pub struct ClientError {
    /// The stable code; decides the HTTP status.
    pub code: ErrorCode,
    /// What is refused, why, and what to do; never a value from the request.
    pub message: String,
    /// Further faults of the same request, one sentence each.
    pub details: Vec<String>,
    /// Headers beside the body: `Retry-After`, `Allow`, the acting endpoint.
    pub headers: Box<HeaderMap>,
}

/// The body of every error: ITS-REST's `message` and `validationErrors`, our `code` and `request_id`.
#[derive(Serialize)]
struct ErrorBody<'a> {
    message: &'a str,
    code: &'static str,
    #[serde(rename = "validationErrors")]
    validation_errors: &'a [String],
    request_id: &'a str,
}

impl ClientError {
    /// A refusal with nothing but its code and message.
    #[must_use]
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        ClientError { code, message: message.into(), details: Vec::new(), headers: Box::default() }
    }

    /// The client's view of an error of an inner layer. A fault of ours is logged here, once, and told in fixed words.
    fn refusal(code: ErrorCode, error: &dyn std::error::Error) -> Self {
        if code == ErrorCode::Internal {
            tracing::error!(error = %error, "a request failed by a fault of the gateway");
            return ClientError::internal();
        }
        ClientError::new(code, error.to_string())
    }

    /// The same with a header.
    #[must_use]
    pub fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.insert(name, value);
        self
    }

    /// The fixed answer to a fault of ours; the chain is in the log.
    #[must_use]
    pub fn internal() -> Self {
        ClientError::new(
            ErrorCode::Internal,
            "The gateway failed on this request. The operator's log names the fault under this request id.",
        )
    }

    /// The answer, carrying the request's id.
    #[must_use]
    pub fn respond(self, request_id: &str) -> Response {
        let body = ErrorBody { message: &self.message, code: self.code.as_str(), validation_errors: &self.details, request_id };
        let mut response = (status_of(self.code), axum::Json(body)).into_response();
        response.headers_mut().extend(*self.headers);
        if self.code == ErrorCode::Overloaded {
            response.headers_mut().entry(header::RETRY_AFTER).or_insert(HeaderValue::from_static("1"));
        }
        response
    }
}

macro_rules! refusals {
    ($($error:ty),+ $(,)?) => {
        $(impl From<$error> for ClientError {
            fn from(error: $error) -> Self {
                ClientError::refusal(error.code(), &error)
            }
        })+
    };
}

refusals!(IntakeError, PlanError, SelectError, FanOutError, CombineError);

/// The HTTP status of each code (§11.2). Exhaustive, so that a new code must say what it is to a client.
#[must_use]
pub fn status_of(code: ErrorCode) -> StatusCode {
    match code {
        ErrorCode::InvalidJson
        | ErrorCode::InvalidRequest
        | ErrorCode::InvalidHeader
        | ErrorCode::InvalidParameter
        | ErrorCode::InvalidAql
        | ErrorCode::AqlTooComplex
        | ErrorCode::InvalidQuery
        | ErrorCode::ConflictingPaging
        | ErrorCode::IrreducibleSubject
        | ErrorCode::IdentifierLeak
        | ErrorCode::MissingNamespace
        | ErrorCode::PatientRequired
        | ErrorCode::OffsetUnsupported
        | ErrorCode::AggregateUnsupported
        | ErrorCode::CombinationUnsupported
        | ErrorCode::UnknownTarget
        | ErrorCode::ConflictingTargets
        | ErrorCode::TargetRequired
        | ErrorCode::PartialNotOffered
        | ErrorCode::DedupNotOffered
        | ErrorCode::UnroutableEhrId
        | ErrorCode::InvalidQueryName => StatusCode::BAD_REQUEST,
        ErrorCode::Unauthenticated => StatusCode::UNAUTHORIZED,
        ErrorCode::Forbidden => StatusCode::FORBIDDEN,
        ErrorCode::NotFound | ErrorCode::NoDestination => StatusCode::NOT_FOUND,
        ErrorCode::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
        ErrorCode::EhrIdCollision
        | ErrorCode::EhrIdHeld
        | ErrorCode::ControllingSystem
        | ErrorCode::AmbiguousPatient
        | ErrorCode::QueryExists => StatusCode::CONFLICT,
        ErrorCode::RequestTimeout => StatusCode::REQUEST_TIMEOUT,
        ErrorCode::BodyTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        ErrorCode::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        ErrorCode::LimitExceeded => StatusCode::UNPROCESSABLE_ENTITY,
        ErrorCode::EndpointFailed | ErrorCode::CrossReferenceFailed | ErrorCode::LocalizationFailed => {
            StatusCode::FAILED_DEPENDENCY
        }
        ErrorCode::EndpointUnavailable => StatusCode::GATEWAY_TIMEOUT,
        ErrorCode::MixedOutcome => StatusCode::MULTI_STATUS,
        ErrorCode::NotServed => StatusCode::NOT_IMPLEMENTED,
        ErrorCode::Overloaded => StatusCode::SERVICE_UNAVAILABLE,
        ErrorCode::LoopDetected => StatusCode::LOOP_DETECTED,
        ErrorCode::Internal => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

/// The catalogue of codes as the document `docs/errors.md`.
#[must_use]
pub fn catalogue() -> String {
    let mut text = String::from(
        "# Error codes\n\nEvery error body carries one of these in `code`. A code is never reused for another meaning.\n\n\
         | code | HTTP | meaning |\n|---|---|---|\n",
    );
    for code in ErrorCode::ALL {
        text.push_str(&format!("| `{code}` | {} | {} |\n", status_of(*code).as_u16(), code.meaning().trim()));
    }
    text
}
