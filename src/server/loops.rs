//! Loop detection: a request that has been here before, or has passed too many intermediaries, goes no further (§6).

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::{HeaderMap, header};

use super::error::ClientError;
use super::request_id::RequestId;
use super::state::Gateway;
use crate::error::ErrorCode;

/// More hops than this are a loop, whatever they name.
const MAX_HOPS: usize = 32;

/// Answers `508` to a request whose `Via` names this gateway or is too long.
pub(super) async fn refuse(State(gateway): State<Gateway>, request: Request, next: Next) -> Response {
    if is_loop(request.headers(), gateway.alias()) {
        let id = request.extensions().get::<RequestId>().map_or("", RequestId::as_str);
        let message = "This request has already passed through this gateway, or through more than 32 intermediaries. An endpoint of the \
                       registry leads back here.";
        return ClientError::new(ErrorCode::LoopDetected, message).respond(id);
    }
    next.run(request).await
}

/// Does the `Via` chain name `alias`, or hold too many hops?
fn is_loop(headers: &HeaderMap, alias: &str) -> bool {
    let mut hops = 0;
    headers
        .get_all(header::VIA)
        .iter()
        .flat_map(|line| line.to_str().unwrap_or_default().split(','))
        .filter_map(|hop| hop.split_whitespace().nth(1).map(str::to_owned))
        .any(|received_by| {
            hops += 1;
            hops > MAX_HOPS || received_by.eq_ignore_ascii_case(alias)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn via(lines: &[&str]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(header::VIA, line.parse().unwrap());
        }
        headers
    }

    #[test]
    fn a_chain_that_names_us_is_a_loop() {
        assert!(is_loop(&via(&["1.1 other, 1.1 tributary"]), "tributary"));
        assert!(is_loop(&via(&["1.0 other", "2 Tributary (comment)"]), "tributary"));
        assert!(!is_loop(&via(&["1.1 tributary-2"]), "tributary"));
        assert!(!is_loop(&via(&[]), "tributary"));
    }

    #[test]
    fn a_chain_of_more_than_32_hops_is_a_loop_whatever_it_names() {
        let hops = |n: usize| via(&[&vec!["1.1 proxy"; n].join(", ")]);
        assert!(!is_loop(&hops(32), "tributary"));
        assert!(is_loop(&hops(33), "tributary"));
    }
}
