//! Phase 2: sizes of outputs.

use costlens_algebra::Var;
use costlens_recurrences::{Direction, SolvedPiece, System, Value};

use super::Component;
use crate::equations::exact::{exact_functions, holds};
use crate::equations::relations;
use crate::lattice::types::Metric;
use crate::summary::node::Output;
use crate::summary::pieces::{Pieces, Sides};

impl Component<'_> {
    /// Introduces variables for the output sizes. Returns the node, argument and metric of each.
    pub(super) fn open_outputs(&mut self) -> Vec<(usize, usize, Metric)> {
        let mut sized: Vec<(usize, usize, Metric)> = Vec::new();
        for (i, node) in self.nodes.iter_mut().enumerate() {
            let Some(success) = &node.success else {
                continue;
            };
            for (argument, ty) in success.iter().enumerate() {
                if node.pattern.0[argument].is_unsized()
                    && let Some(metric) = ty.metric()
                {
                    sized.push((i, argument, metric));
                    node.outputs[argument] = Output::Symbolic;
                }
            }
        }
        sized
    }

    /// Runs phase 2: the sizes of arguments that have no size at the call but a metric on success.
    pub(super) fn output_sizes(&mut self) {
        let sized = self.open_outputs();
        if sized.is_empty() {
            return;
        }
        let runs = self.runs();
        let index = |node: usize, argument: usize| {
            (sized.iter()).position(|&(n, a, _)| (n, a) == (node, argument))
        };
        let (mut systems, mut solutions) = (Vec::new(), Vec::new());
        for direction in [Direction::Lower, Direction::Upper] {
            let functions = sized
                .iter()
                .map(|&(i, argument, metric)| {
                    self.function(i, &runs[i], direction, false, &|q, run| {
                        q.output(argument, metric, run, &index)
                    })
                })
                .collect();
            let mut system = System { functions };
            self.prune(&mut system, &|f| Some(sized[f].0));
            let solution = self.run_solver(&system, direction);
            self.keep(&system, direction, &solution, &|f| {
                let (node, argument, metric) = sized[f];
                format!(
                    "{metric} of argument {} of {}",
                    argument + 1,
                    self.called(node)
                )
            });
            solutions.push(solution);
            systems.push(system);
        }
        let fresh = || {
            let v = self.shared.next_var.get();
            self.shared.next_var.set(v + 1);
            Var(v)
        };
        let is_known = |p: &SolvedPiece| matches!(p.value, Value::Known(_));
        let unbounded = |node: usize, argument: usize| {
            let is_it = |&(n, a, metric): &(usize, usize, Metric)| {
                (n, a) == (node, argument) && metric != Metric::Int
            };
            let place = sized.iter().position(is_it);
            place.is_some_and(|f| !solutions[1].functions[f].iter().all(is_known))
        };
        let relations = relations::infer(&self.nodes, &runs, &sized, &unbounded, &fresh);
        let exact = exact_functions(&systems, &solutions[0].functions);
        for (f, &(i, argument, _)) in sized.iter().enumerate() {
            let ty = self.nodes[i].success.as_ref().map(|s| s[argument].clone());
            let integer = ty.is_some_and(|t| t.metric() == Some(Metric::Int));
            let lower = &solutions[0].functions[f];
            let upper = &solutions[1].functions[f];
            let (lower, upper) = match (integer, exact.contains(&f)) {
                (true, true) => (lower.clone(), lower),
                (true, false) if holds(&systems[0], &solutions[0].functions, f, &exact) => {
                    (lower.clone(), upper)
                }
                (true, false) => (Vec::new(), upper),
                (false, _) => (lower.clone(), upper),
            };
            let better = |pieces: &Pieces| {
                (lower != *upper)
                    .then(|| relations[i].exact(argument, pieces))
                    .flatten()
                    .unwrap_or_else(|| pieces.clone())
            };
            let (lower, mut upper) = (better(&lower), better(upper));
            if !upper.iter().all(is_known)
                && let Some(most) = relations[i].at_most(argument)
            {
                upper = most;
            }
            self.nodes[i].outputs[argument] = if lower.iter().chain(&upper).any(is_known) {
                Output::Solved(Sides { lower, upper })
            } else {
                Output::Unsized
            };
        }
        for (node, found) in self.nodes.iter_mut().zip(relations) {
            node.relation = found.tie;
        }
    }
}
