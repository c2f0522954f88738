//! Counts of the instructions of the PPDP'08 machine (§2, §4.2): all clauses are tried in order, and a clause that does not match costs the
//! head's instructions up to the one that fails (δ of the clauses after it).

use costlens_body::{Goal, conjuncts};
use costlens_catalog::{counts_nothing, is_fixed, meta_arguments};
use costlens_compile::ppdp08::{self, ChainPosition, Code, Key, Operation, Unsupported};
use costlens_events::ppdp08::Instruction;
use costlens_events::{Counts, Event, Vocabulary};
use costlens_program::Clause;
use costlens_program::language::split;

use super::Runner;
use super::point::{ClauseScope, Pending, Point, Spot};
use crate::builtins;
use crate::report::Functor;
use crate::world::questions::Truth;

impl Runner<'_> {
    /// Returns the code of a clause if its instructions are counted. A clause without code is an obstacle: its counts are unknown.
    pub(super) fn code(
        &self,
        clause: &Clause,
        position: ChainPosition,
    ) -> Option<Result<Code, Unsupported>> {
        if self.counting != Some(Vocabulary::Ppdp08) {
            return None;
        }
        let terms = &*clause.terms;
        let goals = clause
            .body
            .map_or(Vec::new(), |body| conjuncts(terms, body));
        // The cut may be written `m:!`, which is a called goal.
        let cut = goals.iter().find(|&&g| Goal::of(terms, g) == Goal::Cut);
        if cut.is_some() && self.program.is_rewritten(&self.nodes[self.node].name) {
            return Some(Err(Unsupported {
                what: "goals as arguments",
                goal: cut.copied(),
            }));
        }
        let callee = |name: &str, arity: usize| {
            let predicate = Functor::new(name, arity);
            if self.is_own_control(name, arity) {
                ppdp08::Callee::Unknown
            } else if counts_nothing(name, arity) {
                ppdp08::Callee::BuiltIn
            } else if is_made(name)
                || split(&predicate).is_some()
                || !meta_arguments(name, arity).is_empty()
            {
                // A module-qualified goal is a called term.
                ppdp08::Callee::Meta
            } else if is_fixed(name, arity) || builtins::is_shipped(name, arity) {
                // Some built-ins can be redefined.
                if is_fixed(name, arity) || !self.program.may_redefine(&predicate) {
                    ppdp08::Callee::BuiltIn
                } else if self.program.is_defined(&predicate) {
                    ppdp08::Callee::Program
                } else {
                    ppdp08::Callee::Unknown
                }
            } else if self.program.is_defined(&predicate) {
                ppdp08::Callee::Program
            } else {
                // The callee is dynamic or undefined, so the analysis cannot tell whether the instruction is a call or an execute.
                ppdp08::Callee::Unknown
            }
        };
        Some(if is_made(&self.nodes[self.node].name.name) {
            Err(Unsupported {
                what: "goals as arguments",
                goal: None,
            })
        } else {
            ppdp08::compile(terms, clause.head, &goals, position, &callee)
        })
    }

    /// Enters a clause: its choice point, its environment, and the head up to the argument that fails. Returns false if an argument fails.
    pub(super) fn enter(&self, point: &mut Point, code: &Code, truths: &[Truth]) -> bool {
        self.operations(point, &code.entry);
        for (part, &truth) in code.arguments.iter().zip(truths) {
            self.operations(point, &part.before);
            match &part.last {
                Some(last) => self.outcome(point, last, truth),
                None => self.note(point, truth),
            }
            if truth == Truth::False {
                return false;
            }
        }
        self.operations(point, &code.neck);
        true
    }

    /// Pushes the goals of an alternative of a control construct before the remaining goals (in reverse order), with the code before and
    /// after them. The code of a `then` branch starts when the condition has succeeded; the code of any other alternative starts when the
    /// alternative is selected.
    pub(super) fn alternative<const N: usize>(
        &self,
        scope: &ClauseScope<'_>,
        mut rest: Vec<Pending>,
        key: Key,
        goals: [Pending; N],
    ) -> Vec<Pending> {
        if scope.code.is_none() {
            rest.extend(goals);
            return rest;
        }
        let begin = match key {
            Key::Condition(_) => Spot::Taken(key),
            Key::Left(_) | Key::Otherwise(_) => Spot::Entry(key),
        };
        rest.push(Pending::Code(Spot::End(key)));
        rest.extend(goals);
        rest.push(Pending::Code(begin));
        rest
    }

    /// Counts the code at a position of an alternative.
    pub(super) fn at_spot(&self, scope: &ClauseScope<'_>, point: &mut Point, spot: Spot) {
        let Some(code) = &scope.code else { return };
        let (Spot::Entry(key) | Spot::Taken(key) | Spot::End(key)) = spot;
        if let Some(alternative) = code.alternatives.get(&key) {
            let operations = match spot {
                Spot::Entry(_) => &alternative.entry,
                Spot::Taken(_) => &alternative.taken,
                Spot::End(_) => &alternative.end,
            };
            self.operations(point, operations);
        }
    }

    pub(super) fn operations(&self, point: &mut Point, operations: &[Operation]) {
        self.count(point, || {
            let mut counts = Counts::default();
            for operation in operations {
                counts.add(happened(operation, false), 1);
            }
            counts
        });
    }

    /// Counts an instruction that may fail.
    pub(super) fn outcome(&self, point: &mut Point, operation: &Operation, truth: Truth) {
        match truth {
            Truth::True => {}
            Truth::False => {
                self.count(point, || Counts::once(happened(operation, true)));
                return;
            }
            Truth::Maybe => {
                self.count(point, || {
                    let mut counts = Counts::default();
                    counts.add_between(happened(operation, true), 0, 1);
                    counts
                });
                self.note(point, truth);
            }
        }
        self.count(point, || Counts::once(happened(operation, false)));
    }
}

fn happened(operation: &Operation, failed: bool) -> Event {
    // A `fail` instruction is complete when it fails.
    let failed = failed && operation.instruction != Instruction::Fail;
    Event::Ppdp08(operation.instruction.clone(), failed)
}

/// Returns whether specialisation generated the predicate with this name, which therefore has no source clauses.
pub(super) fn is_made(name: &str) -> bool {
    name.ends_with(')')
}
