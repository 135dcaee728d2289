//! No value breaks out of its literal, wherever a parameter can stand.
#![no_main]

use std::collections::BTreeMap;

use libfuzzer_sys::fuzz_target;
use openehr_aql::ast::Literal;
use openehr_aql::{bind, parse};

fuzz_target!(|value: &str| {
    let literal = Literal::string(value);
    assert_eq!(literal.decoded(), value);
    let values = BTreeMap::from([("p".to_owned(), literal)]);
    let text = "SELECT CONCAT($p) FROM C c[at1, $p] WHERE c/a = $p AND c/b LIKE $p AND c/d MATCHES {$p, 1} AND c/e[f = $p]/g = 1";
    let Ok(mut query) = parse(text) else { unreachable!() };
    bind(&mut query, &values).unwrap();
    assert_eq!(parse(&query.to_string()).as_ref(), Ok(&query));
});
