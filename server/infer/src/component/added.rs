//! Clauses that a call adds to predicates whose number of clauses is a parameter.
//!
//! ```prolog
//! allseen([X|Xs], [Y|Ys]) :- findall(Z, seen(Z), Y), assertz(seen(X)), allseen(Xs, Ys).
//! ```
//!
//! A parameter is any number that the number of clauses does not exceed while the call runs. If a call with n elements adds at most n
//! clauses, that is the number of clauses when the call begins, plus n.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use costlens_recurrences::Direction;

use super::Component;
use crate::equations::quantity::CostColumn;
use crate::report::Functor;
use crate::summary::Added;
use crate::summary::pieces::Pieces;
use crate::tree::runs::RegionRuns;
use crate::tree::{Callee, Step, for_each_step};

/// The maximum number of predicates to which the added clauses of a component are counted.
const MOST_ADDED: usize = 4;

/// The clauses that calls of each node add.
#[derive(Default)]
pub(crate) struct AddedByNodes {
    /// Upper bounds, by predicate and by node.
    of: BTreeMap<Option<Functor>, Vec<Pieces>>,
    /// True if clauses may also be added to other predicates.
    others: bool,
}

impl AddedByNodes {
    /// Returns the clauses that calls of a node add.
    pub(crate) fn by_node(&self, node: usize) -> Added {
        let of = |(functor, all): (&Option<Functor>, &Vec<Pieces>)| {
            (functor.clone(), all.get(node).cloned().unwrap_or_default())
        };
        Added {
            of: self.of.iter().map(of).collect(),
            others: self.others,
        }
    }
}

impl Component<'_> {
    /// Solves the numbers of added clauses, after the costs.
    pub(super) fn added(&mut self, runs: &[Rc<[RegionRuns]>]) -> AddedByNodes {
        let (mut names, mut others) = (BTreeSet::new(), false);
        let clauses = (runs.iter().flat_map(|runs| runs.iter()))
            .flat_map(|region| &region.worlds)
            .flat_map(|world| &world.clauses);
        for clause in clauses {
            for_each_step(&clause.tree, &mut |step| match step {
                Step::Adds(functor) => {
                    names.insert(functor.clone());
                }
                Step::Call(call) => {
                    if let Callee::Outside(callee) = &call.callee {
                        names.extend(callee.added.of.keys().cloned());
                        others |= callee.added.others;
                    }
                }
                _ => {}
            });
        }
        others |= names.len() > MOST_ADDED;
        let names: Vec<Option<Functor>> = names.into_iter().take(MOST_ADDED).collect();
        let of = names.into_iter().map(|functor| {
            self.column = CostColumn::Adds(functor.clone());
            let system = self.cost_system(runs, Direction::Upper);
            let solution = self.run_solver(&system, Direction::Upper);
            (functor, solution.functions)
        });
        let of = of.collect();
        self.column = CostColumn::Steps;
        AddedByNodes { of, others }
    }
}
