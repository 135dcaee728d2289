//! What holds of every selection, whatever the federation, the direction and the services.

use proptest::prelude::*;

use super::*;

/// A federation: which node each endpoint belongs to, and whether it is suspended.
fn federation() -> impl Strategy<Value = Vec<(u8, bool)>> {
    proptest::collection::vec((0u8..5, proptest::bool::weighted(0.2)), 1..9)
}

fn written(federation: &[(u8, bool)]) -> String {
    let endpoint = |(index, (node, suspended)): (usize, &(u8, bool))| {
        format!("e{index}@n{node}/o{}{}", index % 3, if *suspended { "!" } else { "" })
    };
    federation.iter().enumerate().map(endpoint).collect::<Vec<_>>().join(" ")
}

/// A subset of the five nodes.
fn some_nodes() -> impl Strategy<Value = String> {
    proptest::collection::btree_set(0u8..5, 0..5)
        .prop_map(|nodes| nodes.iter().map(|node| format!("n{node}")).collect::<Vec<_>>().join(" "))
}

fn targeting(endpoints: usize) -> impl Strategy<Value = Targeting> {
    let ids =
        move |indices: BTreeSet<usize>| indices.iter().map(|index| EndpointId::new(format!("e{}", index % endpoints))).collect();
    let organisations = |indices: BTreeSet<usize>| indices.iter().map(|index| OrganisationId::new(format!("o{index}"))).collect();
    prop_oneof![
        Just(Targeting::Undirected),
        proptest::collection::btree_set(0usize..9, 1..4).prop_map(move |indices| Targeting::Endpoints(ids(indices))),
        proptest::collection::btree_set(0usize..3, 1..3)
            .prop_map(move |indices| Targeting::Organisations(organisations(indices))),
    ]
}

/// The federation, the direction, where the patient is known, where localized, where denied.
type Case = (Vec<(u8, bool)>, Targeting, String, Option<String>, Option<String>);

fn case() -> impl Strategy<Value = Case> {
    let services = (some_nodes(), proptest::option::of(some_nodes()), proptest::option::of(some_nodes()));
    (federation(), services).prop_flat_map(|(federation, (known, localized, denied))| {
        let endpoints = federation.len();
        (Just(federation), targeting(endpoints), Just(known), Just(localized), Just(denied))
    })
}

fn run(selector: &Selector, targeting: &Targeting) -> Result<Selection, SelectError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(selected(selector, targeting))
}

proptest! {
    #[test]
    fn only_who_may_be_asked_is_asked_and_everyone_is_reported_once((federation, targeting, known, localized, denied) in case()) {
        let registry = registry(&written(&federation));
        let mut selector = Selector::with(registry.clone(), known_at(&known));
        if let Some(nodes) = &localized {
            selector = selector.localized_by(table(nodes), LocalizationFailure::Closed);
        }
        if let Some(nodes) = &denied {
            selector = selector.filtered_by(table(nodes));
        }
        let selection = match run(&selector, &targeting) {
            Ok(selection) => selection,
            Err(error) => {
                prop_assert!(matches!(error.code(), ErrorCode::NoDestination | ErrorCode::UnknownTarget));
                return Ok(());
            }
        };
        let ids: Vec<_> = selection.members.iter().map(|member| &member.endpoint.id).collect();
        prop_assert_eq!(ids, registry.endpoints().map(|endpoint| &endpoint.id).collect::<Vec<_>>());
        let named = |nodes: &str, node: &NodeId| nodes.split_whitespace().any(|name| name == node.as_str());
        let mut asked_nodes = Vec::new();
        for member in &selection.members {
            let (endpoint, node) = (&member.endpoint, &member.endpoint.node.id);
            let Decision::Ask(ehr_id) = &member.decision else {
                prop_assert!(!matches!(member.decision, Decision::Unknown { .. }), "a table always answers");
                continue;
            };
            prop_assert_eq!(ehr_id, &Some(EhrId::new(format!("ehr-{node}"))));
            prop_assert!(named(&known, node) && endpoint.membership == Membership::Active);
            prop_assert!(!denied.as_deref().is_some_and(|nodes| named(nodes, node)));
            match &targeting {
                Targeting::Undirected => prop_assert!(localized.as_deref().is_none_or(|nodes| named(nodes, node))),
                Targeting::Endpoints(ids) => prop_assert!(ids.contains(&endpoint.id)),
                Targeting::Organisations(ids) => prop_assert!(ids.contains(&endpoint.organisation)),
            }
            asked_nodes.push(node.clone());
        }
        if !matches!(targeting, Targeting::Endpoints(_)) {
            let distinct: BTreeSet<_> = asked_nodes.iter().collect();
            prop_assert_eq!(distinct.len(), asked_nodes.len(), "a node is asked once");
        }
    }

    /// Nobody who could be asked is forgotten.
    #[test]
    fn an_undirected_query_asks_every_node_that_may_be_asked((federation, _, known, localized, denied) in case()) {
        let registry = registry(&written(&federation));
        let mut selector = Selector::with(registry.clone(), known_at(&known));
        if let Some(nodes) = &localized {
            selector = selector.localized_by(table(nodes), LocalizationFailure::Closed);
        }
        if let Some(nodes) = &denied {
            selector = selector.filtered_by(table(nodes));
        }
        let Ok(selection) = run(&selector, &Targeting::Undirected) else { return Ok(()) };
        let names = |nodes: &str| nodes.split_whitespace().map(NodeId::new).collect::<BTreeSet<_>>();
        let in_service = registry.endpoints().filter(|endpoint| endpoint.membership == Membership::Active);
        let mut wanted: BTreeSet<NodeId> = in_service.map(|endpoint| endpoint.node.id.clone()).collect();
        wanted.retain(|node| names(&known).contains(node));
        wanted.retain(|node| localized.as_deref().is_none_or(|nodes| names(nodes).contains(node)));
        wanted.retain(|node| !denied.as_deref().is_some_and(|nodes| names(nodes).contains(node)));
        let asked = selection.members.iter().filter(|member| matches!(member.decision, Decision::Ask(_)));
        prop_assert_eq!(asked.map(|member| member.endpoint.node.id.clone()).collect::<BTreeSet<_>>(), wanted);
    }
}
