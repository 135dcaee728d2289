//! Each row of the table of node selection, with services in memory.

mod assembled;
mod invariants;

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, pending, ready};
use tokio::time::Instant;

use super::seam::{Candidates, ConsentFilter, CrossReference, Localizer, Resolution, Resolutions, SeamError};
use super::*;
use crate::budget::Budget;
use crate::config::{LocalizationFailure, PatientNodes, StaticIdentity};
use crate::error::ErrorCode;
use crate::ids::{EndpointId, NodeId, OrganisationId, SystemId};
use crate::intake::Targeting;
use crate::plan::{PatientReference, Scope};
use crate::registry::{Membership, Node, Organisation, Registry};
use crate::sensitive::Sensitive;

fn patient(value: &str) -> PatientReference {
    PatientReference { namespace: Sensitive::new("urn:oid:2.999.1".to_owned()), value: Sensitive::new(value.to_owned()) }
}

/// Endpoints written `id@node/organisation`, with `!` behind one that is suspended.
fn registry(endpoints: &str) -> Arc<Registry> {
    let (mut built, mut organisations) = (Vec::new(), Vec::new());
    for written in endpoints.split_whitespace() {
        let suspended = written.ends_with('!');
        let (id, rest) = written.trim_end_matches('!').split_once('@').unwrap();
        let (node, organisation) = rest.split_once('/').unwrap_or((rest, "org"));
        let node = Arc::new(Node::new(NodeId::new(node), SystemId::new(format!("{node}.example.org"))));
        let url = format!("http://127.0.0.1/{id}/").parse().unwrap();
        let mut endpoint = Endpoint::new(EndpointId::new(id), node, OrganisationId::new(organisation), url);
        if suspended {
            endpoint.membership = Membership::Suspended("maintenance".to_owned());
        }
        organisations.push(Organisation { id: OrganisationId::new(organisation), name: organisation.to_owned() });
        built.push(endpoint);
    }
    Arc::new(Registry::new(built, organisations))
}

/// A cross-reference that knows patient `p` at these nodes, under `ehr-<node>`.
fn known_at(nodes: &str) -> Box<dyn CrossReference> {
    let row =
        |node: &str| StaticIdentity { patient: patient("p"), node: NodeId::new(node), ehr_id: EhrId::new(format!("ehr-{node}")) };
    Box::new(IdentityTable::new(&nodes.split_whitespace().map(row).collect::<Vec<_>>()))
}

/// A table that names these nodes for patient `p`.
fn table(nodes: &str) -> Box<NodeTable> {
    Box::new(NodeTable::new(&[PatientNodes {
        patient: patient("p"),
        nodes: nodes.split_whitespace().map(NodeId::new).collect(),
    }]))
}

fn budget() -> Budget {
    Budget::start(Duration::from_secs(10), Duration::from_secs(5))
}

fn endpoints(ids: &str) -> Targeting {
    Targeting::Endpoints(ids.split_whitespace().map(EndpointId::new).collect())
}

fn organisations(ids: &str) -> Targeting {
    Targeting::Organisations(ids.split_whitespace().map(OrganisationId::new).collect())
}

async fn selected(selector: &Selector, targeting: &Targeting) -> Result<Selection, SelectError> {
    selector.select(&Scope::Patient(patient("p")), targeting, &budget()).await
}

/// `a=ask(ehr-a) b=excluded …`, and `unknown` for what could not be answered.
fn shown(selection: &Selection) -> String {
    let decision = |member: &Member| match &member.decision {
        Decision::Ask(Some(ehr_id)) => format!("ask({ehr_id})"),
        Decision::Ask(None) => "ask".to_owned(),
        Decision::Settled { status, .. } => status.to_string(),
        Decision::Unknown { .. } => "unknown".to_owned(),
    };
    let members = selection.members.iter().map(|member| format!("{}={}", member.endpoint.id, decision(member)));
    members.collect::<Vec<_>>().join(" ")
}

