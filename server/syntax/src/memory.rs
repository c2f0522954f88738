//! Clauses read before. While a file is edited all clauses but a few stay what they were, and reading is a function of a
//! clause's text and of what the directives before it did; so what was read is kept until the next revision has been read.
//!
//! An edit leaves what stands before it and what stands behind it. There a clause is found by its place, and only in between by its
//! text: in a table of very many facts, to look all of them up by their texts took longer than all else.

use std::hash::Hasher as _;
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::{FxHashMap, FxHasher};

use crate::dialect::Dialect;
use crate::options::ReadOptions;
use crate::term::{Comment, ReadClause, Spans, TermId, Terms};

/// The state of operators and flags that the clauses before one have made, as a number: equal numbers, equal tables.
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

/// A clause as it was read; clauses with errors are not remembered.
#[derive(Clone, Debug)]
struct RememberedClause {
    setting: Setting,
    terms: Arc<Terms>,
    spans: Arc<Spans>,
    root: TermId,
    /// The bytes of its node, which are those of the clause.
    range: (usize, usize),
    comments: Box<[Comment]>,
}

impl RememberedClause {
    /// The same clause at another place.
    fn at(&self, start: usize) -> Self {
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

/// The clauses of a file's last reading, in the order of its text.
#[derive(Debug, Default)]
pub(crate) struct Clauses {
    /// None before the first reading.
    text: Option<Arc<str>>,
    known: Vec<RememberedClause>,
}

/// Shared by the revisions of a file. A reading takes what is there and leaves what it used.
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

/// The clauses of the reading before, and of the one under way.
#[derive(Debug, Default)]
pub(crate) struct Recall {
    before: Clauses,
    /// So many bytes at the beginning of both texts are the same.
    same_before: usize,
    /// So many at their ends, none of them among those at the beginning.
    same_behind: usize,
    /// The lengths of the text before and of this one.
    lengths: (usize, usize),
    /// The first of the clauses before that may come next.
    at: usize,
    /// The clauses of the text before that an edit touched, by their texts; looked for when the first is asked for.
    touched: Option<FxHashMap<Box<str>, usize>>,
    next: Clauses,
}

impl Recall {
    /// For a reading of a text, of which another revision was read before.
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

    /// Takes a known clause, found at `start` now, along to the next revision; none if its text was not read in this setting.
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
        let known = known.at(start);
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

    /// The number of a clause before that has this text.
    fn find(&mut self, text: &str, start: usize) -> Option<usize> {
        let (length_before, length) = self.lengths;
        let place = if start + text.len() <= self.same_before {
            start
        } else if start + self.same_behind >= length {
            start + length_before - length
        } else {
            return self.touched().get(text).copied();
        };
        // Clauses are asked for in the order of the text.
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

    /// Remembers a clause without errors whose node is all of it.
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

    /// Ends a reading: the next one begins with its clauses.
    pub(crate) fn end(mut self) -> Clauses {
        self.next.known.shrink_to_fit();
        self.next
    }
}

/// So many bytes are compared at once.
const STRETCH: usize = 4096;

/// How many bytes two texts have in common, stretch by stretch, and in the first stretches that differ as `rest` says.
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
