//! Queries: a goal and its solutions, which are computed one after another.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use smol_str::SmolStr;

use crate::cell::Cell;
use crate::centres::Leave;
use crate::control;
use crate::engine::Stop;
use crate::error::Limit;
use crate::frames::HEADER;
use crate::machine::Machine;
use crate::write::WriteOptions;

/// The outcome of a search for a solution.
#[derive(Clone, Copy, Debug)]
pub enum Answer {
    /// A solution. The variables of the goal stay bound until the next answer is requested.
    Yes {
        /// True if a choice point is left, so that there may be another solution.
        more: bool,
    },
    /// No further solution.
    No,
    /// An uncaught exception, with the thrown term.
    Error(Cell),
    /// A limit was reached.
    Limit(Limit),
}

impl Machine {
    /// Begins a query. A running query ends; its terms stay on the heap. The step limit is reset.
    ///
    /// After `start(goal)`, call [`Machine::next_answer`] until it returns an answer other than [`Answer::Yes`].
    pub fn start(&mut self, goal: Cell) {
        self.choices.clear();
        self.saved.clear();
        self.findalls.clear();
        self.captures.clear();
        self.e = 0;
        self.stack[..HEADER].fill(0);
        self.cp = control::SOLUTION;
        self.b0 = 0;
        self.fuel = 1;
        self.steps_left = self.limits.steps;
        self.x[0] = goal;
        let profiled = self.centres.watched().is_some();
        if profiled {
            self.begin_profile();
        }
        // Backtracking to this first choice point ends the query.
        self.push_choice(control::EXHAUSTED, 1);
        self.resume = Some(match profiled {
            true => control::PROFILED_QUERY,
            false => control::QUERY,
        });
    }

    /// Returns the next answer of the current query. Any answer other than [`Answer::Yes`] ends the query; all later answers are
    /// [`Answer::No`].
    pub fn next_answer(&mut self) -> Answer {
        let Some(from) = self.resume.take() else {
            return Answer::No;
        };
        let from = if from == control::SOLUTION {
            if self.counting {
                self.count_backtracking(control::SOLUTION);
            }
            let next = self.backtrack();
            if self.centres.watched().is_some() {
                self.resume_profile();
                self.gone_back();
            }
            next
        } else {
            self.set_floor();
            from
        };
        let stop = self.run(from);
        if self.centres.watched().is_some() {
            self.pause_profile(match stop {
                Stop::Solution => Leave::Exit,
                Stop::Exhausted => Leave::Fail,
                Stop::Uncaught(_) => Leave::Exception,
                Stop::Limit(_) => Leave::Open,
            });
        }
        match stop {
            Stop::Solution => {
                self.resume = Some(control::SOLUTION);
                Answer::Yes {
                    more: self.choices.len() > 1,
                }
            }
            Stop::Exhausted => Answer::No,
            Stop::Uncaught(ball) => {
                self.cut_to(0);
                // The term is for the caller, so it is not charged to the program.
                Answer::Error(self.store.for_error(|store| store.fetch(&ball)))
            }
            Stop::Limit(limit) => {
                self.cut_to(0);
                Answer::Limit(limit)
            }
        }
    }

    /// Returns a switch that ends a run with [`Limit::Time`], for callers with a clock.
    #[must_use]
    pub fn interrupt(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.interrupt.0)
    }
}

impl Machine {
    /// Formats a term like `writeq/1`, with named variables; the variables of the goal keep their names. A cyclic term is written as
    /// `@(Template, Substitutions)`.
    #[must_use]
    pub fn text_of(&self, term: Cell, names: &[(SmolStr, Cell)]) -> String {
        let mut options = WriteOptions {
            cycles: true,
            ..WriteOptions::quoted()
        };
        for (name, cell) in names {
            let cell = self.store.deref(*cell);
            if cell.is_reference() {
                options
                    .names
                    .entry(cell)
                    .or_insert_with(|| name.to_string());
            }
        }
        // The only possible error is that the text exceeds the output limit.
        self.text_of_term(term, &options)
            .unwrap_or_else(|_| "a term too large to write".to_owned())
    }
}
