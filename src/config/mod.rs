//! One typed configuration, read once, every fault reported at once with its place.
//!
//! The way: text → `document` (a tree whose values know their place) → `environment` laid over it → `unknown` keys
//! named → the sections in `sections/` read and judge → [`Settings`], whose types cannot be wrong. Nothing is resolved and
//! nobody is contacted.

mod document;
mod environment;
mod fault;
mod keys;
mod reader;
mod sections;
mod settings;
mod unknown;

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

pub use fault::{Fault, FaultKind, Faults, Place};
pub use settings::*;

use document::Table;
use fault::Judge;

/// Reads the file, the membership file it may name, and the secrets it refers to, with `env` laid over
/// (`std::env::vars_os()`; variables that are not `TRIBUTARY__…` are left alone).
///
/// # Errors
/// Every fault there is, each with its place, reason and remedy.
pub fn load(file: &Path, env: impl IntoIterator<Item = (OsString, OsString)>) -> Result<Settings, Faults> {
    let file: Arc<Path> = Arc::from(file);
    let judge = Judge::new(file.clone());
    let mut root = document::read(&file, &judge);
    let variables = environment::variables(env, &judge);
    // The variables that may name the membership file first, then that file, then those that may speak of its rows.
    let (registry, others): (Vec<_>, Vec<_>) =
        variables.iter().partition(|variable| variable.path.first().is_some_and(|section| section == "registry"));
    for variable in registry {
        environment::overlay(variable, &mut root, &judge);
    }
    sections::membership_file(&mut root, &judge);
    for variable in others {
        environment::overlay(variable, &mut root, &judge);
    }
    finish(&root, judge)
}

/// Reads a configuration that is already at hand: of a demonstration or a test. `name` stands for the file in faults; nothing
/// of the environment is laid over, and a membership file is not read.
///
/// # Errors
/// As [`load`].
pub fn parse(name: &str, text: &str) -> Result<Settings, Faults> {
    let file: Arc<Path> = Arc::from(Path::new(name));
    let judge = Judge::new(file.clone());
    let root = document::parse(text, &file, &judge);
    finish(&root, judge)
}

fn finish(root: &Table, judge: Judge) -> Result<Settings, Faults> {
    unknown::judge_tree(root, &judge);
    let settings = sections::settings(reader::root(root, &judge).reader());
    judge.verdict(settings)
}

#[cfg(test)]
mod tests;
