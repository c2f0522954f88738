//! Built-ins that may have several solutions: `between/3`, `length/2`, `clause/2`, the `findall/3` family, and `retract/1`.

use std::rc::Rc;

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use crate::heap::{Cell, Record, Ref};
use crate::machine::{Aggregate, ChoiceKind, FrameId, FrameKind, Machine, Next, Stop};
use crate::program::Clause;

impl Machine {
    /// Runs built-ins with several solutions.
    pub(crate) fn nondeterminate(
        &mut self,
        name: &str,
        arguments: &[Ref],
        next: FrameId,
    ) -> Result<Option<Next>, Stop> {
        Ok(Some(match (name, arguments) {
            ("repeat", []) => {
                self.choice(ChoiceKind::Repeat, next);
                Next::Frame(next)
            }
            ("between", &[low, high, out]) => {
                let low = self.integer(low)?;
                let high = if self.heap.is_atom(high, "inf") || self.heap.is_atom(high, "infinite")
                {
                    None
                } else {
                    Some(self.integer(high)?)
                };
                if self.heap.is_unbound(out) {
                    if high.as_ref().is_some_and(|h| low > *h) {
                        return Ok(Some(Next::Fail));
                    }
                    self.choice(ChoiceKind::Between(low, high, out), next);
                    return Ok(Some(Next::Fail));
                }
                let out = self.integer(out)?;
                if low <= out && high.is_none_or(|h| out <= h) {
                    Next::Frame(next)
                } else {
                    Next::Fail
                }
            }
            ("length", &[list, length]) => self.length(list, length, next)?,
            ("arg", &[index, term, out]) if self.heap.is_unbound(index) => {
                let Cell::Compound(_, start, arity) = self.heap.value(term).clone() else {
                    return Err(self.type_error("compound", term));
                };
                let target = self.heap.compound("-", &[index, out]);
                let mut pairs = Vec::new();
                for i in 0..arity {
                    // Bindings of the argument's own variables would be lost in a copy.
                    if !self.heap.is_ground(start + i)? {
                        return Err(Stop::Unsupported("arg/3 over a term with variables".into()));
                    }
                    let number = self.heap.int(i + 1);
                    let pair = self.heap.compound("-", &[number, start + i]);
                    pairs.push(self.heap.record(pair)?);
                }
                self.choice(ChoiceKind::Terms(target, Rc::new(pairs), 0), next);
                Next::Fail
            }
            ("clause", &[head, body]) => {
                let pairs = self.clause_terms(head)?;
                let target = self.heap.compound(":-", &[head, body]);
                self.choice(ChoiceKind::Terms(target, Rc::new(pairs), 0), next);
                Next::Fail
            }
            ("aggregate_all", &[what, goal, out]) => {
                let (template, mut aggregate) = self.aggregate_of(what)?;
                let mut out = out;
                // Its own clause, and for `count` that of `sum(1)`; for lists those that examine the template and the goal.
                let (goal, entries) = match aggregate {
                    // The clause for witnesses has `max(_, _)` in its head; otherwise all solutions are collected for nothing.
                    Aggregate::MaxWitness | Aggregate::MinWitness
                        if !self.heap.is_unbound(out) && !self.is_witness(out, aggregate) =>
                    {
                        (aggregate, out) = (Aggregate::Set, self.heap.atom("no witness"));
                        (goal, 9)
                    }
                    Aggregate::Count => (goal, 2),
                    Aggregate::List | Aggregate::Set => {
                        let (goal, carets) = self.without_carets(goal);
                        (goal, 10 + carets)
                    }
                    _ => (goal, 1),
                };
                for _ in 0..entries {
                    self.enter()?;
                }
                self.findall(template, goal, out, None, (aggregate, false), next)?
            }
            ("aggregate_all", &[what, discriminator, goal, out]) => {
                let (template, aggregate) = self.aggregate_of(what)?;
                let (goal, carets) = self.without_carets(goal);
                for _ in 0..9 + carets {
                    self.enter()?;
                }
                let template = self.heap.compound("-", &[discriminator, template]);
                self.findall(template, goal, out, None, (aggregate, true), next)?
            }
            ("bagof" | "setof", &[template, goal, out]) => {
                let (mut inner, mut bound) = (self.heap.deref(goal), template);
                while let Some([variables, rest]) = self.heap.matches(inner, "^") {
                    bound = self.heap.compound("-", &[bound, variables]);
                    inner = self.heap.deref(rest);
                }
                let bound = self.heap.variables(bound)?;
                if self
                    .heap
                    .variables(inner)?
                    .iter()
                    .any(|v| !bound.contains(v))
                {
                    return Err(Stop::Unsupported(format!("{name}/3 with free variables")));
                }
                let aggregate = if name == "bagof" {
                    Aggregate::NonEmptyList
                } else {
                    Aggregate::NonEmptySet
                };
                self.findall(template, inner, out, None, (aggregate, false), next)?
            }
            ("retract", &[clause]) => {
                let (head, body) = match self.heap.matches(clause, ":-") {
                    Some([head, body]) => (head, body),
                    None => (clause, self.heap.atom("true")),
                };
                let clauses = self.clauses_of(head)?;
                if let Some((name, _, arity)) = self.heap.callable(head) {
                    self.may_change(&(name, arity))?;
                }
                let target = self.heap.compound(":-", &[head, body]);
                self.retract(target, &clauses, 0, next)?
            }
            ("phrase", &[body, list]) if self.heap.callable(body).is_some() => {
                self.expect_list(list)?;
                let nil = self.heap.atom("[]");
                let goal = self.grammar_call(body, [list, nil])?;
                Next::Frame(self.frame(FrameKind::Goal(goal, self.choices.len()), next))
            }
            ("phrase" | "call_dcg", &[body, list, rest]) if self.heap.callable(body).is_some() => {
                if name == "phrase" {
                    self.expect_list(list)?;
                    self.expect_list(rest)?;
                }
                let goal = self.grammar_call(body, [list, rest])?;
                Next::Frame(self.frame(FrameKind::Goal(goal, self.choices.len()), next))
            }
            _ => return Ok(None),
        }))
    }

