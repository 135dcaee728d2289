use std::cmp::Ordering;

use super::{Collation, Nulls, Rules, identity, key};
use crate::value::Json;

fn json(text: &str) -> Json {
    text.parse().unwrap()
}

fn compare(left: &str, right: &str) -> Ordering {
    key(&json(left)).cmp(&key(&json(right)))
}

#[test]
fn the_kinds_stand_in_the_order_of_the_table() {
    let ascending = [
        "false",
        r#"{"_type":"DV_BOOLEAN","value":true}"#,
        "-1e400",
        r#"{"_type":"DV_COUNT","magnitude":-3}"#,
        "0.5",
        r#"{"_type":"DV_PROPORTION","numerator":2,"denominator":3,"type":0}"#,
        r#"{"_type":"DV_ORDINAL","value":2}"#,
        "9007199254740992",
        "9007199254740993",
        r#"{"_type":"DV_QUANTITY","magnitude":1e20,"units":"1"}"#,
        r#"{"_type":"DV_QUANTITY","magnitude":5,"units":"g"}"#,
        r#"{"_type":"DV_QUANTITY","magnitude":9,"units":"mg"}"#,
        r#"{"_type":"DV_QUANTITY","magnitude":10,"units":"mg"}"#,
        r#"{"_type":"DV_DURATION","value":"-P1D"}"#,
        r#"{"_type":"DV_DURATION","value":"PT1H"}"#,
        r#"{"_type":"DV_DURATION","value":"P1M"}"#,
        r#"{"_type":"DV_DURATION","value":"P31D"}"#,
        r#"{"_type":"DV_DATE","value":"1969"}"#,
        r#""2024-05-01T10:00:00+02:00""#,
        r#""2024-05-01T09:00""#,
        r#"{"_type":"DV_DATE_TIME","value":"20240501T093000,25Z"}"#,
        r#""2024-05-01T09:30:00.3""#,
        r#"{"_type":"DV_TIME","value":"08"}"#,
        r#""09:30:00+01:00""#,
        r#""09:30""#,
        r#""2024""#,
        r#""2024-02-30""#,
        r#"{"_type":"DV_TEXT","value":"2024-05-01"}"#,
        r#""20240501""#,
        r#""Z""#,
        r#""a""#,
        r#"{"_type":"OBJECT_VERSION_ID","value":"b"}"#,
        r#"[1]"#,
        r#"{"_type":"DV_PROPORTION","numerator":1,"denominator":0,"type":0}"#,
        "null",
    ];
    for pair in ascending.windows(2) {
        assert_eq!(compare(pair[0], pair[1]), Ordering::Less, "{} before {}", pair[0], pair[1]);
    }
}

