//! Runs that would only be repeated.
//!
//! The rounds of the types and the phases after them run the same clauses over and over: in each world again where another clause asked a
//! question, and in each phase again because one of many callees is known better. What a run depends on is little: what it read of its
//! world ([`Observed`]) and what it was told of the nodes that it calls. Where neither has changed, the run of before is taken.

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
use crate::world::{Observed, World};

/// Runs of one clause that are kept at most.
const MOST_RUNS: usize = 256;

/// Ways to succeed in the runs that are kept at most, some twenty megabytes; then all are forgotten.
const MOST_EXITS: usize = 20_000;

/// The runs of a component that are kept.
#[derive(Default)]
pub(crate) struct Remembered(RefCell<Memory>);

#[derive(Default)]
struct Memory {
    /// True if anything is kept. Not where cells are run at given sizes ([`crate::readers::tabulated`]): each of these runs is another one.
    is_on: bool,
    /// The events that are recorded beside resolution steps.
    counting: Option<Vocabulary>,
    /// Answers that runs were given about each node, and how often that has changed.
    told: Vec<(Told, u64)>,
    nodes: BTreeMap<usize, Kept<Rc<[RegionRuns]>>>,
    /// By node and clause.
    clauses: BTreeMap<(usize, usize), VecDeque<SeenRun>>,
    /// In how many ways they succeed, and those that made place for them.
    exits: usize,
    /// Dependences of the exploration under way, and in it the run of a clause.
    node: Dependence,
    clause: Dependence,
}

/// A run with what it read of its world.
type SeenRun = (Observed, Kept<KeptRun>);

/// The run of a clause, if the clause can match; and whether clauses behind it are out of reach.
#[derive(Clone)]
pub(crate) struct KeptRun {
    pub(crate) run: Option<ClauseRun>,
    pub(crate) is_last: bool,
}

/// A value, what it depends on beside the world, and whether an exception is possible there.
struct Kept<T> {
    of: BTreeMap<usize, u64>,
    value: T,
    errors: bool,
}

/// Answers about a node that may change while its component is solved.
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
    fn of(node: &Node) -> Self {
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

    /// Tells whether it is what runs are told of the node now.
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
    /// The nodes that it was told of.
    nodes: BTreeSet<usize>,
    /// True if it met a call that has no node of its own: it runs otherwise when there is one.
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
    /// The runs of a node and whether an exception is possible, if nothing that they depend on has changed. Else the node is explored now.
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
                None => memory.told.push((Told::of(node), 0)),
                Some((told, changes)) => {
                    if !told.is(node) {
                        *told = Told::of(node);
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

    /// Keeps the runs of the node that was explored.
    pub(crate) fn keep_node(&self, at: usize, runs: &Rc<[RegionRuns]>, errors: bool) {
        let mut memory = self.0.borrow_mut();
        if !memory.is_on || memory.node.is_open {
            return;
        }
        let kept = Kept {
            of: memory.versions(&memory.node),
            value: Rc::clone(runs),
            errors,
        };
        memory.nodes.insert(at, kept);
    }

    /// The run of a clause in a world and whether an exception is possible, if it is known. Else it runs now.
    pub(crate) fn clause(
        &self,
        node: usize,
        clause: usize,
        world: &World,
    ) -> Option<(KeptRun, bool)> {
        let mut memory = self.0.borrow_mut();
        // A run before this one may have ended before its time.
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

    /// Keeps the run of a clause.
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
        let kept = Kept {
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

    /// Forgets the runs of a node: more than before is to be recorded where they succeed.
    pub(crate) fn forget(&self, node: usize) {
        let mut memory = self.0.borrow_mut();
        memory.nodes.remove(&node);
        memory.clauses.retain(|&(of, _), _| of != node);
    }

    /// The run is told of a node.
    pub(crate) fn told_of(&self, node: usize) {
        self.0.borrow_mut().clause.nodes.insert(node);
    }

    /// The run met a call that has no node of its own.
    pub(crate) fn met_open(&self) {
        self.0.borrow_mut().clause.is_open = true;
    }
}
