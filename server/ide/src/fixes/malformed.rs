//! Errors in the data files of rewrites, which are reported by tests.

use costlens_syntax::term::ReadClause;

/// An error in a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {why}")]
pub(super) struct FileError {
    file: &'static str,
    line: usize,
    why: String,
}

/// A data file.
#[derive(Clone, Copy)]
pub(super) struct DataFile {
    pub(super) name: &'static str,
    pub(super) text: &'static str,
}

impl DataFile {
    /// Creates an error about a clause.
    pub(super) fn malformed(self, clause: &ReadClause, why: impl Into<String>) -> FileError {
        let before = self.text.get(..clause.range.0).unwrap_or_default();
        FileError {
            file: self.name,
            line: before.matches('\n').count() + 1,
            why: why.into(),
        }
    }

    /// Creates an error about the whole file.
    pub(super) fn incomplete(self, why: impl Into<String>) -> FileError {
        FileError {
            file: self.name,
            line: 1,
            why: why.into(),
        }
    }
}
