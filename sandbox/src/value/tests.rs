use super::{Json, JsonError, Style};

#[test]
fn numbers_and_member_order_stay_as_written() {
    let text = r#"{"b":1.10,"a":[1e5,-0,9007199254740993],"c":"é\n\"","d":null,"e":true}"#;
    let value: Json = text.parse().unwrap();
    assert_eq!(value.to_string(), text);
}

#[test]
fn the_spaced_style_is_that_of_jsonb() {
    let mut out = Vec::new();
    r#"{"a":[1,2],"b":{}}"#.parse::<Json>().unwrap().write(&mut out, Style::Spaced);
    assert_eq!(out, br#"{"a": [1, 2], "b": {}}"#);
}

#[test]
fn escapes_are_decoded() {
    let value: Json = r#""\u00e9\ud83d\ude00\/\b""#.parse().unwrap();
    assert_eq!(value, Json::text("é😀/\u{8}"));
}

#[test]
fn what_is_no_json_is_refused() {
    for text in [
        "",
        "{",
        "[1,]",
        "{\"a\" 1}",
        "01",
        "1.",
        "1e",
        "+1",
        "\"\\x\"",
        "\"\\ud800\"",
        "nul",
        "1 2",
        "\"\u{1}\"",
        "[1 2]",
        "{1:2}",
        "\"\\u+123\"",
    ] {
        assert!(text.parse::<Json>().is_err(), "{text:?} was taken");
    }
    assert_eq!(Json::parse(b"\"\xff\""), Err(JsonError::Encoding));
    assert_eq!("[".repeat(200).parse::<Json>(), Err(JsonError::Depth));
    assert!(matches!(r#"{"a":1,"a":2}"#.parse::<Json>(), Err(JsonError::Duplicate(_))));
}
