//! All worlds of a node: regions of sizes, and in each the answers to the questions that its clauses ask.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use costlens_algebra::Var;
use costlens_algebra::linear::Region;
use costlens_algebra::work::Meter;
use costlens_events::Vocabulary;
use costlens_program::Clause;
use smol_str::SmolStr;

use super::Program;
use super::exec::{Obstacle, Runner};
use super::kinds::are_consistent;
use super::node::Node;
use super::remembered::Remembered;
use super::tree::ClauseRun;
use super::world::{Answer, Parts, Question, Split, World};
use crate::regular::Regular;
use crate::report::PredicateName;
use crate::types::Pattern;

/// Regions that one node is split into at most; beyond, tests on sizes stay undecided.
const MOST_REGIONS: usize = 24;
/// Worlds in one region at most.
const MOST_WORLDS: usize = 48;

/// Predicates with more clauses (tables of facts) ask no questions: the worlds would be as many as the clauses.
const MOST_ASKING_CLAUSES: usize = 32;

/// The clause runs of one world.
pub(crate) struct WorldRun {
    pub(crate) world: World,
    pub(crate) clauses: Vec<ClauseRun>,
}

/// The worlds of one region. The regions of a node are disjoint and cover its domain.
pub(crate) struct RegionRuns {
    pub(crate) region: Region,
    pub(crate) worlds: Vec<WorldRun>,
}

/// State shared by all runs of a component.
pub(crate) struct Shared<'a> {
    pub(crate) program: &'a dyn Program,
    pub(crate) next_var: Cell<u32>,
    /// Goals and clauses that may still be run; with none left, tests stay undecided.
    pub(crate) fuel: Cell<u64>,
    /// Steps that the solver may still take.
    pub(crate) solver_fuel: Cell<u64>,
    pub(crate) obstacles: Vec<RefCell<Vec<Obstacle>>>,
    /// The types that the program defines.
    pub(crate) types: Arc<[Arc<Regular>]>,
    /// The size variables of parts of arguments, by node and key.
    pub(crate) part_sizes: RefCell<BTreeMap<(usize, SmolStr), Var>>,
    pub(crate) discovered: RefCell<Vec<(PredicateName, Pattern)>>,
    /// Whether the types are solved.
    pub(crate) settled: Cell<bool>,
    /// The symbol that is counted in terms ([`super::weight`]).
    pub(crate) counted: Option<SmolStr>,
    /// Runs that need not be repeated.
    pub(crate) remembered: Remembered,
    /// Whether runs record what they count beside resolution steps.
    pub(crate) counting: Cell<Option<Vocabulary>>,
}

/// Runs a node's clauses in all its worlds. Also says whether an exception is possible.
pub(crate) fn explore(
    shared: &Shared<'_>,
    nodes: &[Node],
    node: usize,
    clauses: &[Clause],
) -> (Rc<[RegionRuns]>, bool) {
    let counting = shared.counting.get();
    if let Some(known) = shared.remembered.node(nodes, node, counting) {
        return known;
    }
    let errors = Cell::new(false);
    let mut done: Vec<RegionRuns> = Vec::new();
    let mut regions = vec![nodes[node].domain.clone()];
    while let Some(region) = regions.pop() {
        let may_split = done.len() + regions.len() + 1 < MOST_REGIONS && shared.fuel.get() > 0;
        match worlds(shared, nodes, node, clauses, &region, may_split, &errors) {
            Ok(worlds) => done.push(RegionRuns { region, worlds }),
            Err(parts) => regions.extend(parts.into_iter().filter(|r| !r.is_empty())),
        }
    }
    done.sort_by(|a, b| a.region.cmp(&b.region));
    let done = Rc::from(done);
    (shared.remembered).keep_node(node, &done, errors.get());
    (done, errors.get())
}

/// The worlds of a region, or the parts that it has to be split into.
fn worlds(
    shared: &Shared<'_>,
    nodes: &[Node],
    node: usize,
    clauses: &[Clause],
    region: &Region,
    may_split: bool,
    errors: &Cell<bool>,
) -> Result<Vec<WorldRun>, Vec<Region>> {
    let mut meter = Meter::start(shared.fuel.get());
    let mut done = Vec::new();
    let mut open: Vec<BTreeMap<Question, Answer>> = vec![BTreeMap::new()];
    while let Some(answers) = open.pop() {
        if !are_consistent(&answers) {
            continue; // no call lies in this world
        }
        let may_ask = clauses.len() <= MOST_ASKING_CLAUSES
            && done.len() + open.len() + 1 < MOST_WORLDS
            && shared.fuel.get() > 0;
        let counted = shared.counted.as_ref();
        let parts = Parts::new(&nodes[node], &answers, counted, &mut |key| {
            let mut all = shared.part_sizes.borrow_mut();
            *all.entry((node, key)).or_insert_with(|| {
                let v = Var(shared.next_var.get());
                shared.next_var.set(v.0 + 1);
                v
            })
        });
        let within = parts.within(region);
        if within.is_empty() {
            continue; // no term of these sizes has these functors
        }
        let world = World::new(within, parts, answers, may_ask, may_split);
        let runner = Runner {
            program: shared.program,
            types: &shared.types,
            nodes,
            node,
            world: &world,
            next_var: &shared.next_var,
            fuel: &shared.fuel,
            obstacles: &shared.obstacles[node],
            discovered: &shared.discovered,
            errors,
            settled: shared.settled.get(),
            counting: shared.counting.get(),
            counted,
            remembered: &shared.remembered,
        };
        let ended = runner.clauses(clauses);
        let mut fuel = shared.fuel.get();
        meter.settle(&mut fuel);
        shared.fuel.set(fuel);
        match ended {
            Ok(clauses) => done.push(WorldRun { world, clauses }),
            Err(Split::Region(c)) => {
                let mut parts = vec![region.and(c.clone())];
                parts.extend(c.negated().into_iter().map(|n| region.and(n)));
                return Err(parts);
            }
            Err(Split::Ask(question, cases)) => {
                for answer in cases.into_iter().rev() {
                    let mut answers = world.answers().clone();
                    answers.insert(question.clone(), answer);
                    open.push(answers);
                }
            }
        }
    }
    Ok(done)
}
