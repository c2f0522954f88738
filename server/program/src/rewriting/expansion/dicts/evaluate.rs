//! The calls that replace functional notation in a clause: before the goal that contains it, from left to right, inner functions first.
//!
//! ```prolog
//! p(D, X) :- ( q(D.a.b) -> X = D.put(c, D.d) ; true ).
//! % p(D, X) :- ( .(D, a, A), .(A, b, B), q(B) -> .(D, d, C), .(D, put(c, C), E), X = E ; true ).
//! ```

use std::sync::Arc;

use costlens_body::{Collector, Goal, build, conjuncts};
use costlens_catalog::{MetaArgument, meta_arguments};
use costlens_syntax::term::{QUASI_QUOTATION, Term, TermId, Terms};
use smol_str::SmolStr;

use crate::language::{Clause, ClauseKind, Functor, join};

/// The maximum depth of supported terms.
const DEEPEST: usize = 64;

/// Facts about the predicates that a clause calls.
pub(super) struct Goals<'a> {
    /// Returns the arguments that a predicate is declared to call.
    pub(super) called: &'a dyn Fn(&Functor) -> Vec<MetaArgument>,
    /// Returns true if the predicate belongs to the system, regardless of the loaded files.
    pub(super) is_system: &'a dyn Fn(&Functor) -> bool,
}

/// Returns true for `Dict.key`, in SWI-Prolog's representation, and for a quasi-quotation.
pub(super) fn is_function(terms: &Terms, id: TermId) -> bool {
    terms.matches(id, ".", 2).is_some() || is_quasi_quotation(terms, id)
}

pub(super) fn is_quasi_quotation(terms: &Terms, id: TermId) -> bool {
    terms.matches(id, QUASI_QUOTATION, 2).is_some()
}

/// Returns a clause after the expansion. Returns `None` if a function in the clause is not supported.
pub(super) fn evaluated(clause: &Clause, goals: &Goals<'_>) -> Option<Clause> {
    let functions = |part: TermId| {
        let inside = clause.terms.subterms(part);
        (inside.iter().filter(|&&id| is_function(&clause.terms, id))).count()
    };
    let parts = clause.guard.into_iter().chain(clause.body);
    let all: usize = parts.map(functions).sum();
    if functions(clause.head) > 0 {
        return None;
    }
    if all == 0 {
        return Some(clause.clone());
    }
    // A clause without a body can contain functions only in its head.
    if !matches!(clause.kind, ClauseKind::Rule | ClauseKind::SingleSided) {
        return None;
    }
    if is_selected_by_quasi_quotation(clause) {
        return None;
    }
    let mut walk = Walk {
        terms: Terms::clone(&clause.terms),
        goals,
        done: 0,
        variables: clause.terms.variables(),
    };
    let guard = match clause.guard {
        Some(guard) => Some(walk.goal(guard, DEEPEST)?),
        None => None,
    };
    let body = walk.goal(clause.body?, DEEPEST)?;
    let (terms, done) = (walk.terms, walk.done);
    (done == all).then(|| Clause {
        terms: Arc::new(terms),
        guard,
        body: Some(body),
        ..clause.clone()
    })
}

/// Returns whether a guard, or a leading test of the body that selects the clause, contains a quasi-quotation. Its value exists before the
/// clause is entered, so it cannot be treated as a goal.
fn is_selected_by_quasi_quotation(clause: &Clause) -> bool {
    let terms = &clause.terms;
    let has_one = |part: TermId| {
        let inside = terms.subterms(part);
        inside.iter().any(|&id| is_quasi_quotation(terms, id))
    };
    let goals = clause.body.map(|body| conjuncts(terms, body));
    let is_test = |&goal: &TermId| Goal::lower(terms, goal).is_leading_test();
    let tests = goals.into_iter().flatten().take_while(is_test);
    clause.guard.into_iter().chain(tests).any(has_one)
}

struct Walk<'a> {
    terms: Terms,
    goals: &'a Goals<'a>,
    /// The number of functions that were replaced.
    done: usize,
    /// The number of variables of the clause as written.
    variables: u32,
}

