//! The SELECT list of the node query, and names that nothing else in the query uses.

use openehr_aql::ast::{Column, ColumnValue, Name, Path, Span, Step};

/// The names a query uses: any word of its text might be one.
#[derive(Debug)]
pub(super) struct Names<'a> {
    text: &'a str,
    made: Vec<String>,
}

impl<'a> Names<'a> {
    /// The names of a query with this text.
    pub(super) fn of(text: &'a str) -> Self {
        Names { text, made: Vec::new() }
    }

    /// Makes a name that begins so and takes it.
    pub(super) fn fresh(&mut self, stem: &str) -> Name {
        // Ends: there are fewer words than numbers.
        let numbered = (1_usize..).map(|number| format!("{stem}_{number}"));
        let free = |name: &String| !self.is_taken(name);
        let name = std::iter::once(stem.to_owned()).chain(numbered).find(free).unwrap_or_default();
        self.made.push(name.clone());
        Name::new(name)
    }

    /// AQL compares names ignoring case.
    fn is_taken(&self, name: &str) -> bool {
        let mut words = self.text.split(|char: char| !char.is_ascii_alphanumeric() && char != '_');
        self.made.iter().any(|made| made == name) || words.any(|word| word.eq_ignore_ascii_case(name))
    }
}

/// The columns a node is asked for.
#[derive(Debug, Default)]
pub(super) struct NodeColumns {
    columns: Vec<Column>,
    hidden: bool,
}

impl NodeColumns {
    /// Adds a column of the façade. Its alias stays unless a variable or another column has it: servers fold equal aliases.
    pub(super) fn push(&mut self, value: ColumnValue, alias: Option<&Name>, variables: &[&Name], names: &mut Names<'_>) -> usize {
        let mut used = self.columns.iter().filter_map(|column| column.alias.as_ref()).chain(variables.iter().copied());
        let alias = alias.map(|alias| if used.any(|name| name.is(&alias.text)) { names.fresh("col") } else { alias.clone() });
        self.columns.push(Column { value, alias, span: Span::NONE });
        self.columns.len() - 1
    }

    /// The column of this path: one that is there, or a hidden one under an alias of ours.
    pub(super) fn of_path(&mut self, path: &Path, names: &mut Names<'_>) -> usize {
        if let Some(index) = self.find(path) {
            return index;
        }
        self.hidden = true;
        self.push(ColumnValue::Path(path.clone()), Some(&names.fresh("key")), &[], names)
    }

    /// The column of this path, when there is one.
    pub(super) fn find(&self, path: &Path) -> Option<usize> {
        self.columns.iter().position(|column| matches!(&column.value, ColumnValue::Path(other) if other == path))
    }

    /// Adds a hidden column under an alias of ours.
    pub(super) fn hide(&mut self, value: ColumnValue, names: &mut Names<'_>) -> usize {
        self.hidden = true;
        self.push(value, Some(&names.fresh("part")), &[], names)
    }

    /// The alias of a column.
    pub(super) fn alias(&self, index: usize) -> Option<&Name> {
        self.columns.get(index).and_then(|column| column.alias.as_ref())
    }

    /// Does a column that the façade did not select widen the row?
    pub(super) fn any_hidden(&self) -> bool {
        self.hidden
    }

    /// How many there are.
    pub(super) fn width(&self) -> usize {
        self.columns.len()
    }

    /// The columns.
    pub(super) fn into_columns(self) -> Vec<Column> {
        self.columns
    }
}

/// `variable/step/step`
pub(super) fn path(variable: &Name, steps: &[&str]) -> Path {
    let step = |name: &&str| Step { name: Name::new(*name), predicate: None, span: Span::NONE };
    Path {
        variable: Name::new(variable.text.clone()),
        predicate: None,
        steps: steps.iter().map(step).collect(),
        span: Span::NONE,
    }
}
