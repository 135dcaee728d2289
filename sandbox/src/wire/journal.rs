//! Every byte a server received, as the socket gave it: the evidence for what left the gateway.
//!
//! Recording happens below HTTP, so nothing a parser drops is missing: the raw request line, each header, each body, also
//! of requests that were never answered.

use std::sync::{Mutex, PoisonError};

use super::search::Readings;

/// More bytes than this are not kept; [`Journal::is_whole`] tells.
const MAX_BYTES: usize = 512 * 1024 * 1024;

/// The bytes received, connection by connection.
#[derive(Debug, Default)]
pub struct Journal {
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    connections: Vec<Vec<u8>>,
    bytes: usize,
    lost: bool,
    off: bool,
}

/// One request as it stood on the wire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The method.
    pub method: String,
    /// The target, undecoded: path and query string.
    pub target: String,
    /// The headers as spelled, in their order, with their repeats.
    pub headers: Vec<(String, String)>,
    /// The body, its chunks joined.
    pub body: Vec<u8>,
}

impl Request {
    /// The value of the first header of this name, letter case ignored.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(header, _)| header.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// The body as text.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

impl Journal {
    fn kept(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins the record of a connection.
    pub(super) fn open(&self) -> usize {
        let mut kept = self.kept();
        kept.connections.push(Vec::new());
        kept.connections.len() - 1
    }

    /// Adds bytes to the record of a connection.
    pub(super) fn record(&self, connection: usize, bytes: &[u8]) {
        let mut kept = self.kept();
        if kept.off || bytes.is_empty() {
            return;
        }
        if kept.bytes + bytes.len() > MAX_BYTES {
            kept.lost = true;
            return;
        }
        if let Some(record) = kept.connections.get_mut(connection) {
            record.extend_from_slice(bytes);
            kept.bytes += bytes.len();
        }
    }

    /// Stops recording: for load tests, where nothing is searched for.
    pub fn switch_off(&self) {
        self.kept().off = true;
    }

    /// Forgets what was received so far; open connections go on being recorded.
    pub fn clear(&self) {
        let mut kept = self.kept();
        kept.connections.iter_mut().for_each(Vec::clear);
        kept.bytes = 0;
        kept.lost = false;
    }

    /// Was every byte kept?
    #[must_use]
    pub fn is_whole(&self) -> bool {
        let kept = self.kept();
        !kept.lost && !kept.off
    }

    /// The bytes of each connection, in the order they were accepted.
    #[must_use]
    pub fn connections(&self) -> Vec<Vec<u8>> {
        self.kept().connections.clone()
    }

    /// How many bytes were received.
    #[must_use]
    pub fn len(&self) -> usize {
        self.kept().bytes
    }

    /// Was nothing received?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The requests, connection by connection. One that is not complete is not among them.
    #[must_use]
    pub fn requests(&self) -> Vec<Request> {
        self.connections().iter().flat_map(|bytes| split_requests(bytes)).collect()
    }

    /// The encoding under which the text was received, if it was: as it is, percent-encoded once or twice, escaped as JSON
    /// or HTML, in hexadecimal or base64, in any letter case. A journal that is not whole counts as containing everything.
    #[must_use]
    pub fn find(&self, text: &str) -> Option<&'static str> {
        match self.readings() {
            Some(readings) => readings.iter().find_map(|reading| reading.find(text)),
            None => Some("the journal is not whole"),
        }
    }

    /// What was received, read in every way; `None` when the journal is not whole. Bodies sent in chunks are read joined, too.
    fn readings(&self) -> Option<Vec<Readings>> {
        self.is_whole().then_some(())?;
        let whole = self.connections();
        let chunked = |request: &Request| request.header("transfer-encoding").is_some();
        let joined = whole.iter().flat_map(|bytes| split_requests(bytes)).filter(chunked).map(|request| request.body);
        let joined: Vec<Vec<u8>> = joined.collect();
        Some(whole.iter().chain(&joined).map(|bytes| Readings::of(bytes)).collect())
    }

    /// Was the text received, under any encoding [`Journal::find`] knows?
    #[must_use]
    pub fn contains(&self, text: &str) -> bool {
        self.find(text).is_some()
    }

    /// Was any run of `length` characters of the text received?
    #[must_use]
    pub fn contains_fragment(&self, text: &str, length: usize) -> bool {
        let Some(readings) = self.readings() else { return true };
        let chars: Vec<char> = text.chars().collect();
        let received = |run: &[char]| {
            let run: String = run.iter().collect();
            readings.iter().any(|reading| reading.find(&run).is_some())
        };
        chars.windows(length.max(1)).any(received)
    }
}

/// The complete requests in the bytes of one connection.
fn split_requests(bytes: &[u8]) -> Vec<Request> {
    let mut found = Vec::new();
    let mut rest = bytes;
    while let Some((request, after)) = split_first(rest) {
        found.push(request);
        rest = after;
    }
    found
}

fn split_first(bytes: &[u8]) -> Option<(Request, &[u8])> {
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(bytes.get(..end)?).into_owned();
    let mut lines = head.split("\r\n");
    let mut first = lines.next()?.split(' ');
    let (method, target) = (first.next()?.to_owned(), first.next()?.to_owned());
    let header = |line: &str| line.split_once(':').map(|(name, value)| (name.to_owned(), value.trim().to_owned()));
    let headers: Vec<(String, String)> = lines.filter_map(header).collect();
    let mut request = Request { method, target, headers, body: Vec::new() };
    let rest = bytes.get(end + 4..)?;
    if request.header("transfer-encoding").is_some_and(|value| value.eq_ignore_ascii_case("chunked")) {
        let (body, rest) = join_chunks(rest)?;
        request.body = body;
        return Some((request, rest));
    }
    let length = request.header("content-length").map_or(Some(0), |value| value.parse::<usize>().ok())?;
    request.body = rest.get(..length)?.to_vec();
    Some((request, rest.get(length..)?))
}

fn join_chunks(bytes: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let mut body = Vec::new();
    let mut rest = bytes;
    loop {
        let end = rest.windows(2).position(|window| window == b"\r\n")?;
        let line = std::str::from_utf8(rest.get(..end)?).ok()?;
        let size = usize::from_str_radix(line.split(';').next()?.trim(), 16).ok()?;
        let data = rest.get(end + 2..)?;
        body.extend_from_slice(data.get(..size)?);
        rest = data.get(size.checked_add(2)?..)?;
        if size == 0 {
            return Some((body, rest));
        }
    }
}
