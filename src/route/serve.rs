//! From the table to the treatment.

use axum::body::Body;
use http::header::{ALLOW, HeaderValue};
use http::{Method, Response, StatusCode};

use super::error::RouteError;
use super::forward::Outgoing;
use super::holder::Asker;
use super::path::{Segments, parameters};
use super::table::{Lookup, Operation, QUERY_PARAMETERS, Treatment, find};
use super::target::Target;
use super::version::creating_system;
use super::{RoutedRequest, Routing, system};
use crate::ids::EhrId;

/// A request with what the table and its headers say of it.
pub(super) struct Call<'a> {
    pub(super) operation: &'static Operation,
    pub(super) segments: Segments<'a>,
    pub(super) asker: Asker,
    /// The raw path and query below `{base}`.
    pub(super) target: String,
}

impl Call<'_> {
    /// The decoded segment where the template has `{name}`.
    pub(super) fn captured(&self, name: &str) -> Option<String> {
        self.segments.captured(self.operation.template, name).map(std::borrow::Cow::into_owned)
    }

    /// The EHR of the path.
    pub(super) fn ehr_id(&self) -> EhrId {
        EhrId::new(self.captured("ehr_id").unwrap_or_default())
    }

    /// The version or object of the path.
    pub(super) fn uid(&self) -> Option<String> {
        self.captured("version_uid").or_else(|| self.captured("uid_based_id"))
    }
}

impl Routing {
    /// Serves a request below `{base}/v1` that is no query.
    ///
    /// # Errors
    /// A refusal of ours; whatever a node answers is an answer.
    pub async fn serve(&self, request: RoutedRequest) -> Result<Response<Body>, RouteError> {
        let below = request.path.strip_prefix("v1").unwrap_or(&request.path).to_owned();
        if request.method == Method::OPTIONS && matches!(below.as_str(), "" | "/") {
            return Ok(system::described());
        }
        let segments = Segments::parse(&below)?;
        let operation = match find(request.method.as_str(), &segments) {
            Lookup::Found(operation) => operation,
            Lookup::OtherMethods(allow) if request.method == Method::OPTIONS => return Ok(allowed(&allow)),
            Lookup::OtherMethods(allow) => return Err(RouteError::MethodNotAllowed { allow }),
            Lookup::Unknown => return Err(RouteError::NotFound),
        };
        if operation.treatment == Treatment::NotServed {
            return Err(RouteError::NotServed);
        }
        let target = Target::read(&request.headers, &self.registry)?;
        let asker = Asker { caller: request.caller.clone(), target, budget: request.budget };
        let target = match &request.query {
            Some(query) => format!("{}?{query}", request.path),
            None => request.path.clone(),
        };
        self.treat(Call { operation, segments, asker, target }, request).await
    }

    async fn treat(&self, call: Call<'_>, request: RoutedRequest) -> Result<Response<Body>, RouteError> {
        if call.operation.treatment != Treatment::EhrOfSubject {
            self.check_parameters(request.query.as_deref().unwrap_or_default())?;
        }
        match call.operation.treatment {
            Treatment::FanOut => Err(RouteError::NotFound), // the server serves these elsewhere
            Treatment::NotServed => Err(RouteError::NotServed),
            Treatment::EhrOfSubject => self.ehr_of_subject(&call, request).await,
            Treatment::Read => self.read(&call, request).await,
            Treatment::ReadVersion => self.read_version(&call, request).await,
            Treatment::NewEhr => self.new_ehr(&call, request).await,
            Treatment::NewEhrWithId => self.new_ehr_with_id(&call, request).await,
            Treatment::NewObject => self.new_object(&call, request).await,
            Treatment::Commit => self.commit(&call, request).await,
            Treatment::Update => self.update(&call, request).await,
            Treatment::DeleteVersion | Treatment::TagWrite => self.write_in_path(&call, request).await,
            Treatment::Definition => self.definition(&call, request).await,
            Treatment::StoredQueryDefinition => self.stored_query(&call, request).await,
            Treatment::TemplateUpload => self.template_upload(&call, request).await,
        }
    }

    fn check_parameters(&self, query: &str) -> Result<(), RouteError> {
        for (name, _) in parameters(query) {
            if matches!(&*name, "subject_id" | "subject_namespace") {
                return Err(RouteError::SubjectParameter);
            }
            if !QUERY_PARAMETERS.contains(&&*name) && !self.settings.pass_query_parameters.contains(&*name) {
                return Err(RouteError::UnknownParameter);
            }
        }
        Ok(())
    }

    async fn read(&self, call: &Call<'_>, request: RoutedRequest) -> Result<Response<Body>, RouteError> {
        let ehr_id = call.ehr_id();
        let endpoint = self.holder(&ehr_id, &call.asker).await?;
        let response = self.forward(&endpoint, outgoing(call, &request, Body::empty()), &request.budget).await?;
        self.learn(call, &endpoint, response).await
    }

    /// An explicit target is the client's word and is left at its answer; what the other steps find may be a holder that lacks
    /// this version, and then the system that created it is asked.
    async fn read_version(&self, call: &Call<'_>, request: RoutedRequest) -> Result<Response<Body>, RouteError> {
        let creator = call.uid().and_then(|uid| creating_system(&uid)).and_then(|system| self.reader(&system));
        let directed = !matches!(call.asker.target, Target::None);
        let holder = match self.holder(&call.ehr_id(), &call.asker).await {
            Ok(endpoint) => endpoint,
            Err(error @ (RouteError::NobodyHolds | RouteError::HolderUnknown { .. })) => {
                let endpoint = creator.ok_or(error)?;
                let response = self.forward(&endpoint, outgoing(call, &request, Body::empty()), &request.budget).await?;
                return self.learn(call, &endpoint, response).await;
            }
            Err(error) => return Err(error),
        };
        let response = self.forward(&holder, outgoing(call, &request, Body::empty()), &request.budget).await?;
        match creator {
            Some(creator) if response.status() == StatusCode::NOT_FOUND && !directed && creator.node.id != holder.node.id => {
                drop(response);
                let response = self.forward(&creator, outgoing(call, &request, Body::empty()), &request.budget).await?;
                self.learn(call, &creator, response).await
            }
            _ => self.learn(call, &holder, response).await,
        }
    }
}

/// The request as it goes on, with this body.
pub(super) fn outgoing<'a>(call: &'a Call<'_>, request: &'a RoutedRequest, body: Body) -> Outgoing<'a> {
    Outgoing { method: &request.method, target: &call.target, headers: &request.headers, body }
}

/// `OPTIONS` of a known path.
fn allowed(allow: &str) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    if let Ok(value) = HeaderValue::from_str(allow) {
        response.headers_mut().insert(ALLOW, value);
    }
    response
}
