//! Heuristics that decide whether to try amortising. They only read known results; a component that passes is analysed in full, which takes
//! longer than all previous phases.

use std::collections::BTreeSet;
use std::sync::Arc;

use costlens_algebra::Var;
use costlens_body::{Comparison, Goal};
use costlens_program::Clause;
use costlens_syntax::term::{CONS, NIL, Term, TermId, Terms};
use smol_str::SmolStr;

use super::joined::{Joined, may_join, variables};
use crate::component::Component;
use crate::lattice::regular::functor_key;
use crate::lattice::types::{Pattern, Type};
use crate::lattice::weight::has_symbols;
use crate::program::Program;
use crate::report::Functor;
use crate::summary::Summary;
use crate::summary::pieces::may_be_constant;
use crate::tree::runs::RegionRuns;
use crate::tree::{Callee, Step, for_each_step};
use crate::written::goals;

/// The maximum number of symbols that are tried as weights, one at a time.
const MOST_COUNTED: usize = 4;

/// Sizes and symbols that may pay for expensive calls.
pub(super) struct Chance<'a> {
    pub(super) joined: Joined<'a>,
    /// The arguments that form the loop's state.
    pub(super) arguments: BTreeSet<usize>,
    /// Callees that compute the loop's state, with the patterns of their calls.
    pub(super) callees: Vec<Arc<Summary>>,
    /// True if sizes of the state may pay for calls.
    pub(super) sizes: bool,
    /// Symbols in the state that may pay for calls.
    pub(super) symbols: Vec<SmolStr>,
}

/// Returns `None` if no size or symbol can pay, or if there are too many clauses.
pub(super) fn chance<'a>(component: &Component<'a>, runs: &[RegionRuns]) -> Option<Chance<'a>> {
    let program = component.shared.program;
    let entry = &component.nodes.first()?.name;
    let (states, arguments) = states(program, entry, &component.nodes.first()?.pattern);
    if states.is_empty() {
        return None;
    }
    let callees = called(runs, &states);
    let uneven: Vec<&Arc<Summary>> = callees.iter().filter(|s| s.all.is_uneven(&[])).collect();
    let sizes = uneven.iter().any(|s| may_shrink(s));
    let weights = uneven.iter().any(|s| has_weights(s));
    if !sizes && !weights {
        return None;
    }
    let joined = Joined::new(program, entry, &states)?;
    let symbols = if weights {
        consumed(&joined, &callees)
    } else {
        Vec::new()
    };
    (sizes || !symbols.is_empty()).then_some(Chance {
        joined,
        arguments,
        callees,
        sizes,
        symbols,
    })
}

/// Returns the predicates that compute an argument of the recursive call from the same argument of the loop, or from an argument of the
/// same type, in clause order: `inc/2` in `count(N, B) :- …, inc(B, B1), …, count(N1, B1)`. The second result contains the indices of these
/// arguments.
fn states(
    program: &dyn Program,
    entry: &Functor,
    pattern: &Pattern,
) -> (Vec<Functor>, BTreeSet<usize>) {
    let (mut found, mut arguments) = (Vec::new(), BTreeSet::new());
    for clause in program.clauses(entry).iter().flat_map(|c| c.iter()) {
        let terms = &*clause.terms;
        let goals = goals(clause);
        let again = (goals.iter().enumerate()).filter(|&(_, &goal)| {
            Functor::from_term(terms, goal).is_some_and(|name| program.same_component(entry, &name))
        });
        for (at, &again) in again {
            let is_own = Functor::from_term(terms, again).is_some_and(|name| name == *entry);
            for (i, &argument) in terms.args(clause.head).iter().enumerate() {
                // If the recursive call is to another predicate, any of its arguments may be the state.
                let may_be_next =
                    |at: usize| !is_own || at == i || pattern.0.get(at) == pattern.0.get(i);
                let args = terms.args(again).iter().enumerate();
                let next = args
                    .filter(|&(at, _)| may_be_next(at))
                    .flat_map(|(_, &next)| variables(terms, next))
                    .collect();
                let way = goals_between(program, terms, argument, &goals[..at], &next);
                if !way.is_empty() {
                    arguments.insert(i);
                }
                for name in way {
                    if !found.contains(&name) && !program.same_component(entry, &name) {
                        found.push(name);
                    }
                }
            }
        }
    }
    (found, arguments)
}

