//! One record, one node: where a request about one EHR goes, and the byte-transparent proxy (§12).
