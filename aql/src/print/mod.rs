//! Tree to text: one canonical line, which parses to the same tree.
//!
//! Keywords are upper case, names and literals as they were written. In WHERE parentheses stand where precedence needs them. In
//! FROM they stand around every set behind CONTAINS and around every member that is a set or a chain, since readers of AQL
//! disagree on how far CONTAINS reaches.

mod condition;
mod containment;
mod predicate;

use std::fmt::{self, Display, Formatter};

use crate::ast::{
    Aggregate, Call, Column, ColumnValue, Count, Directive, DirectiveKind, Limit, Literal, ObjectPath, OrderKey, Parameter, Path,
    Query, Select, Step, Top, TopDirection, Value,
};
use crate::literal::quote;

/// Writes the items with a text between them.
fn joined<T>(
    f: &mut Formatter<'_>,
    items: &[T],
    between: &str,
    mut write: impl FnMut(&mut Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            f.write_str(between)?;
        }
        write(f, item)?;
    }
    Ok(())
}

/// Writes a text and what follows it, if there is any. Plainer than `write!`, and a third faster over a whole query.
fn behind(f: &mut Formatter<'_>, text: &str, item: Option<&impl Display>) -> fmt::Result {
    item.map_or(Ok(()), |item| {
        f.write_str(text)?;
        item.fmt(f)
    })
}

fn wrapped(f: &mut Formatter<'_>, open: &str, item: &impl Display, close: &str) -> fmt::Result {
    f.write_str(open)?;
    item.fmt(f)?;
    f.write_str(close)
}

fn list<T: Display>(f: &mut Formatter<'_>, items: &[T]) -> fmt::Result {
    joined(f, items, ", ", |f, item| item.fmt(f))
}

impl Display for Query {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Query { directive, select, from, condition, order_by, limit } = self;
        select.fmt(f)?;
        f.write_str(" FROM ")?;
        match directive {
            Some(directive) => {
                directive.fmt(f)?;
                f.write_str(" CONTAINS ")?;
                containment::contained(f, from)?;
            }
            None => from.fmt(f)?,
        }
        if let Some(condition) = condition {
            f.write_str(" WHERE ")?;
            condition.fmt(f)?;
        }
        if !order_by.is_empty() {
            f.write_str(" ORDER BY ")?;
            list(f, order_by)?;
        }
        behind(f, " ", limit.as_ref())
    }
}

impl Display for Directive {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Directive { kind, variable, ids, span: _ } = self;
        f.write_str(match kind {
            DirectiveKind::Endpoint => "ENDPOINT ",
            DirectiveKind::Organisation => "ORGANISATION ",
        })?;
        if let Some(variable) = variable {
            variable.fmt(f)?;
            f.write_str(" ")?;
        }
        f.write_str("[")?;
        joined(f, ids, ", ", |f, id| f.write_str(&quote(&id.id, '"')))?;
        f.write_str("]")
    }
}

impl Display for Select {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Select { distinct, top, columns, span: _ } = self;
        f.write_str(if *distinct { "SELECT DISTINCT " } else { "SELECT " })?;
        if let Some(top) = top {
            top.fmt(f)?;
            f.write_str(" ")?;
        }
        list(f, columns)
    }
}

impl Display for Top {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Top { count, direction } = self;
        f.write_str("TOP ")?;
        count.fmt(f)?;
        match direction {
            Some(TopDirection::Forward) => f.write_str(" FORWARD"),
            Some(TopDirection::Backward) => f.write_str(" BACKWARD"),
            None => Ok(()),
        }
    }
}

impl Display for Count {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.digits)
    }
}

impl Display for Column {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Column { value, alias, span: _ } = self;
        value.fmt(f)?;
        behind(f, " AS ", alias.as_ref())
    }
}

impl Display for ColumnValue {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            ColumnValue::Path(path) => path.fmt(f),
            ColumnValue::Literal(literal) => literal.fmt(f),
            ColumnValue::Aggregate(aggregate) => aggregate.fmt(f),
            ColumnValue::Call(call) => call.fmt(f),
        }
    }
}

impl Display for Aggregate {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Aggregate { function, distinct, path, span: _ } = self;
        f.write_str(function.as_str())?;
        f.write_str(if *distinct { "(DISTINCT " } else { "(" })?;
        match path {
            Some(path) => path.fmt(f)?,
            None => f.write_str("*")?,
        }
        f.write_str(")")
    }
}

impl Display for Call {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Call { name, arguments, span: _ } = self;
        name.fmt(f)?;
        f.write_str("(")?;
        list(f, arguments)?;
        f.write_str(")")
    }
}

impl Display for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Value::Literal(literal) => literal.fmt(f),
            Value::Parameter(parameter) => parameter.fmt(f),
            Value::Path(path) => path.fmt(f),
            Value::Call(call) => call.fmt(f),
        }
    }
}

impl Display for Parameter {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("$")?;
        f.write_str(&self.name)
    }
}

impl Display for Literal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Display for Path {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Path { variable, predicate, steps, span: _ } = self;
        variable.fmt(f)?;
        predicate::bracketed(f, predicate.as_ref())?;
        steps.iter().try_for_each(|step| behind(f, "/", Some(step)))
    }
}

impl Display for ObjectPath {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        joined(f, &self.steps, "/", |f, step| step.fmt(f))
    }
}

impl Display for Step {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Step { name, predicate, span: _ } = self;
        name.fmt(f)?;
        predicate::bracketed(f, predicate.as_ref())
    }
}

impl Display for OrderKey {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let OrderKey { path, descending, span: _ } = self;
        path.fmt(f)?;
        f.write_str(if *descending { " DESC" } else { "" })
    }
}

impl Display for Limit {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Limit { count, offset, span: _ } = self;
        f.write_str("LIMIT ")?;
        count.fmt(f)?;
        behind(f, " OFFSET ", offset.as_ref())
    }
}
