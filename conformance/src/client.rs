//! Talking HTTP to the gateway: one request, one bounded answer.

use std::sync::Arc;
use std::time::{Duration, Instant};

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, Url};
use serde_json::{Map, Value};

use crate::answer::Answer;
use crate::arguments::{Arguments, ArgumentsError};
use crate::identifier::Redactor;
use crate::verdict::{Finding, Verdict, ensure};

/// How much of a body is shown as evidence.
const SHOWN: usize = 400;

/// A client that follows no redirect, reads no proxy from the environment and waits and reads only so much.
pub(crate) struct Client {
    http: reqwest::Client,
    base: String,
    headers: Vec<(String, String)>,
    max_bytes: usize,
    redactor: Arc<Redactor>,
}

/// One request below the base.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    method: Method,
    path: String,
    headers: Vec<(String, String)>,
    body: Option<String>,
}

/// An AQL query as ITS-REST asks it.
#[derive(Clone, Debug)]
pub(crate) struct Ask {
    members: Map<String, Value>,
    headers: Vec<(String, String)>,
}

/// What came back, and for what.
#[derive(Clone)]
pub(crate) struct Reply {
    asked: String,
    redactor: Arc<Redactor>,
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
    pub(crate) elapsed: Duration,
}

impl Request {
    pub(crate) fn new(method: Method, path: impl Into<String>) -> Self {
        Request { method, path: path.into(), headers: Vec::new(), body: None }
    }

    pub(crate) fn get(path: impl Into<String>) -> Self {
        Request::new(Method::GET, path)
    }

    pub(crate) fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    pub(crate) fn json(self, body: impl Into<String>) -> Self {
        let mut request = self.header("content-type", "application/json");
        request.body = Some(body.into());
        request
    }

    /// The same body, said to be plain text.
    pub(crate) fn text_plain(mut self) -> Self {
        self.headers.retain(|(name, _)| name != "content-type");
        self.header("content-type", "text/plain")
    }

    fn described(&self) -> String {
        let headers: String = self
            .headers
            .iter()
            .filter(|(name, _)| name != "content-type")
            .fold(String::new(), |text, (name, value)| format!("{text} [{name}: {value}]"));
        format!("{} {}{headers} {}", self.method, self.path, self.body.as_deref().unwrap_or_default())
    }
}

impl Ask {
    pub(crate) fn new(query: impl ToString) -> Self {
        let mut members = Map::new();
        members.insert("q".to_owned(), Value::from(query.to_string()));
        Ask { members, headers: Vec::new() }
    }

    pub(crate) fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    pub(crate) fn member(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.members.insert(name.to_owned(), value.into());
        self
    }

    pub(crate) fn request(self) -> Request {
        let headers = self.headers;
        let request = Request::new(Method::POST, "/v1/query/aql").json(Value::Object(self.members).to_string());
        headers.into_iter().fold(request, |request, (name, value)| request.header(name, value))
    }
}

impl Client {
    pub(crate) fn new(arguments: &Arguments, redactor: Arc<Redactor>) -> Result<Self, ArgumentsError> {
        let url = Url::parse(&arguments.url).map_err(|_| ArgumentsError::Url)?;
        let plain = url.username().is_empty() && url.password().is_none() && url.query().is_none() && url.fragment().is_none();
        if !plain || !["http", "https"].contains(&url.scheme()) {
            return Err(ArgumentsError::Url);
        }
        let http = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .timeout(Duration::from_millis(arguments.request_ms))
            .build()
            .map_err(|error| ArgumentsError::Client(error.to_string()))?;
        let max_bytes = usize::try_from(arguments.max_bytes).unwrap_or(usize::MAX);
        Ok(Client {
            http,
            base: url.as_str().trim_end_matches('/').to_owned(),
            headers: arguments.headers.clone(),
            max_bytes,
            redactor,
        })
    }

    /// The gateway's base, without a slash at its end.
    pub(crate) fn base(&self) -> &str {
        &self.base
    }

    /// Sends a request to the gateway.
    pub(crate) async fn send(&self, request: Request) -> Result<Reply, Finding> {
        let url = format!("{}{}", self.base, request.path);
        let headers: Vec<_> = self.headers.iter().chain(&request.headers).cloned().collect();
        let asked = self.redactor.clean(head(&request.described()));
        self.exchange(&url, Request { headers, ..request }, asked).await
    }

