//! How the CDRs of the field differ on the wire.

use crate::eval::Settings;
use crate::order::{Collation, Rules, Ties};
use crate::value::Style;

/// Which product a node behaves like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Dialect {
    /// As ITS-REST 1.1.0 says, with the total order of `docs/order.md`.
    #[default]
    Standard,
    /// Like EHRbase: refuses much valid AQL, sorts names by a linguistic collation and times as text, ignores `ehr_id`,
    /// tells `_executed_aql`, folds columns of equal alias.
    EhrbaseLike,
    /// Like gopenehr: answers `rows` alone, ignores ORDER BY, drops rows of nulls, calls bad AQL its own failure.
    GopenehrLike,
    /// Like Better in 2020: leaves out `rows` when there are none.
    BetterLike,
}

impl Dialect {
    /// What a gateway's registry says of its order: `exact` when it is the one of `docs/order.md`, `trusted` when it is for
    /// numbers and date/times, `untrusted` when there is none.
    #[must_use]
    pub fn ordering(self) -> &'static str {
        match self {
            Dialect::Standard => "exact",
            Dialect::BetterLike => "trusted",
            Dialect::EhrbaseLike | Dialect::GopenehrLike => "untrusted",
        }
    }

    /// The `{base}` such a server has by default.
    #[must_use]
    pub fn base(self) -> &'static str {
        match self {
            Dialect::Standard => "",
            Dialect::EhrbaseLike => "/ehrbase/rest/openehr",
            Dialect::GopenehrLike => "/openehr",
            Dialect::BetterLike => "/rest/openehr",
        }
    }

    /// The name by which such a server would introduce itself.
    #[must_use]
    pub fn product(self) -> &'static str {
        match self {
            Dialect::Standard => "Tributary Sandbox",
            Dialect::EhrbaseLike => "Sandbox, EHRbase-like",
            Dialect::GopenehrLike => "Sandbox, gopenehr-like",
            Dialect::BetterLike => "Sandbox, Better-like",
        }
    }

    /// How such a server evaluates.
    #[must_use]
    pub fn settings(self) -> Settings {
        let storage = Rules { ties: Ties::Storage, ..Rules::default() };
        match self {
            Dialect::Standard => Settings::default(),
            Dialect::BetterLike => Settings { rules: storage, ..Settings::default() },
            Dialect::GopenehrLike => Settings { rules: storage, ignores_order: true, ..Settings::default() },
            Dialect::EhrbaseLike => Settings {
                rules: Rules {
                    collation: Collation::CaseBlindNames,
                    dates_as_text: true,
                    bare_magnitudes: true,
                    uids_by_number: true,
                    ..storage
                },
                ..Settings::default()
            },
        }
    }

    /// Does it show every version as made by itself?
    #[must_use]
    pub fn restores_system(self) -> bool {
        self == Dialect::EhrbaseLike
    }

    /// How it lays out JSON.
    pub(super) fn style(self) -> Style {
        if self == Dialect::GopenehrLike { Style::Spaced } else { Style::Compact }
    }
}
