//! The rules of the house: which folder may know which, and what the pure folders may not touch.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::{Path, PathBuf};

/// The folders of `src/` from the outermost to the innermost; a folder knows only itself and what lies further in.
const RANKS: &[&[&str]] = &[
    &["cli"],
    &["server"],
    &["route", "envelope"],
    &["queries"],
    &["fanout"],
    &["select", "combine"],
    &["plan"],
    &["intake"],
    &["telemetry"],
    &["config"],
    &["node"],
    &["registry"],
    &["budget", "error", "ids", "sensitive", "status"],
];

/// What a folder may know although it stands further out, and why.
const ALLOWED_OUTWARD: &[(&str, &str)] = &[
    // A registry entry names its credentials, which only `node` uses.
    ("registry", "node"),
];

const PURE: &[&str] = &["plan", "combine", "envelope"];
const IMPURE: &[&str] =
    &["tokio::net", "tokio::time", "tokio::fs", "reqwest", "std::net", "std::fs", "std::time::Instant", "SystemTime", "Utc::now"];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

fn module_of(path: &Path, root: &Path) -> String {
    let first = path.strip_prefix(root).unwrap().components().next().unwrap();
    first.as_os_str().to_str().unwrap().trim_end_matches(".rs").to_owned()
}

/// The text outside comments and test modules.
fn production_text(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap().to_owned();
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

fn is_test(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str().to_str().is_some_and(|name| name.trim_end_matches(".rs").ends_with("tests")))
}

fn rank(module: &str) -> Option<usize> {
    RANKS.iter().position(|rank| rank.contains(&module))
}

#[test]
fn folders_know_only_what_lies_further_in() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut faults = Vec::new();
    for path in sources(&root).iter().filter(|path| !is_test(path)) {
        let module = module_of(path, &root);
        if module == "lib" || module == "main" {
            continue;
        }
        let own = rank(&module).unwrap_or_else(|| panic!("src/{module} has no rank: place it in RANKS"));
        for known in production_text(path).split("crate::").skip(1) {
            let known: String = known.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
            let inward = known == module || rank(&known).is_none_or(|known| known > own);
            if !inward && !ALLOWED_OUTWARD.contains(&(module.as_str(), known.as_str())) {
                faults.push(format!("{} knows crate::{known}", path.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn plan_combine_and_envelope_have_no_clock_and_no_network() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for pure in PURE {
        for path in sources(&root.join(pure)).iter().filter(|path| !is_test(path)) {
            let text = production_text(path);
            for impure in IMPURE {
                assert!(!text.contains(impure), "{} uses {impure}", path.display());
            }
        }
    }
}

#[test]
fn the_language_and_the_sandbox_know_nothing_of_the_gateway() {
    for member in ["aql", "sandbox", "conformance"] {
        let manifest = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(member).join("Cargo.toml")).unwrap();
        let gateway = manifest.lines().filter(|line| line.starts_with("tributary.") || line.starts_with("tributary ="));
        assert_eq!(gateway.count(), 0, "{member} depends on the gateway");
    }
}
