//! A memory of clauses from the previous reading. An edit leaves all but a few clauses unchanged, and reading is a function of a clause's
//! text and the effects of the preceding directives. Results are therefore kept until the next revision has been read.
//!
//! An edit leaves the text before and after it unchanged. In these parts, a clause is found by its position; only between them is it found
//! by its text. Looking up all clauses by text dominated the reading time for a table with very many facts.

use std::hash::Hasher as _;
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::{FxHashMap, FxHasher};

use crate::dialect::Dialect;
use crate::options::ReadOptions;
use crate::term::{Comment, ReadClause, Spans, TermId, Terms};

/// The state of operators and flags that results from the preceding clauses, as a hash: equal values mean equal tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Setting(u64);

impl Setting {
    pub(crate) fn new(options: &ReadOptions, dialect: Dialect) -> Self {
        let mut hasher = FxHasher::default();
        // The options are formatted, since they are few and read once per file.
        hasher.write(format!("{dialect:?} {options:?}").as_bytes());
        Setting(hasher.finish())
    }

    /// Returns the setting after another directive.
    pub(crate) fn then(self, directive: &str) -> Self {
        let mut hasher = FxHasher::default();
        hasher.write_u64(self.0);
        hasher.write(directive.as_bytes());
        Setting(hasher.finish())
    }
}

/// A clause from an earlier reading. Clauses with errors are not stored.
#[derive(Clone, Debug)]
struct RememberedClause {
    setting: Setting,
    terms: Arc<Terms>,
    spans: Arc<Spans>,
    root: TermId,
    /// The byte range of the clause's node, which equals that of the clause.
    range: (usize, usize),
    comments: Box<[Comment]>,
}

impl RememberedClause {
    /// Returns the clause moved to another position.
    fn moved_to(&self, start: usize) -> Self {
        let before = self.range.0;
        let moved = |(from, to): (usize, usize)| (from - before + start, to - before + start);
        let comments = self.comments.iter().map(|c| Comment {
            range: moved(c.range),
            text: c.text.clone(),
        });
        RememberedClause {
            setting: self.setting,
            terms: Arc::clone(&self.terms),
            spans: Arc::clone(&self.spans),
            root: self.root,
            range: moved(self.range),
            comments: comments.collect(),
        }
    }
}

/// The clauses of the previous reading of a file, in text order.
#[derive(Debug, Default)]
pub(crate) struct Clauses {
    /// The text, or `None` before the first reading.
    text: Option<Arc<str>>,
    known: Vec<RememberedClause>,
}

/// The memory shared by the revisions of a file. A reading takes its content and stores the clauses that it used.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory(Arc<Mutex<Clauses>>);

impl Memory {
    fn take(&self) -> Clauses {
        let mut shared = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut shared)
    }

    pub(crate) fn leave(&self, clauses: Clauses) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = clauses;
    }
}

/// The clauses of the previous reading, and the clauses of the reading in progress.
#[derive(Debug, Default)]
pub(crate) struct Recall {
    before: Clauses,
    /// The length of the common prefix of both texts, in bytes.
    same_before: usize,
    /// The length of the common suffix of both texts after the common prefix, in bytes.
    same_behind: usize,
    /// The lengths of the previous and the current text.
    lengths: (usize, usize),
    /// The index of the first previous clause that may come next.
    at: usize,
    /// The previous clauses affected by an edit, by text; computed on first use.
    touched: Option<FxHashMap<Box<str>, usize>>,
    next: Clauses,
}

