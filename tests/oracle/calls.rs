//! Calls of the counting interpreter: the clauses that a goal enters, and the counting on the way.

use std::rc::Rc;

use costlens_compile::ppdp08::{Code, Operation};

use crate::heap::{Cell, Ref};
use crate::instructions;
use crate::machine::{ChoiceKind, FrameId, FrameKind, Machine, Next, Stop};
use crate::program::Clause;

impl Machine {
    pub(crate) fn call(&mut self, goal: Ref, cut: usize, next: FrameId) -> Result<Next, Stop> {
        self.heap.work = self.heap.work.checked_sub(1).ok_or(Stop::Limit)?;
        let goal = self.heap.deref(goal);
        let Some((name, start, arity)) = self.heap.callable(goal) else {
            return Err(self.not_callable(goal));
        };
        let arguments: Vec<Ref> = (start..start + arity).collect();
        if let Some(next) = self.control(&name, &arguments, cut, next)? {
            return Ok(next);
        }
        let key = (name, arity);
        if let Some(why) = self.program.unsupported.get(&key) {
            return Err(Stop::Unsupported(why.clone()));
        }
        if let Some(clauses) = self.program.predicates.get(&key).map(Rc::clone) {
            return self.clauses(goal, &clauses, 0, next);
        }
        if self.program.dynamic.contains(&key) {
            return Ok(Next::Fail);
        }
        if let Some(next) = self.nondeterminate(&key.0, &arguments, next)? {
            return Ok(next);
        }
        match self.builtin(&key.0, &arguments) {
            Some(Ok(true)) => return Ok(Next::Frame(next)),
            Some(Ok(false)) => return Ok(Next::Fail),
            Some(Err(stop)) => return Err(stop),
            None => {}
        }
        match self.library_helper(&key.0, &arguments) {
            Some(Ok(true)) => return Ok(Next::Frame(next)),
            Some(Ok(false)) => return Ok(Next::Fail),
            Some(Err(stop)) => return Err(stop),
            None => {}
        }
        if let Some(clauses) = self.library.predicates.get(&key).map(Rc::clone) {
            return self.clauses(goal, &clauses, 0, next);
        }
        // SWI-Prolog has it, but it is not modelled: the run is abandoned.
        if costlens_catalog::find(&key.0, key.1).is_some() {
            return Err(Stop::Unsupported(format!("{}/{}", key.0, key.1)));
        }
        Err(self.unknown_procedure(&key))
    }

    /// Tries the clauses of a goal, starting from an index.
    pub(crate) fn clauses(
        &mut self,
        goal: Ref,
        clauses: &Rc<Vec<Rc<Clause>>>,
        from: usize,
        next: FrameId,
    ) -> Result<Next, Stop> {
        let goal = self.heap.deref(goal);
        let mut at = from;
        while let Some(clause) = clauses.get(at) {
            at += 1;
            let is_counted = self.counter.is_some();
            if !is_counted && !self.may_match(goal, clause) {
                continue;
            }
            let code = self.code(clause, at - 1, clauses.len())?;
            let height = self.choices.len();
            let (trail, cells) = (self.heap.trail.len(), self.heap.cells.len());
            let mut bindings = vec![None; clause.terms.variables() as usize];
            // The choice point is created first, so that an exception of a leading test undoes the bindings of unification.
            let others = &clauses[at..];
            if clause.is_single_sided
                || others.iter().any(|c| is_counted || self.may_match(goal, c))
            {
                self.choice(ChoiceKind::Clauses(goal, Rc::clone(clauses), at), next);
            }
            if clause.is_single_sided && is_counted {
                return Err(Stop::Unsupported("instructions of `=>`".to_owned()));
            }
            if self.enters(goal, clause, code.as_deref(), &mut bindings)? {
                self.enter()?;
                let mut continuation = next;
                if let Some(code) = &code {
                    let end = Rc::new((code.end.clone(), None));
                    continuation = self.frame(FrameKind::Instructions(end), continuation);
                }
                let mut goals = Vec::with_capacity(clause.goals.len());
                for &goal in &clause.goals {
                    goals.push(self.heap.instantiate(&clause.terms, goal, &mut bindings)?);
                }
                for (goal, &written) in goals.into_iter().zip(&clause.goals).rev() {
                    continuation = self.frame(FrameKind::Goal(goal, height), continuation);
                    if let Some(code) = &code {
                        let part = Rc::new(instructions::part(code, written));
                        continuation = self.frame(FrameKind::Instructions(part), continuation);
                    }
                }
                return Ok(Next::Frame(continuation));
            }
            self.choices.truncate(height);
            self.heap.undo(trail, cells);
        }
        if clauses.iter().any(|c| c.is_single_sided) {
            return Err(self.no_matching_rule(goal));
        }
        Ok(Next::Fail)
    }