#[test]
fn what_is_equal_however_it_is_spelled() {
    for (left, right) in [
        ("1.10", "1.1"),
        ("100", "1E2"),
        ("0", "-0.0e9"),
        (r#""2024-05-01""#, r#""2024-05-01T00:00:00.000Z""#),
        (r#""2024-05""#, r#"{"_type":"DV_DATE","value":"20240501"}"#),
        (r#""2024-05-01T01:30+0130""#, r#""2024-05-01T00""#),
        (r#"{"_type":"DV_PROPORTION","numerator":-1,"denominator":-2}"#, "0.5"),
        (r#"{"_type":"DV_DURATION","value":"P1W"}"#, r#"{"_type":"DV_DURATION","value":"P7D"}"#),
        (r#"{"_type":"DV_DURATION","value":"PT1,5S"}"#, r#"{"_type":"DV_DURATION","value":"PT1.50S"}"#),
        (r#"{"b":1.0,"a":"\u0041"}"#, r#"{"a":"A","b":1}"#),
    ] {
        assert_eq!(compare(left, right), Ordering::Equal, "{left} equals {right}");
    }
}

#[test]
fn dates_that_the_calendar_or_the_clock_does_not_have_are_text() {
    for text in [
        "2024-13-01",
        "2023-02-29",
        "2024-05-01T24:00",
        "2024-05-01T10:00:60",
        "10:60",
        "2024-05-01T",
        "2024-05T10:00",
        "2024-5-1",
        "2024-05-01t10:00",
    ] {
        assert!(matches!(key(&Json::text(text)), super::Key::Text(_)), "{text}");
    }
    assert!(matches!(key(&json(r#"{"_type":"DV_DATE","value":"2024-02-30"}"#)), super::Key::Other(_)));
    for duration in ["P1D2M", "P", "PT", "P1", "P1.5.5D", "PT.5S", "P1234567890123D", "PT0.1234567890123456S"] {
        let cell = Json::object([("_type", Json::text("DV_DURATION")), ("value", Json::text(duration))]);
        assert!(matches!(key(&cell), super::Key::Other(_)), "{duration}");
    }
    let long = r#"{"_type":"DV_PROPORTION","numerator":1234567890123456789,"denominator":7}"#;
    assert!(matches!(key(&json(long)), super::Key::Other(_)));
}

#[test]
fn canonical_bytes_have_one_form_of_each_number() {
    for (number, canonical) in [
        ("1.10", "1.1"),
        ("1e2", "100"),
        ("-0.0", "0"),
        ("0.05", "0.05"),
        ("1e39", "1000000000000000000000000000000000000000"),
        ("1e41", "0.1E42"),
        ("1e-40", "0.0000000000000000000000000000000000000001"),
        ("1e-41", "0.1E-40"),
        ("-12.5e1", "-125"),
    ] {
        assert_eq!(String::from_utf8(super::canonical(&json(number))).unwrap(), canonical, "{number}");
    }
    let bytes = super::canonical(&json(r#"{"b":[1.0,"\u00e9\u0007/"],"a":null}"#));
    assert_eq!(String::from_utf8(bytes).unwrap(), "{\"a\":null,\"b\":[1,\"é\\u0007/\"]}");
}

#[test]
fn sameness_is_by_order_for_scalars_and_by_bytes_for_objects() {
    let coded = |code: &str| json(&format!(r#"{{"_type":"DV_CODED_TEXT","value":"x","code":"{code}"}}"#));
    assert_eq!(identity(&json("1.10")), identity(&json("1.1")));
    assert_eq!(key(&coded("1")), key(&coded("2")));
    assert_ne!(identity(&coded("1")), identity(&coded("2")));
    assert_ne!(identity(&json("5")), identity(&json(r#"{"_type":"DV_COUNT","magnitude":5}"#)));
}

#[test]
fn rules_bend_the_order_as_real_servers_do() {
    let rules = Rules {
        collation: Collation::CaseBlind,
        dates_as_text: true,
        bare_magnitudes: true,
        uids_by_number: true,
        ..Rules::default()
    };
    let less = |left: &str, right: &str| assert!(rules.key(&json(left)) < rules.key(&json(right)), "{left} before {right}");
    less(r#""b""#, r#""Z""#);
    less(r#""a""#, r#""A""#);
    less(r#""2024-05-01T09:00""#, r#""2024-05-01T10:00+02:00""#);
    less(r#""x::sys::2""#, r#""x::sys::10""#);
    less(r#"{"_type":"DV_QUANTITY","magnitude":5,"units":"g"}"#, r#"{"_type":"DV_QUANTITY","magnitude":10,"units":"a"}"#);
}

#[test]
fn nulls_stand_where_the_server_puts_them() {
    let (null, one) = (key(&Json::Null), key(&json("1")));
    for (nulls, ascending, descending) in [
        (Nulls::Greatest, Ordering::Greater, Ordering::Less),
        (Nulls::Least, Ordering::Less, Ordering::Greater),
        (Nulls::Last, Ordering::Greater, Ordering::Greater),
        (Nulls::First, Ordering::Less, Ordering::Less),
    ] {
        let rules = Rules { nulls, ..Rules::default() };
        assert_eq!(rules.compare(&null, &one, false), ascending, "{nulls:?}");
        assert_eq!(rules.compare(&null, &one, true), descending, "{nulls:?}");
    }
}