    /// Checks whether `phrase/3` accepts a term as a list: it does not check the end.
    fn expect_list(&mut self, list: Ref) -> Result<(), Stop> {
        let is_list = self.heap.is_unbound(list)
            || (self.heap.callable(list)).is_some_and(|(name, _, arity)| {
                matches!((name.as_str(), arity), ("[|]", 2) | ("[]", 0))
            });
        if is_list {
            Ok(())
        } else {
            Err(self.type_error("list", list))
        }
    }

    /// Returns the template of `aggregate_all/3,4`, and the form of its result.
    fn aggregate_of(&mut self, what: Ref) -> Result<(Ref, Aggregate), Stop> {
        Ok(match self.heap.callable(what) {
            Some((n, _, 0)) if n == "count" => (what, Aggregate::Count),
            Some((n, s, 1)) if n == "sum" => (s, Aggregate::Sum),
            Some((n, s, 1)) if n == "max" => (s, Aggregate::Max),
            Some((n, s, 1)) if n == "min" => (s, Aggregate::Min),
            Some((n, s, 2)) if n == "max" || n == "min" => {
                let pair = self.heap.compound("-", &[s, s + 1]);
                let is_max = n == "max";
                (
                    pair,
                    if is_max {
                        Aggregate::MaxWitness
                    } else {
                        Aggregate::MinWitness
                    },
                )
            }
            Some((n, s, 1)) if n == "bag" => (s, Aggregate::List),
            Some((n, s, 1)) if n == "set" => (s, Aggregate::Set),
            _ => return Err(Stop::Unsupported("aggregate_all".into())),
        })
    }

    fn is_witness(&self, result: Ref, aggregate: Aggregate) -> bool {
        let name = if aggregate == Aggregate::MaxWitness {
            "max"
        } else {
            "min"
        };
        self.heap.matches::<2>(result, name).is_some()
    }

    /// Returns the goal of `X^Goal`, and the number of `^`.
    fn without_carets(&mut self, goal: Ref) -> (Ref, usize) {
        let (mut goal, mut carets) = (self.heap.deref(goal), 0);
        loop {
            // The module qualifier, which is always present, is counted by the caller.
            if let Some([_, inner]) = self.heap.matches(goal, ":") {
                goal = self.heap.deref(inner);
            } else if let Some([_, inner]) = self.heap.matches(goal, "^") {
                (goal, carets) = (self.heap.deref(inner), carets + 1);
            } else {
                return (goal, carets);
            }
        }
    }

