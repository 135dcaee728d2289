use std::sync::Arc;

use bytes::Bytes;
use proptest::prelude::*;

use super::{NodeRows, ReadError, RowBudget};

fn read(body: &str, width: usize) -> Result<NodeRows, ReadError> {
    NodeRows::read(Bytes::copy_from_slice(body.as_bytes()), width, &RowBudget::new(1000))
}

fn cells(rows: &NodeRows) -> Vec<Vec<String>> {
    (0..rows.len()).map(|row| rows.row(row).map(|cell| String::from_utf8_lossy(cell).into_owned()).collect()).collect()
}

#[test]
fn every_spelling_of_a_result_set_is_read() {
    let cases = [
        (
            "EHRbase",
            r#"{"meta":{"_type":"RESULTSET"},"q":"SELECT","columns":[{"path":"a"},{"path":"b"}],"rows":[[1,"x"],[null,2.50]]}"#,
        ),
        ("rows only, blanks inside", r#"{"rows":[[1, "x"],[null, 2.50]]}"#),
        ("rows first", r#"{"rows":[[1,"x"],[null,2.50]],"columns":[],"extra":{"rows":[[3]]}}"#),
        ("blanks everywhere", " {\n\"rows\" :\t[ [ 1 , \"x\" ] , [ null , 2.50 ] ] , \"q\" : null } \r\n"),
        ("an escaped name", r#"{"r\u006fws":[[1,"x"],[null,2.50]]}"#),
    ];
    for (name, body) in cases {
        let rows = read(body, 2).expect(name);
        assert_eq!(cells(&rows), [["1", "\"x\""], ["null", "2.50"]], "{name}");
    }
}

#[test]
fn an_answer_without_rows_is_an_empty_one() {
    for body in [
        r#"{"columns":[]}"#,
        r#"{"q":"x"}"#,
        r#"{"meta":{}}"#,
        r#"{"name":"n"}"#,
        r#"{"rows":null}"#,
        r#"{"rows":[]}"#,
        r#"{"rows":[ ]}"#,
    ] {
        assert_eq!(read(body, 3).expect(body).len(), 0, "{body}");
    }
}

#[test]
fn cells_are_the_bytes_the_node_sent() {
    let rows = read(r#"{"rows":[[ {"b" : 1e2,"a":[ ]} ,"\u00e9\ud83d\ude00ü", 1.10 ]]}"#, 3).expect("read");
    assert_eq!(rows.cell(0, 0), br#"{"b" : 1e2,"a":[ ]}"#);
    assert_eq!(rows.cell(0, 1), r#""\u00e9\ud83d\ude00ü""#.as_bytes());
    assert_eq!(rows.cell(0, 2), b"1.10");
    assert_eq!(rows.run(0, 1, 2), r#""\u00e9\ud83d\ude00ü", 1.10"#.as_bytes());
    assert_eq!(rows.cell(0, 3), b"null");
    assert_eq!(rows.cell(1, 0), b"null");
}

#[test]
fn what_is_no_result_set_is_refused() {
    for body in [
        "{}",
        "[]",
        "1",
        r#"{"error":"x","message":"y"}"#,
        r#"{"rows":{}}"#,
        r#"{"rows":[],"rows":[]}"#,
        r#"{"rows":[],"r\u006fws":null}"#,
    ] {
        assert!(matches!(read(body, 1), Err(ReadError::NotResultSet(_))), "{body}");
    }
}

#[test]
fn rows_of_another_width_are_refused() {
    for body in ["[1]", "[1,2,3]", "[]", "null", "{}", "\"ab\"", "[1,[2,3],4]"] {
        let body = format!(r#"{{"rows":[[1,2],{body}]}}"#);
        assert_eq!(read(&body, 2).err(), Some(ReadError::Row { row: 1, width: 2 }), "{body}");
    }
    assert_eq!(read(r#"{"rows":[[],[ ]]}"#, 0).expect("no cells").len(), 2);
    assert!(read(r#"{"rows":[[1]]}"#, 0).is_err());
}

#[test]
fn what_is_no_json_is_refused_wherever_it_stands() {
    let wrong = [
        "01",
        "+1",
        "1.",
        ".5",
        "1e",
        "1e+",
        "-",
        "--1",
        "0x1",
        "NaN",
        "tru",
        "nul",
        "'a'",
        "\"a",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\\u12g4\"",
        "\"a\nb\"",
        "\"\u{1}\"",
        "[1,]",
        "[,1]",
        "[1 2]",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{a:1}",
        "{1:1}",
        "[1}",
        "{\"a\":1]",
        "[",
        "{",
        "",
        "\"\\ud800\"",
        "\"\\udc00\"",
        "\"\\ud800\\u0041\"",
        "\"\\ud800x\"",
        "1e999999999999999999",
    ];
    for value in wrong {
        for body in [
            format!(r#"{{"rows":[[{value}]]}}"#),
            format!(r#"{{"q":{value},"rows":[]}}"#),
            format!(r#"{{"rows":[[[0,{{"m":{value}}}]]]}}"#),
        ] {
            assert!(read(&body, 1).is_err(), "{body}");
        }
    }
    for body in [
        "",
        "{\"rows\":[[1]]",
        "{\"rows\":[[1]]}}",
        "{\"rows\":[[1]]} x",
        "{\"rows\":[[1],]}",
        "{\"rows\":[[1]],}",
        "{\"rows\":[[1][2]]}",
        "{,}",
    ] {
        assert!(read(body, 1).is_err(), "{body}");
    }
}

#[test]
fn text_that_is_not_utf8_is_refused_with_its_place() {
    let budget = RowBudget::new(10);
    let body = Bytes::from_static(b"{\"rows\":[[\"\xff\"]]}");
    assert_eq!(NodeRows::read(body, 1, &budget).err(), Some(ReadError::NotUtf8 { at: 11 }));
}

#[test]
fn nesting_is_bounded_without_using_the_stack() {
    let nested = |depth: usize| format!(r#"{{"rows":[[{}{}]]}}"#, "[".repeat(depth), "]".repeat(depth));
    assert!(read(&nested(512), 1).is_ok());
    assert!(matches!(read(&nested(513), 1), Err(ReadError::NotJson { .. })));
    assert!(read(&nested(2_000_000), 1).is_err());
}

#[test]
fn rows_count_against_one_budget_and_are_given_back() {
    let budget = RowBudget::new(150);
    let body = Bytes::from(format!(r#"{{"rows":[{}]}}"#, vec!["[1]"; 100].join(",")));
    let first = NodeRows::read(body.clone(), 1, &budget).expect("there is room for 100");
    assert_eq!(budget.held(), 100);
    assert_eq!(NodeRows::read(body.clone(), 1, &budget).err(), Some(ReadError::TooManyRows { most: 150 }));
    assert_eq!(budget.held(), 100);
    drop(first);
    assert_eq!(budget.held(), 0);
    assert!(NodeRows::read(body.clone(), 1, &RowBudget::new(100)).is_ok());
    assert!(NodeRows::read(body, 1, &RowBudget::new(99)).is_err());
}

#[test]
fn a_printed_answer_shows_no_cell() {
    assert!(!format!("{:?}", read(r#"{"rows":[["secret"]]}"#, 1)).contains("secret"));
}

/// JSON text as servers write it, and some that none should.
fn json() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        any::<i64>().prop_map(|number| number.to_string()),
        any::<f64>().prop_filter_map("finite", |number| serde_json::to_string(&number).ok()),
        any::<String>().prop_filter_map("text", |text| serde_json::to_string(&text).ok()),
        "[-+0-9.eE]{1,8}",
        "\"[a-z\\\\u0-9d\"]{0,12}\"",
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|values| format!("[{}]", values.join(" ,"))),
            prop::collection::vec(inner, 0..4).prop_map(|values| format!(
                "{{{}}}",
                values.iter().map(|value| format!("\"k\": {value}")).collect::<Vec<_>>().join(",")
            )),
        ]
    })
}

proptest! {
    #[test]
    fn a_cell_is_read_exactly_when_it_is_json(value in json()) {
        let body = format!(r#"{{"rows":[[{value}]]}}"#);
        let model = serde_json::from_str::<serde_json::Value>(&body);
        match (read(&body, 1), model) {
            (Ok(rows), Ok(_)) => prop_assert_eq!(rows.cell(0, 0), value.trim().as_bytes()),
            (Ok(_), Err(error)) => prop_assert!(error.to_string().contains("number out of range"), "accepted {}: {}", body, error),
            (Err(_), Err(_)) => {}
            // A loose value may hold commas of its own.
            (Err(error), Ok(_)) => prop_assert!(matches!(error, ReadError::Row { .. }), "refused {}: {}", body, error),
        }
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..64), width in 0usize..4) {
        let body = [b"{\"rows\":[[".as_slice(), &bytes].concat();
        let _ = NodeRows::read(Bytes::from(body), width, &RowBudget::new(10));
        let _ = NodeRows::read(Bytes::from(bytes), width, &Arc::clone(&RowBudget::new(10)));
    }
}
