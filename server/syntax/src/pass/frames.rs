//! Brackets: the end of the term inside a bracket, and its use.

use super::{ANY_PRIORITY, Failure, Frame, FrameKind, Pass, failure, missing_operand};
use crate::leaves::{Bracket, Leaf, LeafKind};
use crate::term::{CONS, NIL, TermId};

impl Pass<'_> {
    pub(super) fn open(&mut self, kind: FrameKind, start: usize) {
        self.frames.push(Frame {
            kind,
            start,
            out: self.out.len(),
            side: self.side.len(),
            parts: self.parts.len(),
            complete: false,
        });
    }

    /// Returns whether the term in the innermost bracket ends before this leaf.
    pub(super) fn ends_term(&self, leaf: Leaf) -> bool {
        let Some(frame) = self.frames.last() else {
            return true;
        };
        // Nothing has been read yet, so a token that would end the term is an error, or a separate item.
        if self.out.len() == frame.out && self.side.len() == frame.side {
            return false;
        }
        use LeafKind::{Bar, Close, Comma, End};
        match frame.kind {
            FrameKind::Clause => leaf.kind == End,
            FrameKind::Paren => leaf.kind == Close(Bracket::Paren),
            FrameKind::Curly => leaf.kind == Close(Bracket::Curly),
            FrameKind::Arguments(_) => matches!(leaf.kind, Comma | Close(Bracket::Paren)),
            FrameKind::List | FrameKind::Tail => {
                leaf.kind == Bar && leaf.end() - leaf.start() == 1
                    || matches!(leaf.kind, Comma | Close(Bracket::List))
            }
            FrameKind::Dict => matches!(leaf.kind, Comma | Close(Bracket::Curly)),
        }
    }

    /// Reduces all waiting operators in the innermost bracket. Returns the single remaining term.
    pub(super) fn finish_term(&mut self, leaf: Leaf) -> Result<TermId, Failure> {
        self.settle(ANY_PRIORITY);
        let (out_base, side_base) = self.bases();
        let (operands, waiting) = (self.out.len() - out_base, self.side.len() - side_base);
        if let Some(op) = self
            .side
            .last()
            .filter(|_| !self.complete() && waiting > 0 && (operands, waiting) != (0, 1))
        {
            return Err(missing_operand(op));
        }
        if let Some(clash) = self.reduce(ANY_PRIORITY) {
            let op = &self.side[clash];
            return Err(Failure {
                message: format!(
                    "operator priority clash: the operands of `{}` need parentheses",
                    op.name
                ),
                start: op.start,
                end: op.end,
            });
        }
        match (self.out.len() - out_base, self.side.len() - side_base) {
            (1, 0) => {}
            (0, 1) => {
                if let Some(op) = self.side.pop() {
                    let id = self.terms.atom(op.name);
                    self.place(id, op.start, op.end);
                    self.operand(id);
                }
            }
            _ => {
                return Err(self
                    .side
                    .last()
                    .map_or_else(|| failure(&leaf, "unbalanced operators"), missing_operand));
            }
        }
        self.set_complete(false);
        self.out
            .pop()
            .map(|o| o.term)
            .ok_or_else(|| failure(&leaf, "an operand is missing"))
    }

    /// Adds a complete term to its bracket. The token `leaf` after the term has already been consumed. Returns the root if the term was the
    /// whole clause.
    pub(super) fn continue_frame(
        &mut self,
        value: TermId,
        leaf: Leaf,
    ) -> Result<Option<TermId>, Failure> {
        let Some(frame) = self.frames.last_mut() else {
            return Ok(Some(value));
        };
        let closed = matches!(leaf.kind, LeafKind::Close(_));
        match frame.kind {
            FrameKind::Clause => return Ok(Some(value)),
            FrameKind::Paren => {
                self.frames.pop();
                self.operand(value);
            }
            FrameKind::Curly => {
                let start = frame.start;
                self.frames.pop();
                let id = self.terms.compound("{}", &[value]);
                self.place(id, start, leaf.end());
                self.operand(id);
            }
            FrameKind::Arguments(_) => {
                self.parts.push(value);
                if closed {
                    self.close_arguments(leaf);
                }
            }
            FrameKind::List => {
                self.parts.push(value);
                if leaf.kind == LeafKind::Bar {
                    frame.kind = FrameKind::Tail;
                } else if closed {
                    self.close_list(None, leaf);
                }
            }
            FrameKind::Tail if closed => self.close_list(Some(value), leaf),
            FrameKind::Tail => {
                return Err(failure(&leaf, "`]` expected behind the tail of a list"));
            }
            FrameKind::Dict => {
                self.parts.push(value);
                if closed {
                    self.close_dict(leaf)?
                } else {
                    self.dict_key()?
                }
            }
        }
        Ok(None)
    }

    fn close_arguments(&mut self, close: Leaf) {
        let Some(frame) = self.frames.pop() else {
            return;
        };
        if let FrameKind::Arguments(name) = frame.kind {
            let id = self.terms.compound(name, &self.parts[frame.parts..]);
            self.parts.truncate(frame.parts);
            self.place(id, frame.start, close.end());
            self.operand(id);
        }
    }

    pub(super) fn no_arguments(&mut self, close: Leaf) -> Result<(), Failure> {
        if !self.flags.syntax.empty_arguments {
            return Err(failure(&close, "an argument is missing"));
        }
        self.at += 1;
        self.close_arguments(close);
        Ok(())
    }

    fn close_list(&mut self, tail: Option<TermId>, close: Leaf) {
        let Some(frame) = self.frames.pop() else {
            return;
        };
        let id = self.list(frame.parts, tail, frame.start, close.end());
        self.operand(id);
    }

    /// Builds the list from the parts whose index is at least `first`.
    pub(super) fn list(
        &mut self,
        first: usize,
        tail: Option<TermId>,
        start: usize,
        end: usize,
    ) -> TermId {
        let mut list = tail.unwrap_or_else(|| {
            let nil = self.terms.atom(NIL);
            self.place(nil, end.saturating_sub(1).max(start), end);
            nil
        });
        while self.parts.len() > first {
            let Some(element) = self.parts.pop() else {
                break;
            };
            let cell_start = if self.parts.len() == first {
                start
            } else {
                self.base + self.spans.range(element).0
            };
            list = self.terms.compound(CONS, &[element, list]);
            self.place(list, cell_start, end);
        }
        list
    }
}