fn reason_of(selection: &Selection, id: &str) -> String {
    let member = selection.members.iter().find(|member| member.endpoint.id.as_str() == id).unwrap();
    match &member.decision {
        Decision::Settled { reason, .. } => reason.clone().unwrap_or_default(),
        Decision::Unknown { reason } => reason.clone(),
        Decision::Ask(_) => String::new(),
    }
}

/// A service that fails, never answers, or says nothing at all.
enum Broken {
    Failing(SeamError),
    Mute,
}

impl Broken {
    fn fails<'a, T: Send + 'a>(&self) -> BoxFuture<'a, Result<T, SeamError>> {
        match self {
            Broken::Failing(error) => ready(Err(error.clone())).boxed(),
            Broken::Mute => pending().boxed(),
        }
    }
}

impl Localizer for Broken {
    fn mode(&self) -> &'static str {
        "http"
    }
    fn candidates<'a>(
        &'a self,
        _patient: &'a PatientReference,
        _nodes: &'a BTreeSet<NodeId>,
        _deadline: Instant,
    ) -> BoxFuture<'a, Result<Candidates, SeamError>> {
        self.fails()
    }
}

impl ConsentFilter for Broken {
    fn mode(&self) -> &'static str {
        "http"
    }
    fn denied<'a>(
        &'a self,
        _patient: &'a PatientReference,
        _nodes: &'a BTreeSet<NodeId>,
        _deadline: Instant,
    ) -> BoxFuture<'a, Result<BTreeSet<NodeId>, SeamError>> {
        self.fails()
    }
}

impl CrossReference for Broken {
    fn resolve<'a>(
        &'a self,
        _patient: &'a PatientReference,
        nodes: &'a BTreeSet<NodeId>,
        _deadline: Instant,
    ) -> BoxFuture<'a, Resolutions> {
        match self {
            Broken::Failing(error) => {
                let unanswered = |node: &NodeId| (node.clone(), Resolution::Unanswered(error.clone()));
                ready(nodes.iter().map(unanswered).collect()).boxed()
            }
            Broken::Mute => pending().boxed(),
        }
    }
}

/// A cross-reference that knows everyone, and notes which nodes it was asked about.
#[derive(Clone, Default)]
struct Noting(Arc<Mutex<Vec<BTreeSet<NodeId>>>>);

impl CrossReference for Noting {
    fn resolve<'a>(
        &'a self,
        _patient: &'a PatientReference,
        nodes: &'a BTreeSet<NodeId>,
        _deadline: Instant,
    ) -> BoxFuture<'a, Resolutions> {
        self.0.lock().unwrap().push(nodes.clone());
        let known = |node: &NodeId| (node.clone(), Resolution::Known(EhrId::new(format!("ehr-{node}"))));
        ready(nodes.iter().map(known).collect()).boxed()
    }
}

#[tokio::test]
async fn an_undirected_query_without_a_localizer_asks_all_members() {
    let selector = Selector::with(registry("a@a b@b"), known_at("a b"));
    let selection = selected(&selector, &Targeting::Undirected).await.unwrap();
    assert_eq!(shown(&selection), "a=ask(ehr-a) b=ask(ehr-b)");
    assert_eq!((selection.localization, selection.consent), (None, None));
}

#[tokio::test]
async fn a_directed_query_asks_exactly_the_named_endpoints_without_localizing_but_cross_referenced() {
    let localizer = Box::new(Broken::Mute);
    let selector = Selector::with(registry("a@a b@b c@c"), known_at("a b"));
    let selector = selector.localized_by(localizer, LocalizationFailure::Fail);
    let selection = selected(&selector, &endpoints("a c")).await.unwrap();
    assert_eq!(shown(&selection), "a=ask(ehr-a) b=excluded c=not-resolved");
    assert_eq!(selection.localization, None);
}

#[tokio::test]
async fn a_query_directed_at_an_organisation_asks_its_endpoints() {
    let selector = Selector::with(registry("a@a/x b@b/y c@c/x"), known_at("a b c"));
    let selection = selected(&selector, &organisations("x")).await.unwrap();
    assert_eq!(shown(&selection), "a=ask(ehr-a) b=excluded c=ask(ehr-c)");
}

