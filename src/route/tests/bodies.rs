//! Bodies stream, and stand still no longer than the limit.

use bytes::Bytes;
use tokio::sync::mpsc;

use super::*;
use crate::node::memory::answering;

/// A body that a test feeds.
fn fed() -> (mpsc::Sender<Bytes>, Body) {
    let (feed, mut fed) = mpsc::channel::<Bytes>(1);
    let pieces = futures_util::stream::poll_fn(move |cx| fed.poll_recv(cx).map(|piece| piece.map(Ok::<_, std::io::Error>)));
    (feed, Body::from_stream(pieces))
}

fn house(script: Script) -> Routing {
    let registry = Arc::new(Registry::new(vec![endpoint("a")], Vec::new()));
    let selector = Selector::with(Arc::clone(&registry), Box::new(IdentityTable::new(&[])));
    let client = Network::new([("a", script)]).client();
    let permits = Arc::new(Permits::new(1, 1));
    Routing::new(registry, client, permits, Arc::new(selector), Bindings::default(), RoutingSettings::default())
}

fn post(body: Body) -> RoutedRequest {
    RoutedRequest { body, ..at("a", request("POST", &format!("/ehr/{UUID}/composition"))) }
}

#[tokio::test(start_paused = true)]
async fn an_upload_arrives_while_it_is_still_being_sent_and_may_take_longer_than_the_limit() {
    let (seen, mut arrivals) = mpsc::channel(1);
    let routing = house(doing(move |mut pipe| {
        let seen = seen.clone();
        async move {
            for number in 0..10 {
                pipe.until(&format!("piece {number}")).await;
                seen.send(number).await.unwrap();
            }
            pipe.write("HTTP/1.1 201 Created\r\ncontent-length: 0\r\n\r\n").await;
        }
    }));
    let (feed, body) = fed();
    let sending = async {
        for number in 0..10 {
            tokio::time::sleep(SECOND * 4).await;
            feed.send(Bytes::from(format!("piece {number}"))).await.unwrap();
            assert_eq!(arrivals.recv().await, Some(number), "before the next piece is sent");
        }
        drop(feed);
    };
    let (response, ()) = tokio::join!(routing.serve(post(body)), sending);
    assert_eq!(response.unwrap().status(), 201);
}

#[tokio::test(start_paused = true)]
async fn an_upload_that_stands_still_is_given_up() {
    let routing = house(doing(|mut pipe| async move { pipe.hung_up().await }));
    let (feed, body) = fed();
    feed.send(Bytes::from_static(b"begun")).await.unwrap();
    assert_eq!(told(&routing.serve(post(body)).await), "endpoint-unavailable a");
}

#[tokio::test(start_paused = true)]
async fn a_download_that_moves_may_take_longer_than_the_limit_and_one_that_stands_still_is_cut() {
    let routing = house(doing(|mut pipe| async move {
        pipe.until("\r\n\r\n").await;
        pipe.write("HTTP/1.1 200 OK\r\ncontent-length: 12\r\n\r\n").await;
        for _ in 0..10 {
            tokio::time::sleep(SECOND * 4).await;
            pipe.write("x").await;
        }
        pipe.hung_up().await;
    }));
    let response = routing.serve(at("a", request("GET", &format!("/ehr/{UUID}/ehr_status")))).await.unwrap();
    let mut body = response.into_body();
    for piece in 0..10 {
        let frame = body.frame().await.unwrap().unwrap();
        assert_eq!(frame.into_data().unwrap(), "x", "piece {piece}");
    }
    assert!(body.frame().await.unwrap().is_err(), "the client must see that the body is not whole");
}

#[tokio::test(start_paused = true)]
async fn an_endpoint_is_busy_until_its_body_is_through() {
    let routing = house(answering(SECOND, "200 OK", "x"));
    let response = routing.serve(at("a", request("GET", &format!("/ehr/{UUID}/ehr_status")))).await.unwrap();
    let a = crate::ids::EndpointId::new("a");
    assert!(routing.permits.none_left_for(&a));
    assert_eq!(text(response).await, "x");
    tokio::task::yield_now().await;
    assert!(!routing.permits.none_left_for(&a));
}

#[tokio::test(start_paused = true)]
async fn a_client_that_stands_still_does_not_keep_the_endpoint_busy() {
    let routing = house(doing(|mut pipe| async move {
        pipe.until("\r\n\r\n").await;
        pipe.write("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx").await;
        pipe.hung_up().await;
    }));
    let unread = routing.serve(at("a", request("GET", &format!("/ehr/{UUID}/ehr_status")))).await.unwrap();
    let a = crate::ids::EndpointId::new("a");
    tokio::time::sleep(SECOND * 14).await;
    assert!(routing.permits.none_left_for(&a));
    tokio::time::sleep(SECOND * 2).await;
    assert!(!routing.permits.none_left_for(&a), "the overall budget is over");
    drop(unread);
}

#[tokio::test(start_paused = true)]
async fn a_client_that_sends_byte_by_byte_does_not_keep_the_endpoint_busy() {
    let routing = house(doing(|mut pipe| async move { pipe.hung_up().await }));
    let (feed, body) = fed();
    let a = crate::ids::EndpointId::new("a");
    let dripping = async {
        for (drops, busy) in [(14, true), (2, false)] {
            for _ in 0..drops {
                tokio::time::sleep(SECOND).await;
                feed.send(Bytes::from_static(b" ")).await.unwrap();
            }
            assert_eq!(routing.permits.none_left_for(&a), busy, "the overall budget is 15 s");
        }
        drop(feed);
    };
    let (answer, ()) = tokio::join!(routing.serve(post(body)), dripping);
    assert_eq!(told(&answer), "endpoint-unavailable a");
}
