//! All worlds of a node: regions of sizes and, within each region, the answers to the queries of its clauses.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

use costlens_algebra::Var;
use costlens_algebra::linear::Region;
use costlens_algebra::work::Meter;
use costlens_program::Clause;

use super::Shared;
use crate::clause::Runner;
use crate::summary::node::Node;
use crate::tree::runs::{RegionRuns, WorldRun};
use crate::world::World;
use crate::world::kinds::are_consistent;
use crate::world::order::are_in_order;
use crate::world::parts::Parts;
use crate::world::questions::{Answer, Question, Split};

/// The maximum number of regions of a node; beyond it, tests on sizes remain undecided.
const MOST_REGIONS: usize = 24;
/// The maximum number of worlds per region.
const MOST_WORLDS: usize = 48;

/// The maximum number of clauses of a predicate whose worlds are split by queries: a table of facts would have as many worlds as clauses.
const MOST_ASKING_CLAUSES: usize = 32;

/// Runs a node's clauses in all its worlds. Also returns whether an exception is possible.
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

/// Returns the worlds of a region, or the parts into which it must be split.
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
        if !are_consistent(&answers) || !are_in_order(&answers, &nodes[node], region) {
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
        let within = parts.extended(region);
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
            met: &shared.met,
            run_once: Cell::new(None),
            is_once: Cell::new(false),
            collecting: Cell::new(0),
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
