//! The catalogue of keys against the sections that read them, and against the guide.

use std::collections::BTreeSet;

use super::*;

/// Every key under every section is read: a value of a type no key has is a fault wherever it stands.
#[test]
fn every_key_of_the_catalogue_is_read() {
    fn write(path: &str, keys: &'static [keys::Key], text: &mut String, wanted: &mut Vec<String>) {
        for key in keys.iter().filter(|key| !matches!(key.shape, keys::Shape::Table(_) | keys::Shape::Rows(_))) {
            text.push_str(&format!("{} = 2020-01-01\n", key.name));
            wanted.push(format!("{path}.{}", key.name));
        }
        for key in keys {
            if let keys::Shape::Table(inner) = key.shape {
                text.push_str(&format!("[{path}.{}]\n", key.name));
                write(&format!("{path}.{}", key.name), inner, text, wanted);
            }
        }
        for key in keys {
            if let keys::Shape::Rows(inner) = key.shape {
                text.push_str(&format!("[[{path}.{}]]\n", key.name));
                write(&format!("{path}.{}", key.name), inner, text, wanted);
            }
        }
    }
    let (mut text, mut wanted) = (String::new(), Vec::new());
    for section in keys::root() {
        match section.shape {
            keys::Shape::Table(inner) => {
                text.push_str(&format!("[{}]\n", section.name));
                write(section.name, inner, &mut text, &mut wanted);
            }
            keys::Shape::Rows(inner) => {
                text.push_str(&format!("[[{}]]\n", section.name));
                write(section.name, inner, &mut text, &mut wanted);
            }
            _ => panic!("{} is no section", section.name),
        }
    }
    let faults = load_with(&text, &[]).unwrap_err();
    let judged: BTreeSet<_> = faults.iter().map(|fault| fault.key.clone()).collect();
    let missing: Vec<_> = wanted.iter().filter(|key| !judged.contains(*key) && !conditional(key)).collect();
    assert!(missing.is_empty(), "never read: {missing:?}\n{faults}");
    assert!(faults.iter().all(|fault| fault.kind != FaultKind::UnknownKey), "{faults}");
}

/// Read only when `type` asks for it.
fn conditional(key: &str) -> bool {
    let conditional = ["username", "password", "password_file", "token", "token_file"];
    key.contains(".auth.") && conditional.iter().any(|name| key.ends_with(&format!(".{name}")))
        || [".token_url", ".client_id", ".scope", ".audience"].iter().any(|name| key.ends_with(name))
}

/// `docs/configuration.md` and the catalogue have the same keys.
#[test]
fn every_key_is_documented_and_every_documented_key_exists() {
    let guide = include_str!("../../../docs/configuration.md");
    let mut section = "";
    let mut documented = BTreeSet::new();
    for line in guide.lines() {
        if line.starts_with('#') {
            section = line.split('`').nth(1).unwrap_or("").trim_matches(['[', ']']);
        } else if let Some(key) = line.strip_prefix("| `").and_then(|rest| rest.split('`').next()) {
            documented.insert(format!("{section}.{key}"));
        }
    }
    let mut existing = BTreeSet::new();
    for key in keys::all() {
        // The keys of credentials are documented once.
        match key.rsplit_once("auth.").filter(|(owner, _)| !owner.is_empty()) {
            Some((_, credential)) => existing.insert(format!("auth.{credential}")),
            None => existing.insert(key),
        };
    }
    let sections: BTreeSet<String> = guide
        .lines()
        .filter(|line| line.starts_with('#'))
        .filter_map(|line| line.split('`').nth(1).map(|name| name.trim_matches(['[', ']']).to_owned()))
        .collect();
    let undocumented: Vec<_> = existing.iter().filter(|key| !documented.contains(*key) && !sections.contains(*key)).collect();
    let invented: Vec<_> = documented.iter().filter(|key| !existing.contains(*key)).collect();
    assert!(undocumented.is_empty() && invented.is_empty(), "undocumented {undocumented:?}, invented {invented:?}");
}
