//! Counts of the instructions of the PPDP'08 machine (§2, §4.2): all clauses are tried in order, and a clause that does not match costs the
//! head's instructions up to the one that fails (δ of the clauses after it).

use costlens_body::{Goal, conjuncts};
use costlens_catalog::{counts_nothing, is_fixed, meta_arguments};
use costlens_compile::ppdp08::{self, AlternativeKey, ChainPosition, Code, Operation, Unsupported};
use costlens_events::ppdp08::Instruction;
use costlens_events::{Counts, Event};
use costlens_program::Clause;
use costlens_program::language::split;
use costlens_syntax::term::TermId;

use super::Runner;
use super::point::model::{CostModel, Head, Literal, uncompiled};
use super::point::{BodyPart, ClauseScope, PendingGoal, Point, Spot};
use crate::builtins;
use crate::report::Functor;
use crate::world::questions::{Split, Truth};

/// The model of a clause whose instructions are counted: its code, or the reason why it has none, so that its counts are unknown.
pub(super) struct Ppdp08Clause(Result<Code, Unsupported>);

impl Ppdp08Clause {
    pub(super) fn new(runner: &Runner<'_>, clause: &Clause, position: ChainPosition) -> Self {
        Ppdp08Clause(runner.code(clause, position))
    }
}

impl Runner<'_> {
    /// Compiles a clause.
    fn code(&self, clause: &Clause, position: ChainPosition) -> Result<Code, Unsupported> {
        let terms = &*clause.terms;
        let goals = clause
            .body
            .map_or(Vec::new(), |body| conjuncts(terms, body));
        // The cut may be written `m:!`, which is a called goal.
        let cut = goals.iter().find(|&&g| Goal::lower(terms, g) == Goal::Cut);
        if cut.is_some() && self.program.is_rewritten(&self.nodes[self.node].name) {
            return Err(Unsupported {
                what: "goals as arguments",
                goal: cut.copied(),
            });
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
        if is_made(&self.nodes[self.node].name.name) {
            return Err(Unsupported {
                what: "goals as arguments",
                goal: None,
            });
        }
        ppdp08::compile(terms, clause.head, &goals, position, &callee)
    }
}

impl CostModel for Ppdp08Clause {
    fn follows_code(&self) -> bool {
        self.0.is_ok()
    }

    /// Counts the clause's choice point, its environment, and the head up to the argument that fails.
    fn head(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        truths: &[Truth],
    ) -> Result<Head, Split> {
        let code = match &self.0 {
            Ok(code) => code,
            Err(unsupported) => {
                let reason = unsupported.to_string();
                (scope.runner).obstacle(scope, point, unsupported.goal, reason, "");
                return Ok(uncompiled(point, truths));
            }
        };
        run(point, &code.entry);
        for (part, &truth) in code.arguments.iter().zip(truths) {
            run(point, &part.before);
            match &part.last {
                Some(last) => run_last(point, last, truth),
                None => point.note(truth),
            }
            if truth == Truth::False {
                return Ok(Head::Fails);
            }
        }
        run(point, &code.neck);
        Ok(Head::Unifies)
    }

    fn begins(&self, scope: &ClauseScope<'_>, point: &mut Point, literal: Literal) {
        let Literal { goal, text } = literal;
        scope.runner.note_integers(point, scope.terms, goal);
        let Ok(code) = &self.0 else { return };
        let Some(part) = code.goals.get(&text) else {
            return;
        };
        run(point, &part.before);
        let called = |o: &Operation| o.instruction == Instruction::Call;
        if !code.controls.contains(&text) && part.before.last().is_some_and(called) {
            point.count(scope.runner.built_in(scope.terms, goal));
        }
    }

    fn begins_control(&self, scope: &ClauseScope<'_>, point: &mut Point, literal: Literal) {
        self.begins(scope, point, literal);
    }

    fn ends(&self, _: &ClauseScope<'_>, point: &mut Point, text: TermId, truth: Truth) {
        let part = self.0.as_ref().ok().and_then(|code| code.goals.get(&text));
        match part.and_then(|part| part.last.as_ref()) {
            Some(last) => run_last(point, last, truth),
            None => point.note(truth),
        }
    }

    fn condition(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        condition: TermId,
        _is_negated: bool,
    ) {
        self.reaches(
            scope,
            point,
            Spot::Entry(AlternativeKey::Condition(condition)),
        );
    }

    /// Adds the code before and after the goal. The code of a `then` branch starts when the condition has succeeded; the code of any other
    /// alternative starts when the alternative is selected.
    fn alternative(
        &self,
        mut rest: Vec<PendingGoal>,
        key: AlternativeKey,
        goal: Option<PendingGoal>,
    ) -> Vec<PendingGoal> {
        if self.0.is_err() {
            rest.extend(goal);
            return rest;
        }
        let begin = match key {
            AlternativeKey::Condition(_) => Spot::Taken(key),
            AlternativeKey::Left(_) | AlternativeKey::Otherwise(_) => Spot::Entry(key),
        };
        rest.push(PendingGoal::Code(Spot::End(key)));
        rest.extend(goal);
        rest.push(PendingGoal::Code(begin));
        rest
    }

    fn reaches(&self, _: &ClauseScope<'_>, point: &mut Point, spot: Spot) {
        let Ok(code) = &self.0 else { return };
        let of = |key: AlternativeKey| code.alternatives.get(&key);
        let operations = match spot {
            Spot::Entry(key) => of(key).map(|alternative| &alternative.entry),
            Spot::Taken(key) => of(key).map(|alternative| &alternative.taken),
            Spot::End(key) => of(key).map(|alternative| &alternative.end),
            Spot::Collected(_) => None,
        };
        if let Some(operations) = operations {
            run(point, operations);
        }
    }

    fn leaves(&self, _: &ClauseScope<'_>, point: &mut Point, part: BodyPart<'_>) {
        if let (Some(_), Ok(code)) = (part.head, &self.0) {
            run(point, &code.end);
        }
    }
}

/// Counts instructions that do not fail.
fn run(point: &mut Point, operations: &[Operation]) {
    let mut counts = Counts::default();
    for operation in operations {
        counts.add(success(operation), 1);
    }
    point.count(counts);
}

/// Counts an instruction that may fail.
fn run_last(point: &mut Point, operation: &Operation, truth: Truth) {
    match truth {
        Truth::True => {}
        Truth::False => {
            point.count(Counts::once(failure(operation)));
            return;
        }
        Truth::Maybe => {
            let mut counts = Counts::default();
            counts.add_between(failure(operation), 0, 1);
            point.count(counts);
            point.note(truth);
        }
    }
    point.count(Counts::once(success(operation)));
}

fn success(operation: &Operation) -> Event {
    Event::Ppdp08(operation.instruction.clone(), false)
}

fn failure(operation: &Operation) -> Event {
    // A `fail` instruction is complete when it fails.
    let failed = operation.instruction != Instruction::Fail;
    Event::Ppdp08(operation.instruction.clone(), failed)
}

/// Returns whether specialisation generated the predicate with this name, which therefore has no source clauses.
pub(super) fn is_made(name: &str) -> bool {
    name.ends_with(')')
}
