//! RESULT_SET, `meta.federation`, OperationOutcome and the OPTIONS body (§9, §11.1, §7a.2). Pure.
