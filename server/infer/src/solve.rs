//! The phases of inference over one component.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use costlens_algebra::linear::Region;
use costlens_algebra::system::{
    Alternative, CallResult, Cell as SystemCell, Direction, Function, Solution, SolvedPiece,
    System, Value, Why,
};
use costlens_algebra::{Expr, Var};
use costlens_program::{Clause, ClauseKind};
use num_traits::Signed as _;
use smol_str::SmolStr;

use super::amortised::{self, Amortised};
use super::cause::CausesOfNodes;
use super::exact::{exact_functions, holds};
use super::explore::{RegionRuns, Shared, explore};
use super::facts::{Locals, number_variables};
use super::node::{Node, Output};
use super::quantity::{Column, Quantifier, Quantity};
use super::relations;
use super::relevance::drop_irrelevant;
use super::remembered::Remembered;
use super::summary::{Pieces, Sides, Summary};
use super::together::Calls;
use super::{DEFAULT_FUEL, MOST_PATTERNS, Program};
use crate::report::{PredicateName, SizeVariable};
use crate::types::{Metric, Pattern, Type};

/// Of so many steps that are left, those that one solution may take: one of few numbers, so that the same system is the same question again though
/// a little less is left (about 10 microseconds each; few take more than a thousand).
fn granted(left: u64) -> u64 {
    let halves = (0..DEFAULT_FUEL.ilog2()).map(|n| DEFAULT_FUEL >> n);
    let all = halves.flat_map(|half| [half, half - half / 4]);
    let granted = all.into_iter().find(|&step| step <= left);
    granted.unwrap_or(left)
}

/// Rounds of the type fixpoint before types are widened to anything.
const TYPE_ROUNDS: usize = 40;

/// What phase 4 solved, kept for the explanation.
pub(crate) struct Costs {
    /// Better upper bounds of the first node.
    pub(crate) amortised: Option<Arc<Amortised>>,
    pub(crate) upper: System,
    pub(crate) lower: System,
    pub(crate) upper_solution: Solution,
    pub(crate) lower_solution: Solution,
    pub(crate) runs: Vec<Rc<[RegionRuns]>>,
    /// What keeps callers of each node from a bound, once somebody asked.
    pub(super) causes: CausesOfNodes,
}

pub(crate) struct Component<'a> {
    pub(crate) shared: Shared<'a>,
    pub(crate) nodes: Vec<Node>,
    clauses: Vec<Arc<[Clause]>>,
    /// Who calls whom, as the types say.
    pub(super) calls: Calls,
    /// What phase 4 sums up.
    pub(crate) column: Column,
    /// The systems that were solved before phase 4, if somebody wants to know.
    pub(crate) kept: Option<RefCell<Vec<Kept>>>,
}

/// A solved system, and what its functions are called.
pub(crate) struct Kept {
    pub(crate) names: Vec<String>,
    pub(crate) system: System,
    pub(crate) direction: Direction,
    pub(crate) pieces: Vec<Vec<SolvedPiece>>,
}

impl<'a> Component<'a> {
    pub(crate) fn new(
        entry: &PredicateName,
        pattern: &Pattern,
        program: &'a dyn Program,
        fuel: u64,
    ) -> Self {
        let mut component = Self::counting(program, fuel, None);
        component.add_node(entry.clone(), pattern.clone());
        component
    }

    /// One without nodes, in which a symbol may be counted.
    pub(crate) fn counting(program: &'a dyn Program, fuel: u64, counted: Option<SmolStr>) -> Self {
        Component {
            shared: Shared {
                program,
                next_var: Cell::new(0),
                fuel: Cell::new(fuel),
                solver_fuel: Cell::new(fuel),
                obstacles: Vec::new(),
                types: program.types(),
                part_sizes: RefCell::default(),
                discovered: RefCell::new(Vec::new()),
                remembered: Remembered::default(),
                settled: Cell::new(false),
                counted,
                counting: Cell::new(None),
            },
            nodes: Vec::new(),
            clauses: Vec::new(),
            calls: Calls::default(),
            column: Column::Steps,
            kept: None,
        }
    }

    pub(crate) fn solve(mut self) -> Summary {
        self.types();
        let costs = self.solved_costs();
        self.summary(&costs, 0)
    }

    /// Phases 2 to 4, with better bounds of the first node.
    pub(super) fn solved_costs(&mut self) -> Costs {
        let mut costs = self.after_types();
        if self.is_alone(0) {
            let upper = take(&costs.upper_solution, 0);
            costs.amortised = amortised::amortise(self, &costs.runs, &upper);
        }
        costs
    }

