//! `[timeouts]`, `[paging]`, `[aggregates]`, `[routing]`, `[dedup]`, `[limits]`, `[cooldown]`.

use std::collections::BTreeSet;
use std::time::Duration;

use openehr_aql::ast::AggregateFunction;

use super::super::fault::FaultKind;
use super::super::reader::Reader;
use super::super::settings::{
    AggregateSettings, AggregateStrategy, LimitSettings, OffsetStrategy, PagingSettings, TimeoutSettings,
};
use crate::config::DedupMode;

pub(super) fn timeouts(root: Reader<'_>) -> TimeoutSettings {
    let found = root.table("timeouts");
    let section = found.reader();
    let default = TimeoutSettings::default();
    let (per_node, overall) = pair(section, ("per_node_ms", default.per_node), ("overall_ms", default.overall));
    let (async_per_node, async_overall) =
        pair(section, ("async_per_node_ms", default.async_per_node), ("async_overall_ms", default.async_overall));
    TimeoutSettings { per_node, overall, async_per_node, async_overall }
}

/// A limit per node and one for all. A per-node limit that is not written follows a short overall one down.
fn pair(section: Reader<'_>, per_node: (&str, Duration), overall: (&str, Duration)) -> (Duration, Duration) {
    let for_all = section.duration(overall.0).unwrap_or(overall.1);
    let Some(for_one) = section.duration(per_node.0) else {
        return (per_node.1.min(for_all), for_all);
    };
    if for_one > for_all {
        let reason = format!(
            "`{}` is {} ms, longer than `{}`, which is {} ms{}",
            section.key(per_node.0),
            for_one.as_millis(),
            section.key(overall.0),
            for_all.as_millis(),
            if section.has(overall.0) { "" } else { " by default" },
        );
        section.conflict(per_node.0, reason, "Shorten the one or lengthen the other");
    }
    (for_one.min(for_all), for_all)
}

/// What `paging.offset_strategy` may say.
#[derive(Clone, Copy)]
enum Strategy {
    Served(OffsetStrategy),
    Cursor,
}

pub(super) fn paging(root: Reader<'_>) -> PagingSettings {
    let found = root.table("paging");
    let section = found.reader();
    let default = PagingSettings::default();
    let _judged = section.duration("cursor_ttl_ms");
    let strategies = [
        ("reject", Strategy::Served(OffsetStrategy::Reject)),
        ("window", Strategy::Served(OffsetStrategy::Window)),
        ("cursor", Strategy::Cursor),
    ];
    let strategy = match section.choice("offset_strategy", &strategies) {
        Some(Strategy::Served(strategy)) => strategy,
        Some(Strategy::Cursor) => {
            section.not_yet_served("offset_strategy", "paging by cursor", "Write `window` or `reject`");
            default.strategy
        }
        None => default.strategy,
    };
    let max_window = section.count("max_window", u32::MAX).and_then(|rows| u64::try_from(rows).ok());
    PagingSettings { strategy, max_window: max_window.unwrap_or(default.max_window) }
}

pub(super) fn aggregates(root: Reader<'_>) -> AggregateSettings {
    use AggregateFunction::{Avg, Count, Max, Min, Sum};
    let found = root.table("aggregates");
    let section = found.reader();
    let default = AggregateSettings::default();
    let functions = [("COUNT", Count), ("SUM", Sum), ("MIN", Min), ("MAX", Max), ("AVG", Avg)];
    let strategies = [("decompose", AggregateStrategy::Decompose), ("rows", AggregateStrategy::Rows)];
    AggregateSettings {
        decomposable: section.choices("decomposable", &functions).unwrap_or(default.decomposable),
        strategy: section.choice("strategy", &strategies).unwrap_or(default.strategy),
    }
}

pub(super) fn pass_query_parameters(root: Reader<'_>) -> BTreeSet<String> {
    let found = root.table("routing");
    let section = found.reader();
    let mut names = BTreeSet::new();
    for (name, place) in section.list("pass_query_parameters").unwrap_or_default() {
        if ["subject_id", "subject_namespace"].iter().any(|held| name.eq_ignore_ascii_case(held)) {
            let reason = format!("`{name}` carries a patient identifier, which never reaches a node");
            section.judge.fault(FaultKind::Invalid, place, section.key("pass_query_parameters"), reason, "Remove it");
        } else {
            names.insert(name.to_owned());
        }
    }
    names
}

pub(super) fn dedup_modes(root: Reader<'_>) -> BTreeSet<DedupMode> {
    let found = root.table("dedup");
    let modes = [("none", DedupMode::None), ("version-identity", DedupMode::VersionIdentity)];
    let written = found.reader().choices("modes", &modes).map(BTreeSet::from_iter);
    let mut offered = written.unwrap_or_else(|| modes.map(|(_, mode)| mode).into());
    // The default of every query; a list without it cannot mean that no query is served.
    offered.insert(DedupMode::None);
    offered
}

pub(super) fn limits(root: Reader<'_>) -> LimitSettings {
    let found = root.table("limits");
    let section = found.reader();
    let default = LimitSettings::default();
    let count = |name, default| section.count(name, u32::MAX).unwrap_or(default);
    LimitSettings {
        max_rows: count("max_rows", default.max_rows),
        max_node_bytes: count("max_node_bytes", default.max_node_bytes),
        max_inflight_per_endpoint: count("max_inflight_per_endpoint", default.max_inflight_per_endpoint),
        max_inflight: count("max_inflight", default.max_inflight),
        max_jobs_per_caller: count("max_jobs_per_caller", default.max_jobs_per_caller),
        max_cursors_per_caller: count("max_cursors_per_caller", default.max_cursors_per_caller),
    }
}

/// Judged only: no mode but `disabled` is served yet.
pub(super) fn cooldown(root: Reader<'_>) {
    let found = root.table("cooldown");
    let section = found.reader();
    let _judged = (section.duration("retry_interval_ms"), section.duration("max_retry_interval_ms"));
    if section.choice("mode", &[("disabled", false), ("constant", true), ("exponential", true)]) == Some(true) {
        section.not_yet_served("mode", "the cool-down of endpoints", "Write `disabled`");
    }
}
