//! The catalogue of error codes. Inner layers know codes; only `server::error` knows HTTP.

use std::fmt;

/// Makes the enum, its wire names and the list of all codes from one table.
macro_rules! error_codes {
    ($($(#[doc = $doc:literal])+ $variant:ident = $wire:literal,)+) => {
        /// A stable, documented code in an error body. Kebab-case on the wire; never reused for another meaning.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum ErrorCode {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl ErrorCode {
            /// Every code, in the order of the catalogue.
            pub const ALL: &'static [ErrorCode] = &[$(ErrorCode::$variant,)+];

            /// The name on the wire.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(ErrorCode::$variant => $wire,)+ }
            }

            /// What the catalogue says of it.
            #[must_use]
            pub fn meaning(self) -> &'static str {
                match self { $(ErrorCode::$variant => concat!($($doc),+),)+ }
            }
        }
    };
}

error_codes! {
    // --- the request itself
    /// The body is not JSON, or not an object.
    InvalidJson = "invalid-json",
    /// A member of the body, or a query parameter, is missing, doubled, of the wrong type or out of range.
    InvalidRequest = "invalid-request",
    /// The request's media type is not one this resource reads.
    UnsupportedMediaType = "unsupported-media-type",
    /// The body is larger than `server.max_body_bytes`.
    BodyTooLarge = "body-too-large",
    /// The request's body did not arrive in time.
    RequestTimeout = "request-timeout",
    /// A header this gateway reads has a value it does not know.
    InvalidHeader = "invalid-header",
    /// A query parameter (`$name`) is missing, or has a value that AQL cannot hold.
    InvalidParameter = "invalid-parameter",
    /// The resource exists, but not with this method; `Allow` names those it has.
    MethodNotAllowed = "method-not-allowed",
    /// No such resource at the gateway.
    NotFound = "not-found",
    /// This part of ITS-REST, or this capability, is not served here.
    NotServed = "not-served",

    // --- the query
    /// The query is not AQL 1.1.
    InvalidAql = "invalid-aql",
    /// The query is nested deeper, or is longer, than this gateway reads.
    AqlTooComplex = "aql-too-complex",
    /// The query is AQL, but a rule of the text forbids it (unknown variable, `TOP` beside `LIMIT`, …).
    InvalidQuery = "invalid-query",
    /// `offset`/`fetch` and the query's own `LIMIT`/`OFFSET` disagree.
    ConflictingPaging = "conflicting-paging",
    /// The patient predicate does not settle one patient (under OR, NOT, LIKE, two values, …).
    IrreducibleSubject = "irreducible-subject",
    /// The patient identifier stands where it would reach a node.
    IdentifierLeak = "identifier-leak",
    /// The patient identifier has no issuing namespace, and no default is declared.
    MissingNamespace = "missing-namespace",
    /// A query without a patient has no defined set of nodes here: name endpoints.
    PatientRequired = "patient-required",
    /// `OFFSET` over several nodes is not served under the declared strategy.
    OffsetUnsupported = "offset-unsupported",
    /// The aggregate cannot be computed exactly over several nodes.
    AggregateUnsupported = "aggregate-unsupported",
    /// The combination of clauses has no exact answer over several nodes.
    CombinationUnsupported = "combination-unsupported",

    // --- whom to ask
    /// A targeted endpoint or organisation is not in the registry.
    UnknownTarget = "unknown-target",
    /// The directive in the query and the targeting header name different sets.
    ConflictingTargets = "conflicting-targets",
    /// This request needs exactly one targeted endpoint.
    TargetRequired = "target-required",
    /// `openEHR-federation-completeness: partial` is not offered here, or not for this query.
    PartialNotOffered = "partial-not-offered",
    /// This de-duplication mode is not offered here.
    DedupNotOffered = "dedup-not-offered",
    /// There is nowhere to send the request.
    NoDestination = "no-destination",
    /// The localizer failed, and `localization.on_failure` is `fail`.
    LocalizationFailed = "localization-failed",
    /// The cross-reference could not answer for an endpoint in scope.
    CrossReferenceFailed = "cross-reference-failed",

    // --- what came back
    /// An endpoint in scope did not answer in time or could not be reached; nothing is answered rather than a part.
    EndpointUnavailable = "endpoint-unavailable",
    /// An endpoint in scope answered with a failure; nothing is answered rather than a part.
    EndpointFailed = "endpoint-failed",
    /// The answer is larger than a limit of this gateway; the message names the setting.
    LimitExceeded = "limit-exceeded",

    // --- one record, one node
    /// More than one node claims this `ehr_id`.
    EhrIdCollision = "ehr-id-collision",
    /// The `ehr_id` is already held by another node.
    EhrIdHeld = "ehr-id-held",
    /// No node can be settled for this `ehr_id`.
    UnroutableEhrId = "unroutable-ehr-id",
    /// The version is controlled by another system than the one addressed, or by one that cannot be reached.
    ControllingSystem = "controlling-system",
    /// The patient is known at several nodes; name one.
    AmbiguousPatient = "ambiguous-patient",
    /// A stored query of this name and version exists and is immutable.
    QueryExists = "query-exists",
    /// The name or version of a stored query is not well formed.
    InvalidQueryName = "invalid-query-name",
    /// Some of the targeted endpoints took the definition and some did not.
    MixedOutcome = "mixed-outcome",

    // --- who asks
    /// No caller could be established.
    Unauthenticated = "unauthenticated",
    /// The caller may not do this.
    Forbidden = "forbidden",

    // --- the gateway
    /// More requests are in flight than `limits.max_inflight` allows; ask again after `Retry-After` seconds.
    Overloaded = "overloaded",
    /// The request has been here before, or passed too many intermediaries.
    LoopDetected = "loop-detected",
    /// A fault of the gateway; the log has the chain under this request id.
    Internal = "internal",
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