impl Recall {
    /// Prepares to read a text, given the previous revision.
    pub(crate) fn new(memory: &Memory, text: &Arc<str>) -> Self {
        let before = memory.take();
        let (one, other) = (
            before.text.as_deref().unwrap_or_default().as_bytes(),
            text.as_bytes(),
        );
        let same_before = common(one.chunks(STRETCH), other.chunks(STRETCH), |a, b| {
            a.iter().zip(b).take_while(|(a, b)| a == b).count()
        });
        let (one, other) = (&one[same_before..], &other[same_before..]);
        let same_behind = common(one.rchunks(STRETCH), other.rchunks(STRETCH), |a, b| {
            let pairs = a.iter().rev().zip(b.iter().rev());
            pairs.take_while(|(a, b)| a == b).count()
        });
        Recall {
            same_before,
            same_behind,
            lengths: (same_before + one.len(), text.len()),
            at: 0,
            touched: None,
            next: Clauses {
                text: Some(Arc::clone(text)),
                known: Vec::with_capacity(before.known.len()),
            },
            before,
        }
    }

    /// Reuses a stored clause at the position `start`, and keeps it for the next revision. Returns `None` if its text was not read before
    /// with this setting.
    pub(crate) fn recall(
        &mut self,
        text: &str,
        setting: Setting,
        start: usize,
    ) -> Option<(ReadClause, &[Comment])> {
        let found = self.find(text, start)?;
        let known = self.before.known.get(found)?;
        if known.setting != setting {
            return None;
        }
        let known = known.moved_to(start);
        let clause = ReadClause {
            terms: Arc::clone(&known.terms),
            root: known.root,
            spans: Arc::clone(&known.spans),
            range: known.range,
            error: None,
        };
        self.next.known.push(known);
        let comments = self.next.known.last()?.comments.as_ref();
        Some((clause, comments))
    }

    /// Returns the index of a previous clause with this text.
    fn find(&mut self, text: &str, start: usize) -> Option<usize> {
        let (length_before, length) = self.lengths;
        let place = if start + text.len() <= self.same_before {
            start
        } else if start + self.same_behind >= length {
            start + length_before - length
        } else {
            return self.touched().get(text).copied();
        };
        // Clauses are looked up in text order.
        let rest = self.before.known.get(self.at..)?;
        self.at += rest.iter().take_while(|k| k.range.0 < place).count();
        let known = self.before.known.get(self.at)?;
        (known.range == (place, place + text.len())).then_some(self.at)
    }

    fn touched(&mut self) -> &FxHashMap<Box<str>, usize> {
        self.touched.get_or_insert_with(|| {
            let known = &self.before.known;
            let behind = self.lengths.0 - self.same_behind;
            let first = known.partition_point(|k| k.range.1 <= self.same_before);
            let last = known.partition_point(|k| k.range.0 < behind);
            let text = self.before.text.as_deref().unwrap_or_default();
            (first..last)
                .filter_map(|i| {
                    let (from, to) = known[i].range;
                    Some((text.get(from..to)?.into(), i))
                })
                .collect()
        })
    }

    /// Stores a clause without errors that consists of a single node.
    pub(crate) fn remember(&mut self, setting: Setting, clause: &ReadClause, comments: &[Comment]) {
        self.next.known.push(RememberedClause {
            setting,
            terms: Arc::clone(&clause.terms),
            spans: Arc::clone(&clause.spans),
            root: clause.root,
            range: clause.range,
            comments: comments.into(),
        });
    }

    /// Ends a reading. The next reading starts with the clauses that this reading has stored.
    pub(crate) fn end(mut self) -> Clauses {
        self.next.known.shrink_to_fit();
        self.next
    }
}

/// The number of bytes compared at once.
const STRETCH: usize = 4096;

/// Returns the length of the common part of two texts, which are compared chunk by chunk; `rest` compares the first chunks that differ.
fn common<'a>(
    one: impl Iterator<Item = &'a [u8]>,
    other: impl Iterator<Item = &'a [u8]>,
    rest: impl Fn(&[u8], &[u8]) -> usize,
) -> usize {
    let mut same = 0;
    for (a, b) in one.zip(other) {
        if a != b {
            return same + rest(a, b);
        }
        same += a.len();
    }
    same
}
