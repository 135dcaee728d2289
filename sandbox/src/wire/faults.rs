//! Faults on demand: what a server does instead of answering, for how many requests, changed while it runs.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// What goes wrong with a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The right answer, this much later.
    Delay(Duration),
    /// Nothing at all, the connection open.
    HangBeforeHeaders,
    /// Headers and half of the body, then nothing.
    HangMidBody,
    /// The right answer, in pieces of so many bytes, so far apart.
    Drip {
        /// Bytes of a piece.
        bytes: usize,
        /// The time between pieces.
        every: Duration,
    },
    /// This status with this body, which is called JSON.
    Status(u16, String),
    /// `200` with half a body that ends as if it were whole.
    MalformedJson,
    /// `200` with this body.
    Body(String),
    /// The right rows, each an object instead of an array.
    RowsNotArrays,
    /// The right rows, each without its last cell.
    ShortRows,
    /// The right rows, turned round.
    ReversedRows,
    /// `200` with `{}`.
    EmptyObject,
    /// A well-formed answer of one column and about so many bytes, streamed.
    Oversize(u64),
    /// The connection reset before any answer.
    Reset,
    /// The connection reset in the middle of the body.
    ResetMidBody,
    /// A redirect (`307`) to this address.
    Redirect(String),
    /// `403` whose body carries this `code`.
    ConsentRefusal(String),
    /// `204` without a body.
    NoContent,
    /// The connection closed as soon as it is accepted. Counts connections, not requests.
    CloseOnAccept,
}

/// Which requests a rule is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum On {
    /// Every request but `OPTIONS`: what the gateway does in the background to learn capabilities is left alone.
    #[default]
    Calls,
    /// `OPTIONS` only.
    Options,
    /// Every request.
    All,
}

/// A fault and when it strikes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// What goes wrong.
    pub fault: Fault,
    /// With which requests.
    pub on: On,
    /// How many of them are spared first.
    pub after: u32,
    /// How many of them are struck; all when `None`.
    pub times: Option<u32>,
}

/// The faults of one server. The first rule that is due strikes.
#[derive(Debug, Default)]
pub struct Faults {
    rules: Mutex<Vec<Rule>>,
}

impl Faults {
    fn rules(&self) -> std::sync::MutexGuard<'_, Vec<Rule>> {
        self.rules.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on, with every call, in place of what was set before.
    pub fn always(&self, fault: Fault) {
        *self.rules() = vec![Rule { fault, on: On::Calls, after: 0, times: None }];
    }

    /// With the next `times` calls, then no more.
    pub fn next(&self, times: u32, fault: Fault) {
        self.add(Rule { fault, on: On::Calls, after: 0, times: Some(times) });
    }

    /// Adds a rule behind those that are set.
    pub fn add(&self, rule: Rule) {
        self.rules().push(rule);
    }

    /// No faults any more.
    pub fn clear(&self) {
        self.rules().clear();
    }

    /// The fault that strikes this request, counted.
    pub(super) fn strike(&self, is_options: bool) -> Option<Fault> {
        self.take(|rule| {
            let about = match rule.on {
                On::Calls => !is_options,
                On::Options => is_options,
                On::All => true,
            };
            about && rule.fault != Fault::CloseOnAccept
        })
    }

    /// Is a connection to be closed as soon as it is accepted?
    pub(super) fn closes_connection(&self) -> bool {
        self.take(|rule| rule.fault == Fault::CloseOnAccept).is_some()
    }

    fn take(&self, about: impl Fn(&Rule) -> bool) -> Option<Fault> {
        let mut rules = self.rules();
        for rule in rules.iter_mut().filter(|rule| about(rule)) {
            if rule.after > 0 {
                rule.after -= 1;
                continue;
            }
            match &mut rule.times {
                Some(0) => {}
                Some(left) => {
                    *left -= 1;
                    return Some(rule.fault.clone());
                }
                None => return Some(rule.fault.clone()),
            }
        }
        None
    }
}
