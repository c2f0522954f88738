//! Mistakes in data of rewrites. They are found by tests.

use costlens_syntax::term::ReadClause;

/// A mistake in a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {why}")]
pub(super) struct Malformed {
    file: &'static str,
    line: usize,
    why: String,
}

/// A file of data.
#[derive(Clone, Copy)]
pub(super) struct DataFile {
    pub(super) name: &'static str,
    pub(super) text: &'static str,
}

impl DataFile {
    /// Makes a mistake in a clause.
    pub(super) fn malformed(self, clause: &ReadClause, why: impl Into<String>) -> Malformed {
        let before = self.text.get(..clause.range.0).unwrap_or_default();
        Malformed {
            file: self.name,
            line: before.matches('\n').count() + 1,
            why: why.into(),
        }
    }

    /// Makes a mistake of the whole file.
    pub(super) fn incomplete(self, why: impl Into<String>) -> Malformed {
        Malformed {
            file: self.name,
            line: 1,
            why: why.into(),
        }
    }
}
