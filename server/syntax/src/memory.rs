//! Clauses read before. While a file is edited all clauses but one stay what they were, and reading is a function of a
//! clause's text and of what the directives before it did; so what was read is kept until the next revision has been read.

use std::hash::Hasher as _;
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::{FxHashMap, FxHasher};

use crate::dialect::Dialect;
use crate::read::ReadOptions;
use crate::term::{Comment, ReadClause};

/// What the clauses before one did to the operators and flags, as a number: equal numbers, equal tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Setting(u64);

impl Setting {
    pub(crate) fn new(options: &ReadOptions, dialect: Dialect) -> Self {
        let mut hasher = FxHasher::default();
        // Formatted, since the options are few and read once for a file.
        hasher.write(format!("{dialect:?} {options:?}").as_bytes());
        Setting(hasher.finish())
    }

    /// After another directive.
    pub(crate) fn then(self, directive: &str) -> Self {
        let mut hasher = FxHasher::default();
        hasher.write_u64(self.0);
        hasher.write(directive.as_bytes());
        Setting(hasher.finish())
    }
}

/// A clause as it was read, with positions from its first byte.
#[derive(Clone, Debug)]
struct Known {
    setting: Setting,
    clause: ReadClause,
    comments: Vec<Comment>,
}

/// What the last reading of a file's revision found, by the text of the clause.
#[derive(Debug, Default)]
pub(crate) struct Clauses {
    known: FxHashMap<Box<str>, Known>,
}

/// Shared by the revisions of a file. A reading takes what is there and leaves what it used.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory(Arc<Mutex<Clauses>>);

impl Memory {
    pub(crate) fn take(&self) -> Clauses {
        let mut shared = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut shared)
    }

    pub(crate) fn leave(&self, clauses: Clauses) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = clauses;
    }
}

impl Clauses {
    /// Moves a known clause, found at `start` now, to the next revision; none if its text was not read in this setting.
    pub(crate) fn recall(
        &mut self,
        text: &str,
        setting: Setting,
        start: usize,
        next: &mut Clauses,
    ) -> Option<(ReadClause, Vec<Comment>)> {
        // Of clauses with the same text the first takes the entry along; the others find it there.
        let (key, known) = match self.known.remove_entry(text) {
            Some(found) => found,
            None => (text.into(), next.known.get(text)?.clone()),
        };
        if known.setting != setting {
            return None;
        }
        let mut clause = known.clause.clone();
        clause.range = (clause.range.0 + start, clause.range.1 + start);
        let comments = known
            .comments
            .iter()
            .map(|c| Comment {
                range: (c.range.0 + start, c.range.1 + start),
                text: c.text.clone(),
            })
            .collect();
        next.known.insert(key, known);
        Some((clause, comments))
    }

    /// Remembers a clause whose text began at `start`.
    pub(crate) fn remember(
        &mut self,
        text: &str,
        setting: Setting,
        start: usize,
        clause: &ReadClause,
        comments: &[Comment],
    ) {
        let mut clause = clause.clone();
        clause.range = (clause.range.0 - start, clause.range.1 - start);
        let comments = comments
            .iter()
            .map(|c| Comment {
                range: (c.range.0 - start, c.range.1 - start),
                text: c.text.clone(),
            })
            .collect();
        let known = Known {
            setting,
            clause,
            comments,
        };
        self.known.insert(text.into(), known);
    }
}
