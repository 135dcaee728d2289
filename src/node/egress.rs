//! Which addresses the gateway may talk to.
//!
//! A node's URL names a host; what counts is where the name leads. So the policy judges addresses, after resolution, at the
//! moment a connection is made. An IPv4 address inside an IPv6 one (mapped, compatible, NAT64, 6to4) is judged as itself:
//! otherwise a name could reach `10.0.0.1` by spelling it `::ffff:10.0.0.1`.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::IpNet;

/// May private addresses be reached?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PrivateAddresses {
    /// Yes: nodes usually live in private networks.
    #[default]
    Allowed,
    /// Only those in `egress.allowed_addresses`.
    Refused,
}

/// The settings of `[egress]`.
#[derive(Clone, Debug, Default)]
pub struct EgressPolicy {
    /// `egress.private_addresses`
    pub private_addresses: PrivateAddresses,
    /// `egress.allowed_addresses`: exceptions to private addresses being refused; without effect otherwise.
    pub allowed_addresses: Vec<IpNet>,
    /// `egress.denied_addresses`: never reached, public ones included; wins over allowed ones.
    pub denied_addresses: Vec<IpNet>,
    /// `egress.require_https`: only TLS.
    pub require_https: bool,
}

/// Why the policy refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EgressRefusal {
    /// The address is one of the denied.
    #[error("its address is in `egress.denied_addresses`")]
    Denied,
    /// The address is private, and not one of the exceptions.
    #[error("its address is private and `egress.private_addresses` is `refused`")]
    Private,
    /// The URL is not `https`.
    #[error("its URL is not https and `egress.require_https` is set")]
    NotHttps,
    /// The scheme is neither `http` nor `https`.
    #[error("its URL is neither http nor https")]
    Scheme,
}

impl EgressPolicy {
    /// Judges one address.
    ///
    /// # Errors
    /// The reason it must not be reached.
    pub fn judge(&self, address: IpAddr) -> Result<(), EgressRefusal> {
        let judged = address.to_canonical();
        let embedded = embedded_v4(judged).map(IpAddr::V4);
        let all = || [Some(address), Some(judged), embedded].into_iter().flatten();
        if all().any(|ip| contains(&self.denied_addresses, ip)) {
            return Err(EgressRefusal::Denied);
        }
        // An IPv4 exception does not reach through a translator: whoever runs it decides where it really leads.
        if self.private_addresses == PrivateAddresses::Allowed || contains(&self.allowed_addresses, judged) {
            return Ok(());
        }
        if is_private(judged) || embedded.is_some_and(is_private) { Err(EgressRefusal::Private) } else { Ok(()) }
    }

    /// Judges a URL's scheme.
    ///
    /// # Errors
    /// The reason it must not be used.
    pub fn judge_scheme(&self, scheme: &str) -> Result<(), EgressRefusal> {
        match scheme {
            "https" => Ok(()),
            "http" if self.require_https => Err(EgressRefusal::NotHttps),
            "http" => Ok(()),
            _ => Err(EgressRefusal::Scheme),
        }
    }

    /// Judges a URL's host where it is an address and so is never resolved; names are judged when they are.
    ///
    /// # Errors
    /// The reason it must not be reached.
    pub fn judge_literal(&self, host: &str) -> Result<(), EgressRefusal> {
        let bare = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(host);
        bare.parse::<IpAddr>().map_or(Ok(()), |address| self.judge(address))
    }
}

fn contains(nets: &[IpNet], address: IpAddr) -> bool {
    nets.iter().any(|net| net.contains(&address))
}

/// The IPv4 address an IPv6 one stands for: IPv4-compatible, NAT64 (`64:ff9b::/96`), 6to4 (`2002::/16`).
fn embedded_v4(address: IpAddr) -> Option<Ipv4Addr> {
    let IpAddr::V6(v6) = address else { return None };
    let last = |high: u16, low: u16| Ipv4Addr::from((u32::from(high) << 16) | u32::from(low));
    match v6.segments() {
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => Some(last(high, low)),
        [0, 0, 0, 0, 0, 0, high, low] if high != 0 => Some(last(high, low)),
        [0x2002, high, low, ..] => Some(last(high, low)),
        _ => None,
    }
}

/// Is the address no place on the public internet: private, loopback, link-local, shared, reserved, multicast?
fn is_private(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => is_private_v4(v4),
        IpAddr::V6(v6) => is_private_v6(v6),
    }
}