    /// Reads an address that is not the gateway's; the gateway's credentials do not go there.
    pub(crate) async fn read(&self, url: &str) -> Result<Reply, Finding> {
        self.exchange(url, Request::get(""), format!("GET {url}")).await
    }

    async fn exchange(&self, url: &str, request: Request, asked: String) -> Result<Reply, Finding> {
        let started = Instant::now();
        let failed = |error: reqwest::Error| Finding::failed(format!("{}: no answer: {}", cut(&asked), error.without_url()));
        let mut outgoing = self.http.request(request.method, url).headers(header_map(&request.headers)?);
        if let Some(body) = request.body {
            outgoing = outgoing.body(body);
        }
        let mut response = outgoing.send().await.map_err(failed)?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(failed)? {
            ensure!(body.len() + chunk.len() <= self.max_bytes, "{}: more than --max-bytes came back", cut(&asked));
            body.extend_from_slice(&chunk);
        }
        Ok(Reply { asked, redactor: self.redactor.clone(), status, headers, body, elapsed: started.elapsed() })
    }
}

fn header_map(headers: &[(String, String)]) -> Result<HeaderMap, Finding> {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        let unusable = |_| Finding::not_applicable(format!("the header {name} cannot be sent with this value"));
        let value = HeaderValue::from_str(value).map_err(|_| unusable(()))?;
        map.append(HeaderName::from_bytes(name.as_bytes()).map_err(|_| unusable(()))?, value);
    }
    Ok(map)
}

impl Reply {
    /// The values of a header as one comma-separated list, trimmed.
    pub(crate) fn list(&self, name: &str) -> Vec<String> {
        let values = self.headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
        values.flat_map(|value| value.split(',')).map(|item| item.trim().to_owned()).filter(|item| !item.is_empty()).collect()
    }

    /// The first value of a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// The body as JSON.
    pub(crate) fn json(&self) -> Result<Value, Finding> {
        serde_json::from_slice(&self.body).map_err(|_| Finding::failed(format!("{}: the body is not JSON", self.shown())))
    }

    /// A RESULT_SET, whatever the status.
    pub(crate) fn result_set(&self) -> Result<Answer, Finding> {
        let read = serde_json::from_slice::<Answer>(&self.body);
        read.map_err(|error| Finding::failed(format!("{}: the body is no RESULT_SET ({error})", self.shown())))
    }

    /// A RESULT_SET under `200`.
    pub(crate) fn answer(&self) -> Result<Answer, Finding> {
        self.expect(&[200])?;
        self.result_set()
    }

    /// Ends the check unless the status is one of these.
    pub(crate) fn expect(&self, statuses: &[u16]) -> Verdict {
        let wanted = statuses.iter().map(u16::to_string).collect::<Vec<_>>().join(" or ");
        ensure!(statuses.contains(&self.status), "{}: {wanted} was expected", self.shown());
        Ok(())
    }

    /// The request and the answer, as evidence.
    pub(crate) fn shown(&self) -> String {
        format!(
            "{} answered {}: {}",
            cut(&self.asked),
            self.status,
            cut(&self.redactor.clean(head(&String::from_utf8_lossy(&self.body))))
        )
    }

    /// Everything the client was told, headers included.
    pub(crate) fn everything(&self) -> Vec<u8> {
        let mut bytes = self.body.clone();
        for (name, value) in &self.headers {
            bytes.extend_from_slice(b"\n");
            bytes.extend_from_slice(name.as_str().as_bytes());
            bytes.extend_from_slice(b": ");
            bytes.extend_from_slice(value.as_bytes());
        }
        bytes
    }
}

/// As much as evidence can be cut from: identifiers are taken out of it before the cut, so that none is cut in two. The end,
/// where one may be, is never shown.
fn head(text: &str) -> &str {
    let end = (0..=text.len().min(64 * SHOWN)).rev().find(|end| text.is_char_boundary(*end)).unwrap_or_default();
    text.get(..end).unwrap_or_default()
}

fn cut(text: &str) -> String {
    if text.len() <= SHOWN {
        return text.to_owned();
    }
    let end = (0..=SHOWN).rev().find(|end| text.is_char_boundary(*end)).unwrap_or_default();
    format!("{} …", text.get(..end).unwrap_or_default())
}
