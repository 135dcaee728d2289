//! The sections, each read and judged: what is wrong in one never hides what is wrong in another.

mod identity;
mod query;
mod registry;
mod server;
mod service;

use std::sync::Arc;

use super::reader::Reader;
use super::settings::Settings;

pub(crate) use registry::membership_file;

/// All sections. Where something was wrong a default stands in; the judge knows.
pub(crate) fn settings(root: Reader<'_>) -> Settings {
    let server = server::server(root);
    let egress = server::egress(root);
    let members = registry::members(root, &egress);
    let timeouts = query::timeouts(root);
    registry::check_limits(root, &timeouts);
    query::cooldown(root);
    let pixm = identity::pixm(root, &members, &egress);
    Settings {
        admin: server::admin(root, server.listen),
        federation: server::federation(root),
        timeouts,
        best_effort: root.table("completeness").reader().boolean("best_effort").unwrap_or(true),
        paging: query::paging(root),
        aggregates: query::aggregates(root),
        pass_query_parameters: query::pass_query_parameters(root),
        dedup_modes: query::dedup_modes(root),
        limits: query::limits(root),
        capability_max_age: registry::capability_max_age(root),
        identity: identity::identity(root, &members, pixm.as_ref()),
        localization: identity::localization(root, &members, pixm.as_ref(), &egress),
        consent: identity::consent(root, &members, &egress),
        allow_anonymous: server::allow_anonymous(root, server.listen),
        store: server::store(root),
        log_format: server::log_format(root),
        registry: Arc::new(members.registry),
        server,
        egress,
    }
}
