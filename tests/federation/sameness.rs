//! A federation answers as one node holding all its data would, or refuses with a documented code (§11.6).
//!
//! The one node is the sandbox's oracle, whose order and evaluation know nothing of the gateway's. Rows whose keys are equal may
//! be any of those that have them where a page ends; everything else is compared cell by cell.

mod case;
mod page;

use std::time::Duration;

use bigdecimal::BigDecimal;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use tributary_sandbox::federation::{Merge, Oracle};
use tributary_sandbox::node::Dialect;
use tributary_sandbox::order::{self, Collation, Nulls, Rules, Ties};
use tributary_sandbox::synthetic::Small;
use tributary_sandbox::value::Json;
use tributary_sandbox::wire::Fault;

use crate::harness::{Answer, Setup, World, times};
use case::{Case, Shape};

/// A federation, and the one node that holds everything.
struct Pair {
    world: World,
    oracle: Oracle,
    copies: page::Copies,
    /// A node of it refuses, or fails on, some of what is valid.
    picky: bool,
    /// A node of it leaves out rows of nothing but nulls.
    forgetful: bool,
    rows_strategy: bool,
}

/// What the members are like.
struct Kind {
    seed: u64,
    dialects: &'static [Dialect],
    habit: Habit,
    rows_strategy: bool,
}

/// How the members sort beside what their dialect says, and what the operator says of that.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Habit {
    /// As they do.
    Own,
    /// Missing values elsewhere, texts without regard to case: `untrusted`.
    Strange,
    /// Numbers and date/times by value, everything else their own way: `trusted`.
    ByValue,
}

impl Habit {
    fn declared(self) -> &'static str {
        match self {
            Habit::Own => "ordering = \"exact\"",
            Habit::Strange => "ordering = \"untrusted\"",
            Habit::ByValue => "ordering = \"trusted\"",
        }
    }

    /// The rules of the member at this place.
    fn rules(self, place: usize) -> Rules {
        let own = Rules { collation: Collation::CaseBlind, ties: Ties::Storage, ..Rules::default() };
        match self {
            Habit::Own => Rules::default(),
            Habit::Strange => Rules { nulls: [Nulls::Least, Nulls::First, Nulls::Last][place % 3], ..own },
            Habit::ByValue => Rules { bare_magnitudes: true, ..own },
        }
    }
}

const SETTINGS: &str = "[timeouts]\nper_node_ms = 60000\noverall_ms = 60000\n\n[paging]\noffset_strategy = \"window\"";

impl Kind {
    async fn start(&self) -> Pair {
        let mut data = Small { seed: self.seed, nodes: self.dialects.len(), compositions: 7 }.generate();
        for (member, dialect) in data.members.iter_mut().zip(self.dialects) {
            member.dialect = *dialect;
        }
        let strategy = if self.rows_strategy { "\n[aggregates]\nstrategy = \"rows\"" } else { "" };
        let mut setup = Setup::of(data).with(&format!("{SETTINGS}\n{strategy}"));
        if self.habit != Habit::Own {
            setup = setup.editing(Habit::Own.declared(), self.habit.declared());
        }
        let world = setup.start().await;
        if self.habit != Habit::Own {
            for (place, node) in world.federation.nodes().iter().enumerate() {
                node.reconfigure(|config| config.settings.rules = self.habit.rules(place));
            }
        }
        let picky = self.dialects.iter().any(|dialect| matches!(dialect, Dialect::EhrbaseLike | Dialect::GopenehrLike));
        let forgetful = self.dialects.contains(&Dialect::GopenehrLike);
        let oracle = world.federation.oracle(Merge::OneRecord);
        let mut copies = page::Copies::new();
        for row in oracle.rows(&world.uids_of(0)).unwrap() {
            *copies.entry(row[0].to_string()).or_default() += 1;
        }
        Pair { world, oracle, copies, picky, forgetful, rows_strategy: self.rows_strategy }
    }
}

/// How many cases were answered, refused, and failed on by a node.
#[derive(Debug, Default)]
struct Tally {
    answered: u32,
    refused: u32,
    failed: u32,
}

fn compare(kind: &Kind, cases: u32) -> Tally {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let pair = runtime.block_on(kind.start());
    let tally = std::cell::RefCell::new(Tally::default());
    let mut runner =
        TestRunner::new(Config { cases: cases * times(), failure_persistence: None, max_shrink_iters: 60, ..Config::default() });
    let outcome = runner.run(&case::random(), |case| runtime.block_on(pair.judge(&case, &mut tally.borrow_mut())));
    outcome.unwrap_or_else(|failure| panic!("{failure}"));
    let _inside = runtime.enter();
    drop(pair);
    tally.into_inner()
}

impl Pair {
    async fn ask(&self, case: &Case, delayed: usize) -> Answer {
        let nodes = self.world.federation.nodes();
        for (index, node) in nodes.iter().enumerate() {
            node.faults().clear();
            if index == delayed % nodes.len() {
                node.faults().always(Fault::Delay(Duration::from_millis(15)));
            }
        }
        let ask = self.world.query(&case.facade(self.world.patient(0)));
        let ask = case.members().into_iter().fold(ask, |ask, (name, value)| ask.member(name, value.into()));
        let ask = if case.dedup { ask.header("openEHR-federation-dedup", "version-identity") } else { ask };
        ask.send().await
    }

