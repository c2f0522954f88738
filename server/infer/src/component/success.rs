//! Phase 1: types on success.

use super::Component;
use crate::lattice::types::{Pattern, Type};
use crate::summary::node::MOST_PATTERNS;

/// Rounds of the type fixpoint before types are widened to anything.
const TYPE_ROUNDS: usize = 40;

impl Component<'_> {
    /// Phase 1: the types of the arguments on success, from "no call succeeds" upwards.
    pub(crate) fn types(&mut self) {
        for round in 0.. {
            let mut changed = false;
            self.shared.program.gather();
            for i in 0..self.nodes.len() {
                let (regions, errors) = self.explore(i);
                self.calls.note(i, &regions);
                let mut success = self.nodes[i].success.clone();
                for run in regions
                    .iter()
                    .flat_map(|r| &r.worlds)
                    .flat_map(|w| &w.clauses)
                {
                    for exit in run.tree.exits() {
                        let types: Vec<Type> =
                            exit.arguments.iter().map(|d| d.ty.clone()).collect();
                        success = Some(match success {
                            None => types,
                            Some(old) => old.iter().zip(&types).map(|(a, b)| a.join(b)).collect(),
                        });
                    }
                }
                if round > TYPE_ROUNDS {
                    success = success.map(|types| types.iter().map(|_| Type::Any).collect());
                }
                let node = &mut self.nodes[i];
                changed |= node.success != success || (errors && !node.errors_possible);
                node.success = success;
                node.errors_possible |= errors;
            }
            self.shared.program.gathered();
            let is_larger = self.adopt_discovered();
            // What calls nothing of the component has its types after one round.
            if !is_larger && (!changed || self.calls.is_empty()) {
                break;
            }
        }
    }

    /// Makes nodes of the patterns that runs asked for.
    pub(crate) fn adopt_discovered(&mut self) -> bool {
        let mut found = self.shared.discovered.take();
        found.sort();
        found.dedup();
        let mut added = false;
        for (name, pattern) in found {
            let same: Vec<&Pattern> = self
                .nodes
                .iter()
                .filter(|n| n.name == name)
                .map(|n| &n.pattern)
                .collect();
            let pattern = if same.len() >= MOST_PATTERNS {
                same.iter().fold(pattern, |a, b| a.join(b))
            } else {
                pattern
            };
            if !self
                .nodes
                .iter()
                .any(|n| n.name == name && n.pattern == pattern)
            {
                self.add_node(name, pattern);
                added = true;
            }
        }
        added
    }
}