    /// What the calls in the clauses of the first node contribute to its bound.
    pub(crate) fn break_down(mut self, known: &Summary) -> crate::report::Breakdown {
        let costs = self.phases_again(known);
        let summary = self.summary(&costs, 0);
        let mut found = super::breakdown::breakdown(&self, &costs, &summary);
        found.evaluated = super::tabulate::evaluated(&mut self, &costs, &summary);
        found
    }

    /// The phases, with the better bounds that were found when they ran for the summary.
    pub(crate) fn phases_again(&mut self, known: &Summary) -> Costs {
        Costs {
            amortised: known.amortised.clone(),
            ..self.phases()
        }
    }

    pub(crate) fn phases(&mut self) -> Costs {
        self.before_costs();
        self.costs()
    }

    /// Phases 1 to 3.
    pub(crate) fn before_costs(&mut self) {
        self.types();
        self.sizes_and_solutions();
    }

    /// Phases 2 to 4.
    pub(super) fn after_types(&mut self) -> Costs {
        self.sizes_and_solutions();
        self.costs()
    }

    /// Phases 2 and 3.
    fn sizes_and_solutions(&mut self) {
        self.shared.settled.set(true);
        self.output_sizes();
        self.solutions();
    }

    /// Whether some clause is `Head => Body`.
    pub(super) fn has_single_sided(&self) -> bool {
        let mut all = self.clauses.iter().flat_map(|clauses| clauses.iter());
        all.any(|clause| clause.kind == ClauseKind::SingleSided)
    }

    pub(super) fn add_node(&mut self, name: PredicateName, mut pattern: Pattern) {
        for i in self.shared.program.qualified_arguments(&name) {
            if let Some(ty) = pattern.0.get_mut(i) {
                *ty = Type::Any;
            }
        }
        let clauses = self
            .shared
            .program
            .clauses(&name)
            .unwrap_or_else(|| Arc::from([]));
        let next = &self.shared.next_var;
        let mut fresh = || {
            let v = Var(next.get());
            next.set(v.0 + 1);
            v
        };
        let raises = self.shared.program.is_declared_det(&name);
        let is_weighed = self.shared.counted.is_some();
        let mut node = Node::new(name, pattern, is_weighed, &mut fresh);
        node.errors_possible = raises;
        self.nodes.push(node);
        self.clauses.push(clauses);
        self.shared.obstacles.push(RefCell::new(Vec::new()));
    }

    pub(super) fn explore(&self, node: usize) -> (Rc<[RegionRuns]>, bool) {
        explore(&self.shared, &self.nodes, node, &self.clauses[node])
    }

