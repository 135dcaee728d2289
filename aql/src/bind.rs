//! Parameters: what a query asks for, and putting values in their place.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::ops::ControlFlow;

use crate::ast::{
    LikePattern, Literal, LiteralKind, MatchItem, NodeId, NodeIdKind, NodeName, Parameter, Predicate, PredicateValue, Query,
    Span, Value,
};
use crate::lex::{TokenKind, lex};
use crate::visit::{self, Visit, VisitMut};

/// Why a query cannot be bound. Names the parameter, never its value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BindError {
    /// There is no value.
    #[error("the parameter ${name} has no value")]
    Missing {
        /// The parameter, without the `$`.
        name: String,
        /// Where it stands.
        span: Span,
    },
    /// The place cannot hold a value of this kind.
    #[error("the parameter ${name} stands where {wanted} is needed, and its value is {kind}", kind = .kind.describe())]
    WrongKind {
        /// The parameter, without the `$`.
        name: String,
        /// Where it stands.
        span: Span,
        /// What the place can hold.
        wanted: &'static str,
        /// What the value is.
        kind: LiteralKind,
    },
}

impl BindError {
    /// Where the parameter stands.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            BindError::Missing { span, .. } | BindError::WrongKind { span, .. } => *span,
        }
    }

    /// The parameter's name, without the `$`.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            BindError::Missing { name, .. } | BindError::WrongKind { name, .. } => name,
        }
    }
}

/// The parameters of a query, in the order of the text, as often as they stand there.
#[must_use]
pub fn parameters(query: &Query) -> Vec<&Parameter> {
    struct Collect<'ast>(Vec<&'ast Parameter>);
    impl<'ast> Visit<'ast> for Collect<'ast> {
        type Break = Infallible;
        fn visit_parameter(&mut self, node: &'ast Parameter) -> ControlFlow<Infallible> {
            self.0.push(node);
            ControlFlow::Continue(())
        }
    }
    let mut collect = Collect(Vec::new());
    let ControlFlow::Continue(()) = collect.visit_query(query);
    collect.0
}

/// Puts the values in the place of the parameters. Names are compared exactly; values that no parameter asks for are ignored.
///
/// Most places hold any literal. A LIKE pattern holds a text (one that looks like a date is written so that it stays a text).
/// A name behind a node code holds a text. A predicate that is a parameter alone holds the text of an archetype id or node
/// code.
///
/// # Errors
/// The first parameter without a value, or with one that its place cannot hold. The query is then partly bound.
pub fn bind(query: &mut Query, values: &BTreeMap<String, Literal>) -> Result<(), BindError> {
    let mut binder = Binder { values, error: None };
    binder.visit_query_mut(query);
    binder.error.map_or(Ok(()), Err)
}

struct Binder<'a> {
    values: &'a BTreeMap<String, Literal>,
    error: Option<BindError>,
}

impl Binder<'_> {
    /// The parameter's value as what the place holds.
    fn value<T>(&mut self, parameter: &Parameter, wanted: &'static str, make: impl FnOnce(Literal) -> Option<T>) -> Option<T> {
        if self.error.is_some() {
            return None;
        }
        let (name, span) = (parameter.name.clone(), parameter.span);
        let Some(literal) = self.values.get(&parameter.name) else {
            self.error = Some(BindError::Missing { name, span });
            return None;
        };
        let made = make(Literal { span, ..literal.clone() });
        if made.is_none() {
            self.error = Some(BindError::WrongKind { name, span, wanted, kind: literal.kind });
        }
        made
    }

    fn any(&mut self, parameter: &Parameter) -> Option<Literal> {
        self.value(parameter, "a literal", Some)
    }
}

/// The literal as one that is read back as a string, also when its text looks like a date: its first digit is then escaped.
fn as_string(literal: Literal) -> Option<Literal> {
    match literal.kind {
        LiteralKind::String => Some(literal),
        kind if kind.is_quoted() => {
            let quote = literal.text.get(..1)?;
            let digit = u32::from(literal.text.chars().nth(1)?);
            let text = format!("{quote}\\u{digit:04X}{}", literal.text.get(2..)?);
            Some(Literal { kind: LiteralKind::String, text, span: literal.span })
        }
        _ => None,
    }
}

/// The node id that a text spells, if it is one and nothing more.
fn as_node_id(literal: &Literal) -> Option<NodeId> {
    if !literal.kind.is_quoted() {
        return None;
    }
    let text = literal.decoded();
    let kind = match lex(&text).as_slice() {
        [one, end] if end.kind == TokenKind::End && one.span.start == 0 && one.span.end as usize == text.len() => one.kind,
        _ => return None,
    };
    let kind = match kind {
        TokenKind::ArchetypeId => NodeIdKind::Archetype,
        TokenKind::AtCode => NodeIdKind::AtCode,
        TokenKind::IdCode => NodeIdKind::IdCode,
        _ => return None,
    };
    Some(NodeId { kind, text: text.into_owned(), span: literal.span })
}

impl VisitMut for Binder<'_> {
    fn visit_predicate_mut(&mut self, node: &mut Predicate) {
        if let Predicate::Parameter(parameter) = node {
            let id = self.value(parameter, "an archetype id or node code", |literal| as_node_id(&literal));
            if let Some(id) = id {
                *node = Predicate::Node { id, name: None };
            }
            return;
        }
        visit::walk_predicate_mut(self, node);
    }

    fn visit_node_name_mut(&mut self, node: &mut NodeName) {
        if let NodeName::Parameter(parameter) = node
            && let Some(text) = self.value(parameter, "a text", as_string)
        {
            *node = NodeName::Text(text);
        }
    }

    fn visit_predicate_value_mut(&mut self, node: &mut PredicateValue) {
        match node {
            PredicateValue::Parameter(parameter) => {
                if let Some(literal) = self.any(parameter) {
                    *node = PredicateValue::Literal(literal);
                }
            }
            _ => visit::walk_predicate_value_mut(self, node),
        }
    }

    fn visit_like_pattern_mut(&mut self, node: &mut LikePattern) {
        if let LikePattern::Parameter(parameter) = node
            && let Some(text) = self.value(parameter, "a text", as_string)
        {
            *node = LikePattern::Text(text);
        }
    }

    fn visit_match_item_mut(&mut self, node: &mut MatchItem) {
        if let MatchItem::Parameter(parameter) = node
            && let Some(literal) = self.any(parameter)
        {
            *node = MatchItem::Literal(literal);
        }
    }

    fn visit_value_mut(&mut self, node: &mut Value) {
        match node {
            Value::Parameter(parameter) => {
                if let Some(literal) = self.any(parameter) {
                    *node = Value::Literal(literal);
                }
            }
            _ => visit::walk_value_mut(self, node),
        }
    }
}