impl Walk<'_> {
    /// Expands the subgoals of a goal in place (`expand_goal/8`), and returns the replacement. Returns `None` if a subgoal is not
    /// supported, or if they are nested too deeply.
    fn goal(&mut self, goal: TermId, depth: usize) -> Option<TermId> {
        let depth = depth.checked_sub(1)?;
        // A chain of goals can be as long as a body.
        let (mut above, mut last) = (Vec::new(), goal);
        while self.has_functions(last)
            && let Goal::Conjunction(left, right) = Goal::lower(&self.terms, last)
        {
            above.push((last, self.goal(left, depth)?));
            last = right;
        }
        let mut expanded = self.single(last, depth)?;
        while let Some((conjunction, left)) = above.pop() {
            build::put_conjunction(&mut self.terms, conjunction, left, expanded);
            expanded = conjunction;
        }
        Some(expanded)
    }

    /// Expands a goal that is not a conjunction.
    fn single(&mut self, goal: TermId, depth: usize) -> Option<TermId> {
        if !self.has_functions(goal) {
            return Some(goal);
        }
        let (name, arity) = self.terms.functor(goal)?;
        let functor = Functor::new(name.clone(), arity);
        let args = self.terms.args(goal).to_vec();
        match Goal::lower(&self.terms, goal) {
            // A variable goal is called; `A | B` is not expanded inside.
            _ if is_function(&self.terms, goal) || Goal::is_bar(&self.terms, goal) => None,
            Goal::Disjunction(..)
            | Goal::IfThen { .. }
            | Goal::IfThenElse { .. }
            | Goal::Not(_) => {
                let inside: Option<Vec<TermId>> =
                    args.iter().map(|&a| self.goal(a, depth)).collect();
                self.terms.replace(goal, functor.name, &inside?);
                Some(goal)
            }
            // The calls are placed before the goal inside its module, where they also refer to the system's predicates.
            Goal::Qualified {
                module,
                goal: inner,
            } => {
                let module = self.terms.as_atom(module)?;
                let (name, arity) = self.terms.functor(inner)?;
                let (name, there) = (name.clone(), Functor::new(join(module, name)?, arity));
                let is_control = meta_arguments(&name, arity).iter().any(|m| m.added == 0);
                if is_control || is_function(&self.terms, inner) {
                    return None;
                }
                let args = self.terms.args(inner).to_vec();
                let calls = self.literal(inner, &name, &there, &args, depth)?;
                Some(self.preceded_by(calls, goal))
            }
            _ => {
                let calls = self.literal(goal, &functor.name, &functor, &args, depth)?;
                Some(self.preceded_by(calls, goal))
            }
        }
    }

    /// Expands a goal that is not a control construct: goals in its arguments are expanded in place, all other functions become calls that
    /// precede it, which are returned.
    fn literal(
        &mut self,
        goal: TermId,
        name: &SmolStr,
        functor: &Functor,
        args: &[TermId],
        depth: usize,
    ) -> Option<Vec<TermId>> {
        let called = (self.goals.called)(functor);
        let is_system = (self.goals.is_system)(functor);
        let mut calls = Vec::new();
        let mut after = Vec::with_capacity(args.len());
        for (i, &argument) in args.iter().enumerate() {
            after.push(match called.iter().find(|c| c.argument == i) {
                Some(_) if !self.has_functions(argument) => argument,
                // A predicate that is not yet defined when the clause is loaded is not known to call its arguments.
                Some(c) if is_system && c.added == 0 && !is_grouping(functor) => {
                    self.goal(argument, depth)?
                }
                Some(_) => return None,
                None => self.value(argument, &mut calls, depth)?,
            });
        }
        self.terms.replace(goal, name.clone(), &after);
        Some(calls)
    }

    /// Returns the conjunction of calls, followed by a goal.
    fn preceded_by(&mut self, calls: Vec<TermId>, goal: TermId) -> TermId {
        let behind = |goal, call| build::conjunction(&mut self.terms, call, goal);
        calls.into_iter().rev().fold(goal, behind)
    }

    /// Returns a term with variables in place of its functions (`replace_functions/7`), and appends the calls that compute them.
    fn value(&mut self, term: TermId, calls: &mut Vec<TermId>, depth: usize) -> Option<TermId> {
        if !self.has_functions(term) {
            return Some(term);
        }
        let depth = depth.checked_sub(1)?;
        if is_quasi_quotation(&self.terms, term) {
            return Some(self.quasi_quotation(term, calls));
        }
        let (name, arguments) = match self.terms.get(term) {
            Term::Compound(name, _) => (name.clone(), self.terms.args(term).to_vec()),
            _ => return Some(term),
        };
        let mut after = Vec::with_capacity(arguments.len() + 1);
        for argument in arguments {
            after.push(self.value(argument, calls, depth)?);
        }
        if !is_function(&self.terms, term) {
            return Some(self.terms.compound(name, &after));
        }
        let fresh = Term::Var(self.terms.variables());
        let result = self.terms.push(fresh);
        after.push(result);
        calls.push(self.terms.compound(".", &after));
        self.done += 1;
        Some(result)
    }

    /// Returns a variable for the value of a quasi-quotation, which exists when the clause is read and may contain any of the clause's
    /// variables. Since no other term contains the value before its goal runs, the value may be constructed immediately before this goal.
    fn quasi_quotation(&mut self, term: TermId, calls: &mut Vec<TermId>) -> TermId {
        let variables: Vec<TermId> = (0..self.variables)
            .map(|v| self.terms.push(Term::Var(v)))
            .collect();
        let all = self.terms.compound_or_atom("variables", &variables);
        let fresh = Term::Var(self.terms.variables());
        let value = self.terms.push(fresh);
        let made_by = self.terms.atom(QUASI_QUOTATION);
        calls.push(self.terms.compound(".", &[all, made_by, value]));
        let inside = self.terms.subterms(term);
        self.done += (inside.iter())
            .filter(|&&id| is_function(&self.terms, id))
            .count();
        value
    }

    fn has_functions(&self, term: TermId) -> bool {
        let inside = self.terms.subterms(term);
        inside.iter().any(|&id| is_function(&self.terms, id))
    }
}

/// Returns true for `bagof/3` and `setof/3`, whose goals may be preceded by quantified variables.
fn is_grouping(functor: &Functor) -> bool {
    let collector = Collector::from_functor(&functor.name, functor.arity);
    matches!(collector, Some(Collector::BagOf | Collector::SetOf))
}
