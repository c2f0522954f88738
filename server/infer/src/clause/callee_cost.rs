//! Calls whose callee has bounds that cannot be used here: its cost is a parameter ([`crate::relative`]).

use std::collections::BTreeSet;
use std::sync::Arc;

use costlens_algebra::Var;
use costlens_body::leaves;
use costlens_program::CopyName;
use costlens_syntax::term::TermId;
use smol_str::SmolStr;

use super::Runner;
use super::point::ClauseScope;
use crate::builtins;
use crate::lattice::datum::Datum;
use crate::relative::{depends_on, with_one_solution, without_variables};
use crate::report::{Functor, Subject, Unknown};
use crate::summary::node::Slot;
use crate::summary::{RunsLater, Summary};

/// The maximum number of clauses of a callee that is run with numbers. Its component is solved again for them.
const MOST_CLAUSES_AT_NUMBERS: usize = 8;

/// A call of a predicate outside the component.
pub(super) struct PredicateCall<'a> {
    pub(super) goal: TermId,
    /// The abstract arguments.
    pub(super) data: &'a [Datum],
    /// The names of the arguments that hold values of the running predicate's arguments.
    pub(super) keys: &'a [Option<SmolStr>],
}

impl Runner<'_> {
    /// Returns the summary with what the call tells and without what it does not tell. Returns `None` if the bounds can be used as they are.
    pub(super) fn as_seen_here(
        &self,
        scope: &ClauseScope<'_>,
        summary: &Arc<Summary>,
        call: &PredicateCall<'_>,
    ) -> Option<Arc<Summary>> {
        let seen = self.seen_here(scope, summary, call);
        let later = seen.as_ref().map_or(summary.later, |seen| seen.later);
        self.met.note_later(later);
        seen
    }

    fn seen_here(
        &self,
        scope: &ClauseScope<'_>,
        summary: &Arc<Summary>,
        call: &PredicateCall<'_>,
    ) -> Option<Arc<Summary>> {
        let name = &summary.predicate;
        // A bound of a predicate in terms of its own cost would say nothing.
        let own = &self.nodes[self.node].name;
        if self.program.same_component(own, name)
            || (self.program).same_component(&written(own), &written(name))
            || written(own) == written(name)
        {
            return None;
        }
        if let Some(evaluated) = self.at_numbers(summary, call) {
            return Some(Arc::new(evaluated));
        }
        if !scope.model.counts_steps_only()
            || summary.is_table()
            || summary.later == RunsLater::Yes
            || builtins::runs_later(&name.name, name.arity)
        {
            return None;
        }
        let own = self.program.in_own_terms(summary)?;
        let of = self.program.cost_subject(name)?;
        let seen = self.in_terms_known_here(scope, &own, call, &of);
        let seen = seen.map_or(own, Arc::new);
        (!Arc::ptr_eq(&seen, summary)).then_some(seen)
    }

    /// Returns the summary with the cost of a call at given integers in place of an unknown bound.
    fn at_numbers(&self, summary: &Summary, call: &PredicateCall<'_>) -> Option<Summary> {
        let slots: Vec<Slot> = summary.params.iter().map(Slot::from_size).collect();
        let numbers = summary.open_numbers(&self.sizes(&slots, call.data))?;
        let predicate = &summary.predicate;
        let clauses = self.program.clauses(predicate)?;
        if clauses.len() > MOST_CLAUSES_AT_NUMBERS {
            return None;
        }
        let point = (self.program).at_numbers(predicate, &summary.pattern, &numbers)?;
        Some(summary.evaluated(&point))
    }

    /// Returns the summary of a callee without what this call does not tell: costs of goals that have no name here, and sizes if the
    /// component takes the cost of this callee as a parameter. In a recursion, the callee is assumed to have at most one solution if
    /// their number would be a parameter. Returns `None` if the bounds can be used as they are.
    ///
    /// ```prolog
    /// run([G|Gs]) :- call_all(maplist, G), run(Gs).      % in terms of cost(call_all/2)
    /// ```
    fn in_terms_known_here(
        &self,
        scope: &ClauseScope<'_>,
        summary: &Summary,
        call: &PredicateCall<'_>,
        of: &Subject,
    ) -> Option<Summary> {
        let mut seen = None;
        let (goals, argument) = self.goals_without_names(summary, call.keys);
        if let Some(argument) = argument
            && depends_on(summary, &goals)
        {
            let said = goal_not_followed(&summary.predicate, argument);
            let why = Unknown::clone(&self.cause(scope, call.goal, said, None));
            seen = Some(without_variables(summary, of, Some(why), &goals));
        }
        if self.met.has_cost_of(of) {
            let known = seen.as_ref().unwrap_or(summary);
            let sizes = self.sizes_without_limits(known, call.data);
            if depends_on(known, &sizes) {
                seen = Some(without_variables(known, of, None, &sizes));
            }
        }
        let known = seen.as_ref().unwrap_or(summary);
        if self.collecting.get() == 0
            && let Some(mut single) = with_one_solution(known, of)
            && self.runs_in_recursion()
        {
            if self.is_once.get() {
                single.assumes.clone_from(&known.assumes);
            }
            return Some(single);
        }
        seen
    }

    /// Returns the parameters of a callee that are about goals without a name in the caller, and the argument that holds the first of them.
    fn goals_without_names(
        &self,
        summary: &Summary,
        keys: &[Option<SmolStr>],
    ) -> (BTreeSet<Var>, Option<usize>) {
        let passed = self.parameters_at(&summary.parameters, &summary.predicate, false, keys);
        let mut found = BTreeSet::new();
        let mut argument = None;
        for (p, value) in summary.parameters.iter().zip(passed) {
            if let Subject::Argument(i) = p.parameter.of
                && value.upper.is_none()
            {
                found.insert(p.var);
                argument = argument.or(Some(i));
            }
        }
        (found, argument)
    }

    /// Returns the sizes of a callee that have no upper limit in this call.
    fn sizes_without_limits(&self, summary: &Summary, data: &[Datum]) -> BTreeSet<Var> {
        let slots: Vec<Slot> = summary.params.iter().map(Slot::from_size).collect();
        let sizes = self.sizes(&slots, data);
        (summary.params.iter().zip(sizes))
            .filter(|(_, size)| size.upper.is_none())
            .map(|(p, _)| p.var)
            .collect()
    }

    /// Returns whether a clause of the running predicate calls a predicate of its component.
    pub(super) fn runs_in_recursion(&self) -> bool {
        let own = &self.nodes[self.node].name;
        let clauses = self.program.clauses(own).unwrap_or_default();
        clauses.iter().any(|clause| {
            let goals = clause.guard.into_iter().chain(clause.body);
            let called = goals
                .flat_map(|goal| leaves(&clause.terms, goal))
                .filter_map(|goal| Functor::from_term(&clause.terms, goal));
            (called.into_iter())
                .any(|called| called == *own || self.program.same_component(own, &called))
        })
    }
}

/// Returns the name of a predicate as it is written, without the closure of a copy.
fn written(name: &Functor) -> Functor {
    let original = CopyName::read(name).and_then(|copy| copy.original());
    original.unwrap_or_else(|| name.clone())
}

/// Returns the reason why a goal that a call passes has no cost, and advice.
pub(crate) fn goal_not_followed(callee: &Functor, argument: usize) -> (String, String) {
    (
        format!(
            "`{callee}` calls the goal that it gets as argument {}, and the goal of this call is not followed",
            argument + 1
        ),
        "Name the predicate in the call, or choose by the data which one to call.".to_owned(),
    )
}
