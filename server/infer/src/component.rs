//! The component that is being solved: its nodes, and the phases of its analysis.

mod added;
mod calls;
mod consumption;
pub(crate) mod costs;
mod distinct;
mod elements;
mod explore;
pub(crate) mod forgotten;
mod logarithms;
mod outputs;
mod rounds;
pub(crate) mod single;
mod solutions;
mod success;
pub(crate) mod systems;
pub(crate) mod work;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use costlens_algebra::Var;
use costlens_events::Vocabulary;
use costlens_program::{Clause, ClauseKind};
use smol_str::SmolStr;

use crate::equations::cases::Cases;
use crate::equations::quantity::CostColumn;
use crate::equations::sums::Sums;
use crate::lattice::regular::Types;
use crate::lattice::types::{Pattern, Type};
use crate::lattice::weight::TermWeight;
use crate::program::Program;
use crate::report::Functor;
use crate::summary::Summary;
use crate::summary::node::{Called, Node};
use crate::summary::parameters::Met;
use crate::tree::Obstacle;
use crate::tree::remembered::Remembered;
use crate::tree::runs::RegionRuns;
use calls::Calls;
use costs::Costs;
use explore::explore;
use single::repeated;
use systems::SolvedSystem;

/// The fuel of a component for the solver, counted in steps. The editor and the command line use the same value.
pub const DEFAULT_FUEL: u64 = 20_000;

/// The maximum fuel of a component for symbolic runs, counted in goals. Of 14,925 bounds of SWI-Prolog's library, four times as much
/// yields 22 more and takes a sixth longer.
const RUN_FUEL: u64 = 5_000;

/// The state shared by all runs of a component.
pub(crate) struct Shared<'a> {
    pub(crate) program: &'a dyn Program,
    pub(crate) next_var: Cell<u32>,
    /// The number of goals and clauses that may still be run; when it reaches 0, tests remain undecided.
    pub(crate) fuel: Cell<u64>,
    /// The number of steps that the solver may still take.
    pub(crate) solver_fuel: Cell<u64>,
    pub(crate) obstacles: Vec<RefCell<Vec<Obstacle>>>,
    pub(crate) types: Types,
    /// The size variables for subterms of arguments, by node and key.
    pub(crate) part_sizes: RefCell<BTreeMap<(usize, SmolStr), Var>>,
    pub(crate) discovered: RefCell<Vec<Called>>,
    /// True if the types are solved.
    pub(crate) settled: Cell<bool>,
    /// The weight of terms ([`crate::lattice::weight`]), if requested.
    pub(crate) counted: Option<TermWeight>,
    /// Cached runs.
    pub(crate) remembered: Remembered,
    /// The events that runs record in addition to resolution steps.
    pub(crate) counting: Cell<Option<Vocabulary>>,
    /// The parameters and assumptions that runs have met.
    pub(crate) met: Met,
}

/// The predicates that are solved together, with one node per call pattern.
pub(crate) struct Component<'a> {
    pub(crate) shared: Shared<'a>,
    pub(crate) nodes: Vec<Node>,
    clauses: Vec<Arc<[Clause]>>,
    /// The call graph of the nodes, as inferred with the types.
    pub(crate) calls: Calls,
    /// The column that phase 4 sums.
    pub(crate) column: CostColumn,
    /// True if successful calls cost what their outputs are tied to.
    pub(crate) charges: bool,
    /// The sums in the equations of phases 3 and 4.
    pub(crate) sums: Sums,
    /// The treatment of the cases of callees in the equations.
    pub(crate) cases: Cases,
    /// The systems solved before phase 4, if a caller requests them.
    pub(crate) kept: Option<RefCell<Vec<SolvedSystem>>>,
}

impl<'a> Component<'a> {
    pub(crate) fn new(
        entry: &Functor,
        pattern: &Pattern,
        program: &'a dyn Program,
        fuel: u64,
    ) -> Self {
        let mut component = Self::counting(program, fuel, None);
        component.shared.counting.set(Some(Vocabulary::Work));
        component.add_node(Called::matching(entry.clone(), pattern.clone()));
        component
    }

    /// Creates the component of the first node once more, with this fuel.
    pub(crate) fn begun_again(&self, fuel: u64) -> Self {
        let first = &self.nodes[0];
        Self::new(&first.name, &first.pattern, self.shared.program, fuel)
    }

    /// Creates the component of a solved summary again, with the same variables for parameters.
    pub(crate) fn again(known: &Summary, program: &'a dyn Program, fuel: u64) -> Self {
        let mut component = Self::counting(program, fuel, None);
        component.shared.counting.set(Some(Vocabulary::Work));
        (component.shared.met).begin_with(&known.predicate, &known.parameters);
        component.add_node(Called::matching(
            known.predicate.clone(),
            known.pattern.clone(),
        ));
        component
    }