#[tokio::test]
async fn an_unknown_target_is_refused_without_repeating_it() {
    let selector = Selector::with(registry("a@a"), known_at("a"));
    for targeting in [endpoints("a MARKER-1"), organisations("MARKER-1")] {
        let error = selected(&selector, &targeting).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::UnknownTarget);
        assert!(!error.to_string().contains("MARKER"), "{error}");
    }
    let text = selected(&selector, &endpoints("a b c")).await.unwrap_err().to_string();
    assert!(text.starts_with("2 of the 3 targeted endpoints are not in the registry"), "{text}");
}

#[tokio::test]
async fn an_undirected_query_asks_the_localizers_candidates_and_the_others_are_not_localized() {
    let selector = Selector::with(registry("a@a b@b c@c"), known_at("a b c"));
    let selector = selector.localized_by(table("a c elsewhere"), LocalizationFailure::Closed);
    let selection = selected(&selector, &Targeting::Undirected).await.unwrap();
    assert_eq!(shown(&selection), "a=ask(ehr-a) b=not-localized c=ask(ehr-c)");
    let warning = selection.localization.unwrap().warning.unwrap();
    assert_eq!(warning, "the localizer named 1 node that is not in the registry and could not be asked");
}

#[tokio::test]
async fn cp5_a_localizer_that_fails_closes_the_query_and_every_member_says_why() {
    let failing = Box::new(Broken::Failing(SeamError::Status(503)));
    let selector = Selector::with(registry("a@a b@b s@s!"), known_at("a b"));
    let selector = selector.localized_by(failing, LocalizationFailure::Closed);
    let selection = selected(&selector, &Targeting::Undirected).await.unwrap();
    assert_eq!(shown(&selection), "a=not-localized b=not-localized s=excluded");
    assert!(reason_of(&selection, "a").contains("503"));
    assert!(selection.localization.unwrap().error.unwrap().contains("503"));
}

#[tokio::test]
async fn a_localizer_that_fails_widens_to_all_members_where_that_is_declared() {
    let failing = Box::new(Broken::Failing(SeamError::Unreachable));
    let selector = Selector::with(registry("a@a b@b"), known_at("a b"));
    let selector = selector.localized_by(failing, LocalizationFailure::AskAll);
    let selection = selected(&selector, &Targeting::Undirected).await.unwrap();
    assert_eq!(shown(&selection), "a=ask(ehr-a) b=ask(ehr-b)");
    assert!(selection.localization.unwrap().error.is_some());
}

#[tokio::test]
async fn a_localizer_that_fails_fails_the_query_where_that_is_declared() {
    let failing = Box::new(Broken::Failing(SeamError::Unreachable));
    let selector = Selector::with(registry("a@a"), known_at("a")).localized_by(failing, LocalizationFailure::Fail);
    let error = selected(&selector, &Targeting::Undirected).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::LocalizationFailed);
    assert_eq!(shown(&error.into_selection().unwrap()), "a=not-localized");
}

#[tokio::test]
async fn n6_no_ehr_id_is_not_resolved_with_an_error() {
    let selector = Selector::with(registry("a@a b@b"), known_at("a"));
    let selection = selected(&selector, &Targeting::Undirected).await.unwrap();
    assert_eq!(shown(&selection), "a=ask(ehr-a) b=not-resolved");
    assert!(reason_of(&selection, "b").contains("node `b`"));
}

#[tokio::test]
async fn an_outage_of_the_cross_reference_does_not_look_like_an_empty_record() {
    let crossref = Box::new(Broken::Failing(SeamError::Status(403)));
    let selection = selected(&Selector::with(registry("a@a b@b"), crossref), &Targeting::Undirected).await.unwrap();
    assert_eq!(shown(&selection), "a=unknown b=unknown");
    assert_eq!(reason_of(&selection, "a"), "the cross-reference could not answer: it answered with HTTP status 403");
}

