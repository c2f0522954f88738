//! Operators: decides how a name is read, and when the term of a waiting operator is built.

use super::{Operand, Pass, Waiting, WrittenName};
use crate::operators::Position;
use crate::term::TermId;

impl Pass<'_> {
    /// Reads a name as an operator if it can be an operator in this position. Returns whether it did.
    pub(super) fn operator(&mut self, name: &WrittenName) -> bool {
        if !self.operators.has(&name.text) {
            return false;
        }
        if !self.complete()
            && self
                .waiting(name, Position::Prefix)
                .is_some_and(|op| self.push(op))
        {
            return true;
        }
        self.operator_between(name)
    }

    /// Reads a name as an infix or postfix operator if it is such an operator and has an operand on its left.
    pub(super) fn operator_between(&mut self, name: &WrittenName) -> bool {
        for position in [Position::Infix, Position::Postfix] {
            if let Some(op) = self.waiting(name, position) {
                self.settle(op.left);
                if self.complete() {
                    // Clashes are not reported here: any operator that cannot be reduced now is detected at the end of the term.
                    self.reduce(op.left);
                    self.set_complete(position == Position::Postfix);
                    return self.push(op);
                }
            }
        }
        false
    }

    fn waiting(&self, name: &WrittenName, position: Position) -> Option<Waiting> {
        let (priority, kind) = self.operators.get(&name.text, position)?;
        let (left, right) = kind.operand_priorities(priority);
        Some(Waiting {
            name: name.text.clone(),
            position,
            priority,
            left,
            right,
            start: name.start,
            end: name.end,
        })
    }

    fn push(&mut self, op: Waiting) -> bool {
        self.side.push(op);
        true
    }

    /// Resolves waiting operators when an operand is still expected: a prefix operator that cannot take an operand of this priority becomes
    /// an atom, and an infix operator that can also be a postfix operator becomes a postfix operator.
    pub(super) fn settle(&mut self, priority: u16) {
        let (out_base, side_base) = self.bases();
        if self.complete() || self.side.len() == side_base {
            return;
        }
        let Some(op) = self.side.last_mut().filter(|op| priority > op.right) else {
            return;
        };
        match op.position {
            Position::Prefix => {
                if let Some(op) = self.side.pop() {
                    let id = self.terms.atom(op.name);
                    self.place(id, op.start, op.end);
                    self.operand(id);
                }
            }
            Position::Infix if self.out.len() > out_base => {
                if let Some((priority, kind)) = self.operators.get(&op.name, Position::Postfix) {
                    op.position = Position::Postfix;
                    op.priority = priority;
                    (op.left, op.right) = kind.operand_priorities(priority);
                    self.build();
                    self.set_complete(true);
                }
            }
            _ => {}
        }
    }

    /// Builds the terms of waiting operators that bind at least as tightly as `priority`. Stops at an operator whose operands do not fit,
    /// and returns its index in `side`.
    pub(super) fn reduce(&mut self, priority: u16) -> Option<usize> {
        let (out_base, side_base) = self.bases();
        while self.side.len() > side_base {
            let op = self.side.last()?;
            if op.priority > priority {
                return None;
            }
            let operands = &self.out[out_base..];
            let fits = match (op.position, operands) {
                (Position::Prefix, [.., a]) => op.right >= a.priority,
                (Position::Postfix, [.., a]) => op.left >= a.priority,
                (Position::Infix, [.., a, b]) => op.left >= a.priority && op.right >= b.priority,
                _ => return None,
            };
            if !fits {
                return Some(self.side.len() - 1);
            }
            self.build();
        }
        None
    }

    /// Builds a term from the last waiting operator and its operands.
    fn build(&mut self) {
        let Some(op) = self.side.pop() else { return };
        let arity = if op.position == Position::Infix { 2 } else { 1 };
        let first = self.out.len().saturating_sub(arity);
        let arguments: Vec<TermId> = self.out.drain(first..).map(|o| o.term).collect();
        let (mut start, mut end) = (op.start, op.end);
        for &argument in &arguments {
            let (s, e) = self.spans.range(argument);
            start = start.min(self.base + s);
            end = end.max(self.base + e);
        }
        let id = self.terms.compound(op.name, &arguments);
        self.place(id, start, end);
        self.out.push(Operand {
            term: id,
            priority: op.priority,
        });
    }
}