    async fn judge(&self, case: &Case, tally: &mut Tally) -> Result<(), TestCaseError> {
        let case = if self.forgetful { &case.with_uid() } else { case };
        let (one, other) = (self.ask(case, case.delayed).await, self.ask(case, case.delayed + 1).await);
        let fail = |why: String| Err(TestCaseError::fail(format!("{why}\n{}\n{}", case.facade(self.world.patient(0)), one.text)));
        if one.status() != other.status() || (one.status() == 200 && rows_text(&one) != rows_text(&other)) {
            return fail(format!("another time it answered {}", other.text));
        }
        match one.status() {
            200 => tally.answered += 1,
            400 if case.may_be_refused(one.code(), self.rows_strategy) => {
                tally.refused += 1;
                return Ok(());
            }
            424 if self.picky => {
                tally.failed += 1;
                return Ok(());
            }
            status => return fail(format!("{status} is no answer to this")),
        }
        let rows = Json::parse(one.text.as_bytes()).unwrap().get("rows").and_then(Json::as_array).unwrap_or_default().to_vec();
        let rows: Vec<Vec<Json>> = rows.iter().map(|row| row.as_array().unwrap().to_vec()).collect();
        let differs = match &case.shape {
            Shape::Aggregates(_) => self.aggregates_differ(case, &rows),
            Shape::Rows(_) => self.rows_differ(case, &rows),
        };
        differs.map_or(Ok(()), fail)
    }

    fn aggregates_differ(&self, case: &Case, rows: &[Vec<Json>]) -> Option<String> {
        let whole = match self.oracle.rows(&case.oracle(self.world.patient(0))) {
            Ok(whole) => whole,
            Err(error) => return Some(format!("the one node refuses: {error}")),
        };
        if rows.len() != whole.len() {
            return Some(format!("{} rows instead of {}", rows.len(), whole.len()));
        }
        let cells = rows.iter().flatten().zip(whole.iter().flatten());
        cells.into_iter().find(|(ours, theirs)| !alike(ours, theirs)).map(|(ours, theirs)| format!("{ours} instead of {theirs}"))
    }

    fn rows_differ(&self, case: &Case, rows: &[Vec<Json>]) -> Option<String> {
        match self.oracle.rows(&case.oracle(self.world.patient(0))) {
            Ok(whole) => page::differs(case, rows, whole, &self.copies),
            Err(error) => Some(format!("the one node refuses: {error}")),
        }
    }
}

/// The bytes of the rows.
fn rows_text(answer: &Answer) -> &str {
    answer.text.split_once("\"rows\":").map_or("", |(_, rest)| rest)
}

/// Two aggregates: equal by the order, but for a mean that does not end.
fn alike(ours: &Json, theirs: &Json) -> bool {
    let number = |cell: &Json| cell.to_string().parse::<BigDecimal>().ok();
    match (number(ours), number(theirs)) {
        (Some(ours), Some(theirs)) => {
            let apart = (&ours - &theirs).abs();
            apart <= BigDecimal::new(1.into(), 12) * theirs.abs().max(BigDecimal::from(1)) / BigDecimal::from(1000)
        }
        _ => order::compare(ours, theirs, false).is_eq(),
    }
}

const STANDARD: Dialect = Dialect::Standard;

#[test]
fn standard_nodes_answer_as_one() {
    let tally = compare(&Kind { seed: 1, dialects: &[STANDARD; 3], habit: Habit::Own, rows_strategy: false }, 120);
    assert!(tally.answered > 70 && tally.failed == 0, "{tally:?}");
}

#[test]
fn many_nodes_answer_as_one_with_aggregates_from_rows() {
    let tally = compare(&Kind { seed: 2, dialects: &[STANDARD; 6], habit: Habit::Own, rows_strategy: true }, 120);
    assert!(tally.answered > 80 && tally.failed == 0, "{tally:?}");
}

#[test]
fn nodes_of_other_null_order_and_collation_answer_as_one() {
    let tally = compare(&Kind { seed: 3, dialects: &[STANDARD; 3], habit: Habit::Strange, rows_strategy: false }, 120);
    assert!(tally.answered > 60 && tally.failed == 0, "{tally:?}");
}

#[test]
fn nodes_that_are_trusted_with_numbers_and_times_only_answer_as_one() {
    let dialects = &[Dialect::BetterLike, Dialect::BetterLike, STANDARD];
    let tally = compare(&Kind { seed: 4, dialects, habit: Habit::Own, rows_strategy: false }, 120);
    assert!(tally.answered > 60 && tally.failed == 0, "{tally:?}");
}

#[test]
fn nodes_that_sort_only_numbers_and_times_by_value_answer_as_one() {
    let tally = compare(&Kind { seed: 7, dialects: &[STANDARD; 4], habit: Habit::ByValue, rows_strategy: true }, 150);
    assert!(tally.answered > 90 && tally.failed == 0, "{tally:?}");
}

#[test]
fn nodes_of_every_kind_answer_as_one_or_fail() {
    let dialects = &[Dialect::EhrbaseLike, STANDARD, Dialect::GopenehrLike, Dialect::BetterLike];
    let tally = compare(&Kind { seed: 5, dialects, habit: Habit::Own, rows_strategy: true }, 150);
    assert!(tally.answered > 20, "{tally:?}");
}

#[test]
fn one_node_answers_as_itself() {
    let tally = compare(&Kind { seed: 6, dialects: &[STANDARD], habit: Habit::Own, rows_strategy: false }, 80);
    assert!(tally.answered > 50 && tally.failed == 0, "{tally:?}");
}
