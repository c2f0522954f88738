//! Text that is discarded as a whole: after an unterminated comment, and between the markers of a merge conflict.

use crate::heads;
use crate::leaves::{Leaf, LeafKind};
use crate::term::{PossibleHead, ReadClause, ReadError, Spans, Term, Terms};

/// A discarded text, while its clauses are skipped.
#[derive(Debug)]
pub(crate) struct Lost {
    message: &'static str,
    /// The start of the first affected clause.
    start: usize,
    /// The token reported as the cause.
    blamed: (usize, usize),
    end: usize,
    heads: Vec<PossibleHead>,
}

/// The maximum number of predicates recorded for one discarded text.
const MOST_HEADS: usize = 10_000;

impl Lost {
    /// Starts at an unterminated block comment that begins at this byte.
    pub(crate) fn in_comment(start: usize, text: &str) -> Self {
        Lost {
            message: "unclosed `/*`: all that follows is a comment",
            start,
            blamed: (start, start + 2),
            end: text.len(),
            heads: Vec::new(),
        }
    }

    /// Starts at a merge conflict, if one of the leaves opens the conflict and the conflict is complete.
    pub(crate) fn in_conflict(text: &str, leaves: &[Leaf]) -> Option<Self> {
        let open = leaves.iter().find(|l| is_mark(text, l, "<<<<<<<"))?;
        let behind = text.get(open.end()..)?;
        let middle = behind.find("\n=======")?;
        behind.get(middle..)?.find("\n>>>>>>>")?;
        Some(Lost {
            message: "merge conflict: keep one of the versions and remove the marks",
            start: leaves.first()?.start(),
            blamed: (open.start(), open.end()),
            end: open.end(),
            heads: Vec::new(),
        })
    }

    /// Processes the leaves of a clause. Returns true if the conflict ends in it.
    pub(crate) fn take(&mut self, text: &str, leaves: &[Leaf]) -> bool {
        if let (Some(first), Some(last)) = (leaves.first(), leaves.last()) {
            self.start = self.start.min(first.start());
            self.end = self.end.max(last.end());
        }
        for part in leaves.split(|l| is_mark(text, l, "")) {
            // The name of a version follows its marker.
            let line = |l: &Leaf| {
                let from = text.get(..l.start()).and_then(|t| t.rfind('\n'));
                let line = text.get(from.map_or(0, |at| at + 1)..).unwrap_or_default();
                MARKS
                    .iter()
                    .chain(&[BASE])
                    .any(|mark| line.starts_with(mark))
            };
            let from = part.iter().position(|l| !line(l)).unwrap_or(part.len());
            let part = &part[from..];
            let Some(first) = part.first() else {
                continue;
            };
            for mut head in heads::possible(text, part) {
                let is_known = |h: &PossibleHead| h.name == head.name && h.arity == head.arity;
                if self.heads.len() < MOST_HEADS && !self.heads.iter().any(is_known) {
                    let moved = first.start().saturating_sub(self.start);
                    head.end = head
                        .end
                        .saturating_add(u32::try_from(moved).unwrap_or(u32::MAX));
                    self.heads.push(head);
                }
            }
        }
        leaves.iter().any(|l| is_mark(text, l, ">>>>>>>"))
    }

    /// Returns a single error for the whole text.
    pub(crate) fn clause(self) -> ReadClause {
        let place = |at: usize| u32::try_from(at.saturating_sub(self.start)).unwrap_or(u32::MAX);
        let mut terms = Terms::default();
        let root = terms.push(Term::Error);
        ReadClause {
            terms: terms.into(),
            root,
            spans: Spans {
                ranges: vec![(0, place(self.end))],
                variables: Vec::new(),
            }
            .into(),
            range: (self.start, self.end),
            error: Some(Box::new(ReadError {
                message: self.message.to_owned(),
                range: (place(self.blamed.0), place(self.blamed.1)),
                heads: self.heads,
            })),
        }
    }
}

/// The markers of a merge conflict, each at the beginning of a line.
const MARKS: [&str; 3] = ["<<<<<<<", "=======", ">>>>>>>"];
/// The marker before the common ancestor of both versions.
const BASE: &str = "|||||||";

/// Returns whether a leaf is a conflict marker that starts with the given text.
fn is_mark(text: &str, leaf: &Leaf, start: &str) -> bool {
    leaf.kind == LeafKind::Symbol
        && MARKS.contains(&leaf.text(text))
        && leaf.text(text).starts_with(start)
        && text
            .get(..leaf.start())
            .is_some_and(|before| before.is_empty() || before.ends_with(['\n', '\r']))
}
