//! Random queries.

use proptest::prelude::*;

/// One query and how it is asked.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub(super) shape: Shape,
    pub(super) distinct: bool,
    condition: Vec<(bool, &'static str)>,
    any_of: bool,
    pub(super) keys: Vec<Key>,
    pub(super) limit: Option<usize>,
    pub(super) offset: usize,
    pub(super) dedup: bool,
    carrier: usize,
    /// Columns have aliases, and keys that are columns go by them.
    aliased: bool,
    page: PageStyle,
    /// Which node answers late.
    pub(super) delayed: usize,
}

/// How the page is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PageStyle {
    Clauses,
    Top,
    Members,
}

#[derive(Clone, Debug)]
pub(super) enum Shape {
    Rows(Vec<&'static str>),
    Aggregates(Vec<String>),
}

#[derive(Clone, Debug)]
pub(super) struct Key {
    pub(super) path: &'static str,
    pub(super) descending: bool,
}

const ITEM: &str = "o/data[at0001]/events[at0002]/data[at0003]/items";
const ANYTHING: &str = "o/data[at0001]/events[at0002]/data[at0003]/items[at0004]/value";
const QUANTITY: &str = "o/data[at0001]/events[at0002]/data[at0003]/items[at0005]/value";
const NUMBER: &str = "o/data[at0001]/events[at0002]/data[at0003]/items[at0005]/value/magnitude";
const TEXT: &str = "o/data[at0001]/events[at0002]/data[at0003]/items[at0006]/value/value";
const TIME: &str = "o/data[at0001]/events[at0002]/data[at0003]/items[at0007]/value/value";
const NAME: &str = "c/name/value";
const START: &str = "c/context/start_time/value";
pub(super) const UID: &str = "c/uid/value";

const PATHS: [&str; 8] = [ANYTHING, QUANTITY, NUMBER, TEXT, TIME, NAME, START, UID];
const FROM: &str = "FROM EHR e CONTAINS COMPOSITION c[openEHR-EHR-COMPOSITION.small.v1] CONTAINS OBSERVATION o[openEHR-EHR-OBSERVATION.small.v1]";

const CONDITIONS: [&str; 9] = [
    "{item}[at0005]/value/magnitude > 0",
    "{item}[at0005]/value/magnitude >= 1.1",
    "{item}[at0005]/value/magnitude = 1",
    "{item}[at0006]/value/value = 'a'",
    "{item}[at0006]/value/value LIKE 'a*'",
    "{item}[at0006]/value/value MATCHES {'10', '9', 'b'}",
    "EXISTS {item}[at0004]/value",
    "c/name/value != 'beta'",
    "c/name/value MATCHES {'alpha', 'gamma', 'z'}",
];

impl Case {
    /// The same with a column that every row has.
    pub(super) fn with_uid(&self) -> Case {
        let mut case = self.clone();
        if let Shape::Rows(paths) = &mut case.shape {
            paths.push(UID);
        }
        case
    }

    fn select(&self, top: &str, columns: &[String]) -> String {
        let distinct = if self.distinct { "DISTINCT " } else { "" };
        format!("SELECT {distinct}{top}{}", columns.join(", "))
    }

    /// The members beside `q`.
    pub(super) fn members(&self) -> Vec<(&'static str, usize)> {
        let offset = (self.offset > 0).then_some(("offset", self.offset));
        let fetch = self.limit.map(|limit| ("fetch", limit));
        if self.page == PageStyle::Members { fetch.into_iter().chain(offset).collect() } else { Vec::new() }
    }

    /// What a key is called by the client.
    fn called(&self, path: &str) -> String {
        let place = match &self.shape {
            Shape::Rows(paths) if self.aliased => paths.iter().position(|one| *one == path),
            _ => None,
        };
        place.map_or_else(|| path.to_owned(), |place| format!("column_{place}"))
    }

    fn columns(&self) -> Vec<String> {
        match &self.shape {
            Shape::Rows(paths) => paths.iter().map(|path| (*path).to_owned()).collect(),
            Shape::Aggregates(aggregates) => aggregates.clone(),
        }
    }

    fn conditions(&self) -> String {
        let each = |(negated, condition): &(bool, &str)| {
            let condition = condition.replace("{item}", ITEM);
            if *negated { format!("NOT {condition}") } else { condition }
        };
        let all: Vec<String> = self.condition.iter().map(each).collect();
        if all.is_empty() { String::new() } else { format!(" AND ({})", all.join(if self.any_of { " OR " } else { " AND " })) }
    }

    fn order_by(&self, called: impl Fn(&str) -> String) -> String {
        let key = |key: &Key| format!("{}{}", called(key.path), if key.descending { " DESC" } else { "" });
        let keys: Vec<String> = self.keys.iter().map(key).collect();
        if keys.is_empty() { String::new() } else { format!(" ORDER BY {}", keys.join(", ")) }
    }