#[tokio::test]
async fn a_node_the_cross_reference_left_out_is_unknown() {
    struct Silent;
    impl CrossReference for Silent {
        fn resolve<'a>(
            &'a self,
            _patient: &'a PatientReference,
            _nodes: &'a BTreeSet<NodeId>,
            _deadline: Instant,
        ) -> BoxFuture<'a, Resolutions> {
            ready(Resolutions::new()).boxed()
        }
    }
    let selection = selected(&Selector::with(registry("a@a"), Box::new(Silent)), &Targeting::Undirected).await.unwrap();
    assert_eq!(shown(&selection), "a=unknown");
}

#[tokio::test]
async fn n27a_consent_is_asked_before_the_cross_reference_and_a_denied_node_is_neither_asked_nor_resolved() {
    let crossref = Noting::default();
    let selector = Selector::with(registry("a@a b@b"), Box::new(crossref.clone())).filtered_by(table("b"));
    for targeting in [Targeting::Undirected, endpoints("a b")] {
        let selection = selected(&selector, &targeting).await.unwrap();
        assert_eq!(shown(&selection), "a=ask(ehr-a) b=consent-denied");
        assert_eq!(selection.consent, Some(StepReport::new("static")));
    }
    let asked = crossref.0.lock().unwrap();
    assert!(asked.iter().all(|nodes| *nodes == BTreeSet::from([NodeId::new("a")])), "{asked:?}");
}

#[tokio::test]
async fn an_outage_of_the_consent_service_passes_to_the_nodes_and_is_reported() {
    let failing = Box::new(Broken::Failing(SeamError::Unreachable));
    let selector = Selector::with(registry("a@a"), known_at("a")).filtered_by(failing);
    let selection = selected(&selector, &Targeting::Undirected).await.unwrap();
    assert_eq!(shown(&selection), "a=ask(ehr-a)");
    assert!(selection.consent.unwrap().error.unwrap().contains("the nodes decide"));
}

#[tokio::test]
async fn a_suspended_endpoint_is_excluded_with_the_operators_word() {
    let selector = Selector::with(registry("a@a b@b!"), known_at("a b"));
    for targeting in [Targeting::Undirected, endpoints("a b")] {
        let selection = selected(&selector, &targeting).await.unwrap();
        assert_eq!(shown(&selection), "a=ask(ehr-a) b=excluded");
        assert!(reason_of(&selection, "b").contains("maintenance"));
    }
}

#[tokio::test]
async fn of_several_endpoints_of_one_node_an_undirected_query_asks_one_in_turn() {
    let selector = Selector::with(registry("a1@a a2@a a3@a! b@b"), known_at("a b"));
    let mut asked = BTreeSet::new();
    for _ in 0..2 {
        let selection = selected(&selector, &Targeting::Undirected).await.unwrap();
        let excluded = if shown(&selection).starts_with("a1=ask") { "a2" } else { "a1" };
        assert!(reason_of(&selection, excluded).contains("of the same node is asked"));
        assert!(reason_of(&selection, "a3").contains("maintenance"));
        asked.insert(shown(&selection));
    }
    let both = ["a1=ask(ehr-a) a2=excluded a3=excluded b=ask(ehr-b)", "a1=excluded a2=ask(ehr-a) a3=excluded b=ask(ehr-b)"];
    assert_eq!(asked.iter().map(String::as_str).collect::<Vec<_>>(), both);
}

#[tokio::test]
async fn a_directed_query_asks_every_endpoint_it_names_also_of_one_node() {
    let selector = Selector::with(registry("a1@a a2@a"), known_at("a"));
    assert_eq!(shown(&selected(&selector, &endpoints("a1 a2")).await.unwrap()), "a1=ask(ehr-a) a2=ask(ehr-a)");
    let once = shown(&selected(&selector, &organisations("org")).await.unwrap());
    assert_eq!(once.matches("ask").count(), 1, "{once}");
}

