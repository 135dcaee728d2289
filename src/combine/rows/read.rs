//! Reading a RESULT_SET: tolerant of what servers add and leave out, strict about what is answered.

use std::sync::Arc;

use bytes::Bytes;

use super::NodeRows;
use super::budget::{HeldRows, RowBudget};
use super::scan::{Fault, Scanner};
use crate::error::ErrorCode;

/// Why a node's body cannot be used. The texts say what is wrong with its form and never repeat a part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// More bytes than the places of cells can count.
    #[error("the answer has more than 4294967295 bytes")]
    TooLarge,
    /// Not UTF-8, so not JSON.
    #[error("the answer is not UTF-8 at byte {at}")]
    NotUtf8 {
        /// Bytes before the first that is wrong.
        at: usize,
    },
    /// Not JSON, or JSON that nobody after us could read.
    #[error("the answer is not usable JSON at byte {at}: {what}")]
    NotJson {
        /// Bytes before the fault.
        at: usize,
        /// What is wrong there.
        what: &'static str,
    },
    /// JSON, but no RESULT_SET.
    #[error("the answer is not a result set: {0}")]
    NotResultSet(&'static str),
    /// A row that is no array, or has another number of cells than the query asked for.
    #[error("row {row} of the answer is not an array of {width} cells")]
    Row {
        /// Index of the row.
        row: usize,
        /// Cells asked for.
        width: usize,
    },
    /// More rows than the query may hold over all nodes.
    #[error("the rows of this query exceed limits.max_rows ({most})")]
    TooManyRows {
        /// The setting's value.
        most: usize,
    },
}

impl ReadError {
    /// The code a client sees, where it sees one.
    #[must_use]
    pub fn code(&self) -> ErrorCode {
        match self {
            ReadError::TooManyRows { .. } => ErrorCode::LimitExceeded,
            ReadError::TooLarge
            | ReadError::NotUtf8 { .. }
            | ReadError::NotJson { .. }
            | ReadError::NotResultSet(_)
            | ReadError::Row { .. } => ErrorCode::EndpointFailed,
        }
    }
}

impl From<Fault> for ReadError {
    fn from(fault: Fault) -> Self {
        // The place is the reader's; see `read`.
        ReadError::NotJson { at: 0, what: fault.0 }
    }
}

/// How many rows are read before the size of the index is guessed from them.
const SAMPLE: usize = 16;

impl NodeRows {
    /// Reads a RESULT_SET whose rows have `width` cells.
    ///
    /// Members may stand in any order, unknown ones are ignored, `rows` may be absent or null when anything else of a result
    /// set is there. The whole body is checked to be UTF-8 and JSON, nested at most 512 deep, with whole surrogate pairs.
    ///
    /// # Errors
    /// When the body is no such thing, or its rows go past what is left of `budget`.
    pub fn read(body: Bytes, width: usize, budget: &Arc<RowBudget>) -> Result<Self, ReadError> {
        u32::try_from(body.len()).map_err(|_| ReadError::TooLarge)?;
        if let Err(error) = std::str::from_utf8(&body) {
            return Err(ReadError::NotUtf8 { at: error.valid_up_to() });
        }
        let mut reader = Reader {
            scanner: Scanner::new(&body),
            bytes: body.len(),
            marks: Vec::new(),
            width,
            rows: 0,
            held: HeldRows::none(budget),
        };
        reader.result_set().map_err(|error| match error {
            ReadError::NotJson { what, .. } => ReadError::NotJson { at: reader.scanner.at(), what },
            other => other,
        })?;
        let Reader { mut marks, rows, held, .. } = reader;
        marks.shrink_to_fit();
        Ok(NodeRows { body, marks, width, rows, _held: Some(held) })
    }
}

/// A reading under way.
struct Reader<'a> {
    scanner: Scanner<'a>,
    bytes: usize,
    marks: Vec<u32>,
    width: usize,
    rows: usize,
    held: HeldRows,
}

/// What the members of the body say so far.
#[derive(Default)]
struct Seen {
    rows: bool,
    other: bool,
}