    /// What the client asks.
    pub(super) fn facade(&self, patient: &str) -> String {
        let by_status = format!("e/ehr_status/subject/external_ref/id/value = '{patient}'");
        let who = match self.carrier {
            0 => by_status,
            1 => format!("{by_status} AND e/ehr_status/subject/external_ref/namespace = 'urn:oid:2.999.1'"),
            _ => format!("o/subject/identifiers/id = '{patient}'"),
        };
        let (mut top, mut page) = (String::new(), String::new());
        match (self.page, self.limit) {
            (PageStyle::Top, Some(limit)) if self.offset == 0 => top = format!("TOP {limit} "),
            (PageStyle::Clauses | PageStyle::Top, Some(limit)) => page = format!(" LIMIT {limit} OFFSET {}", self.offset),
            _ => {}
        }
        let mut columns = self.columns();
        if self.aliased {
            columns.iter_mut().enumerate().for_each(|(place, column)| column.push_str(&format!(" AS column_{place}")));
        }
        let order_by = self.order_by(|path| self.called(path));
        format!("{} {FROM} WHERE {who}{}{order_by}{page}", self.select(&top, &columns), self.conditions())
    }

    /// What the one node is asked: the same without page, and with keys and uid behind the columns where they would not
    /// change the rows.
    pub(super) fn oracle(&self, patient: &str) -> String {
        let mut columns = self.columns();
        if matches!(self.shape, Shape::Rows(_)) && !self.distinct {
            columns.extend(self.keys.iter().map(|key| key.path.to_owned()));
            columns.push(UID.to_owned());
        }
        let who = format!("e/ehr_status/subject/external_ref/id/value = '{patient}'");
        let order_by = self.order_by(str::to_owned);
        format!("{} {FROM} WHERE {who}{}{order_by}", self.select("", &columns), self.conditions())
    }

    /// Is the refusal one that this case's clauses lead to?
    pub(super) fn may_be_refused(&self, code: &str, rows_strategy: bool) -> bool {
        let aggregates = matches!(self.shape, Shape::Aggregates(_));
        match code {
            "offset-unsupported" => self.offset > 0 && (self.keys.is_empty() || self.limit.is_none()),
            "aggregate-unsupported" => aggregates && !rows_strategy,
            // OFFSET without LIMIT is no AQL.
            "invalid-aql" => self.offset > 0 && self.limit.is_none(),
            _ => false,
        }
    }
}

fn rows() -> impl Strategy<Value = Shape> {
    prop::collection::vec(prop::sample::select(PATHS.to_vec()), 1..4).prop_map(Shape::Rows)
}

fn aggregates() -> impl Strategy<Value = Shape> {
    let of = |function: &'static str, paths: Vec<&'static str>| {
        prop::sample::select(paths).prop_map(move |path| format!("{function}({path})"))
    };
    let one = prop_oneof![
        Just("COUNT(*)".to_owned()),
        of("COUNT", PATHS.to_vec()),
        of("SUM", vec![NUMBER]),
        of("AVG", vec![NUMBER]),
        of("MIN", vec![NUMBER, TIME, TEXT, START, NAME]),
        of("MAX", vec![NUMBER, TIME, TEXT, START, NAME, ANYTHING]),
        prop::sample::select(PATHS.to_vec()).prop_map(|path| format!("COUNT(DISTINCT {path})")),
    ];
    prop::collection::vec(one, 1..4).prop_map(Shape::Aggregates)
}

fn key() -> impl Strategy<Value = Key> {
    (prop::sample::select(PATHS.to_vec()), any::<bool>()).prop_map(|(path, descending)| Key { path, descending })
}

fn page() -> impl Strategy<Value = (Option<usize>, usize)> {
    (prop::option::weighted(0.75, 0usize..9), prop_oneof![3 => Just(0usize), 1 => 1usize..6])
        .prop_map(|(limit, offset)| if limit.is_none() { (None, 0) } else { (limit.map(|limit| limit.max(1)), offset) })
}

pub(super) fn random() -> impl Strategy<Value = Case> {
    let shape = prop_oneof![4 => rows(), 1 => aggregates()];
    let conditions = prop::collection::vec((prop::bool::weighted(0.2), prop::sample::select(CONDITIONS.to_vec())), 0..3);
    let keys = prop::collection::vec(key(), 0..4);
    let flags = (prop::bool::weighted(0.25), prop::bool::weighted(0.2), any::<bool>());
    let styles = prop_oneof![2 => Just(PageStyle::Clauses), 1 => Just(PageStyle::Top), 1 => Just(PageStyle::Members)];
    (shape, conditions, keys, page(), flags, (0usize..3, 0usize..6, any::<bool>(), styles)).prop_map(
        |(shape, condition, mut keys, (limit, offset), (distinct, dedup, any_of), (carrier, delayed, aliased, page))| {
            let (distinct, dedup) = match &shape {
                Shape::Aggregates(_) => (false, false),
                Shape::Rows(_) => (distinct, dedup && !distinct),
            };
            let (limit, offset) = if matches!(shape, Shape::Aggregates(_)) { (None, 0) } else { (limit, offset) };
            match &shape {
                Shape::Aggregates(_) => keys.clear(),
                // Keys beyond the columns would leave open which of the rows that are one stands for them.
                Shape::Rows(paths) if distinct => keys.retain(|key| paths.contains(&key.path)),
                Shape::Rows(_) => {}
            }
            let mut seen = Vec::new();
            keys.retain(|key| {
                !seen.contains(&key.path) && {
                    seen.push(key.path);
                    true
                }
            });
            Case { shape, distinct, condition, any_of, keys, limit, offset, dedup, carrier, aliased, page, delayed }
        },
    )
}