/// Returns the names of the goals through which variables are computed from a term.
fn goals_between(
    program: &dyn Program,
    terms: &Terms,
    from: TermId,
    goals: &[TermId],
    to: &BTreeSet<u32>,
) -> Vec<Functor> {
    let given = variables(terms, from);
    let mut reached = given.clone();
    let mut found = Vec::new();
    for &goal in goals {
        let own = variables(terms, goal);
        if own.is_disjoint(&reached) {
            continue;
        }
        reached.extend(own);
        found.extend(Functor::from_term(terms, goal).filter(|name| may_join(program, name)));
    }
    if reached.difference(&given).any(|v| to.contains(v)) {
        found
    } else {
        Vec::new()
    }
}

/// Returns the summaries of calls to the given predicates.
fn called(runs: &[RegionRuns], names: &[Functor]) -> Vec<Arc<Summary>> {
    let mut found: Vec<Arc<Summary>> = Vec::new();
    let worlds = runs.iter().flat_map(|r| &r.worlds);
    for run in worlds.flat_map(|w| &w.clauses) {
        for_each_step(&run.tree, &mut |step| {
            if let Step::Call(call) = step
                && let Callee::Outside(summary) = &call.callee
                && names.contains(&summary.predicate)
                && !found
                    .iter()
                    .any(|s| s.predicate == summary.predicate && s.pattern == summary.pattern)
            {
                found.push(Arc::clone(summary));
            }
        });
    }
    found
}

/// Returns whether an output may stay small while the sizes at the call grow: a state that never shrinks does not pay for anything.
fn may_shrink(summary: &Summary) -> bool {
    let all: BTreeSet<Var> = summary.vars().into_iter().collect();
    let is_sized = |ty: &Type| ty.metric().is_some();
    (summary.success.iter().flatten().enumerate()).any(|(i, ty)| {
        summary.pattern.0[i] == Type::Free
            && is_sized(ty)
            && (summary.outputs.get(&i)).is_none_or(|sides| may_be_constant(&sides.lower, &all))
    })
}

/// Returns whether symbols can be counted in both the inputs and the outputs.
fn has_weights(summary: &Summary) -> bool {
    let types = || {
        summary
            .pattern
            .0
            .iter()
            .zip(summary.success.iter().flatten())
    };
    types().any(|(before, _)| has_symbols(before))
        && types().any(|(before, after)| *before == Type::Free && has_symbols(after))
}

/// Returns the symbols that occur more often in the inputs than in the outputs of some recursive clause, in the order of their occurrence:
/// `1` in `inc([1|T], [0|R]) :- inc(T, R)`.
fn consumed(joined: &Joined<'_>, callees: &[Arc<Summary>]) -> Vec<SmolStr> {
    let mut found: Vec<SmolStr> = Vec::new();
    for clause in joined.clauses.iter().flat_map(|c| c.iter()) {
        if !joined.is_recursive(clause) {
            continue;
        }
        let terms = &*clause.terms;
        let name = Functor::from_term(terms, clause.head);
        let pattern = (callees.iter())
            .find(|s| Some(&s.predicate) == name.as_ref())
            .map(|s| &s.pattern);
        let is_output =
            |i: usize| pattern.is_some_and(|p| p.0.get(i).is_some_and(|ty| *ty == Type::Free));
        let (mut taken, mut given) = (Vec::new(), Vec::new());
        for (i, &argument) in terms.args(clause.head).iter().enumerate() {
            let side = if is_output(i) { &mut given } else { &mut taken };
            side.extend(symbols(terms, argument));
        }
        // A symbol in a body may occur in a test or in a constructed term.
        for goal in equated(clause) {
            taken.extend(symbols(terms, goal));
        }
        for symbol in &taken {
            let count = |all: &[SmolStr]| all.iter().filter(|s| *s == symbol).count();
            if count(&taken) > count(&given) && !found.contains(symbol) {
                found.push(symbol.clone());
            }
        }
    }
    found.truncate(MOST_COUNTED);
    found
}

/// Returns the unifications and comparisons of terms in a body.
fn equated(clause: &Clause) -> impl Iterator<Item = TermId> {
    let terms = &*clause.terms;
    (goals(clause).into_iter())
        .filter(|&goal| {
            matches!(
                Goal::lower(terms, goal),
                Goal::Unify(..)
                    | Goal::Compare(Comparison::Equal, ..)
                    | Goal::CompareTerms(Comparison::Equal, ..)
            )
        })
        .flat_map(|goal| terms.args(goal).to_vec())
}

/// Returns the constants and functors of a term, except lists.
fn symbols(terms: &Terms, t: TermId) -> Vec<SmolStr> {
    let is_list = |part: TermId| {
        matches!(terms.get(part), Term::Atom(a) if a == NIL)
            || terms.matches(part, CONS, 2).is_some()
    };
    (terms.subterms(t).into_iter())
        .filter(|&part| !is_list(part))
        .filter_map(|part| functor_key(terms, part))
        .collect()
}