impl Reader<'_> {
    fn result_set(&mut self) -> Result<(), ReadError> {
        self.scanner.blanks();
        if self.scanner.peek() != b'{' {
            self.scanner.value()?;
            return Err(ReadError::NotResultSet("it is no object"));
        }
        self.scanner.step();
        let mut seen = Seen::default();
        self.scanner.blanks();
        if self.scanner.peek() == b'}' {
            self.scanner.step();
        } else {
            while self.member(&mut seen)? {}
        }
        self.scanner.blanks();
        if !self.scanner.at_end() {
            return self.scanner.fault("something follows the object").map_err(Into::into);
        }
        if seen.rows || seen.other { Ok(()) } else { Err(ReadError::NotResultSet("it has neither rows nor columns")) }
    }

    /// One member and what follows it; false after the last.
    fn member(&mut self, seen: &mut Seen) -> Result<bool, ReadError> {
        match member_name(self.scanner.name()?) {
            Member::Rows if seen.rows => return Err(ReadError::NotResultSet("it has rows twice")),
            Member::Rows => {
                seen.rows = true;
                self.rows_member()?;
            }
            Member::Other => {
                seen.other = true;
                self.scanner.value()?;
            }
            Member::Unknown => self.scanner.value()?,
        }
        self.scanner.blanks();
        let more = match self.scanner.peek() {
            b',' => true,
            b'}' => false,
            _ => return self.scanner.fault("a comma or a closing brace is expected").map_err(Into::into),
        };
        self.scanner.step();
        self.scanner.blanks();
        Ok(more)
    }

    fn rows_member(&mut self) -> Result<(), ReadError> {
        match self.scanner.peek() {
            b'n' => return self.scanner.value().map_err(Into::into),
            b'[' => self.scanner.step(),
            _ => return Err(ReadError::NotResultSet("its rows are no array")),
        }
        self.scanner.blanks();
        if self.scanner.peek() == b']' {
            self.scanner.step();
            return Ok(());
        }
        let from = self.scanner.at();
        loop {
            self.row()?;
            if self.rows == SAMPLE {
                self.reserve(from);
            }
            self.scanner.blanks();
            match self.scanner.peek() {
                b',' => self.scanner.step(),
                b']' => break,
                _ => return self.scanner.fault("a comma or a closing bracket is expected").map_err(Into::into),
            }
            self.scanner.blanks();
        }
        self.scanner.step();
        if self.held.settle() { Ok(()) } else { Err(self.too_many()) }
    }

    #[inline]
    fn row(&mut self) -> Result<(), ReadError> {
        if self.scanner.peek() != b'[' {
            self.scanner.value()?;
            return Err(self.wrong_row());
        }
        if !self.held.add() {
            return Err(self.too_many());
        }
        self.mark();
        if self.width == 0 {
            self.scanner.blanks();
            self.closes()?;
        }
        for last in (0..self.width).rev() {
            self.scanner.blanks();
            if self.scanner.peek() == b']' {
                return Err(self.wrong_row());
            }
            self.scanner.value()?;
            self.scanner.blanks();
            match (self.scanner.peek(), last) {
                (b',', 1..) | (b']', 0) => self.mark(),
                (b',' | b']', _) => return Err(self.wrong_row()),
                _ => return self.scanner.fault("a comma or a closing bracket is expected").map_err(Into::into),
            }
        }
        self.rows += 1;
        Ok(())
    }

    /// The end of a row that was asked to have no cells.
    fn closes(&mut self) -> Result<(), ReadError> {
        if self.scanner.peek() != b']' {
            return Err(self.wrong_row());
        }
        self.scanner.step();
        Ok(())
    }

    /// Remembers the separator here and steps over it. Its place fits: the body's length does.
    #[inline]
    fn mark(&mut self) {
        self.marks.push(u32::try_from(self.scanner.at()).unwrap_or(u32::MAX));
        self.scanner.step();
    }

    /// Makes room for as many rows as there will be if all are like those read, within the budget.
    fn reserve(&mut self, from: usize) {
        let read = self.scanner.at().saturating_sub(from).max(1);
        let left = self.bytes.saturating_sub(self.scanner.at());
        let rows = (left * SAMPLE / read + SAMPLE).min(self.held.most());
        self.marks.reserve_exact(rows.saturating_mul(self.width + 1).min(left));
    }

    fn wrong_row(&self) -> ReadError {
        ReadError::Row { row: self.rows, width: self.width }
    }

    fn too_many(&self) -> ReadError {
        ReadError::TooManyRows { most: self.held.most() }
    }
}

/// What a member of the body is to us.
enum Member {
    Rows,
    /// Another member by which a result set is known.
    Other,
    Unknown,
}

fn member_name(name: &[u8]) -> Member {
    match name {
        b"rows" => Member::Rows,
        b"columns" | b"q" | b"meta" | b"name" => Member::Other,
        _ if name.contains(&b'\\') => escaped_member_name(name),
        _ => Member::Unknown,
    }
}

/// A name may be spelled with escapes and is the same name.
#[cold]
fn escaped_member_name(name: &[u8]) -> Member {
    let quoted = [b"\"", name, b"\""].concat();
    match serde_json::from_slice::<String>(&quoted) {
        Ok(plain) if !plain.contains('\\') => member_name(plain.as_bytes()),
        _ => Member::Unknown,
    }
}
