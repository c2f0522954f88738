//! Systems of equations: built from runs and passed to the solver.

use costlens_algebra::linear::Region;
use costlens_recurrences::{Alternative, Cell, Direction, Function, Solution, SolvedPiece, System};

use super::{Component, DEFAULT_FUEL};
use crate::equations::numbering::number_variables;
use crate::equations::quantity::{Quantifier, Quantity};
use crate::equations::relevance::drop_irrelevant;
use crate::tree::ClauseRun;
use crate::tree::locals::Locals;
use crate::tree::runs::RegionRuns;

/// A solved system with the names of its functions.
pub(crate) struct SolvedSystem {
    pub(crate) names: Vec<String>,
    pub(crate) system: System,
    pub(crate) direction: Direction,
    pub(crate) pieces: Vec<Vec<SolvedPiece>>,
}

/// The maximum fuel for an upper bound in terms of parameters. Of 1,243 such systems that have a solution, 11 take more than 3,000 units;
/// systems without a bound would take most of the time of an analysis.
const MOST_FOR_PARAMETERS: u64 = DEFAULT_FUEL / 8;

/// Rounds a fuel budget down to one of a few values, so that equal systems share a cache entry.
///
/// The values are [`DEFAULT_FUEL`] divided by powers of two, and three quarters of each of these. A budget below the smallest value is
/// unchanged. A unit corresponds to about 10 microseconds; few systems take more than a thousand units.
fn granted(left: u64) -> u64 {
    let halves = (0..DEFAULT_FUEL.ilog2()).map(|n| DEFAULT_FUEL >> n);
    let all = halves.flat_map(|half| [half, half - half / 4]);
    let granted = all.into_iter().find(|&step| step <= left);
    granted.unwrap_or(left)
}

impl Component<'_> {
    /// Returns one quantity of a node as a function of a system. With `tells_failure`, calls that fail because of their output sizes are
    /// separate alternatives; outputs have sizes only on success.
    pub(crate) fn function(
        &self,
        node: usize,
        runs: &[RegionRuns],
        direction: Direction,
        tells_failure: bool,
        alternatives: &dyn Fn(&Quantifier<'_>, &[ClauseRun]) -> Vec<Alternative>,
    ) -> Function {
        let n = self.nodes.len();
        // Costs use both quantities of a callee: over all solutions at index `i`, up to the first solution at `n + i`.
        let function_of = |i: usize, quantity: Quantity| {
            if quantity == Quantity::First {
                n + i
            } else {
                i
            }
        };
        let cells = runs
            .iter()
            .map(|region| {
                let mut all: Vec<Alternative> = Vec::new();
                for world in &region.worlds {
                    let locals = Locals::collect(&world.clauses);
                    let quantifier = |tells_failure| Quantifier {
                        nodes: &self.nodes,
                        world: &world.world,
                        locals: &locals,
                        direction,
                        next_var: &self.shared.next_var,
                        function_of: &function_of,
                        diverging: 2 * n,
                        column: &self.column,
                        charges: self.charges,
                        program: self.shared.program,
                        tells_failure,
                        sums: &self.sums,
                        cases: &self.cases,
                    };
                    let mut tells_failure = tells_failure && direction == Direction::Upper;
                    let mut found = alternatives(&quantifier(tells_failure), &world.clauses);
                    if tells_failure && found.iter().any(|a| a.value.is_none()) {
                        // The separate alternatives may be too many.
                        tells_failure = false;
                        found = alternatives(&quantifier(false), &world.clauses);
                    }
                    for mut alternative in found {
                        locals.bind(&mut alternative, world.world.region(), tells_failure);
                        let alternative = world.world.parts().part_of(alternative);
                        if !all.contains(&alternative) {
                            all.push(alternative);
                        }
                    }
                }
                Cell {
                    region: region.region.clone(),
                    alternatives: all,
                    // Every call lies in some world.
                    exhaustive: true,
                }
            })
            .collect();
        Function {
            params: self.nodes[node].vars(),
            cells,
        }
    }

    /// Drops variables on which no function depends, and renumbers the variables of alternatives.
    pub(super) fn prune(&self, system: &mut System, node_of: &dyn Fn(usize) -> Option<usize>) {
        let domains: Vec<Region> = (0..system.functions.len())
            .map(|f| {
                node_of(f)
                    .map(|i| self.nodes[i].domain.clone())
                    .unwrap_or_default()
            })
            .collect();
        drop_irrelevant(&mut system.functions, &domains);
        number_variables(&mut system.functions);
    }

    /// Solves a system within the remaining fuel.
    pub(crate) fn run_solver(&self, system: &System, direction: Direction) -> Solution {
        let mut left = self.shared.solver_fuel.get();
        if direction == Direction::Upper && !self.shared.met.is_empty() {
            left = left.min(MOST_FOR_PARAMETERS);
        }
        let solution = (self.shared.program).solve(system, direction, granted(left));
        let all = self.shared.solver_fuel.get();
        self.shared
            .solver_fuel
            .set(all.saturating_sub(solution.fuel_used));
        solution
    }

    /// Keeps a solved system if a caller needs it.
    pub(super) fn keep(
        &self,
        system: &System,
        direction: Direction,
        solution: &Solution,
        name: &dyn Fn(usize) -> String,
    ) {
        let Some(kept) = &self.kept else { return };
        kept.borrow_mut().push(SolvedSystem {
            names: (0..system.functions.len()).map(name).collect(),
            system: system.clone(),
            direction,
            pieces: solution.functions.clone(),
        });
    }
}
