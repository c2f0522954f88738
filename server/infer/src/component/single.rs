//! At most one solution, proved by induction: clauses exclude each other through the result of a call that both clauses make.
//!
//! ```prolog
//! mn([X], [], X).
//! mn([X|T], T, X) :- mn(T, _, M), X < M.
//! mn([X|T], [X|R], M) :- mn(T, R, M), X >= M.
//! ```
//!
//! If `mn(T, R, M)` has at most one solution, both clauses compare with the same `M`, and only one of them succeeds. The induction is on
//! the height of a solution's derivation: if a call has at most one solution with a derivation of height h, both clauses see the same `M`,
//! so there is at most one solution of height h+1. It therefore suffices that the numbers of solutions, solved under this assumption, are
//! at most one. Otherwise the assumption is dropped and the previous bounds are kept.

use std::collections::BTreeMap;

use costlens_program::Clause;

use super::Component;
use crate::lattice::functional::Functional;
use crate::program::Program;
use crate::report::Functor;
use crate::summary::node::{Node, Output};
use crate::summary::pieces::at_most_one;
use crate::summary::relation::Relation;
use crate::written::{functional, goals};

/// Returns the predicates that clauses call in several places and whose calls with equal arguments have equal answers.
pub(super) fn repeated(program: &dyn Program, clauses: &[Clause]) -> BTreeMap<Functor, Functional> {
    let mut times: BTreeMap<Functor, usize> = BTreeMap::new();
    for clause in clauses {
        for goal in goals(clause) {
            if let Some(name) = Functor::from_term(&clause.terms, goal) {
                *times.entry(name).or_default() += 1;
            }
        }
    }
    times.retain(|name, times| *times > 1 && program.is_at_home(name) && program.is_defined(name));
    (times.into_keys())
        .filter_map(|name| Some((name.clone(), functional(program, &name)?)))
        .collect()
}

impl Component<'_> {
    /// Proves that the calls of nodes have at most one solution, if the inferred numbers of solutions do not already show it.
    pub(super) fn single_solutions(&mut self) {
        let open = |node: &Node| {
            node.repeated.contains_key(&node.name)
                && node.solutions.as_ref().is_some_and(|s| !at_most_one(s))
        };
        let assumed: Vec<usize> = (0..self.nodes.len())
            .filter(|&i| open(&self.nodes[i]))
            .collect();
        if assumed.is_empty() {
            return;
        }
        let before = self.nodes.clone();
        for (i, node) in self.nodes.iter_mut().enumerate() {
            node.is_single = assumed.contains(&i);
            node.outputs.fill(Output::Unsized);
            node.elements.fill(Output::Unsized);
            node.relation = Relation::default();
            node.solutions = None;
        }
        self.output_sizes();
        self.element_sizes();
        self.solutions();
        let holds = |&i: &usize| self.nodes[i].solutions.as_ref().is_some_and(at_most_one);
        if !assumed.iter().all(holds) {
            self.nodes = before;
        }
    }
}
