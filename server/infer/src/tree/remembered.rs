//! A cache of runs.
//!
//! The type rounds and the subsequent phases run the same clauses repeatedly: once per world after a query of another clause has split the
//! world, and again in each phase because more is known about one of many callees. A run depends only on the facts that it read from its
//! world ([`ReadAnswers`]) and on the facts about the nodes that it calls. If neither has changed, the cached run is reused.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use costlens_events::Vocabulary;
use smol_str::SmolStr;

use super::ClauseRun;
use super::runs::RegionRuns;
use crate::lattice::types::Type;
use crate::summary::node::{Charged, Node, Output};
use crate::summary::pieces::Sides;
use crate::summary::relation::Relation;
use crate::world::{ReadAnswers, World};

/// The maximum number of cached runs per clause.
const MOST_RUNS: usize = 256;

/// The maximum number of exits in the cached runs, about twenty megabytes; beyond it, all runs are dropped.
const MOST_EXITS: usize = 20_000;

/// The cached runs of a component.
#[derive(Default)]
pub(crate) struct Remembered(RefCell<Memory>);

#[derive(Default)]
struct Memory {
    /// True if runs are cached. Runs of clauses at given sizes ([`crate::readers::tabulated`]) are not cached, because no two of them are
    /// the same.
    is_on: bool,
    /// The events that are recorded in addition to resolution steps.
    counting: Option<Vocabulary>,
    /// The facts that runs have received about each node, with the number of times they have changed.
    told: Vec<(Told, u64)>,
    nodes: BTreeMap<usize, RememberedValue<Rc<[RegionRuns]>>>,
    /// The cached runs, by node and clause.
    clauses: BTreeMap<(usize, usize), VecDeque<SeenRun>>,
    /// The number of exits in these runs, including evicted ones.
    exits: usize,
    /// The dependences of the current exploration, and of the clause run within it.
    node: Dependence,
    clause: Dependence,
}

/// A run, with the reads from its world.
type SeenRun = (ReadAnswers, RememberedValue<KeptRun>);

/// The run of a clause, if the clause can match, and whether later clauses are unreachable.
#[derive(Clone)]
pub(crate) struct KeptRun {
    pub(crate) run: Option<ClauseRun>,
    pub(crate) is_last: bool,
}

/// A value, its dependences other than the world, and whether its computation may raise an exception.
struct RememberedValue<T> {
    of: BTreeMap<usize, u64>,
    value: T,
    errors: bool,
}

/// The facts about a node that may change while its component is being solved.
struct Told {
    success: Option<Vec<Type>>,
    errors_possible: bool,
    outputs: Vec<Output>,
    elements: Vec<Output>,
    relation: Relation,
    charged: Option<Charged>,
    solutions: Option<Sides>,
    is_single: bool,
    leaves: Vec<Option<BTreeSet<SmolStr>>>,
}

impl Told {
    fn new(node: &Node) -> Self {
        Told {
            success: node.success.clone(),
            errors_possible: node.errors_possible,
            outputs: node.outputs.clone(),
            elements: node.elements.clone(),
            relation: node.relation.clone(),
            charged: node.charged.clone(),
            solutions: node.solutions.clone(),
            is_single: node.is_single,
            leaves: node.leaves.clone(),
        }
    }

    /// Returns whether these are the current facts about the node.
    fn is(&self, node: &Node) -> bool {
        let Told {
            success,
            errors_possible,
            outputs,
            elements,
            relation,
            charged,
            solutions,
            is_single,
            leaves,
        } = self;
        *errors_possible == node.errors_possible
            && *success == node.success
            && *outputs == node.outputs
            && *elements == node.elements
            && *relation == node.relation
            && *charged == node.charged
            && *solutions == node.solutions
            && *is_single == node.is_single
            && *leaves == node.leaves
    }
}

#[derive(Clone, Default)]
struct Dependence {
    /// The nodes whose facts were read.
    nodes: BTreeSet<usize>,
    /// True if the run contains a call without a node. The clause will run differently once the node exists.
    is_open: bool,
}

impl Memory {
    fn is_valid(&self, of: &BTreeMap<usize, u64>) -> bool {
        of.iter()
            .all(|(&i, &n)| self.told.get(i).is_some_and(|t| t.1 == n))
    }

    fn versions(&self, of: &Dependence) -> BTreeMap<usize, u64> {
        let version = |&i: &usize| (i, self.told.get(i).map_or(0, |t| t.1));
        of.nodes.iter().map(version).collect()
    }