#[tokio::test]
async fn nobody_at_all_is_no_destination() {
    for (members, targeting) in [("", Targeting::Undirected), ("a@a!", Targeting::Undirected), ("a@a! b@b", endpoints("a"))] {
        let error = selected(&Selector::with(registry(members), known_at("a b")), &targeting).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::NoDestination, "{members}");
        assert!(error.into_selection().is_some());
    }
}

#[tokio::test]
async fn a_query_over_populations_asks_all_members_where_its_nodes_are_defined() {
    let selector = Selector::with(registry("a@a b@b s@s!"), Box::new(Broken::Mute)).filtered_by(Box::new(Broken::Mute));
    let population = |targeting| {
        let selector = &selector;
        async move { selector.select(&Scope::Population, &targeting, &budget()).await.unwrap() }
    };
    assert_eq!(shown(&population(Targeting::Undirected).await), "a=ask b=ask s=excluded");
    assert_eq!(shown(&population(endpoints("b")).await), "a=excluded b=ask s=excluded");
    let localized = selector.localized_by(table("a"), LocalizationFailure::Closed);
    let error = localized.select(&Scope::Population, &Targeting::Undirected, &budget()).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::PatientRequired);
    let directed = localized.select(&Scope::Population, &endpoints("a"), &budget()).await.unwrap();
    assert_eq!(shown(&directed), "a=ask b=excluded s=excluded");
}

#[tokio::test]
async fn a_query_over_one_ehr_goes_to_its_holder() {
    let selector = Selector::with(registry("a@a b@b"), Box::new(Broken::Mute));
    let ehr_id = EhrId::new("e");
    let error = selector.select(&Scope::Ehr(ehr_id.clone()), &Targeting::Undirected, &budget()).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::UnroutableEhrId);
    let held = selector.select_ehr(&ehr_id, &Targeting::Undirected, Some(&NodeId::new("b"))).unwrap();
    assert_eq!(shown(&held), "a=excluded b=ask(e)");
    let directed = selector.select_ehr(&ehr_id, &endpoints("a"), None).unwrap();
    assert_eq!(shown(&directed), "a=ask(e) b=excluded");
    let alone = Selector::with(registry("a@a"), Box::new(Broken::Mute));
    let alone = alone.select_ehr(&ehr_id, &Targeting::Undirected, None).unwrap();
    assert_eq!(shown(&alone), "a=ask(e)");
}

#[tokio::test(start_paused = true)]
async fn n38_no_service_holds_a_query_beyond_its_budget() {
    let mute = || Box::new(Broken::Mute);
    let started = Instant::now();
    let overall = Duration::from_secs(10);
    let selector = Selector::with(registry("a@a"), mute()).filtered_by(mute());
    let selector = selector.localized_by(mute(), LocalizationFailure::AskAll);
    let selection = selected(&selector, &Targeting::Undirected).await.unwrap();
    assert_eq!(shown(&selection), "a=unknown");
    assert!(selection.localization.unwrap().error.unwrap().contains("no answer within 10000 ms"));
    assert_eq!(started.elapsed(), overall);
}

#[tokio::test]
async fn resolving_a_patient_at_endpoints_answers_consent_and_cross_reference() {
    let registry = registry("a@a b@b c@c");
    let selector = Selector::with(registry.clone(), known_at("a b")).filtered_by(table("b"));
    let members: Vec<_> = registry.endpoints().cloned().collect();
    let members = selector.resolve(&patient("p"), &members, &budget()).await;
    let selection = Selection { members, localization: None, consent: None };
    assert_eq!(shown(&selection), "a=ask(ehr-a) b=consent-denied c=not-resolved");
}

#[tokio::test]
async fn the_identifier_is_in_nothing_that_selection_says() {
    let selector = Selector::with(registry("a@a b@b"), known_at("a")).filtered_by(table("b"));
    let scope = Scope::Patient(patient("MARKER-77"));
    let selection = selector.select(&scope, &Targeting::Undirected, &budget()).await.unwrap();
    assert!(!format!("{scope:?} {selection:?}").contains("MARKER"));
}
