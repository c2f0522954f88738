//! The call graph of the nodes of a component.

use crate::tree::runs::RegionRuns;
use crate::tree::{Callee, Step, for_each_step};

/// The nodes that each node calls, as recorded from its runs.
#[derive(Default)]
pub(crate) struct Calls(Vec<Vec<usize>>);

impl Calls {
    /// Records the calls in the runs of a node.
    pub(crate) fn note(&mut self, node: usize, runs: &[RegionRuns]) {
        if self.0.len() <= node {
            self.0.resize_with(node + 1, Vec::new);
        }
        let called = &mut self.0[node];
        called.clear();
        let worlds = runs.iter().flat_map(|region| &region.worlds);
        for run in worlds.flat_map(|world| &world.clauses) {
            for_each_step(&run.tree, &mut |step| {
                if let Step::Call(call) = step
                    && let Callee::Inside(callee) = call.callee
                    && !called.contains(&callee)
                {
                    called.push(callee);
                }
            });
        }
    }

    /// Returns true if no node calls a node of the component.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(Vec::is_empty)
    }

    /// Returns whether a node calls itself.
    pub(crate) fn is_to_itself(&self, node: usize) -> bool {
        self.0
            .get(node)
            .is_some_and(|called| called.contains(&node))
    }

    /// Returns whether a node is not mutually recursive with other nodes.
    pub(crate) fn is_alone(&self, node: usize) -> bool {
        let of = |at: usize| self.0.get(at).into_iter().flatten().copied();
        let mut seen = vec![false; self.0.len()];
        let mut open: Vec<usize> = of(node).filter(|&callee| callee != node).collect();
        while let Some(at) = open.pop() {
            if at == node {
                return false;
            }
            if let Some(seen) = seen.get_mut(at)
                && !std::mem::replace(seen, true)
            {
                open.extend(of(at));
            }
        }
        true
    }
}
