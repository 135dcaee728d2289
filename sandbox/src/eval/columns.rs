//! How the columns of an answer are named.

use openehr_aql::ast::{ColumnValue, Query, Span};

/// The name and path of one column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnName {
    /// The alias, else `#` and the index.
    pub name: String,
    /// The path as written, variable included; `None` for what is no path.
    pub path: Option<String>,
}

/// The columns of a query read from `text`.
#[must_use]
pub fn column_names(query: &Query, text: &str) -> Vec<ColumnName> {
    let written = |span: Span| text.get(span.start as usize..span.end as usize).map(str::to_owned);
    let column = |(index, column): (usize, &openehr_aql::ast::Column)| ColumnName {
        name: column.alias.as_ref().map_or_else(|| format!("#{index}"), |alias| alias.text.clone()),
        path: match &column.value {
            ColumnValue::Path(path) => written(path.span),
            ColumnValue::Literal(_) | ColumnValue::Aggregate(_) | ColumnValue::Call(_) => None,
        },
    };
    query.select.columns.iter().enumerate().map(column).collect()
}
