use std::cmp::Ordering;

use bigdecimal::BigDecimal;
use proptest::prelude::*;

use super::{Key, Kind, VersionUid, canonical, identity, moment};

fn compare(left: &str, right: &str) -> Ordering {
    Key::of(left.as_bytes()).cmp(&Key::of(right.as_bytes()))
}

fn same(left: &str, right: &str) -> bool {
    let bytes = |cell: &str| {
        let mut out = Vec::new();
        identity(cell.as_bytes(), &mut out);
        out
    };
    bytes(left) == bytes(right)
}

/// Each cell stands strictly before the next.
const ASCENDING: &[&str] = &[
    "false",
    "true",
    "-1e99999999999999999",
    "-12345678901234567890123",
    "-2",
    "-1.10000000000000000000000001",
    "-1.1",
    "-1e-99999999999999999",
    "0",
    "1e-99999999999999999",
    r#"{"_type":"DV_PROPORTION","numerator":1,"denominator":3,"type":0}"#,
    "0.33333333333333333333333333333333334",
    r#"{"_type":"DV_COUNT","magnitude":1}"#,
    r#"{"symbol":{"value":"x"},"value":2,"_type":"DV_ORDINAL"}"#,
    r#"{"_type":"DV_SCALE","value":2.5}"#,
    r#"{"_type":"DV_QUANTITY","magnitude":2.75,"units":"1"}"#,
    r#"{"_type":"DV_QUANTITY","magnitude":2.875}"#,
    r#"{"_type":"DV_PROPORTION","numerator":-6,"denominator":-2}"#,
    "9007199254740992",
    "9007199254740993",
    "9007199254740993.5",
    "123456789012345678901234567890",
    "1e99999999999999999",
    r#"{"_type":"DV_QUANTITY","magnitude":900,"units":"cm"}"#,
    r#"{"_type":"DV_QUANTITY","magnitude":9.5,"units":"kg"}"#,
    r#"{"_type":"DV_QUANTITY","magnitude":10,"units":"kg","precision":0}"#,
    r#"{"_type":"DV_DURATION","value":"-P1D"}"#,
    r#"{"_type":"DV_DURATION","value":"PT0.5S"}"#,
    r#"{"_type":"DV_DURATION","value":"P1W"}"#,
    r#"{"_type":"DV_DURATION","value":"P30D"}"#,
    r#"{"_type":"DV_DURATION","value":"P1M"}"#,
    r#"{"_type":"DV_DURATION","value":"P1Y"}"#,
    r#""1969-12-31T23:59:59.999999999999""#,
    r#"{"_type":"DV_DATE","value":"1970"}"#,
    r#""2024-02-29""#,
    r#"{"_type":"DV_DATE_TIME","value":"20240501T100000,5Z"}"#,
    r#""2024-05-01T10:00:00.50000000001+00:00""#,
    r#""2024-05-01T10:00:01.5""#,
    r#""2024-05-01T09:00-02""#,
    r#""2024-05-01T11:00:00.0000000001Z""#,
    r#"{"_type":"DV_TIME","value":"00:30+01:00"}"#,
    r#""00:00""#,
    r#"{"_type":"DV_TIME","value":"10"}"#,
    r#""10:00:00.1""#,
    r#""""#,
    r#""10""#,
    r#""2024-02-30""#,
    r#""2024-05-01T10:00:60""#,
    r#""2024-13""#,
    r#""20240501""#,
    r#""Zebra""#,
    r#"{"_type":"DV_CODED_TEXT","value":"apple"}"#,
    r#""b\u0061""#,
    r#"{"_type":"OBJECT_VERSION_ID","value":"c::d::1"}"#,
    r#""\u00e9""#,
    r#""\ud83d\ude00""#,
    "[1,2]",
    r#"{"_type":"DV_COUNT","magnitude":"1"}"#,
    r#"{"_type":"DV_PROPORTION","numerator":1,"denominator":0}"#,
    r#"{"a":1}"#,
    "null",
];

#[test]
fn kinds_and_values_stand_in_the_documented_order() {
    for (at, left) in ASCENDING.iter().enumerate() {
        for (other, right) in ASCENDING.iter().enumerate() {
            assert_eq!(compare(left, right), at.cmp(&other), "{left} against {right}");
        }
    }
}

