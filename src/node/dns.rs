//! Names to addresses, judged after resolution: a name may lead anywhere, at any time.

use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use hyper_util::client::legacy::connect::dns::Name;

use super::egress::EgressPolicy;
use super::transport::ConnectFailure;

/// The machine's own resolver, behind the egress policy.
#[derive(Clone, Debug)]
pub(super) struct JudgedResolver {
    policy: Arc<EgressPolicy>,
}

impl JudgedResolver {
    pub(super) fn new(policy: Arc<EgressPolicy>) -> Self {
        JudgedResolver { policy }
    }

    /// The addresses of `host` that may be reached; port 0, which the client replaces.
    async fn addresses(self, host: String) -> Result<std::vec::IntoIter<SocketAddr>, ConnectFailure> {
        let found = tokio::net::lookup_host((host.as_str(), 0)).await.map_err(|_| ConnectFailure::Unresolved)?;
        self.judged(found)
    }

    fn judged(&self, found: impl Iterator<Item = SocketAddr>) -> Result<std::vec::IntoIter<SocketAddr>, ConnectFailure> {
        let mut refusal = None;
        let permitted: Vec<_> =
            found.filter(|address| self.policy.judge(address.ip()).map_err(|reason| refusal = Some(reason)).is_ok()).collect();
        match (permitted.is_empty(), refusal) {
            (false, _) => Ok(permitted.into_iter()),
            (true, Some(reason)) => Err(ConnectFailure::Egress(reason)),
            (true, None) => Err(ConnectFailure::Unresolved),
        }
    }
}

type Resolving<T, E> = Pin<Box<dyn Future<Output = Result<T, E>> + Send>>;

impl tower::Service<Name> for JudgedResolver {
    type Response = std::vec::IntoIter<SocketAddr>;
    type Error = ConnectFailure;
    type Future = Resolving<Self::Response, ConnectFailure>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), ConnectFailure>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, name: Name) -> Self::Future {
        Box::pin(self.clone().addresses(name.as_str().to_owned()))
    }
}

impl reqwest::dns::Resolve for JudgedResolver {
    fn resolve(&self, name: reqwest::dns::Name) -> reqwest::dns::Resolving {
        let resolver = self.clone();
        Box::pin(async move {
            let addresses = resolver.addresses(name.as_str().to_owned()).await?;
            Ok(Box::new(addresses) as reqwest::dns::Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::egress::{EgressRefusal, PrivateAddresses};
    use super::*;

    #[tokio::test]
    async fn a_name_is_judged_by_where_it_leads() {
        let refusing = EgressPolicy { private_addresses: PrivateAddresses::Refused, ..EgressPolicy::default() };
        let resolved = JudgedResolver::new(Arc::new(refusing)).addresses("localhost".to_owned()).await;
        assert!(matches!(resolved, Err(ConnectFailure::Egress(EgressRefusal::Private))), "{resolved:?}");
        let open = JudgedResolver::new(Arc::default()).addresses("localhost".to_owned()).await.unwrap();
        assert!(open.into_iter().all(|address| address.ip().is_loopback()));
    }

    #[test]
    fn of_several_addresses_only_the_permitted_stay() {
        let policy = EgressPolicy { denied_addresses: vec!["10.0.0.0/8".parse().unwrap()], ..EgressPolicy::default() };
        let resolver = JudgedResolver::new(Arc::new(policy));
        let found = ["10.0.0.1:0", "192.0.2.1:0"].map(|text| text.parse().unwrap());
        let kept: Vec<_> = resolver.judged(found.into_iter()).unwrap().map(|address| address.to_string()).collect();
        assert_eq!(kept, ["192.0.2.1:0"]);
    }
}