    fn length(&mut self, list: Ref, length: Ref, next: FrameId) -> Result<Next, Stop> {
        let (elements, rest) = self.heap.elements(list)?;
        let wanted = match self.heap.value(length).clone() {
            Cell::Var(_) => None,
            Cell::Int(n) => Some(n),
            _ => return Err(self.type_error("integer", length)),
        };
        if self.heap.is_atom(rest, "[]") {
            if wanted.as_ref().is_some_and(|w| *w < BigInt::from(0)) {
                return Err(self.domain_error("not_less_than_zero", length));
            }
            let known = self.heap.int(elements.len());
            return self.continue_if_unified(length, known, next);
        }
        if !self.heap.is_unbound(rest) {
            return Err(self.type_error("list", list));
        }
        match wanted {
            Some(wanted) => {
                if wanted < BigInt::from(0) {
                    return Err(self.domain_error("not_less_than_zero", length));
                }
                let missing = wanted - elements.len();
                if missing < BigInt::from(0) {
                    return Ok(Next::Fail);
                }
                let missing = missing.to_usize().ok_or(Stop::Limit)?;
                self.heap.work = self
                    .heap
                    .work
                    .checked_sub(missing as u64)
                    .ok_or(Stop::Limit)?;
                let new: Vec<Ref> = (0..missing).map(|_| self.heap.var()).collect();
                let tail = self.heap.list(&new, None);
                self.continue_if_unified(rest, tail, next)
            }
            // `length(L, L)` has no solution.
            None if self.heap.deref(length) == rest => Ok(Next::Fail),
            None => {
                self.choice(ChoiceKind::Length(rest, 0, elements.len(), length), next);
                Ok(Next::Fail)
            }
        }
    }

    /// Returns the present clauses of a head.
    fn clauses_of(&mut self, head: Ref) -> Result<Rc<Vec<Rc<Clause>>>, Stop> {
        let Some((name, _, arity)) = self.heap.callable(head) else {
            return Err(self.not_callable(head));
        };
        let clauses = self.program.predicates.get(&(name, arity));
        Ok(clauses.map(Rc::clone).unwrap_or_default())
    }

    /// Returns the clauses that `clause/2` chooses from, as `Head :- Body` records.
    fn clause_terms(&mut self, head: Ref) -> Result<Vec<Record>, Stop> {
        let clauses = self.clauses_of(head)?;
        clauses.iter().map(|c| self.clause_record(c)).collect()
    }

    fn clause_record(&mut self, clause: &Clause) -> Result<Record, Stop> {
        let mut bindings = vec![None; clause.terms.variables() as usize];
        let head = self
            .heap
            .instantiate(&clause.terms, clause.head, &mut bindings)?;
        let mut body = None;
        for &goal in clause.tests.iter().chain(&clause.goals).rev() {
            let goal = self.heap.instantiate(&clause.terms, goal, &mut bindings)?;
            body = Some(body.map_or(goal, |b| self.heap.compound(",", &[goal, b])));
        }
        let body = body.unwrap_or_else(|| self.heap.atom("true"));
        let whole = self.heap.compound(":-", &[head, body]);
        Ok(self.heap.record(whole)?)
    }

    /// Removes the first clause from an index on that unifies with `Head :- Body`; backtracking continues after it. The clauses are those at
    /// the time of the call (the logical update view): one removed since is skipped.
    pub(crate) fn retract(
        &mut self,
        target: Ref,
        clauses: &Rc<Vec<Rc<Clause>>>,
        from: usize,
        next: FrameId,
    ) -> Result<Next, Stop> {
        let key = match self.heap.matches(target, ":-") {
            Some([head, _]) => self
                .heap
                .callable(head)
                .map(|(name, _, arity)| (name, arity)),
            None => None,
        };
        let Some(key) = key else {
            return Ok(Next::Fail);
        };
        for (i, clause) in clauses.iter().enumerate().skip(from) {
            let now = self.program.predicates.get(&key);
            let place = now.and_then(|now| now.iter().position(|c| Rc::ptr_eq(c, clause)));
            let Some(place) = place else {
                continue;
            };
            let record = self.clause_record(clause)?;
            let height = self.choices.len();
            let (trail, cells) = (self.heap.trail.len(), self.heap.cells.len());
            if i + 1 < clauses.len() {
                let rest = ChoiceKind::Retract(target, Rc::clone(clauses), i + 1);
                self.choice(rest, next);
            }
            let term = self.heap.restore(&record);
            if self.heap.unify(target, term)? {
                let program = Rc::make_mut(&mut self.program);
                if let Some(clauses) = program.predicates.get_mut(&key) {
                    Rc::make_mut(clauses).remove(place);
                }
                return Ok(Next::Frame(next));
            }
            self.choices.truncate(height);
            self.heap.undo(trail, cells);
        }
        Ok(Next::Fail)
    }
}
