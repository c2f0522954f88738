//! Phase 1: types on success.

use super::Component;
use crate::lattice::types::{Pattern, Type};
use crate::summary::node::Called;

/// The number of rounds of the type fixpoint after which types are widened to any type.
const TYPE_ROUNDS: usize = 40;

impl Component<'_> {
    /// Runs phase 1: the types of arguments on success, as a fixpoint from below that starts with "no call succeeds".
    pub(crate) fn types(&mut self) {
        for round in 0.. {
            let mut changed = false;
            self.shared.program.gather();
            for i in 0..self.nodes.len() {
                let (regions, errors) = self.explore(i);
                self.calls.note(i, &regions);
                let before = (self.nodes[i].success.clone(), self.nodes[i].leaves.clone());
                let node = &mut self.nodes[i];
                for run in regions
                    .iter()
                    .flat_map(|r| &r.worlds)
                    .flat_map(|w| &w.clauses)
                {
                    for exit in run.tree.exits() {
                        node.succeeds_with(&exit.arguments);
                    }
                }
                if round > TYPE_ROUNDS {
                    node.success
                        .iter_mut()
                        .for_each(|types| types.fill(Type::Any));
                }
                changed |= (&before.0, &before.1) != (&node.success, &node.leaves);
                changed |= errors && !node.errors_possible;
                node.errors_possible |= errors;
            }
            self.shared.program.gathered();
            let is_larger = self.adopt_discovered();
            // A node that calls no node of the component has its final types after one round.
            if !is_larger && (!changed || self.calls.is_empty()) {
                break;
            }
        }
    }

    /// Creates nodes for the calls that runs have discovered.
    pub(crate) fn adopt_discovered(&mut self) -> bool {
        let mut found = self.shared.discovered.take();
        found.sort();
        found.dedup();
        let mut added = false;
        for mut calls in found {
            let beside = |calls: &Called| {
                let same = (self.nodes.iter()).filter(|n| n.is_beside(calls));
                same.map(|n| &n.pattern).collect::<Vec<&Pattern>>()
            };
            if !calls.constants.is_empty() && beside(&calls).len() >= calls.most_beside() {
                calls.constants.clear();
            }
            let same = beside(&calls);
            if calls.constants.is_empty() && same.len() >= calls.most_beside() {
                let pattern = same.iter().fold(calls.pattern, |a, b| a.join(b));
                calls = Called::matching(calls.name, pattern);
            }
            if !self.nodes.iter().any(|n| n.is_about(&calls)) {
                self.add_node(calls);
                added = true;
            }
        }
        added
    }
}
