//! Whatever is in the file, the answer is settings or faults.

use proptest::prelude::*;

use super::*;

/// Pieces of TOML in no good order: keys of ours, values of every type, brackets that close or do not.
fn piece() -> impl Strategy<Value = String> {
    let keys: Vec<String> = keys::all();
    prop_oneof![
        proptest::sample::select(keys.clone()).prop_map(|key| format!("[{key}]\n")),
        proptest::sample::select(keys.clone()).prop_map(|key| format!("[[{key}]]\n")),
        proptest::sample::select(keys).prop_map(|key| format!("{} = ", key.rsplit('.').next().unwrap_or("id"))),
        proptest::sample::select(vec![
            "\"node-a\"\n",
            "\"http://127.0.0.1:1/\"\n",
            "\"static\"\n",
            "\"pixm\"\n",
            "\"http\"\n",
            "\"basic\"\n",
            "\"0.0.0.0:1\"\n",
            "0\n",
            "1\n",
            "-9223372036854775808\n",
            "99999999999999999999\n",
            "0x7fffffff\n",
            "1e400\n",
            "true\n",
            "[]\n",
            "{}\n",
            "[\"a\"]\n",
            "{ node-a = \"x\" }\n",
            "{ type = \"bearer\", token_file = \"/\" }\n",
            "1979-05-27T07:32:00Z\n",
            "\"\"\n",
            "\"\"\"",
            "[[",
            "{",
            "\u{0}",
            "\n",
            "#",
            "\r",
            "=",
            ".",
            "\u{1F600}",
        ])
        .prop_map(str::to_owned),
        ".{0,8}",
    ]
}

proptest! {
    #[test]
    fn any_text_is_settings_or_faults(pieces in proptest::collection::vec(piece(), 0..24)) {
        let text = pieces.concat();
        if let Err(faults) = load_with(&text, &[]) {
            prop_assert!(faults.iter().len() > 0);
            for fault in faults.iter() {
                prop_assert!(!fault.reason.is_empty() && !fault.remedy.is_empty(), "{fault}");
            }
        }
    }

    #[test]
    fn any_damage_to_an_example_is_settings_or_faults(at in 0usize..2400, removed in 0usize..40, inserted in ".{0,6}") {
        let example = include_str!("../../../config/production.toml");
        let (start, end) = (example.floor_char_boundary(at), example.floor_char_boundary(at + removed));
        let text = [&example[..start], &inserted, &example[end..]].concat();
        let faults = load_with(&text, &[]).expect_err("the membership file is not there");
        prop_assert!(faults.iter().len() > 0);
    }

    #[test]
    fn any_variable_is_settings_or_faults(name in "[A-Za-z0-9_]{0,20}", value in ".{0,12}", key in proptest::sample::select(keys::all())) {
        for way in [name.clone(), key.replace('.', "__"), format!("{}__{name}", key.replace('.', "__"))] {
            let name = format!("TRIBUTARY__{way}").to_uppercase();
            let _either = load_with(MEMBERS, &[(&name, &value)]);
        }
    }
}

#[test]
fn deep_nesting_is_a_fault_and_no_overflow() {
    for text in [
        format!("a = {}", "[".repeat(100_000)),
        format!("a = {}", "{a=".repeat(100_000)),
        format!("a{} = 1", ".a".repeat(100_000)),
    ] {
        assert!(load_with(&text, &[]).is_err());
    }
}
