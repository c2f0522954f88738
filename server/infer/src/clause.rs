//! The symbolic run of a clause in a world.
//!
//! Literals run left to right over abstract values. The resulting [`crate::tree::Tree`] suffices to compute costs, numbers of solutions and
//! output sizes without another run.

mod aggregate;
mod built_in;
pub(crate) mod callee_cost;
mod calls;
mod collect;
mod control;
mod converted;
mod dicts;
mod exceptions;
mod facts;
mod formats;
mod generators;
mod goals;
pub(crate) mod guards;
mod head;
mod heap;
mod heap_of_calls;
mod high_level;
mod inferences;
mod instructions;
mod integers;
mod literals;
mod machine;
mod measured;
mod membership;
mod messages;
mod modes;
mod notes;
mod own;
mod point;
mod portable;
mod ranges;
mod relate;
mod relative;
mod same_outputs;
mod sized;
mod texts;
mod total_work;
mod work;
mod wrapped;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use costlens_compile::ppdp08::ChainPosition;
use costlens_events::{Counts, Vocabulary};
use costlens_program::{Clause, ClauseKind};
use costlens_syntax::term::{TermId, Terms};

use crate::lattice::regular::Types;
use crate::program::Program;
use crate::state::State;
use crate::summary::node::{Called, Node};
use crate::summary::parameters::Met;
use crate::tree::remembered::{KeptRun, Remembered};
use crate::tree::{ClauseRun, Obstacle};
use crate::world::World;
use crate::world::questions::Split;
use heap::HeapClause;
use high_level::HighLevel;
use instructions::Ppdp08Clause;
use own::Own;
use point::model::{ModelOfClause, Selection, Steps};
use point::{ClauseScope, Point, fail};
use total_work::TotalWork;

/// The state shared by all runs of a node in a world.
pub(crate) struct Runner<'a> {
    pub(crate) program: &'a dyn Program,
    pub(crate) types: &'a Types,
    pub(crate) nodes: &'a [Node],
    pub(crate) node: usize,
    pub(crate) world: &'a World,
    pub(crate) next_var: &'a Cell<u32>,
    pub(crate) fuel: &'a Cell<u64>,
    pub(crate) obstacles: &'a RefCell<Vec<Obstacle>>,
    /// Patterns of calls within the component that have no node yet.
    pub(crate) discovered: &'a RefCell<Vec<Called>>,
    pub(crate) errors: &'a Cell<bool>,
    /// True if the component's types are solved, so that patterns can no longer be added.
    pub(crate) settled: bool,
    /// The events that are recorded in addition to resolution steps.
    pub(crate) counting: Option<Vocabulary>,
    /// The weight of terms ([`crate::lattice::weight`]), if requested.
    pub(crate) counted: Option<&'a crate::lattice::weight::TermWeight>,
    /// Cached results of previous runs.
    pub(crate) remembered: &'a Remembered,
    /// The parameters and assumptions that runs have met.
    pub(crate) met: &'a Met,
    /// The goal of a condition that was just entered: only its first solution is used.
    pub(crate) run_once: Cell<Option<TermId>>,
    /// True if that goal is running itself, not one of its parts, or a goal before a cut: `p(X, Y), !`.
    pub(crate) is_once: Cell<bool>,
    /// The number of goals around the current one whose solutions are all explored.
    pub(crate) collecting: Cell<usize>,
}

impl Runner<'_> {
    /// Returns the run for the call itself, before any clause; later phases treat it like a clause that fails.
    fn before_clauses(&self, counts: Counts) -> ClauseRun {
        let mut point = Point::new(State::new(&Terms::default(), self.types.clone()));
        point.count(counts);
        ClauseRun {
            clause: 0,
            tree: Rc::new(fail(point)),
            may_cut: false,
            raises: false,
        }
    }

    /// Selects the clauses, with the cost model of the vocabulary that is counted.
    fn selection<'a>(&'a self, clauses: &'a [Clause]) -> Result<Selection<'a>, Split> {
        let model: ModelOfClause<'a> = match self.counting {
            None => Box::new(|_| Box::new(Steps)),
            Some(Vocabulary::HighLevel) => Box::new(|_| Box::new(HighLevel)),
            Some(Vocabulary::Own) => Box::new(|_| Box::new(Own)),
            Some(Vocabulary::Work) => Box::new(|_| Box::new(TotalWork)),
            Some(Vocabulary::Inferences) => return Ok(inferences::selection(self, clauses)),
            Some(Vocabulary::Heap) => {
                Box::new(|index| Box::new(HeapClause::new(self, &clauses[index], index)))
            }
            Some(Vocabulary::Ppdp08) => Box::new(|index| {
                let position = ChainPosition::new(index, clauses.len());
                Box::new(Ppdp08Clause::new(self, &clauses[index], position))
            }),
            Some(Vocabulary::Machine) => return machine::selection(self, clauses),
            Some(
                vocabulary @ (Vocabulary::Portable
                | Vocabulary::FirstArgument
                | Vocabulary::Swi
                | Vocabulary::SwiOptimised
                | Vocabulary::Gnu),
            ) => return portable::selection(self, clauses, vocabulary),
        };
        Ok(Selection { call: None, model })
    }

    /// Runs the node's clauses in its world, in order, up to the first clause whose cut is certainly reached.
    pub(crate) fn clauses(&self, clauses: &[Clause]) -> Result<Vec<ClauseRun>, Split> {
        let mut selection = self.selection(clauses)?;
        // When choice points are counted, the run of a clause depends on which other clauses are tried.
        let may_keep = selection.call.is_none();
        let mut runs: Vec<ClauseRun> = Vec::new();
        runs.extend(selection.call.take().map(|c| self.before_clauses(c)));
        for (index, clause) in clauses.iter().enumerate() {
            if may_keep
                && let Some((kept, errors)) = self.remembered.clause(self.node, index, self.world)
            {
                runs.extend(kept.run);
                self.errors.set(self.errors.get() || errors);
                if kept.is_last {
                    return Ok(runs);
                }
                continue;
            }
            let raised_before = self.errors.replace(false);
            let ended = self.run_clause(clause, index, &mut selection);
            let errors = self.errors.replace(raised_before || self.errors.get());
            let ended = ended?;
            if may_keep {
                let (node, world) = (self.node, self.world);
                (self.remembered).keep_clause(node, index, world, &ended, errors);
            }
            runs.extend(ended.run);
            if ended.is_last {
                return Ok(runs);
            }
        }
        if clauses.iter().any(|c| c.kind == ClauseKind::SingleSided) {
            // If no single-sided rule matches, the call raises an error.
            self.errors.set(true);
        }
        Ok(runs)
    }

    /// Runs a clause. `errors` is false before and, if the run may raise an exception, true after.
    fn run_clause(
        &self,
        clause: &Clause,
        index: usize,
        selection: &mut Selection<'_>,
    ) -> Result<KeptRun, Split> {
        self.run_once.set(None);
        let scope = ClauseScope {
            runner: self,
            clause: index,
            terms: &clause.terms,
            leaves: Cell::new(0),
            branches: Cell::new(0),
            cuts: Cell::new(0),
            may_cut: Cell::new(false),
            sure_cut: Cell::new(false),
            model: (selection.model)(index),
        };
        let run = self.clause(clause, &scope)?.map(|mut tree| {
            tree.forget_values();
            ClauseRun {
                clause: index,
                tree: Rc::new(tree),
                may_cut: scope.may_cut.get(),
                raises: self.errors.get(),
            }
        });
        let is_last = run.is_some() && scope.sure_cut.get();
        Ok(KeptRun { run, is_last })
    }
}