fn is_private_v4(v4: Ipv4Addr) -> bool {
    let [a, b, c, _] = v4.octets();
    v4.is_private()
        || v4.is_loopback()
        || v4.is_link_local()
        || v4.is_documentation()
        || v4.is_multicast()
        || a == 0
        || a >= 240
        || (a == 100 && (64..128).contains(&b))
        || (a == 198 && (b == 18 || b == 19))
        || (a == 192 && b == 0 && c == 0)
}

fn is_private_v6(v6: Ipv6Addr) -> bool {
    let [first, second, third, ..] = v6.segments();
    v6.is_loopback()
        || v6.is_unspecified()
        || v6.is_multicast()
        || v6.is_unique_local()
        || v6.is_unicast_link_local()
        || first & 0xffc0 == 0xfec0
        || (first == 0x2001 && second == 0xdb8)
        || (first == 0x64 && second == 0xff9b && third == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nets(list: &[&str]) -> Vec<IpNet> {
        list.iter().map(|net| net.parse().unwrap()).collect()
    }

    #[test]
    fn an_embedded_address_is_judged_as_itself_and_denied_wins() {
        let policy = |private_addresses, allowed: &[&str], denied: &[&str]| EgressPolicy {
            private_addresses,
            allowed_addresses: nets(allowed),
            denied_addresses: nets(denied),
            require_https: false,
        };
        let (open, closed) = (PrivateAddresses::Allowed, PrivateAddresses::Refused);
        let denied = Err(EgressRefusal::Denied);
        let private = Err(EgressRefusal::Private);
        let cases = [
            ("private by default", policy(open, &[], &[]), "10.0.0.1", Ok(())),
            ("allowed without effect while private is open", policy(open, &["192.0.2.0/24"], &[]), "10.0.0.1", Ok(())),
            ("denied while private is open", policy(open, &[], &["10.0.0.0/8"]), "10.0.0.1", denied),
            ("denied, mapped", policy(open, &[], &["10.0.0.0/8"]), "::ffff:10.0.0.1", denied),
            ("denied, NAT64", policy(open, &[], &["10.0.0.0/8"]), "64:ff9b::a00:1", denied),
            ("denied, 6to4", policy(open, &[], &["10.0.0.0/8"]), "2002:a00:1::1", denied),
            ("denied public", policy(open, &[], &["9.9.9.9/32"]), "9.9.9.9", denied),
            ("denied wins", policy(closed, &["10.0.0.0/8"], &["10.1.0.0/16"]), "10.1.2.3", denied),
            ("exception", policy(closed, &["10.0.0.0/8"], &["10.1.0.0/16"]), "10.2.2.3", Ok(())),
            ("exception, mapped", policy(closed, &["10.0.0.0/8"], &[]), "::ffff:10.2.2.3", Ok(())),
            ("an IPv4 exception never exempts NAT64", policy(closed, &["10.0.0.0/8"], &[]), "64:ff9b::a02:203", private),
            ("NAT64 to a public address", policy(closed, &[], &[]), "64:ff9b::808:808", Ok(())),
            ("loopback", policy(closed, &[], &[]), "127.0.0.1", private),
            ("loopback v6", policy(closed, &[], &[]), "::1", private),
            ("unique local", policy(closed, &[], &[]), "fd00::1", private),
            ("link local metadata", policy(closed, &[], &[]), "169.254.169.254", private),
            ("carrier-grade", policy(closed, &[], &[]), "100.64.0.1", private),
            ("public", policy(closed, &[], &[]), "8.8.8.8", Ok(())),
            ("public v6", policy(closed, &[], &[]), "2606:4700::1", Ok(())),
        ];
        for (name, policy, address, expected) in cases {
            assert_eq!(policy.judge(address.parse().unwrap()), expected, "{name}");
        }
    }

    #[test]
    fn literals_and_schemes_are_judged_without_resolution() {
        let policy =
            EgressPolicy { private_addresses: PrivateAddresses::Refused, require_https: true, ..EgressPolicy::default() };
        assert_eq!(policy.judge_literal("[::ffff:127.0.0.1]"), Err(EgressRefusal::Private));
        assert_eq!(policy.judge_literal("127.0.0.1"), Err(EgressRefusal::Private));
        assert_eq!(policy.judge_literal("cdr.example.org"), Ok(()));
        assert_eq!(policy.judge_scheme("http"), Err(EgressRefusal::NotHttps));
        assert_eq!(policy.judge_scheme("https"), Ok(()));
        assert_eq!(EgressPolicy::default().judge_scheme("ftp"), Err(EgressRefusal::Scheme));
    }
}
