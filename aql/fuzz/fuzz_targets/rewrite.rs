//! A query that is changed as a gateway changes it says what it said, but for the change.
#![no_main]

use libfuzzer_sys::fuzz_target;
use openehr_aql::analysis::{conjuncts, literals};
use openehr_aql::ast::{Condition, Literal, Query};
use openehr_aql::visit::VisitMut;
use openehr_aql::{make_portable, parse};

/// Replaces every text.
struct Replace;

impl VisitMut for Replace {
    fn visit_literal_mut(&mut self, node: &mut Literal) {
        if node.kind.is_quoted() {
            *node = Literal::string("replaced");
        }
    }
}

fn reads_back(query: &Query) {
    let printed = query.to_string();
    assert_eq!(parse(&printed).as_ref(), Ok(query), "{printed:?}");
}

fuzz_target!(|text: &str| {
    let Ok(mut query) = parse(text) else { return };
    let count = |query: &Query| literals(query).len();
    let before = count(&query);
    make_portable(&mut query);
    reads_back(&query);

    Replace.visit_query_mut(&mut query);
    let left = literals(&query).iter().filter(|one| one.literal.kind.is_quoted() && one.literal.decoded() != "replaced").count();
    assert_eq!((left, count(&query)), (0, before));

    let Ok(restriction) = "e/ehr_id/value = 'f1'".parse::<Condition>() else { return };
    query.condition = Some(match query.condition.take() {
        Some(condition) => condition.and(restriction.clone()),
        None => restriction.clone(),
    });
    reads_back(&query);
    assert_eq!(query.condition.as_ref().and_then(|condition| conjuncts(condition).last()), Some(&restriction));
});
