//! Times as clinical systems write them: several offsets, several precisions.

use fastrand::Rng;

/// Seconds of 2023-01-01T00:00:00Z and of a span of two years.
const START: i64 = 1_672_531_200;
const SPAN: i64 = 63_072_000;

/// An instant within two years, in seconds.
pub(super) fn instant(rng: &mut Rng) -> i64 {
    START + rng.i64(0..SPAN)
}

/// The instant in some offset and precision.
pub(super) fn written(rng: &mut Rng, instant: i64) -> String {
    let (offset, text) = *rng
        .choice(&[(0, "Z"), (3600, "+01:00"), (7200, "+02:00"), (-18_000, "-05:00"), (20_700, "+05:45")])
        .unwrap_or(&(0, "Z"));
    let local = chrono::DateTime::from_timestamp(instant + offset, 0).unwrap_or_default();
    let form = *rng
        .choice(&["%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M:%S.250", "%Y-%m-%dT%H:%M"])
        .unwrap_or(&"%Y-%m-%dT%H:%M:%S");
    format!("{}{text}", local.format(form))
}

/// The instant as a server writes it down.
pub(super) fn committed(instant: i64) -> String {
    chrono::DateTime::from_timestamp(instant, 0).unwrap_or_default().format("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// A random id in the form of a UUID.
pub(super) fn uuid(rng: &mut Rng) -> String {
    uuid::Builder::from_random_bytes(rng.u128(..).to_be_bytes()).into_uuid().to_string()
}
