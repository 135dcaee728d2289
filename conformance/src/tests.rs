//! Every check is shown to pass on a fake that behaves and to fail on one that does not.

use std::collections::BTreeSet;

use clap::Parser as _;

use crate::arguments::Arguments;
use crate::fake::{COLLIDING, Manner, NAMESPACE, PATIENT, start};
use crate::identifier;
use crate::report::Report;
use crate::verdict::Finding;

/// A flaw of the fake, and the checks that must fail because of it.
const FLAWS: &[(&str, &[&str])] = &[
    ("q-rewritten", &["CP-1.1"]),
    ("get-loses-row", &["CP-1.2"]),
    ("parameter-as-text", &["CP-1.3"]),
    ("undirected-loses-row", &["CP-1.4"]),
    ("or-served", &["CP-2.1"]),
    ("last-patient-wins", &["CP-2.2"]),
    ("elsewhere-served", &["CP-2.3"]),
    ("identifier-to-node", &["CP-2.4"]),
    ("hostile-forwarded", &["CP-2.5"]),
    ("distinct-ehr-lost", &["CP-3.1"]),
    ("namespace-ignored", &["CP-3.2"]),
    ("first-of-several", &["CP-3.3"]),
    ("no-ehr-id-at-node", &["CP-4.1"]),
    ("localization-undeclared", &["CP-5.1", "CP-23.1"]),
    ("no-patient-refused", &["CP-5.2"]),
    ("others-not-localized", &["CP-6.1", "CP-11.2"]),
    ("subject-is-local", &["CP-7.1"]),
    ("hidden-key-shown", &["CP-7.2"]),
    ("distinct-per-node", &["CP-8.1"]),
    ("limit-before-distinct", &["CP-8.5"]),
    ("concatenated", &["CP-8.2", "CP-8.3", "CP-8.4", "CP-32.1"]),
    ("dedup-by-default", &["CP-9.1"]),
    ("dedup-keeps-copies", &["CP-9.2"]),
    ("limit-before-dedup", &["CP-9.3"]),
    ("any-dedup-mode", &["CP-9.4"]),
    ("aggregates-per-node", &["CP-10.1", "CP-10.2", "CP-10.3", "CP-10.4"]),
    ("aggregates-refused", &["CP-10.1"]),
    ("sums-off", &["CP-10.1", "CP-10.2", "CP-10.3"]),
    ("mean-of-means", &["CP-10.4"]),
    ("directed-count-refused", &["CP-10.5"]),
    ("group-by-served", &["CP-10.6"]),
    ("partial-count-off", &["CP-10.7"]),
    ("copies-counted", &["CP-10.8"]),
    ("member-missing", &["CP-11.1"]),
    ("no-error-text", &["CP-11.2"]),
    ("latency-always", &["CP-11.3", "CP-36.1"]),
    ("row-count-off", &["CP-11.4"]),
    ("unknown-404", &["CP-12.1"]),
    ("no-outcome", &["CP-12.1", "CP-12.2", "CP-12.3"]),
    ("bare-errors", &["CP-12.4"]),
    ("bad-json-500", &["CP-12.5"]),
    ("long-500", &["CP-12.6"]),
    ("other-system-id", &["CP-13.1"]),
    ("composition-404", &["CP-14.1"]),
    ("write-guessed", &["CP-15.1"]),
    ("copy-written", &["CP-15.2"]),
    ("redirects", &["CP-21.1"]),
    ("from-form-empty", &["CP-22.1"]),
    ("ehr-dropped", &["CP-22.2"]),
    ("no-policy", &["CP-23.1"]),
    ("per-query-membership", &["CP-23.2"]),
    ("declares-header", &["CP-23.3"]),
    ("system-is-federation", &["CP-23.4"]),
    ("no-acting-header", &["CP-24.1"]),
    ("demographic-routed", &["CP-25.1"]),
    ("errors-echo", &["CP-26.1"]),
    ("meta-echo", &["CP-26.2"]),
    ("token-forwarded", &["CP-26.3"]),
    ("body-rewritten", &["CP-26.4"]),
    ("write-forwarded", &["CP-15.1"]),
    ("directive-ignored", &["CP-28.1"]),
    ("organisation-directive-ignored", &["CP-28.2"]),
    ("order-matters", &["CP-28.3"]),
    ("conflict-served", &["CP-28.4"]),
    ("unknown-ids-dropped", &["CP-28.5"]),
    ("parameter-targets", &["CP-28.6"]),
    ("words-target", &["CP-28.7"]),
    ("always-complete", &["CP-30.1"]),
    ("all-refused", &["CP-30.2"]),
    ("partial-refused", &["CP-30.3"]),
    ("any-completeness", &["CP-30.4"]),
    ("faults-hidden", &["CP-30.5"]),
    ("bare-504", &["CP-30.6"]),
    ("partial-complete", &["CP-30.7"]),
    ("never-mended", &["CP-30.8"]),
    ("other-timeout", &["CP-31.1"]),
    ("wait-ignored", &["CP-31.2"]),
    ("wait-lengthens", &["CP-31.3"]),
    ("slow-report", &["CP-31.4"]),
    ("slow-failure", &["CP-31.5"]),
    ("async-undeclared", &["CP-31.6"]),
    ("limit-concatenated", &["CP-32.1"]),
    ("shuffled", &["CP-32.2"]),
    ("hidden-key-unordered", &["CP-32.3"]),
    ("fetch-ignored", &["CP-32.4"]),
    ("offset-pushed-down", &["CP-32.5"]),
    ("window-unbounded", &["CP-32.6"]),
    ("ehr-elsewhere", &["CP-33.1", "CP-24.1"]),
    ("unrouted-guess", &["CP-33.2"]),
    ("collision-guess", &["CP-33.3"]),
    ("ehr-taken", &["CP-33.4"]),
    ("merged-catalogue", &["CP-34.1"]),
    ("flat-meta", &["CP-35.1"]),
    ("node-columns", &["CP-35.2"]),
    ("columns-vary", &["CP-35.3"]),
    ("no-headers", &["CP-35.4"]),
    ("attributes-wrong", &["CP-37.1"]),
    ("attributes-swapped", &["CP-37.2"]),
    ("entry-carrier-empty", &["CP-38.1"]),
    ("stored-overwritten", &["CP-40.1"]),
    ("literal-stored", &["CP-40.2"]),
    ("namespace-refused", &["CP-40.3"]),
];