    /// Creates an empty component, with the counted weight of terms, if any.
    pub(crate) fn counting(
        program: &'a dyn Program,
        fuel: u64,
        counted: Option<TermWeight>,
    ) -> Self {
        Component {
            shared: Shared {
                program,
                next_var: Cell::new(0),
                fuel: Cell::new(fuel.min(RUN_FUEL)),
                solver_fuel: Cell::new(fuel),
                obstacles: Vec::new(),
                types: program.types(),
                part_sizes: RefCell::default(),
                discovered: RefCell::new(Vec::new()),
                remembered: Remembered::default(),
                settled: Cell::new(false),
                counted,
                counting: Cell::new(None),
                met: Met::default(),
            },
            nodes: Vec::new(),
            clauses: Vec::new(),
            calls: Calls::default(),
            column: CostColumn::Steps,
            charges: true,
            sums: Sums::default(),
            cases: Cases::default(),
            kept: None,
        }
    }

    /// Runs the phases again, with the improved bounds from the summary.
    pub(crate) fn phases_again(&mut self, known: &Summary) -> Costs {
        Costs {
            amortised: (known.amortised.iter())
                .map(|a| (0, Arc::clone(a)))
                .collect(),
            ..self.phases()
        }
    }

    pub(crate) fn phases(&mut self) -> Costs {
        self.before_costs();
        self.best_costs()
    }

    /// Runs phases 1 to 3.
    pub(crate) fn before_costs(&mut self) {
        self.types();
        self.sizes_and_solutions();
    }

    /// Runs phases 2 to 4.
    pub(crate) fn after_types(&mut self) -> Costs {
        self.sizes_and_solutions();
        self.best_costs()
    }

    /// Runs phases 2 and 3.
    pub(crate) fn sizes_and_solutions(&mut self) {
        self.adopt_parameters();
        self.shared.settled.set(true);
        self.output_sizes();
        self.element_sizes();
        self.solutions();
        self.single_solutions();
        self.distinct_outputs();
    }

    /// Lets the bounds of all nodes depend on the parameters that the runs meet. A parameter that a call passes on in place of another may
    /// be new, so that the clauses are run until there are none.
    fn adopt_parameters(&mut self) {
        loop {
            let all = self.shared.met.variables();
            let mut is_new = false;
            for (i, node) in self.nodes.iter_mut().enumerate() {
                if node.parameters != all {
                    node.depend_on(&all);
                    self.shared.remembered.forget(i);
                    is_new = true;
                }
            }
            if !is_new {
                return;
            }
            for i in 0..self.nodes.len() {
                self.explore(i);
            }
        }
    }

    /// Returns a new variable with no meaning yet.
    pub(crate) fn fresh(&self) -> Var {
        let v = Var(self.shared.next_var.get());
        self.shared.next_var.set(v.0 + 1);
        v
    }

    /// Returns whether some clause is `Head => Body`.
    pub(crate) fn has_single_sided(&self) -> bool {
        let mut all = self.clauses.iter().flat_map(|clauses| clauses.iter());
        all.any(|clause| clause.kind == ClauseKind::SingleSided)
    }

    pub(crate) fn add_node(&mut self, mut calls: Called) {
        let name = &calls.name;
        for i in self.shared.program.qualified_arguments(name) {
            if let Some(ty) = calls.pattern.0.get_mut(i) {
                *ty = Type::Any;
                calls.constants.remove(&i);
            }
        }
        let clauses = self
            .shared
            .program
            .clauses(name)
            .unwrap_or_else(|| Arc::from([]));
        for assumption in self.shared.program.assumed(name) {
            self.shared.met.assume(assumption);
        }
        let next = &self.shared.next_var;
        let mut fresh = || {
            let v = Var(next.get());
            next.set(v.0 + 1);
            v
        };
        let raises = self.shared.program.is_declared_det(name);
        let mut node = Node::new(calls, self.shared.counted.as_ref(), &mut fresh);
        node.errors_possible = raises;
        node.repeated = repeated(self.shared.program, &clauses);
        node.depend_on(&self.shared.met.variables());
        self.nodes.push(node);
        self.clauses.push(clauses);
        self.shared.obstacles.push(RefCell::new(Vec::new()));
    }

    /// Runs the clauses of a node in all its worlds. Also returns whether an exception is possible.
    pub(crate) fn explore(&self, node: usize) -> (Rc<[RegionRuns]>, bool) {
        explore(&self.shared, &self.nodes, node, &self.clauses[node])
    }

    /// Returns the runs of all nodes.
    pub(crate) fn runs(&self) -> Vec<Rc<[RegionRuns]>> {
        (0..self.nodes.len()).map(|i| self.explore(i).0).collect()
    }

    /// Returns a predicate with its call pattern as text.
    pub(crate) fn called(&self, node: usize) -> String {
        let node = &self.nodes[node];
        let constants = node.constants.iter();
        let constants: String = constants
            .map(|(i, c)| format!(", argument {} is {c}", i + 1))
            .collect();
        format!("{} {}{constants}", node.name, node.pattern)
    }

    /// Returns whether a node is not mutually recursive with other nodes. The types must be solved.
    pub(crate) fn is_alone(&self, node: usize) -> bool {
        self.calls.is_alone(node)
    }
}
