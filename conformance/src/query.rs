//! The queries the harness asks, written out as AQL.

use std::fmt;

/// The subject's identifier, where an EHR names it.
pub(crate) const SUBJECT: &str = "e/ehr_status/subject/external_ref/id/value";
/// The namespace beside it.
pub(crate) const NAMESPACE: &str = "e/ehr_status/subject/external_ref/namespace";
/// The version uid of a composition.
pub(crate) const UID: &str = "c/uid/value";
/// When the recorded care happened.
pub(crate) const START: &str = "c/context/start_time/value";

/// A SELECT over the compositions of EHRs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Query {
    distinct: bool,
    select: String,
    directive: Option<String>,
    from: String,
    conditions: Vec<String>,
    order: Option<String>,
    limit: Option<u64>,
    offset: Option<u64>,
}

impl Query {
    /// `SELECT {select} FROM EHR e CONTAINS COMPOSITION c`.
    pub(crate) fn select(select: impl Into<String>) -> Self {
        Query { select: select.into(), from: "EHR e CONTAINS COMPOSITION c".to_owned(), ..Query::default() }
    }

    pub(crate) fn selecting(mut self, select: impl Into<String>) -> Self {
        self.select = select.into();
        self
    }

    pub(crate) fn distinct(mut self) -> Self {
        self.distinct = true;
        self
    }

    /// Another `FROM` than the compositions'.
    pub(crate) fn from(mut self, from: impl Into<String>) -> Self {
        self.from = from.into();
        self
    }

    /// With something more below the compositions.
    pub(crate) fn containing(mut self, below: &str) -> Self {
        self.from = format!("{} CONTAINS {below}", self.from);
        self
    }

    /// Directed, as in `ENDPOINT p ["a"]`.
    pub(crate) fn directed(mut self, directive: impl Into<String>) -> Self {
        self.directive = Some(directive.into());
        self
    }

    /// With one more condition in the top-level AND chain.
    pub(crate) fn and(mut self, condition: impl Into<String>) -> Self {
        self.conditions.push(condition.into());
        self
    }

    /// With this as the whole WHERE.
    pub(crate) fn only(mut self, condition: impl Into<String>) -> Self {
        self.conditions = vec![condition.into()];
        self
    }

    pub(crate) fn order(mut self, keys: impl Into<String>) -> Self {
        self.order = Some(keys.into());
        self
    }

    pub(crate) fn limit(mut self, limit: u64) -> Self {
        self.limit = Some(limit);
        self
    }

    pub(crate) fn offset(mut self, offset: u64) -> Self {
        self.offset = Some(offset);
        self
    }
}

impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SELECT {}{} FROM ", if self.distinct { "DISTINCT " } else { "" }, self.select)?;
        if let Some(directive) = &self.directive {
            write!(f, "{directive} CONTAINS ")?;
        }
        f.write_str(&self.from)?;
        for (index, condition) in self.conditions.iter().enumerate() {
            write!(f, " {} {condition}", if index == 0 { "WHERE" } else { "AND" })?;
        }
        if let Some(order) = &self.order {
            write!(f, " ORDER BY {order}")?;
        }
        if let Some(limit) = self.limit {
            write!(f, " LIMIT {limit}")?;
        }
        if let Some(offset) = self.offset {
            write!(f, " OFFSET {offset}")?;
        }
        Ok(())
    }
}

/// `ENDPOINT p ["a", "b"]`.
pub(crate) fn endpoints<'a>(ids: impl IntoIterator<Item = &'a str>) -> String {
    format!("ENDPOINT p [{}]", listed(ids))
}

/// `ORGANISATION ["a", "b"]`.
pub(crate) fn organisations<'a>(ids: impl IntoIterator<Item = &'a str>) -> String {
    format!("ORGANISATION [{}]", listed(ids))
}

fn listed<'a>(ids: impl IntoIterator<Item = &'a str>) -> String {
    ids.into_iter().map(|id| format!("\"{id}\"")).collect::<Vec<_>>().join(", ")
}

/// A string literal of AQL.
pub(crate) fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_is_written_in_the_order_of_the_grammar() {
        let query = Query::select("c/uid/value AS uid")
            .distinct()
            .directed(endpoints(["a", "b"]))
            .containing("ELEMENT n")
            .and("x = 1")
            .and(format!("y = {}", literal("it's")))
            .order("c/uid/value")
            .limit(3)
            .offset(1);
        assert_eq!(
            query.to_string(),
            "SELECT DISTINCT c/uid/value AS uid FROM ENDPOINT p [\"a\", \"b\"] CONTAINS EHR e CONTAINS COMPOSITION c CONTAINS \
             ELEMENT n WHERE x = 1 AND y = 'it\\'s' ORDER BY c/uid/value LIMIT 3 OFFSET 1"
        );
    }
}