/// What no client can see, fake or not.
const UNSEEN: &[&str] =
    &["CP-16.1", "CP-17.1", "CP-18.1", "CP-19.1", "CP-20.1", "CP-27.1", "CP-29.1", "CP-33a.1", "CP-36.2", "CP-39.1"];

async fn look(flaw: &'static str, offset: &'static str, strict: bool, only: &[&str]) -> Report {
    let folder = tempfile::tempdir().unwrap();
    let broken = folder.path().join("broken");
    let address = start(Manner { flaw, offset, strict, broken: broken.clone() }).await;
    let url = format!("http://{address}/");
    let journal = |endpoint: &str| format!("--node-journal={endpoint}={url}journal/{endpoint}");
    let (make, mend) = (format!("touch {}", broken.display()), format!("rm -f {}", broken.display()));
    let mut line = vec!["x".to_owned(), "--url".to_owned(), url.clone(), "--patient".to_owned(), PATIENT.to_owned()];
    line.extend(["--namespace", NAMESPACE, "--second-namespace", "urn:oid:2.999.2", "--allow-writes"].map(str::to_owned));
    line.extend([journal("alpha"), journal("beta"), journal("gamma"), format!("--colliding-ehr-id={COLLIDING}")]);
    line.extend([format!("--hook-break={make}"), format!("--hook-mend={mend}")]);
    line.extend(only.iter().map(|only| format!("--only={only}")));
    crate::run::run(Arguments::parse_from(line)).await.unwrap()
}

