//! The calls to which a call leads, for analyses that need all of these calls but not their costs.
//!
//! ```prolog
//! main :- numlist(1, 9, L), doubled(L, R), print(R).     % doubled(list(int), var), numlist(int, int, var)
//! ```
//!
//! The runs of a component are those from which its types, sizes and numbers of solutions were solved. A goal that no run reaches is never
//! called.

use std::collections::BTreeSet;

use costlens_syntax::term::TermId;

use crate::component::Component;
use crate::lattice::types::Pattern;
use crate::report::Functor;
use crate::tree::{Callee, Step, for_each_step};

/// The calls to which a call leads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Followed {
    /// Calls within the component, starting with the call itself.
    pub inside: Vec<FollowedCall>,
    /// Calls to other predicates, by their names in the component's file.
    pub outside: BTreeSet<(Functor, Pattern)>,
    /// The calls made by clause goals, without duplicates.
    pub goals: Vec<GoalCall>,
    /// A reachable goal with an unknown callee: the predicate whose clause contains the goal, and the reason.
    pub open: Option<(Functor, String)>,
}

/// A goal of a clause that calls a predicate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoalCall {
    /// The predicate of the component whose clause contains the goal.
    pub caller: Functor,
    /// The index of the clause.
    pub clause: usize,
    /// The goal in the clause's terms.
    pub goal: TermId,
    /// The called predicate, by its name in the component's file.
    pub callee: Functor,
    /// The types of the arguments.
    pub pattern: Pattern,
}

/// A call within the component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FollowedCall {
    /// The predicate.
    pub predicate: Functor,
    /// The types of its arguments.
    pub pattern: Pattern,
    /// True if it is proved that no such call fails without a solution.
    pub never_fails: bool,
}

/// Reads the calls from the runs of a component in which everything except the costs is solved.
pub(crate) fn followed(component: &Component<'_>) -> Followed {
    let mut found = Followed::default();
    for (at, runs) in component.runs().iter().enumerate() {
        let worlds = runs.iter().flat_map(|region| &region.worlds);
        for run in worlds.flat_map(|world| &world.clauses) {
            let caller = component.nodes.get(at).map(|node| &node.name);
            let mut note = |goal: TermId, callee: &Functor, pattern: &Pattern| {
                let Some(caller) = caller else {
                    return;
                };
                let made = GoalCall {
                    caller: caller.clone(),
                    clause: run.clause,
                    goal,
                    callee: callee.clone(),
                    pattern: pattern.clone(),
                };
                if !found.goals.contains(&made) {
                    found.goals.push(made);
                }
            };
            for_each_step(&run.tree, &mut |step| {
                let Step::Call(call) = step else {
                    return;
                };
                match &call.callee {
                    Callee::Outside(of) if of.is_unknown() => {}
                    Callee::Outside(of) => note(call.literal, &of.predicate, &of.pattern),
                    Callee::Inside(i) => {
                        if let Some(node) = component.nodes.get(*i) {
                            note(call.literal, &node.name, &node.pattern);
                        }
                    }
                }
            });
            for_each_step(&run.tree, &mut |step| match step {
                Step::Unknown(index) => {
                    let of = component.nodes.get(at).map(|node| node.name.clone());
                    let all = component.shared.obstacles.get(at).map(|all| all.borrow());
                    let obstacle = all.as_ref().and_then(|all| all.get(*index));
                    if let (Some(of), Some(obstacle)) = (of, obstacle)
                        && !obstacle.calls_nothing
                    {
                        found.open.get_or_insert((of, obstacle.reason.clone()));
                    }
                }
                Step::Call(call) => {
                    if let Callee::Outside(summary) = &call.callee {
                        if summary.is_unknown() {
                            let of = component.nodes.get(at).map(|node| node.name.clone());
                            let reason = component.shared.met.why_unknown(summary);
                            found.open = found.open.take().or(of.zip(Some(reason)));
                            return;
                        }
                        let call = (summary.predicate.clone(), summary.pattern.clone());
                        found.outside.insert(call);
                    }
                }
                _ => {}
            });
        }
    }
    let of = component.nodes.iter();
    found.inside = of
        .map(|node| FollowedCall {
            predicate: node.name.clone(),
            pattern: node.pattern.clone(),
            never_fails: (node.success.is_some())
                && node.solutions.as_ref().is_some_and(|s| s.at_least_one()),
        })
        .collect();
    found
}
