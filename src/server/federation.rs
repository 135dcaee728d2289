//! `OPTIONS` on the base: the federation describes itself (§7a.2, CP-23).

use axum::Json;
use axum::extract::State;
use http::{HeaderName, header};
use openehr_aql::ast::AggregateFunction;

use super::state::Gateway;
use crate::config::{AggregateStrategy, LocalizationFailure, LocalizationMode, OffsetStrategy};
use crate::envelope::{Declaration, SelfDescription, Timeout};

type Allow = [(HeaderName, &'static str); 1];

/// `OPTIONS {base}/`
pub(super) async fn describe(State(gateway): State<Gateway>) -> (Allow, Json<SelfDescription>) {
    let settings = gateway.settings();
    let dedup_modes: Vec<_> = settings.dedup_modes.iter().copied().collect();
    let declared = Declaration {
        id: &settings.federation.id,
        timeout: Timeout::of(&gateway.budget()),
        best_effort: settings.best_effort,
        offset_strategy: match settings.paging.strategy {
            OffsetStrategy::Reject => "reject",
            OffsetStrategy::Window => "window",
        },
        max_window: matches!(settings.paging.strategy, OffsetStrategy::Window).then_some(settings.paging.max_window),
        decomposable: settings.aggregates.decomposable.iter().map(|function| function_name(*function)).collect(),
        aggregate_strategy: match settings.aggregates.strategy {
            AggregateStrategy::Decompose => "decompose",
            AggregateStrategy::Rows => "rows",
        },
        dedup_modes: &dedup_modes,
        localization_mode: match settings.localization.mode {
            LocalizationMode::None => "none",
            LocalizationMode::Static(_) => "static",
            LocalizationMode::Pixm(_) => "pixm",
            LocalizationMode::Http(_) => "http",
        },
        localization_on_failure: match settings.localization.on_failure {
            LocalizationFailure::Closed => "closed",
            LocalizationFailure::AskAll => "ask-all",
            LocalizationFailure::Fail => "fail",
        },
        fan_out_template_upload: settings.federation.fan_out_template_upload,
        stored_query_registry: gateway.stored_queries().is_some(),
        stored_query_fan_out: settings.federation.stored_query_fan_out,
    };
    let description = SelfDescription::new(&declared, gateway.registry().endpoints().map(AsRef::as_ref));
    ([(header::ALLOW, "OPTIONS")], Json(description))
}

fn function_name(function: AggregateFunction) -> &'static str {
    match function {
        AggregateFunction::Count => "COUNT",
        AggregateFunction::Min => "MIN",
        AggregateFunction::Max => "MAX",
        AggregateFunction::Sum => "SUM",
        AggregateFunction::Avg => "AVG",
    }
}