fn not_applicable(report: &Report) -> BTreeSet<&'static str> {
    let silent = report.lines.iter().filter(|line| matches!(line.verdict, Err(Finding::NotApplicable(_))));
    silent.map(|line| line.check.id).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fake_that_behaves_passes_every_check_that_can_be_seen() {
    let report = look("", "window", false, &[]).await;
    assert_eq!(report.failed(), Vec::<&str>::new(), "{report}");
    let silent: BTreeSet<&str> = UNSEEN.iter().copied().chain(["CP-32.7"]).collect();
    assert_eq!(not_applicable(&report), silent, "{report}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fake_that_offers_only_what_it_must_passes_too() {
    let report = look("", "reject", true, &[]).await;
    assert_eq!(report.failed(), Vec::<&str>::new(), "{report}");
    let silent: BTreeSet<&str> =
        UNSEEN.iter().copied().chain(["CP-9.2", "CP-9.3", "CP-32.6", "CP-32.7", "CP-40.1", "CP-40.2", "CP-40.3"]).collect();
    assert_eq!(not_applicable(&report), silent, "{report}");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_check_fails_on_the_flaw_it_is_there_for() {
    let mut blind = Vec::new();
    let mut looking = tokio::task::JoinSet::new();
    for (flaw, checks) in FLAWS {
        looking.spawn(async move { (*flaw, *checks, look(flaw, "window", false, checks).await) });
    }
    while let Some(looked) = looking.join_next().await {
        let (flaw, checks, report) = looked.unwrap();
        let unseen = checks.iter().filter(|check| !matches!(report.verdict(check), Some(Err(Finding::Failed(_)))));
        blind.extend(unseen.map(|check| (flaw, *check)));
        for shown in [report.to_string(), report.json().to_string()] {
            assert!(!identifier::stands_in(PATIENT, shown.as_bytes()), "{flaw}: the report shows the identifier");
        }
    }
    assert_eq!(blind, Vec::new(), "flaws that a check did not see");
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_a_cursor_are_looked_at_where_cursors_are_declared() {
    let paging = ["CP-32.5", "CP-32.7"];
    assert_eq!(look("", "cursor", false, &paging).await.failed(), Vec::<&str>::new());
    assert_eq!(look("cursor-shifted", "cursor", false, &paging).await.failed(), ["CP-32.7"]);
}

#[test]
fn there_is_a_flaw_for_every_check_that_can_be_seen() {
    let tried: BTreeSet<&str> =
        FLAWS.iter().flat_map(|(_, checks)| checks.iter().copied()).chain(UNSEEN.iter().copied()).collect();
    let missing: Vec<&str> =
        crate::all().iter().map(|check| check.id).filter(|id| !tried.contains(id) && *id != "CP-32.7").collect();
    assert_eq!(missing, Vec::<&str>::new());
}

#[tokio::test]
async fn a_gateway_that_is_not_there_fails_and_says_so() {
    let line = ["x", "--url", "http://127.0.0.1:1/", "--patient", PATIENT, "--only", "CP-1.1"];
    let report = crate::run::run(Arguments::parse_from(line)).await.unwrap();
    assert_eq!(report.failed(), ["CP-1.1"]);
}

#[tokio::test]
async fn a_command_line_that_cannot_be_used_is_refused_before_anything_is_sent() {
    for (name, extra) in [
        ("credentials in the address", vec!["--url", "http://user:secret@127.0.0.1:1/"]),
        ("no address", vec!["--url", "somewhere"]),
        ("no such check", vec!["--url", "http://127.0.0.1:1/", "--only", "CP-99"]),
        ("a break without its mend", vec!["--url", "http://127.0.0.1:1/", "--hook-break", "true"]),
    ] {
        let line = [vec!["x", "--patient", PATIENT], extra].concat();
        assert!(crate::run::run(Arguments::parse_from(line)).await.is_err(), "{name}");
    }
}
