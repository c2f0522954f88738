//! Phase 4: resolution steps, or another column.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use costlens_algebra::linear::Region;
use costlens_algebra::{Expr, Var};
use costlens_recurrences::{Alternative, CallResult, Cell, Direction, Function, Solution, System};

use super::Component;
pub(crate) use super::added::AddedByNodes;
use super::solutions::{are_better, are_known, may_be_better_without};
use crate::equations::quantity::Quantity;
use crate::report::Unknown;
use crate::summary::amortised_bounds::Amortised;
use crate::summary::work::Work;
use crate::tree::runs::RegionRuns;

/// The fuel of the solver for the system in which the cases of callees have constraints.
const FUEL_FOR_CASES: u64 = 4_000;

/// The maximum number of alternatives of a system for which this is tried: constraints make most larger systems harder.
const MOST_FOR_CASES: usize = 30;

/// The systems solved in phase 4, kept for explanations.
pub(crate) struct Costs {
    /// Better upper bounds for nodes, from amortised analysis.
    pub(crate) amortised: BTreeMap<usize, Arc<Amortised>>,
    pub(crate) upper: System,
    pub(crate) lower: System,
    pub(crate) upper_solution: Solution,
    pub(crate) lower_solution: Solution,
    pub(crate) runs: Vec<Rc<[RegionRuns]>>,
    /// Causes for which the callers of each node have no bound, computed on first use.
    pub(crate) causes: CausesOfNodes,
    /// All work.
    pub(crate) work: WorkOfNodes,
    /// The clauses that calls of each node add to predicates.
    pub(crate) added: AddedByNodes,
    /// For each node, whether its calls may raise an exception after a success; computed on first use.
    pub(crate) raises_later: OnceCell<Vec<bool>>,
}

/// The work of each node.
#[derive(Default)]
pub(crate) enum WorkOfNodes {
    /// The same for all nodes.
    All(Work),
    /// The solutions of the systems.
    Solved { upper: Solution, lower: Solution },
    /// Not computed.
    #[default]
    None,
}

/// Ranks of causes, in the order in which users should remove them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rank {
    /// An unknown goal, in the predicate or in a callee.
    Goal,
    /// The size of an argument of a call.
    Size,
    /// The recursion itself.
    Recursion,
    /// The recursion, if it passes on an argument of unknown size.
    Unmeasured,
}

/// The causes in the clauses of each node. They are cached because each of several mutually recursive predicates needs the causes of all
/// nodes.
pub(crate) type CausesOfNodes = RefCell<BTreeMap<usize, Rc<[(Rank, Unknown)]>>>;

impl Component<'_> {
    /// Runs phase 4: resolution steps.
    pub(super) fn costs(&mut self) -> Costs {
        let runs = self.runs();
        let lower = self.cost_system(&runs, Direction::Lower);
        let n = 2 * self.nodes.len() + 1;
        self.sums.open(n);
        let mut upper = self.cost_system(&runs, Direction::Upper);
        let mut upper_solution = self.run_solver(&upper, Direction::Upper);
        let has_sums = upper.functions.len() > n;
        if has_sums && may_be_better_without(&upper_solution.functions[..n - 1]) {
            let sums = std::mem::take(&mut self.sums);
            let plain = self.cost_system(&runs, Direction::Upper);
            let plain_solution = self.run_solver(&plain, Direction::Upper);
            let (summed, others) = (&upper_solution.functions, &plain_solution.functions);
            if are_better(&others[..n - 1], &summed[..n - 1]) {
                (upper, upper_solution) = (plain, plain_solution);
            } else {
                self.sums = sums;
            }
        }
        let lower_solution = self.run_solver(&lower, Direction::Lower);
        // This uses the remaining fuel.
        if let Some(better) = self.by_forgetting(&upper, &upper_solution) {
            upper_solution = better;
        }
        if let Some(better) = self.by_holding_logarithms(&upper, &upper_solution) {
            upper_solution = better;
        }
        if let Some(better) = self.by_rounds(&upper, &upper_solution) {
            (upper, upper_solution) = better;
        }
        if let Some(better) = self.by_cases(&runs, (&upper, &upper_solution)) {
            (upper, upper_solution) = better;
        }
        let added = self.added(&runs);
        Costs {
            work: WorkOfNodes::None,
            added,
            amortised: BTreeMap::new(),
            upper_solution,
            lower_solution,
            upper,
            lower,
            runs,
            causes: CausesOfNodes::default(),
            raises_later: OnceCell::new(),
        }
    }

    /// Replaces unknown upper bounds by those of the system in which the cases of callees have constraints.
    pub(super) fn by_cases(
        &self,
        runs: &[Rc<[RegionRuns]>],
        (known, solution): (&System, &Solution),
    ) -> Option<(System, Solution)> {
        let n = 2 * self.nodes.len();
        let cells = known.functions.iter().flat_map(|f| &f.cells);
        let many = cells.map(|cell| cell.alternatives.len()).sum::<usize>() > MOST_FOR_CASES;
        if many || are_known(&solution.functions[..n]) {
            return None;
        }
        let system = (self.cases).with(|| self.cost_system(runs, Direction::Upper))?;
        if system == *known {
            return None;
        }
        let left = self.shared.solver_fuel.replace(FUEL_FOR_CASES);
        let found = self.run_solver(&system, Direction::Upper);
        self.shared.solver_fuel.set(left);
        are_known(&found.functions[..n]).then_some((system, found))
    }

    /// Builds the system of costs. It contains the cost of each node over all solutions, then that of each node up to the first solution,
    /// then a function that is infinite, then sums, if allowed.
    pub(crate) fn cost_system(&self, runs: &[Rc<[RegionRuns]>], direction: Direction) -> System {
        let n = self.nodes.len();
        let mut functions = Vec::new();
        for quantity in [Quantity::All, Quantity::First] {
            for (i, run) in runs.iter().enumerate() {
                functions.push(
                    self.function(i, run, direction, true, &|q, run| q.clauses(quantity, run)),
                );
            }
        }
        functions.push(diverging_function(Var(self.shared.next_var.get()), 2 * n));
        functions.extend(self.sums.close(&functions, &self.nodes, &|| self.fresh()));
        let mut system = System { functions };
        self.prune(&mut system, &|f| match f < 2 * n {
            true => Some(f % n),
            false => self.sums.node(f),
        });
        system
    }
}

/// Returns a function that is infinite everywhere: the cost of a call to a predicate that is proved to diverge.
fn diverging_function(v: Var, own: usize) -> Function {
    Function {
        params: Vec::new(),
        cells: vec![Cell {
            region: Region::default(),
            alternatives: vec![Alternative {
                results: vec![CallResult {
                    var: v,
                    function: own,
                    args: Vec::new(),
                }],
                value: Some(&Expr::var(v) + &Expr::int(1)),
                ..Alternative::default()
            }],
            exhaustive: false,
        }],
    }
}
