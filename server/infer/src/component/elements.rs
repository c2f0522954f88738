//! Phase 2, continued: the element sizes of output lists.
//!
//! ```prolog
//! rests([], []).
//! rests([[_|Xs]|Rows], [Xs|Rest]) :- rests(Rows, Rest).
//! ```
//!
//! An element of a clause's output is either written in the clause or an element of a list that a call has returned. So, by induction on
//! the length of the derivation, the largest element is at most the maximum over alternatives, and a bound is inferred and proved like any
//! other. In the example it is m-1, where m is the length of the largest row. A recursive call continues with shorter rows.

use costlens_recurrences::{Direction, SolvedPiece, System, Value};

use super::Component;
use crate::lattice::types::{Metric, Type};
use crate::summary::node::{Output, element_place};
use crate::summary::pieces::{Pieces, Sides};

/// Returns whether elements of a type keep their size after success; terms with variables do not.
fn is_fixed(element: &Type) -> bool {
    element.is_ground() || matches!(element, Type::List(_))
}

impl Component<'_> {
    /// Introduces variables for the largest elements of outputs. Returns the node, argument and metric of each.
    fn open_elements(&mut self) -> Vec<(usize, usize, Metric)> {
        let mut open = Vec::new();
        for (i, node) in self.nodes.iter_mut().enumerate() {
            for (argument, ty) in node.success.iter().flatten().enumerate() {
                if node.pattern.0[argument].is_unsized()
                    && let Type::List(element) = ty
                    && is_fixed(element)
                    && let Some(metric) = ty.element_metric()
                {
                    open.push((i, argument, metric));
                    node.elements[argument] = Output::Symbolic;
                }
            }
        }
        open
    }

    /// Runs phase 2 for the largest elements of lists that are outputs.
    pub(super) fn element_sizes(&mut self) {
        let open = self.open_elements();
        if open.is_empty() {
            return;
        }
        for &(node, ..) in &open {
            self.shared.remembered.forget(node);
        }
        let runs = self.runs();
        let place = |&(node, argument, _): &(usize, usize, Metric)| {
            (
                node,
                element_place(self.nodes[node].pattern.0.len(), argument),
            )
        };
        let index = |node: usize, argument: usize| {
            (open.iter()).position(|of| place(of) == (node, argument))
        };
        // All facts known when a clause succeeds hold for its outputs, so an alternative whose constraints no sizes satisfy is impossible.
        let functions = (open.iter())
            .map(|&(i, argument, _)| {
                self.function(i, &runs[i], Direction::Upper, true, &|q, run| {
                    q.elements(argument, run, &index)
                })
            })
            .collect();
        let mut system = System { functions };
        self.prune(&mut system, &|f| Some(open[f].0));
        let solution = self.run_solver(&system, Direction::Upper);
        self.keep(&system, Direction::Upper, &solution, &|f| {
            let (node, argument, metric) = open[f];
            format!(
                "{metric} of the largest element of argument {} of {}",
                argument + 1,
                self.called(node)
            )
        });
        let is_known = |p: &SolvedPiece| matches!(p.value, Value::Known(_));
        for (&(i, argument, _), upper) in open.iter().zip(solution.functions) {
            self.nodes[i].elements[argument] = match upper.iter().any(is_known) {
                true => Output::Solved(Sides {
                    lower: Pieces::new(),
                    upper,
                }),
                false => Output::Unsized,
            };
        }
    }
}
