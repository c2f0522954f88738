//! The operator pass: builds one term from the leaves of a clause, using an operator table.
//!
//! Operators and operands are kept on two stacks (`side` and `out`) until priorities decide, as in SWI-Prolog's reader; each bracket opens
//! a frame. There is no recursion.
//!
//! Where the standard leaves room, the pass follows SWI-Prolog 9: arguments may have priorities up to 1200; quoted atoms are not operators
//! unless they must be quoted; a prefix operator before an infix operator is an atom (`- = x`) if its operand could not have that priority;
//! `-` and a number form a negative number only if they are adjacent and an operand is expected.

mod dicts;
mod frames;
mod items;
mod operators;
mod quasi_quotations;

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::digits;
use crate::flags::Flags;
use crate::leaves::{Leaf, LeafKind};
use crate::operators::{MAX_PRIORITY, Operators, Position};
use crate::term::{ReadError, Spans, Term, TermId, Terms};

/// A priority above that of any operator, which brackets and arguments admit.
const ANY_PRIORITY: u16 = MAX_PRIORITY + 1;

/// The result of reading a clause's leaves.
pub(crate) struct ReadOutcome {
    pub(crate) terms: Terms,
    pub(crate) root: TermId,
    pub(crate) spans: Spans,
    pub(crate) error: Option<Box<ReadError>>,
}

/// Reads a clause. `leaves` end with an end token unless they are damaged.
pub(crate) fn clause(
    text: &str,
    leaves: &[Leaf],
    operators: &Operators,
    flags: &Flags,
) -> ReadOutcome {
    let base = leaves.first().map_or(0, |l| l.start());
    let mut pass = Pass {
        text,
        leaves,
        base,
        operators,
        flags,
        at: 0,
        terms: Terms::of_tokens(leaves.len()),
        spans: Spans::of_tokens(leaves.len()),
        variables: FxHashMap::default(),
        out: Vec::new(),
        side: Vec::new(),
        parts: Vec::new(),
        frames: Vec::new(),
    };
    match damage(text, leaves, flags).map_or_else(|| pass.run(), Err) {
        Ok(root) => {
            let read = ReadOutcome {
                terms: pass.terms,
                root,
                spans: pass.spans,
                error: None,
            };
            quasi_quotations::unknown_clause(text, leaves, read)
        }
        Err(failure) => failed(text, leaves, failure),
    }
}

/// Reports that the full stop is missing after the last token of a clause, at the token's line. Any other error takes precedence.
pub(crate) fn unfinished(
    text: &str,
    leaves: &[Leaf],
    outcome: ReadOutcome,
    line: usize,
) -> ReadOutcome {
    if outcome.error.is_some() {
        return outcome;
    }
    let end = leaves.last().map_or(0, |l| l.end());
    let missing = Failure {
        message: format!("a full stop is missing at the end of line {line}"),
        start: end,
        end,
    };
    failed(text, leaves, missing)
}

fn failed(text: &str, leaves: &[Leaf], failure: Failure) -> ReadOutcome {
    let base = leaves.first().map_or(0, |l| l.start());
    let mut terms = Terms::default();
    let root = terms.push(Term::Error);
    let whole = relative(base, base, leaves.last().map_or(base, |l| l.end()));
    ReadOutcome {
        terms,
        root,
        spans: Spans {
            ranges: vec![whole],
            variables: Vec::new(),
        },
        error: Some(Box::new(ReadError {
            message: failure.message,
            range: relative(base, failure.start, failure.end),
            heads: crate::heads::possible(text, leaves),
        })),
    }
}

/// The reason why a clause is not a term, and its position in the file.
struct Failure {
    message: String,
    start: usize,
    end: usize,
}

fn failure(leaf: &Leaf, message: impl Into<String>) -> Failure {
    Failure {
        message: message.into(),
        start: leaf.start(),
        end: leaf.end(),
    }
}

fn missing_operand(op: &Waiting) -> Failure {
    Failure {
        message: format!("an operand of `{}` is missing", op.name),
        start: op.start,
        end: op.end,
    }
}

fn relative(base: usize, start: usize, end: usize) -> (u32, u32) {
    let of = |at: usize| u32::try_from(at.saturating_sub(base)).unwrap_or(u32::MAX);
    (of(start), of(end))
}

