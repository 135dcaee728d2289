//! The node's side of the wire, where a sandbox lets it be read: `GET` on an address gives the bytes a node received.

use crate::client::Client;
use crate::verdict::{Finding, ensure};

/// Where one node's journal is read.
#[derive(Clone, Debug)]
pub(crate) struct Journal {
    /// The endpoint it belongs to, when the caller said so.
    pub(crate) endpoint: Option<String>,
    url: String,
}

/// What had been received when a recording began.
pub(crate) struct Recording<'a> {
    journal: &'a Journal,
    before: Vec<u8>,
}

impl Journal {
    /// Reads `ENDPOINT=URL` or `URL`.
    pub(crate) fn parse(text: &str) -> Self {
        match text.split_once('=') {
            Some((endpoint, url)) if !endpoint.contains("://") => {
                Journal { endpoint: Some(endpoint.to_owned()), url: url.to_owned() }
            }
            _ => Journal { endpoint: None, url: text.to_owned() },
        }
    }

    /// Begins to record.
    pub(crate) async fn record(&self, client: &Client) -> Result<Recording<'_>, Finding> {
        Ok(Recording { journal: self, before: self.bytes(client).await? })
    }

    async fn bytes(&self, client: &Client) -> Result<Vec<u8>, Finding> {
        let reply = client.read(&self.url).await?;
        ensure!(reply.status == 200, "the journal at {} answered {}", self.url, reply.status);
        Ok(reply.body)
    }
}

impl Recording<'_> {
    pub(crate) fn endpoint(&self) -> Option<&str> {
        self.journal.endpoint.as_deref()
    }

    /// What the node received since the recording began; everything it still has when an old part is gone.
    pub(crate) async fn received(&self, client: &Client) -> Result<Vec<u8>, Finding> {
        let mut now = self.journal.bytes(client).await?;
        if now.starts_with(&self.before) {
            now.drain(..self.before.len());
        }
        Ok(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_journal_may_name_its_endpoint() {
        for (text, endpoint, url) in [
            ("http://127.0.0.1:1/j?a=b", None, "http://127.0.0.1:1/j?a=b"),
            ("hospital-a=http://127.0.0.1:1/j?a=b", Some("hospital-a"), "http://127.0.0.1:1/j?a=b"),
        ] {
            let journal = Journal::parse(text);
            assert_eq!((journal.endpoint.as_deref(), journal.url.as_str()), (endpoint, url), "{text}");
        }
    }
}