    /// Phase 1: the types of the arguments on success, from "no call succeeds" upwards.
    pub(super) fn types(&mut self) {
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
    pub(super) fn adopt_discovered(&mut self) -> bool {
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

    /// Phase 2: sizes of arguments that are unbound at the call and have a metric on success.
    fn output_sizes(&mut self) {
        let mut sized: Vec<(usize, usize, Metric)> = Vec::new();
        for (i, node) in self.nodes.iter_mut().enumerate() {
            let Some(success) = &node.success else {
                continue;
            };
            for (argument, ty) in success.iter().enumerate() {
                if node.pattern.0[argument] == Type::Free
                    && let Some(metric) = ty.metric()
                {
                    sized.push((i, argument, metric));
                    node.outputs[argument] = Output::Symbolic;
                }
            }
        }
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
                    self.function(i, &runs[i], direction, &|q, run| {
                        q.output((argument, metric), run, &index)
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
        let relations = relations::infer(&self.nodes, &runs, &sized, &fresh);
        let exact = exact_functions(&systems, &solutions[0].functions);
        for (f, &(i, argument, _)) in sized.iter().enumerate() {
            let ty = self.nodes[i].success.as_ref().map(|s| s[argument].clone());
            let integer = ty.is_some_and(|t| t.metric() == Some(Metric::Int));
            let lower = &solutions[0].functions[f];
            let upper = &solutions[1].functions[f];
            let is_known = |p: &SolvedPiece| matches!(p.value, Value::Known(_));
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
            let (lower, upper) = (better(&lower), better(upper));
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

    /// Phase 3: numbers of solutions.
    fn solutions(&mut self) {
        let runs = self.runs();
        let mut solved = Vec::new();
        for direction in [Direction::Upper, Direction::Lower] {
            let functions = (0..self.nodes.len())
                .map(|i| {
                    self.function(i, &runs[i], direction, &|q, run| {
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

    /// Phase 4: resolution steps.
    fn costs(&mut self) -> Costs {
        let runs = self.runs();
        let upper = self.cost_system(&runs, Direction::Upper);
        let lower = self.cost_system(&runs, Direction::Lower);
        let upper_solution = self.run_solver(&upper, Direction::Upper);
        Costs {
            amortised: None,
            upper_solution,
            lower_solution: self.run_solver(&lower, Direction::Lower),
            upper,
            lower,
            runs,
            causes: CausesOfNodes::default(),
        }
    }

    pub(crate) fn runs(&self) -> Vec<Rc<[RegionRuns]>> {
        (0..self.nodes.len()).map(|i| self.explore(i).0).collect()
    }

    /// The costs of each node over all solutions, then to the first one, then a function that is infinite.
    pub(crate) fn cost_system(&self, runs: &[Rc<[RegionRuns]>], direction: Direction) -> System {
        let n = self.nodes.len();
        let mut functions = Vec::new();
        for quantity in [Quantity::All, Quantity::First] {
            for (i, run) in runs.iter().enumerate() {
                functions
                    .push(self.function(i, run, direction, &|q, run| q.clauses(quantity, run)));
            }
        }
        functions.push(diverging_function(Var(self.shared.next_var.get()), 2 * n));
        let mut system = System { functions };
        self.prune(&mut system, &|f| (f < 2 * n).then_some(f % n));
        system
    }

    /// One quantity of one node as a function of a system.
    pub(super) fn function(
        &self,
        node: usize,
        runs: &[RegionRuns],
        direction: Direction,
        alternatives: &dyn Fn(&Quantifier<'_>, &[super::tree::ClauseRun]) -> Vec<Alternative>,
    ) -> Function {
        let n = self.nodes.len();
        // Costs use both quantities of a callee: all solutions at `i`, the first one at `n + i`.
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
                    let locals = Locals::of(&world.clauses);
                    let quantifier = Quantifier {
                        nodes: &self.nodes,
                        world: &world.world,
                        locals: &locals,
                        direction,
                        next_var: &self.shared.next_var,
                        function_of: &function_of,
                        diverging: 2 * n,
                        column: &self.column,
                        program: self.shared.program,
                    };
                    for mut alternative in alternatives(&quantifier, &world.clauses) {
                        locals.bind(&mut alternative, world.world.region());
                        let alternative = world.world.parts().part_of(alternative);
                        if !all.contains(&alternative) {
                            all.push(alternative);
                        }
                    }
                }
                SystemCell {
                    region: region.region.clone(),
                    alternatives: all,
                    // Every call lies in a world.
                    exhaustive: true,
                }
            })
            .collect();
        Function {
            params: self.nodes[node].vars(),
            cells,
        }
    }

    fn prune(&self, system: &mut System, node_of: &dyn Fn(usize) -> Option<usize>) {
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

    pub(crate) fn run_solver(&self, system: &System, direction: Direction) -> Solution {
        let left = self.shared.solver_fuel.get();
        let solution = (self.shared.program).solve(system, direction, granted(left));
        let rest = left.saturating_sub(solution.fuel_used);
        self.shared.solver_fuel.set(rest);
        solution
    }

    /// A predicate and its pattern.
    pub(crate) fn called(&self, node: usize) -> String {
        let node = &self.nodes[node];
        format!("{} {}", node.name, node.pattern)
    }

    fn keep(
        &self,
        system: &System,
        direction: Direction,
        solution: &Solution,
        name: &dyn Fn(usize) -> String,
    ) {
        let Some(kept) = &self.kept else { return };
        kept.borrow_mut().push(Kept {
            names: (0..system.functions.len()).map(name).collect(),
            system: system.clone(),
            direction,
            pieces: solution.functions.clone(),
        });
    }

    /// What is known of one of the nodes.
    pub(super) fn summary(&self, costs: &Costs, at: usize) -> Summary {
        let n = self.nodes.len();
        let node = &self.nodes[at];
        let amortised = costs.amortised.as_ref().filter(|_| at == 0);
        let mut all = Sides {
            lower: at_least_zero(take(&costs.lower_solution, at)),
            upper: take(&costs.upper_solution, at),
        };
        let mut first = Sides {
            lower: at_least_zero(take(&costs.lower_solution, n + at)),
            upper: take(&costs.upper_solution, n + at),
        };
        if let Some(amortised) = amortised {
            for side in [&mut all.upper, &mut first.upper] {
                *side = amortised.better(side);
            }
        }
        first.upper = at_most(first.upper, &all.upper);
        let outputs: BTreeMap<usize, Sides> = node
            .outputs
            .iter()
            .enumerate()
            .filter_map(|(i, o)| match o {
                Output::Solved(sides) => Some((i, sides.clone())),
                _ => None,
            })
            .collect();
        if node.errors_possible {
            for pieces in [&mut first.lower, &mut all.lower] {
                may_raise(pieces);
            }
        }
        let mut summary = Summary {
            predicate: node.name.clone(),
            pattern: node.pattern.clone(),
            params: Vec::new(),
            domain: node.domain.clone(),
            success: node.success.clone(),
            outputs,
            relation: node.relation.clone(),
            solutions: node.solutions.clone().unwrap_or_default(),
            first,
            all,
            errors_possible: node.errors_possible,
            amortised: amortised.cloned(),
            unknown: Vec::new(),
            rests_on: Vec::new(),
        };
        summary.params = named(node, &summary);
        summary.unknown = super::cause::unknown(self, costs, &summary, at);
        summary
    }
}

fn take(solution: &Solution, f: usize) -> Pieces {
    solution.functions.get(f).cloned().unwrap_or_default()
}

/// Names for the sizes: n, m, k, … for those that the cost depends on, in the order of the arguments; then the others.
pub(super) fn named(node: &Node, summary: &Summary) -> Vec<SizeVariable> {
    const NAMES: [&str; 8] = ["n", "m", "k", "p", "q", "r", "s", "t"];
    let mentioned = |v: Var| {
        let sides = [&summary.all, &summary.first, &summary.solutions]
            .into_iter()
            .chain(summary.outputs.values());
        sides.flat_map(|s| s.lower.iter().chain(&s.upper)).any(|p| {
            matches!(&p.value, Value::Known(e) if e.variables().contains(&v))
                || p.region.constraints().iter().any(|c| {
                    c.variables().any(|w| w == v) && !node.domain.constraints().contains(c)
                })
        })
    };
    let mut order: Vec<usize> = (0..node.params.len()).collect();
    order.sort_by_key(|&i| !mentioned(node.params[i].var));
    let mut names = vec![String::new(); node.params.len()];
    for (rank, &i) in order.iter().enumerate() {
        names[i] = match NAMES.get(rank) {
            Some(name) => (*name).to_owned(),
            None => format!("n{}", rank + 1),
        };
    }
    node.params
        .iter()
        .zip(names)
        .map(|(p, name)| SizeVariable {
            var: p.var,
            argument: p.slot.argument + 1,
            metric: p.slot.metric,
            element: p.slot.element,
            name,
        })
        .collect()
}

/// A run that may end in an exception is not proved to go on for ever.
pub(crate) fn may_raise(pieces: &mut Pieces) {
    for piece in pieces.iter_mut().filter(|p| p.value == Value::Diverges) {
        piece.value = Value::Known(Expr::zero());
    }
}

/// A lower bound of something that is never negative: where none was proved, 0.
pub(crate) fn at_least_zero(pieces: Pieces) -> Pieces {
    pieces
        .into_iter()
        .map(|p| match p.value {
            // Below 0 nothing is said.
            Value::Known(ref e) if !e.as_constant().is_some_and(|c| c.is_negative()) => p,
            Value::Diverges => p,
            Value::Known(_) | Value::Unknown(_) => SolvedPiece {
                region: p.region,
                value: Value::Known(Expr::zero()),
            },
        })
        .collect()
}

/// The steps to the first solution are at most those over all solutions.
pub(crate) fn at_most(pieces: Pieces, all: &Pieces) -> Pieces {
    let mut result = Vec::new();
    for piece in pieces {
        if !matches!(piece.value, Value::Unknown(_)) {
            result.push(piece);
            continue;
        }
        for other in all {
            let region = piece.region.and_all(&other.region);
            if !region.is_empty() {
                let value = match &other.value {
                    Value::Known(_) => other.value.clone(),
                    _ => piece.value.clone(),
                };
                result.push(SolvedPiece { region, value });
            }
        }
    }
    result
}

/// A function that is infinite everywhere: what a call of a predicate that was proved to diverge costs.
fn diverging_function(v: Var, own: usize) -> Function {
    Function {
        params: Vec::new(),
        cells: vec![SystemCell {
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

/// Whether a piece has no bound for want of fuel.
pub(crate) fn is_fuel(value: &Value) -> bool {
    matches!(value, Value::Unknown(Why::Fuel))
}