/// Returns an error at the first leaf with a misplaced bracket, or an invalid quote, character or end.
fn damage(text: &str, leaves: &[Leaf], flags: &Flags) -> Option<Failure> {
    let mut open: Vec<&Leaf> = Vec::new();
    for leaf in leaves {
        match leaf.kind {
            LeafKind::Open(_) => open.push(leaf),
            LeafKind::Close(_) => {
                open.pop();
            }
            LeafKind::Unclosed => {
                // The innermost bracket is reported, because the enclosing brackets are unclosed only as a consequence.
                let opener = open.pop().unwrap_or(leaf);
                return Some(failure(opener, format!("unclosed `{}`", opener.text(text))));
            }
            LeafKind::UnclosedQuote => {
                let quote = leaf.text(text).chars().next().unwrap_or('\'');
                return Some(Failure {
                    message: format!("unclosed quote {quote}"),
                    start: leaf.start(),
                    end: leaf.start() + quote.len_utf8(),
                });
            }
            LeafKind::Stray => {
                return Some(failure(
                    leaf,
                    format!("`{}` closes no bracket", leaf.text(text)),
                ));
            }
            // This rule is known only for SWI-Prolog.
            LeafKind::Atom | LeafKind::Variable if flags.syntax.dicts => {
                let written = leaf.text(text);
                // The first character may be a name by itself.
                if !written.is_ascii()
                    && let Some((at, c)) = written
                        .char_indices()
                        .skip(1)
                        .find(|&(_, c)| digits::ends_name(c))
                {
                    return Some(Failure {
                        message: format!(
                            "operator expected before `{c}`, which is no part of a name"
                        ),
                        start: leaf.start() + at,
                        end: leaf.start() + at + c.len_utf8(),
                    });
                }
            }
            LeafKind::Illegal => return Some(failure(leaf, "illegal character")),
            LeafKind::Misplaced => {
                let message = "`#!` begins a comment only where the text begins with it";
                return Some(failure(leaf, message));
            }
            LeafKind::NoEnd => return Some(failure(leaf, "the clause has no end: `.` expected")),
            _ => {}
        }
    }
    None
}

/// An operand, with the priority of its operator.
struct Operand {
    term: TermId,
    priority: u16,
}

/// An operator whose right operand has not been read yet.
struct Waiting {
    name: SmolStr,
    position: Position,
    priority: u16,
    left: u16,
    right: u16,
    start: usize,
    end: usize,
}

enum FrameKind {
    /// The whole clause.
    Clause,
    Paren,
    Curly,
    /// `name(`…; the arguments read so far are in `parts`.
    Arguments(SmolStr),
    /// A list; the elements read so far are in `parts`.
    List,
    /// The tail of a list, after the bar.
    Tail,
    /// `tag{`…; the tag, keys and values read so far are in `parts`.
    Dict,
}

struct Frame {
    kind: FrameKind,
    /// The position of the frame's start in the file.
    start: usize,
    /// The size of each stack when the frame was opened.
    out: usize,
    side: usize,
    parts: usize,
    /// True if the left operand is complete, so that an infix operator or the end is expected.
    complete: bool,
}

struct Pass<'a> {
    text: &'a str,
    leaves: &'a [Leaf],
    base: usize,
    operators: &'a Operators,
    flags: &'a Flags,
    at: usize,
    terms: Terms,
    spans: Spans,
    variables: FxHashMap<&'a str, u32>,
    out: Vec<Operand>,
    side: Vec<Waiting>,
    parts: Vec<TermId>,
    frames: Vec<Frame>,
}

/// A token that represents an atom: an atom, symbols, `[]`, `{}`.
struct WrittenName {
    text: SmolStr,
    start: usize,
    end: usize,
    /// The number of its leaves.
    leaves: usize,
    quoted: bool,
}

impl Pass<'_> {
    fn run(&mut self) -> Result<TermId, Failure> {
        self.open(FrameKind::Clause, self.base);
        loop {
            let Some(&leaf) = self.leaves.get(self.at) else {
                let missing = Leaf::new(LeafKind::NoEnd, 0, 0);
                let last = self.leaves.last().copied().unwrap_or(missing);
                return Err(failure(&last, "the clause has no end: `.` expected"));
            };
            if self.ends_term(leaf) {
                let value = self.finish_term(leaf)?;
                self.at += 1;
                if let Some(root) = self.continue_frame(value, leaf)? {
                    return Ok(root);
                }
                continue;
            }
            self.item(leaf)?;
        }
    }

    fn bases(&self) -> (usize, usize) {
        self.frames.last().map_or((0, 0), |f| (f.out, f.side))
    }

    fn complete(&self) -> bool {
        self.frames.last().is_some_and(|f| f.complete)
    }

    fn set_complete(&mut self, complete: bool) {
        if let Some(frame) = self.frames.last_mut() {
            frame.complete = complete;
        }
    }

    fn operand(&mut self, term: TermId) {
        self.out.push(Operand { term, priority: 0 });
        self.set_complete(true);
    }

    fn next_is(&self, kind: LeafKind) -> Option<Leaf> {
        self.leaves.get(self.at).filter(|l| l.kind == kind).copied()
    }

    fn place(&mut self, id: TermId, start: usize, end: usize) {
        let range = relative(self.base, start, end);
        if let Some(slot) = self.spans.ranges.get_mut(id.index()) {
            *slot = range;
        } else {
            // Every node receives its span when it is created, so this is the span of the next node.
            self.spans.ranges.push(range);
        }
    }

    fn operator_expected(&self, leaf: Leaf) -> Failure {
        let text = leaf.text(self.text);
        let shown: String = text.chars().take(30).collect();
        match leaf.kind {
            LeafKind::Atom | LeafKind::Symbol => failure(
                &leaf,
                format!("operator expected: `{shown}` is no operator here"),
            ),
            _ => failure(&leaf, format!("operator expected before `{shown}`")),
        }
    }
}