#[test]
fn unlike_spellings_of_one_value_are_equal() {
    let cases = [
        ("1.10", "1.1"),
        ("-0", "0.000e5"),
        ("1e3", "1000.0"),
        ("123456789012345678900000", "1234567890123456789e5"),
        ("0.1", r#"{"_type":"DV_PROPORTION","numerator":1,"denominator":10}"#),
        ("100000000000000000000000000000000", r#"{"_type":"DV_PROPORTION","numerator":1e31,"denominator":0.1}"#),
        (r#""2024-05-01T10:00:00Z""#, r#""2024-05-01T12:00:00.000+02:00""#),
        (r#""2024-05""#, r#"{"_type":"DV_DATE","value":"202405"}"#),
        (r#""2024-05""#, r#""2024-05-01T00""#),
        (r#""\u0032024-05""#, r#""2024-05""#),
        (r#""10:00""#, r#"{"_type":"DV_TIME","value":"1200+0200"}"#),
        (r#"{"_type":"DV_DURATION","value":"P1Y"}"#, r#"{"_type":"DV_DURATION","value":"P12M"}"#),
        (r#"{"_type":"DV_DURATION","value":"P1DT12H"}"#, r#"{"_type":"DV_DURATION","value":"P1,5D"}"#),
        (r#"{"b":[1.0, "\u0041"],"a":null}"#, r#"{"a":null,"b":[1e0,"A"]}"#),
        (r#"{"_type":"CODE_PHRASE","code_string":"at1"}"#, r#""at1""#),
        (r#"{"_type":"DV_IDENTIFIER","id":"x"}"#, r#"{"_type":"DV_URI","value":"x"}"#),
    ];
    for (left, right) in cases {
        assert_eq!(compare(left, right), Ordering::Equal, "{left} against {right}");
        assert_eq!(compare(right, left), Ordering::Equal, "{right} against {left}");
    }
}

#[test]
fn what_only_resembles_a_date_or_time_is_text() {
    for text in [
        "2024",
        "202405",
        "20240501T10:00",
        "2024-05-01t10:00",
        "2024-05-01T",
        "2024-05-01T24:00",
        "2024-05-01T10:00:00.",
        "2024-05T10:00",
        "2024-05-01T10:00z",
        "2024-05-01T1000",
        "2023-02-29",
        "1000",
        "10:00:00:00",
        "24:00",
        "10:60",
        "10:0",
        "2024-05-01T10:00+2",
        "2024-05-01Z",
        "10",
        "1000Z",
        "0000-00-00",
        "2024-1-1",
        "10:00.5",
        "2024-05-01T10:00+24:00",
    ] {
        assert_eq!(Key::of(format!("\"{text}\"").as_bytes()).kind(), Kind::Text, "{text}");
    }
}

#[test]
fn a_data_value_that_lacks_what_is_compared_is_other() {
    for cell in [
        r#"{"_type":"DV_QUANTITY","units":"kg"}"#,
        r#"{"_type":"DV_QUANTITY","magnitude":1,"units":1}"#,
        r#"{"_type":"DV_DATE","value":"2024-05-32"}"#,
        r#"{"_type":"DV_DATE_TIME","value":"2024-05-01T1000"}"#,
        r#"{"_type":"DV_DURATION","value":"P"}"#,
        r#"{"_type":"DV_DURATION","value":"P1S"}"#,
        r#"{"_type":"DV_DURATION","value":"PT"}"#,
        r#"{"_type":"DV_DURATION","value":"P1D1M"}"#,
        r#"{"_type":"DV_COUNT","magnitude":1,"magnitude":2}"#,
        r#"{"value":"x"}"#,
        r#"{"_type":1,"value":"x"}"#,
    ] {
        assert_eq!(Key::of(cell.as_bytes()).kind(), Kind::Other, "{cell}");
    }
}

#[test]
fn canonical_bytes_have_one_spelling() {
    let cases = [
        (r#"{ "b" : [ 1.50 , true ] , "a" : { } , "B" : [ ] }"#, r#"{"B":[],"a":{},"b":[1.5,true]}"#),
        (r#"["\u00e9\n\u0001\/","x\"y"]"#, "[\"é\\n\\u0001/\",\"x\\\"y\"]"),
        (
            "[1e2,-0.0,1e41,1e40,1e39,1e-40,1e-41,12345678901234567890.5]",
            "[100,0,0.1E42,0.1E41,1000000000000000000000000000000000000000,0.0000000000000000000000000000000000000001,0.1E-40,12345678901234567890.5]",
        ),
    ];
    for (cell, canonical_text) in cases {
        assert_eq!(String::from_utf8_lossy(&canonical::canonical(cell.as_bytes())), canonical_text);
    }
}

#[test]
fn sameness_is_the_orders_for_scalars_and_finer_for_objects() {
    assert!(same("1.0", "1e0") && same(r#""\u0041""#, r#""A""#) && same(r#""2024-05-01""#, r#""2024-05""#));
    assert!(!same("1", r#""1""#) && !same("null", r#""""#) && !same("true", "1"));
    assert!(same(r#"{"_type":"DV_COUNT","magnitude":1.0}"#, r#"{"magnitude": 1, "_type":"DV_COUNT"}"#));
    let coded = |code: &str| format!(r#"{{"_type":"DV_CODED_TEXT","value":"x","defining_code":{{"code_string":"{code}"}}}}"#);
    assert_eq!(compare(&coded("a"), &coded("b")), Ordering::Equal);
    assert!(!same(&coded("a"), &coded("b")));
    assert!(!same(r#"{"_type":"DV_TEXT","value":"x"}"#, r#""x""#));
}

#[test]
fn version_uids_order_by_object_system_and_number() {
    let ascending = ["a::s::1", "a::s::2", "a::s::2.1.1", "a::s::10", "a::t::1", "b::a::1", "not a uid"];
    for pair in ascending.windows(2) {
        let cells: Vec<String> = pair.iter().map(|uid| format!("\"{uid}\"")).collect();
        assert!(VersionUid::of(cells[0].as_bytes()) < VersionUid::of(cells[1].as_bytes()), "{pair:?}");
    }
    let uid = VersionUid::of(br#""a::s.org::1""#);
    assert_eq!(uid.creating_system(), Some(b"s.org".as_slice()));
    assert_eq!(uid.into_identity().as_deref(), Some(b"a::s.org::1".as_slice()));
    for none in ["null", r#""a""#, r#""a::b""#, r#""::b::1""#, r#""a::b::x""#, r#""a::::1""#, r#""a::b::1.""#] {
        assert_eq!(VersionUid::of(none.as_bytes()).into_identity(), None, "{none}");
    }
}

#[test]
fn offsets_are_found_as_written() {
    for (text, offset) in [
        ("2024-05-01", ""),
        ("2024-05-01T10", ""),
        ("2024-05-01T10:00-05:00", "-05:00"),
        ("2024-05-01T10Z", "Z"),
        ("10:00+01", "+01"),
    ] {
        assert_eq!(moment::offset(text.as_bytes()), offset.as_bytes(), "{text}");
    }
}

#[test]
fn a_key_is_no_longer_than_half_a_cache_line() {
    assert!(size_of::<Key<'_>>() <= 32, "{}", size_of::<Key<'_>>());
}

#[test]
fn hostile_numbers_are_compared_without_being_written_out() {
    let long = |last: char| format!("{}{last}", "7".repeat(1_000_000));
    assert_eq!(compare(&long('1'), &long('2')), Ordering::Less);
    assert_eq!(compare("1e99999999999999999", "2e99999999999999998"), Ordering::Greater);
    assert_eq!(compare(&format!("0.{}1e1000001", "0".repeat(1_000_000)), "1"), Ordering::Equal);
    assert!(canonical::canonical(b"[1e99999999999999999]").len() < 64);
}

fn number() -> impl Strategy<Value = String> {
    prop_oneof![
        (any::<i64>(), 0u32..20).prop_map(|(value, by)| (value / 10i64.pow(by.min(18))).to_string()),
        "-?(0|[1-9][0-9]{0,25})(\\.[0-9]{1,12})?([eE][+-]?[0-9]{1,2})?",
        (-3i64..3, 0usize..3).prop_map(|(value, zeros)| format!("{value}.{}", "0".repeat(zeros + 1))),
    ]
}

fn moment_text() -> impl Strategy<Value = String> {
    let date = (1968u32..1972, 1u32..13, 1u32..30).prop_map(|(year, month, day)| format!("{year:04}-{month:02}-{day:02}"));
    let time =
        (0u32..24, 0u32..60, 0u32..60, "(\\.[0-9]{1,11})?", prop_oneof![Just("Z"), Just(""), Just("+01:00"), Just("-05:30")])
            .prop_map(|(hour, minute, second, fraction, zone)| format!("{hour:02}:{minute:02}:{second:02}{fraction}{zone}"));
    prop_oneof![date.clone(), time.clone(), (date, time).prop_map(|(date, time)| format!("{date}T{time}"))]
}

fn cell() -> impl Strategy<Value = String> {
    let quoted = |text: String| serde_json::to_string(&text).unwrap_or_default();
    let data_value = (
        prop_oneof![Just("DV_COUNT"), Just("DV_QUANTITY"), Just("DV_PROPORTION"), Just("DV_DATE_TIME"), Just("DV_TIME"), Just("DV_TEXT"), Just("X")],
        prop_oneof![moment_text(), "[a-c]{0,2}"],
        number(),
        prop_oneof![Just("1"), Just("kg"), Just("cm")],
        prop_oneof![Just("0"), Just("-4"), Just("3"), Just("2.5")],
    )
        .prop_map(|(kind, value, number, units, under)| {
            format!(
                r#"{{"_type":"{kind}","value":"{value}","magnitude":{number},"units":"{units}","numerator":{number},"denominator":{under}}}"#
            )
        });
    prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        number(),
        moment_text().prop_map(quoted),
        "[a-cé😀]{0,3}".prop_map(quoted),
        data_value,
        prop::collection::vec(number(), 0..3).prop_map(|numbers| format!("[{}]", numbers.join(", "))),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn the_order_is_total_antisymmetric_and_transitive(a in cell(), b in cell(), c in cell()) {
        prop_assert_eq!(compare(&a, &a), Ordering::Equal);
        prop_assert_eq!(compare(&a, &b), compare(&b, &a).reverse());
        let mut cells = [&a, &b, &c];
        cells.sort_by(|left, right| compare(left, right));
        prop_assert!(compare(cells[0], cells[2]).is_le());
        if compare(&a, &b).is_eq() {
            prop_assert_eq!(compare(&a, &c), compare(&b, &c));
        }
    }

    #[test]
    fn numbers_compare_as_exact_decimals(a in number(), b in number()) {
        let model = |text: &str| text.parse::<BigDecimal>().expect("a number");
        prop_assert_eq!(compare(&a, &b), model(&a).cmp(&model(&b)), "{} against {}", a, b);
        prop_assert_eq!(same(&a, &b), model(&a) == model(&b));
    }

    #[test]
    fn proportions_compare_as_exact_quotients(a in -1000i64..1000, b in 1i64..50, c in -1000i64..1000, d in -50i64..0) {
        let cell = |over: i64, under: i64| format!(r#"{{"_type":"DV_PROPORTION","numerator":{over},"denominator":{under}}}"#);
        prop_assert_eq!(compare(&cell(a, b), &cell(c, d)), (a * -d).cmp(&(-c * b)));
        prop_assert_eq!(compare(&cell(a, b), &c.to_string()), a.cmp(&(c * b)));
    }

    #[test]
    fn instants_compare_as_the_calendar_has_them(a in 0i64..200_000_000_000, b in 0i64..200_000_000_000, nanos in 0u32..1_000_000_000, east in -12i32..15) {
        let written = |seconds: i64, east: i32| {
            let zone = chrono::FixedOffset::east_opt(east * 3600).expect("an offset");
            let instant = chrono::DateTime::from_timestamp(seconds - 60_000_000_000, nanos).expect("an instant");
            serde_json::to_string(&instant.with_timezone(&zone).to_rfc3339()).expect("text")
        };
        prop_assert_eq!(compare(&written(a, east), &written(b, 0)), a.cmp(&b));
        prop_assert_eq!(compare(&written(a, east), &written(a, 0)), Ordering::Equal);
    }

    #[test]
    fn scalars_are_the_same_exactly_when_the_order_has_them_equal(a in cell(), b in cell()) {
        let scalar = |cell: &str| !cell.starts_with(['{', '[']);
        if scalar(&a) && scalar(&b) {
            prop_assert_eq!(same(&a, &b), compare(&a, &b).is_eq(), "{} against {}", a, b);
        } else if scalar(&a) != scalar(&b) {
            prop_assert!(!same(&a, &b));
        }
    }
}
