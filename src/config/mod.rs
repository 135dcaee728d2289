//! One typed configuration, read once, every fault reported at once with its place.
