//! What is printed reads back as the same tree, and prints the same again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use openehr_aql::parse;

fuzz_target!(|text: &str| {
    if let Ok(query) = parse(text) {
        let printed = query.to_string();
        let again = parse(&printed);
        assert_eq!(again.as_ref(), Ok(&query), "{text:?} printed as {printed:?}");
        assert_eq!(again.map(|again| again.to_string()).as_deref(), Ok(printed.as_str()));
    }
});