    fn end_clause(&mut self) -> Dependence {
        let clause = std::mem::take(&mut self.clause);
        self.node.nodes.extend(&clause.nodes);
        self.node.is_open |= clause.is_open;
        clause
    }
}

impl Remembered {
    /// Returns the cached runs of a node, and whether an exception is possible, if no dependence has changed. Otherwise starts a new
    /// exploration.
    pub(crate) fn node(
        &self,
        nodes: &[Node],
        at: usize,
        counting: Option<Vocabulary>,
    ) -> Option<(Rc<[RegionRuns]>, bool)> {
        let mut memory = self.0.borrow_mut();
        memory.is_on = nodes.iter().all(|n| n.given.is_empty());
        memory.node = Dependence::default();
        memory.clause = Dependence::default();
        if !memory.is_on {
            return None;
        }
        if memory.counting != counting {
            memory.counting = counting;
            memory.nodes.clear();
            memory.clauses.clear();
        }
        for (i, node) in nodes.iter().enumerate() {
            match memory.told.get_mut(i) {
                None => memory.told.push((Told::new(node), 0)),
                Some((told, changes)) => {
                    if !told.is(node) {
                        *told = Told::new(node);
                        *changes += 1;
                    }
                }
            }
        }
        let kept = memory.nodes.get(&at)?;
        memory
            .is_valid(&kept.of)
            .then(|| (Rc::clone(&kept.value), kept.errors))
    }

    /// Stores the runs of the explored node.
    pub(crate) fn keep_node(&self, at: usize, runs: &Rc<[RegionRuns]>, errors: bool) {
        let mut memory = self.0.borrow_mut();
        if !memory.is_on || memory.node.is_open {
            return;
        }
        let kept = RememberedValue {
            of: memory.versions(&memory.node),
            value: Rc::clone(runs),
            errors,
        };
        memory.nodes.insert(at, kept);
    }

    /// Returns the cached run of a clause in a world, and whether an exception is possible. If there is none, starts a new run.
    pub(crate) fn clause(
        &self,
        node: usize,
        clause: usize,
        world: &World,
    ) -> Option<(KeptRun, bool)> {
        let mut memory = self.0.borrow_mut();
        // The previous run may have been aborted.
        memory.end_clause();
        if memory.is_on
            && let Some(all) = memory.clauses.get(&(node, clause))
            && let Some((_, kept)) = all
                .iter()
                .find(|(seen, kept)| world.shows(seen) && memory.is_valid(&kept.of))
        {
            let found = (kept.value.clone(), kept.errors);
            let of: Vec<usize> = kept.of.keys().copied().collect();
            memory.node.nodes.extend(of);
            return Some(found);
        }
        world.begin_reading();
        None
    }

    /// Stores the run of a clause.
    pub(crate) fn keep_clause(
        &self,
        node: usize,
        clause: usize,
        world: &World,
        run: &KeptRun,
        errors: bool,
    ) {
        let mut memory = self.0.borrow_mut();
        let dependence = memory.end_clause();
        if !memory.is_on || dependence.is_open {
            return;
        }
        let kept = RememberedValue {
            of: memory.versions(&dependence),
            value: run.clone(),
            errors,
        };
        memory.exits += (run.run.iter())
            .map(|run| run.tree.exits().len())
            .sum::<usize>();
        if memory.exits > MOST_EXITS {
            memory.clauses.clear();
            memory.exits = 0;
        }
        let mut all = memory.clauses.remove(&(node, clause)).unwrap_or_default();
        all.retain(|(_, kept)| memory.is_valid(&kept.of));
        if all.len() >= MOST_RUNS {
            all.pop_front();
        }
        all.push_back((world.seen(), kept));
        memory.clauses.insert((node, clause), all);
    }

    /// Drops the runs of a node, because its exits record more from now on.
    pub(crate) fn forget(&self, node: usize) {
        let mut memory = self.0.borrow_mut();
        memory.nodes.remove(&node);
        memory.clauses.retain(|&(of, _), _| of != node);
    }

    /// Records that the run read the facts about a node.
    pub(crate) fn told_of(&self, node: usize) {
        self.0.borrow_mut().clause.nodes.insert(node);
    }

    /// Records that the run contains a call without a node.
    pub(crate) fn met_open(&self) {
        self.0.borrow_mut().clause.is_open = true;
    }
}
