//! Why a query is not answered.

/// Why a query is not answered. The text names the construct, never a value from the query.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EvalError {
    /// A variable FROM does not declare.
    #[error("a variable is used that FROM does not declare")]
    UnknownVariable,
    /// A variable FROM declares twice.
    #[error("FROM declares a variable twice")]
    RepeatedVariable,
    /// A parameter without a value.
    #[error("a parameter has no value: send it in query_parameters")]
    UnboundParameter,
    /// A function that is none of AQL's.
    #[error("AQL has no function of this name")]
    UnknownFunction,
    /// Arguments a function cannot take.
    #[error("a function has the wrong number or kind of arguments")]
    Arguments,
    /// `TERMINOLOGY(…)` or a terminology URI.
    #[error("this server reaches no terminology service")]
    Terminology,
    /// A comparison with `NULL`.
    #[error("a comparison with NULL holds for nothing: use EXISTS or NOT EXISTS")]
    NullComparison,
    /// `matches {/…/}` in a predicate.
    #[error("regular expressions in predicates are not served")]
    Regex,
    /// Aggregates beside plain columns, or with ORDER BY.
    #[error("an aggregate stands beside plain columns or ORDER BY: AQL 1.1 has no grouping")]
    Grouping,
    /// SUM or AVG over what is no number of usable size.
    #[error("SUM and AVG need numbers")]
    NotANumber,
    /// Both TOP and LIMIT.
    #[error("TOP and LIMIT exclude each other")]
    TopAndLimit,
    /// A count that does not fit in 64 bits.
    #[error("a count of rows is too large")]
    Count,
    /// `FROM ENDPOINT …`: federation syntax at a plain CDR.
    #[error("a federation directive reached a plain CDR")]
    Directive,
    /// A query with more paths than are served.
    #[error("the query has more than {0} path steps")]
    Size(usize),
    /// More rows than the server holds.
    #[error("the result has more than {0} rows")]
    Rows(usize),
    /// More work than the server does for one query.
    #[error("the query needs more than {0} steps")]
    Steps(u64),
}