    /// Returns the code of a clause, if instructions are counted.
    fn code(
        &mut self,
        clause: &Rc<Clause>,
        index: usize,
        count: usize,
    ) -> Result<Option<Rc<Code>>, Stop> {
        let Some(counter) = &mut self.counter else {
            return Ok(None);
        };
        let programs = [&*self.program, &*self.library];
        counter.code(programs, clause, (index, count)).map(Some)
    }

    /// Counts the end of an instruction that may fail.
    fn instruction_ended(&mut self, last: Option<&Operation>, succeeded: bool) {
        if let (Some(counter), Some(last)) = (&mut self.counter, last) {
            counter.ended(last, succeeded);
        }
    }

    fn instructions(&mut self, operations: &[Operation]) {
        if let Some(counter) = &mut self.counter {
            counter.count(operations);
        }
    }

    /// Counts a step.
    pub(crate) fn enter(&mut self) -> Result<(), Stop> {
        self.steps += 1;
        if self.steps > self.limits.steps {
            return Err(Stop::Limit);
        }
        Ok(())
    }

    /// Unifies a clause head with the goal and runs the leading tests.
    fn enters(
        &mut self,
        goal: Ref,
        clause: &Clause,
        code: Option<&Code>,
        bindings: &mut [Option<Ref>],
    ) -> Result<bool, Stop> {
        let (trail, older) = (self.heap.trail.len(), self.heap.cells.len());
        if let Some(code) = code {
            self.instructions(&code.entry);
        }
        if let Cell::Compound(_, start, _) = self.heap.cells[goal] {
            for (i, &argument) in clause.terms.args(clause.head).iter().enumerate() {
                let part = code.map(|c| &c.arguments[i]);
                if let Some(part) = part {
                    self.instructions(&part.before);
                }
                let unified =
                    (self.heap).unify_head(&clause.terms, argument, start + i, bindings)?;
                self.instruction_ended(part.and_then(|p| p.last.as_ref()), unified);
                if !unified {
                    return Ok(false);
                }
            }
        }
        if let Some(code) = code {
            self.instructions(&code.neck);
        }
        if clause.is_single_sided && self.heap.trail[trail..].iter().any(|&bound| bound < older) {
            return Ok(false);
        }
        for &written in &clause.tests {
            let part = code.and_then(|c| c.goals.get(&written));
            if let Some(part) = part {
                self.instructions(&part.before);
            }
            let test = self.heap.instantiate(&clause.terms, written, bindings)?;
            let Some((name, start, arity)) = self.heap.callable(test) else {
                return Ok(false);
            };
            let arguments: Vec<Ref> = (start..start + arity).collect();
            match self.builtin(&name, &arguments) {
                Some(Ok(holds)) => {
                    self.instruction_ended(part.and_then(|p| p.last.as_ref()), holds);
                    if !holds {
                        return Ok(false);
                    }
                }
                Some(Err(stop)) => return Err(stop),
                None => return Err(Stop::Unsupported(format!("{name}/{arity}"))),
            }
        }
        Ok(true)
    }

    /// Checks the principal functors quickly: returns `false` if head and goal cannot unify.
    fn may_match(&self, goal: Ref, clause: &Clause) -> bool {
        use costlens_syntax::term::Term;
        let Cell::Compound(_, start, _) = self.heap.cells[goal] else {
            return true;
        };
        clause
            .terms
            .args(clause.head)
            .iter()
            .enumerate()
            .all(
                |(i, &argument)| match (clause.terms.get(argument), self.heap.value(start + i)) {
                    (Term::Var(_), _) | (_, Cell::Var(_)) => true,
                    (Term::Atom(n), Cell::Atom(m)) => n == m,
                    (Term::Integer(n), Cell::Int(m)) => n.to_big() == *m,
                    (Term::Compound(n, _), Cell::Compound(m, _, k)) => {
                        n == m && clause.terms.args(argument).len() == *k
                    }
                    (Term::Float(_), Cell::Float(_)) | (Term::String(_), Cell::Str(_)) => true,
                    _ => false,
                },
            )
    }
}
