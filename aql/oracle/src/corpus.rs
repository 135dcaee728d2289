//! The queries to run.

/// The tables of the parser's own tests.
const ACCEPTED: &str = include_str!("../../tests/queries/accepted.aql");
const PRINTED: &str = include_str!("../../tests/queries/printed.txt");
const REFUSED: &str = include_str!("../../tests/queries/refused.txt");

/// The queries of the files, or of the tables when none is named.
pub fn read(files: &[String]) -> Result<Vec<String>, String> {
    if files.is_empty() {
        return Ok(own());
    }
    let mut queries = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
        queries.extend(text.lines().filter(|line| !line.trim().is_empty()).map(query));
    }
    Ok(queries)
}

/// The queries of the tables.
pub fn own() -> Vec<String> {
    let accepted = ACCEPTED.lines().filter(|line| !line.starts_with("-- "));
    let printed = PRINTED.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split(" => ").next());
    let refused = REFUSED.lines().filter(|line| !line.starts_with('#')).filter_map(|line| Some(line.split_once(" | ")?.1));
    let all = accepted.chain(printed).chain(refused);
    all.filter(|line| !line.trim().is_empty()).map(|line| line.replace('⏎', "\n")).collect()
}

/// The query of a line: its member `aql` when it is a JSON object, else the line.
fn query(line: &str) -> String {
    let json: Option<serde_json::Value> = serde_json::from_str(line).ok();
    let member = json.as_ref().and_then(|value| value.get("aql")).and_then(serde_json::Value::as_str);
    member.map_or_else(|| line.to_owned(), str::to_owned)
}
