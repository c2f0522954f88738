//! Phase 3: numbers of solutions.

use costlens_recurrences::{Direction, System};

use super::Component;
use crate::equations::quantity::Quantity;
use crate::summary::pieces::{Sides, at_least_zero};

impl Component<'_> {
    /// Phase 3: numbers of solutions.
    pub(super) fn solutions(&mut self) {
        let runs = self.runs();
        let mut solved = Vec::new();
        for direction in [Direction::Upper, Direction::Lower] {
            let functions = (0..self.nodes.len())
                .map(|i| {
                    self.function(i, &runs[i], (direction, true), &|q, run| {
                        q.clauses(Quantity::Solutions, run)
                    })
                })
                .collect();
            let mut system = System { functions };
            self.prune(&mut system, &Some);
            let solution = self.run_solver(&system, direction);
            self.keep(&system, direction, &solution, &|f| {
                format!("number of solutions of {}", self.called(f))
            });
            solved.push(solution);
        }
        let mut lowers = solved.pop().unwrap_or_default().functions.into_iter();
        let mut uppers = solved.pop().unwrap_or_default().functions.into_iter();
        for node in &mut self.nodes {
            node.solutions = Some(Sides {
                lower: at_least_zero(lowers.next().unwrap_or_default()),
                upper: uppers.next().unwrap_or_default(),
            });
        }
    }
}
