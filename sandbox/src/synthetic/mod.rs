//! Invented patients and their records: seeded, realistic in shape, about nobody.

pub mod clinical;
mod dataset;
pub mod parts;
mod patients;
mod random;
#[cfg(test)]
mod tests;
mod times;

pub use dataset::{Dataset, Holding, Member, Patient};
pub(crate) use dataset::{about, one_record};
pub use patients::Plan;
pub use random::{Small, small_composition};
