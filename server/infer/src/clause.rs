//! The symbolic run of a clause in a world.
//!
//! Literals run left to right over abstract values. The resulting [`crate::tree::Tree`] suffices to compute costs, numbers of solutions and
//! output sizes without another run.

mod aggregate;
mod built_in;
mod calls;
mod collect;
mod control;
mod converted;
mod dicts;
mod exceptions;
mod facts;
mod generators;
mod goals;
pub(crate) mod guards;
mod head;
mod heap;
mod heap_of_calls;
mod instructions;
mod integers;
mod literals;
mod machine;
mod measured;
mod membership;
mod modes;
mod notes;
mod own;
mod point;
mod portable;
mod ranges;
mod relate;
mod same_outputs;
mod sized;
mod texts;
mod work;
mod wrapped;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use costlens_compile::code::{Chosen, CountedClause};
use costlens_compile::ppdp08::ChainPosition;
use costlens_events::{Counts, Vocabulary};
use costlens_program::{Clause, ClauseKind};
use costlens_syntax::term::Terms;

use crate::clause::point::{ClauseScope, Point, fail};
use crate::lattice::regular::Types;
use crate::program::Program;
use crate::state::State;
use crate::summary::node::{Called, Node};
use crate::tree::remembered::{KeptRun, Remembered};
use crate::tree::{ClauseRun, Obstacle};
use crate::world::World;
use crate::world::questions::Split;

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
    pub(crate) counted: Option<&'a crate::lattice::weight::Counted>,
    /// Cached results of previous runs.
    pub(crate) remembered: &'a Remembered,
}

impl Runner<'_> {
    /// Returns the run for the call itself, before any clause; later phases treat it like a clause that fails.
    fn before_clauses(&self, counts: Counts) -> ClauseRun {
        let mut point = Point::new(State::new(&Terms::default(), self.types.clone()));
        self.count(&mut point, || counts);
        ClauseRun {
            clause: 0,
            tree: Rc::new(fail(point)),
            may_cut: false,
            raises: false,
        }
    }

    /// Runs the node's clauses in its world, in order, up to the first clause whose cut is certainly reached.
    pub(crate) fn clauses(&self, clauses: &[Clause]) -> Result<Vec<ClauseRun>, Split> {
        let mut runs = Vec::new();
        let mut machine: Vec<Option<CountedClause>> = Vec::new();
        let mut chosen = Chosen::new(Vec::new(), false);
        if self.counts_machine() {
            machine = self.machine_clauses(clauses);
            let flat = |code: &Option<CountedClause>| code.as_ref().map(CountedClause::is_flat);
            chosen = self.chosen(clauses, &machine.iter().map(flat).collect::<Vec<_>>())?;
            runs.push(self.before_clauses(chosen.call()));
        }
        if self.counts_portable() {
            chosen = self.left_by_index(clauses)?;
            runs.push(self.before_clauses(self.found_by(clauses)));
        }
        for (index, clause) in clauses.iter().enumerate() {
            // When choice points are counted, the run of a clause depends on which other clauses are tried.
            let may_keep = !self.counts_machine() && !self.counts_portable();
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
            let machine = machine.get_mut(index).and_then(Option::take);
            let code = self.code(clause, ChainPosition::of(index, clauses.len()));
            let (code, unsupported) = match code {
                None => (None, None),
                Some(Ok(code)) => (Some(code), None),
                Some(Err(unsupported)) => (None, Some(unsupported)),
            };
            let scope = ClauseScope {
                clause: index,
                terms: &clause.terms,
                leaves: Cell::new(0),
                branches: Cell::new(0),
                cuts: Cell::new(0),
                may_cut: Cell::new(false),
                sure_cut: Cell::new(false),
                code,
                machine: self.machine_clause(machine, index, &chosen),
                tried: self.tried_clause(clause, index, &chosen),
                built: self.built_clause(clause, index),
            };
            let raised_before = self.errors.replace(false);
            let ended = self.clause(clause, &scope, unsupported);
            let errors = self.errors.replace(raised_before || self.errors.get());
            let run = ended?.map(|mut tree| {
                tree.forget_values();
                ClauseRun {
                    clause: index,
                    tree: Rc::new(tree),
                    may_cut: scope.may_cut.get(),
                    raises: errors,
                }
            });
            let is_last = run.is_some() && scope.sure_cut.get();
            let ended = KeptRun { run, is_last };
            if may_keep {
                let (node, world) = (self.node, self.world);
                (self.remembered).keep_clause(node, index, world, &ended, errors);
            }
            runs.extend(ended.run);
            if is_last {
                return Ok(runs);
            }
        }
        if clauses.iter().any(|c| c.kind == ClauseKind::SingleSided) {
            // If no single-sided rule matches, the call raises an error.
            self.errors.set(true);
        }
        Ok(runs)
    }
}
