//! URLs.

use url::Url;

use super::Reader;

impl Reader<'_> {
    /// The base URL of a service: `http` or `https`, without credentials, query or fragment; made to end with `/`.
    pub(crate) fn base_url(&self, name: &str) -> Option<Url> {
        let mut url = self.url(name)?;
        if !url.path().ends_with('/') {
            let path = format!("{}/", url.path());
            url.set_path(&path);
        }
        Some(url)
    }

    /// A URL as it stands: `http` or `https`, without credentials, query or fragment.
    pub(crate) fn url(&self, name: &str) -> Option<Url> {
        let url = match Url::parse(self.text(name)?) {
            Ok(url) if matches!(url.scheme(), "http" | "https") && url.has_host() => url,
            Ok(_) => {
                self.invalid(name, "the URL is neither http nor https", "Write http://… or https://…");
                return None;
            }
            Err(error) => {
                self.invalid(name, format!("this is no URL ({error})"), "Write http://… or https://…");
                return None;
            }
        };
        if !url.username().is_empty() || url.password().is_some() {
            self.invalid(name, "the URL holds credentials", "Take them out of the URL and write `auth` beside it");
            return None;
        }
        if url.query().is_some() || url.fragment().is_some() {
            self.invalid(name, "the URL has a query or a fragment", "Write the address up to the path only");
            return None;
        }
        Some(url)
    }
}
