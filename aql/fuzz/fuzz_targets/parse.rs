//! No text panics, and an error lies inside the text, says nothing of it, and can be drawn.
#![no_main]

use libfuzzer_sys::fuzz_target;
use openehr_aql::diagnostic::{read, verdict};
use openehr_aql::{Options, analysis, parse_with};

fuzz_target!(|text: &str| {
    for directive in [true, false] {
        let options = Options { directive, ..Options::default() };
        match parse_with(text, &options) {
            Ok(query) => {
                let _ = openehr_aql::check(&query);
                let _ = analysis::literals(&query);
                let _ = openehr_aql::parameters(&query);
            }
            Err(error) => {
                assert!(text.get(error.span.start as usize..error.span.end as usize).is_some());
                assert!(!error.to_string().contains('\n'));
            }
        }
        if let Err(error) = read(text, &options) {
            assert!(!error.render(text).is_empty());
        }
        assert!(!verdict(text, &options).contains('\n'));
    }
});
